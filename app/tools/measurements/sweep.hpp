// SPDX-License-Identifier: GPL-3.0-or-later
// The page "Plot against" at work: measures the shown frame at many values of a parameter.
#pragma once

#include "app/measure/measurement.hpp"
#include "app/sweep/swept.hpp"
#include "app/tools/measurements/sweep_task.hpp"

#include <QObject>
#include <QString>

#include <memory>
#include <optional>
#include <stop_token>
#include <vector>

class QTimer;

namespace echolux {

class SweepPanel;

class MeasurementSweep : public QObject {
    Q_OBJECT
public:
    MeasurementSweep(SweepPanel& panel, Workbench& bench);
    ~MeasurementSweep() override; ///< stops the sweep under way
    /// What is measured from the next sweep on, and its figures on the shown image.
    void setMeasurements(const std::vector<measure::Measurement>& measurements,
                         const std::vector<measure::Measured>& now);
    void forget(); ///< what was swept, because another recording is open

private:
    /// The parameter and the display of what has been swept.
    struct Course {
        QString id;
        std::string stage, key;
        QString label;
        QString unit; ///< of the display
        double factor = 1.0;
        double from = 0.0, to = 1.0; ///< in the display unit
        std::vector<ParamValue> values;
    };
    void offerParameters();
    void offer(const std::vector<SweptFigure>& figures);
    void start();
    void follow(); ///< takes over what was found since
    void show();
    void use();
    BestValue best() const;
    std::optional<double> valueInForce() const; ///< of the swept parameter, in the display unit
    double shownValue(const Swept& swept) const;

    SweepPanel& m_panel;
    Workbench& m_bench;
    QTimer* m_timer;
    std::vector<measure::Measurement> m_measurements;
    Course m_course;
    std::vector<Swept> m_swept;
    std::vector<SweptFigure> m_figures; ///< of m_swept
    QString m_problem;
    std::shared_ptr<SweepProgress> m_progress; ///< of the sweep under way
    std::stop_source m_stop;
};

} // namespace echolux
