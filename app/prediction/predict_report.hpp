// SPDX-License-Identifier: GPL-3.0-or-later
// Prints predictions, with measured times beside them where there are any.
#pragma once

#include "app/prediction/pipeline_prediction.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace echolux {

/// A pipeline on one device.
struct PredictedDevice {
    model::Device device;
    PipelinePrediction prediction;
    std::vector<double> measured; ///< seconds per step; empty: not measured
};

/// One row of a table; times in seconds.
struct PredictedRow {
    std::string label;
    double measured = 0.0;         ///< 0: not measured
    model::Interval improved = {}; ///< with launches
    model::Interval likely = {};   ///< likewise, with the known error of the model
    model::Interval plain = {};
    double roofline = 0.0;
    std::string bound = {};
};
// Lines of a table; `width` is that of its first column.
std::string headOfPredictions(std::size_t width);
std::string lineOf(const PredictedRow& row, std::size_t width);

/// One table: a row per step, then total, upload, frame rate, latency and memory.
std::string tableOf(const std::string& pipeline, const PredictedDevice& predicted);
/// A row per device: frame rate, latency, bound, memory.
std::string summaryOf(const std::string& pipeline, const std::vector<PredictedDevice>& devices);
/// All numbers, in seconds and bytes.
std::string jsonOf(const std::string& pipeline, const std::vector<PredictedDevice>& devices);

} // namespace echolux
