// SPDX-License-Identifier: GPL-3.0-or-later
// The dock "Filter lab": interpolators under test.
#pragma once

#include "ui/lab/filter_lab.hpp"

#include <QSet>
#include <QWidget>

class QComboBox;
class QGridLayout;
class QTabBar;
class QVBoxLayout;

namespace echolux {

class CurveKey;
class ImageComparison;
class ReadResponsePlot;
class SnrPlot;
class TapsPlot;
class ValueSlider;

class FilterLabPanel : public QWidget {
    Q_OBJECT
public:
    explicit FilterLabPanel(QWidget* parent = nullptr);

    /// Sets the available curves, without levels yet. Curves that the user hid stay hidden, except
    /// the one in use.
    void setCurves(const std::vector<LabCurve>& curves);
    void setLevels(const LabLevels& levels);
    void setBands(const LabBands& bands, const QString& text);
    void setResponse(const LabResponse& response);

    double spread() const;      ///< range of the delays, in samples
    double noise() const;       ///< rms, relative to the signal
    QString responseOf() const; ///< id of the curve whose response is needed
    double fraction() const;

    SnrPlot& plot() { return *m_snr; }
    ReadResponsePlot& responsePlot() { return *m_response; }
    TapsPlot& tapsPlot() { return *m_taps; }
    ImageComparison& imagePage() { return *m_image; }
    void showImagePage(); ///< as the user does
    const QList<CurveKey*>& keys() const { return m_keys; }

signals:
    void testChanged();
    void responseChanged();
    void cameIntoSight();

protected:
    void showEvent(QShowEvent* event) override;

private:
    void addTestControls(QVBoxLayout& layout);
    void addResponseControls(QVBoxLayout& layout);
    void makeKeys();

    QComboBox* m_spread;
    ValueSlider* m_noise;
    SnrPlot* m_snr;
    QGridLayout* m_keyGrid;
    QComboBox* m_of;
    ValueSlider* m_fraction;
    ReadResponsePlot* m_response;
    TapsPlot* m_taps;
    QTabBar* m_tabs;
    ImageComparison* m_image;
    std::vector<LabCurve> m_curves;
    QList<CurveKey*> m_keys;
    QSet<QString> m_hidden;
    QSet<QString> m_known; ///< curves that were listed before
    /// True: the user chose the curve of the response; false: it is the one in use.
    bool m_ofChosen = false;
};

} // namespace echolux
