// SPDX-License-Identifier: GPL-3.0-or-later
// The dock "Filter lab": interpolators under test, live.
#pragma once

#include "ui/lab/filter_lab.hpp"

#include <QSet>
#include <QWidget>

class QComboBox;
class QGridLayout;
class QLabel;
class QVBoxLayout;

namespace echolux {

class CurveKey;
class ReadResponsePlot;
class Slider;
class SnrPlot;

class FilterLabPanel : public QWidget {
    Q_OBJECT
public:
    explicit FilterLabPanel(QWidget* parent = nullptr);

    /// The curves that there are, their levels not known yet; what somebody hid stays
    /// hidden, unless it is in use.
    void setCurves(const std::vector<LabCurve>& curves);
    void setLevels(const LabLevels& levels);
    void setBands(const LabBands& bands, const QString& text);
    void setResponse(const LabResponse& response);

    double spread() const;      ///< of the delays, in samples
    double noise() const;       ///< root mean square, re the signal's
    QString responseOf() const; ///< id of the curve whose response is wanted
    double fraction() const;

    SnrPlot& plot() { return *m_snr; }
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
    void showTexts();

    QComboBox* m_spread;
    Slider* m_noise;
    QLabel* m_noiseText;
    SnrPlot* m_snr;
    QGridLayout* m_keyGrid;
    QComboBox* m_of;
    Slider* m_fraction;
    QLabel* m_fractionText;
    ReadResponsePlot* m_response;
    std::vector<LabCurve> m_curves;
    QList<CurveKey*> m_keys;
    QSet<QString> m_hidden;
    QSet<QString> m_known;   ///< curves that were offered before
    bool m_ofChosen = false; ///< somebody chose whose response is drawn; else that in use
};

} // namespace echolux
