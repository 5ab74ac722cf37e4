// SPDX-License-Identifier: GPL-3.0-or-later
// The dock "Prediction" at work: predicts the pipeline in force on all known devices.
#pragma once

#include "app/prediction/pipeline_prediction.hpp"
#include "app/session/stream/statistics.hpp"

#include <QObject>
#include <QString>

#include <vector>

namespace echolux {

class PredictionPanel;
class Workbench;

/// Predicts at the pace of measuring, only while the dock is in sight. Draws nothing where nothing
/// has changed.
class PredictionTool : public QObject {
    Q_OBJECT
public:
    PredictionTool(PredictionPanel& panel, Workbench& bench);

private:
    /// A device, and the pipeline in force on it.
    struct Known {
        model::Device device;
        PipelinePrediction prediction = {};
        QString refusal = {}; ///< why there is no prediction, or empty
    };

    void add(model::Device device);
    void listDevices();
    void syncFromPipeline();
    bool isStale() const;
    void follow();
    void rest();
    void predict();
    void showChosen();
    void showRates();
    void openFile(const QString& path);
    void measureHere();
    bool isHere(const model::Device& device) const;
    Fusing fusing() const;

    PredictionPanel& m_panel;
    Workbench& m_bench;
    std::vector<Known> m_known;
    QString m_processor;               ///< its name
    Statistics m_now;                  ///< measured last
    SnapshotPtr m_predicted;           ///< the pipeline whose predictions are shown; null: none
    Fusing m_fusing = Fusing::Allowed; ///< of these predictions
};

} // namespace echolux
