// SPDX-License-Identifier: GPL-3.0-or-later
// The content of the dock "Prediction": a device, the stages on it, its roofline, and all devices.
#pragma once

#include "app/tools/prediction/bands.hpp"
#include "app/tools/prediction/data.hpp"
#include "ui/controls/seen_widget.hpp"

class QLabel;
class QCheckBox;
class QLineEdit;
class QPushButton;
class QStackedWidget;
class QTabBar;

namespace echolux {

class ComboBox;
class RooflinePlot;

class PredictionPanel : public SeenWidget {
    Q_OBJECT
public:
    explicit PredictionPanel(QWidget* parent = nullptr);
    /// Ids and names, in the order of the list.
    void setDevices(const QStringList& ids, const QStringList& names);
    QString device() const; ///< id of the chosen one
    void choose(const QString& id);
    void setPipeline(const PredictedPipeline& pipeline);
    /// Instead of a prediction: why there is none.
    void setRefusal(const QString& sentence);
    void setRates(const QList<PredictedRate>& rates);
    void clear(); ///< call when no recording is open
    /// Frames per second that the list of devices marks.
    QList<double> marks() const { return m_marks; }
    void setMarks(const QList<double>& marks);
    void setMeasuring(bool measuring); ///< while this processor is measured

    Bands& stages() { return *m_stages; }
    Bands& rates() { return *m_rates; }
    RooflinePlot& roofline() { return *m_roofline; }
    QCheckBox& parts() { return *m_parts; } ///< shows the parts of each stage
    QString summary() const;
    QLineEdit& markField() { return *m_markField; }
    QTabBar& tabs() { return *m_tabs; }

signals:
    void deviceChosen(const QString& id);
    void fileChosen(const QString& path);
    void measureWanted();

private:
    QWidget* makeStages();
    QWidget* makeDevices();
    void takeMarks();
    void chooseFile();
    void showRates();
    void showRoofline();

    ComboBox* m_device;
    QPushButton* m_measure;
    QLabel* m_summary;
    QTabBar* m_tabs;
    QStackedWidget* m_pages;
    Bands* m_stages;
    Bands* m_rates;
    RooflinePlot* m_roofline;
    QCheckBox* m_parts;
    QLineEdit* m_markField;
    QList<double> m_marks;
    QList<PredictedRate> m_shownRates;
    PredictedPipeline m_pipeline;
};

} // namespace echolux
