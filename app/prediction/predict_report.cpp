// SPDX-License-Identifier: GPL-3.0-or-later
// The tables of `echolux predict`.
#include "app/prediction/predict_report.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <numeric>

namespace echolux {
namespace {

using Json = nlohmann::ordered_json;
using model::Interval;

constexpr double kInMicro = 1e6;
constexpr double kMebi = 1024.0 * 1024.0;

double sumOf(const std::vector<double>& values) {
    return std::accumulate(values.begin(), values.end(), 0.0);
}

/// Percent of the measurement; "-" without one.
std::string errorText(double measured, double predicted) {
    if (measured <= 0.0) return "-";
    return fmt::format("{:.0f} %", 100.0 * model::errorOfMeasurement(measured, predicted));
}

std::string memoryText(const PredictedDevice& predicted) {
    const double bytes = static_cast<double>(predicted.prediction.bytes);
    std::string text = fmt::format("{:.1f} MiB", bytes / kMebi);
    if (!predicted.prediction.fits)
        text += fmt::format(", more than the {:.1f} MiB of the device",
                            predicted.device.limits.memoryBytes / kMebi);
    return text;
}

std::string knownErrorText() {
    return fmt::format("from, to: the known error of the model; two thirds of measured times lie "
                       "within {:.0f} % of the prediction, {:.0f} % where latency or launch bounds "
                       "it.\n",
                       100.0 * model::kKnownError, 100.0 * model::kKnownErrorOfSmall);
}

/// Of the step's longest kernel.
std::string occupancyText(const StepPrediction& step) {
    const StepKernel* const longest = step.longest();
    if (longest == nullptr) return {};
    const model::Occupancy& most = longest->predicted.occupancy;
    return fmt::format("occupancy of {}: {:.0f} active blocks of {:.0f} threads, {:.0f} % of a "
                       "multiprocessor{}{}\n",
                       step.label, most.blocks, longest->launch.threads, 100.0 * most.threads,
                       most.limit.empty() ? "" : "; the limit is ", most.limit);
}

Json asJson(const Interval& interval) {
    return {{"low", interval.low}, {"high", interval.high}, {"middle", interval.middle()}};
}

Json rangeJson(const Interval& likely) { return {{"low", likely.low}, {"high", likely.high}}; }

Json kernelJson(const StepKernel& kernel) {
    const model::KernelPrediction& predicted = kernel.predicted;
    Json parts = Json::array();
    for (const model::PartPrediction& part : predicted.parts)
        parts.push_back({{"name", part.name},
                         {"memory", part.memory},
                         {"shared_memory", part.shared},
                         {"compute", part.floats},
                         {"special_functions", part.special},
                         {"issue", part.issue},
                         {"offsets", asJson(part.offsets)},
                         {"longest", asJson(part.total)}});
    Json json{{"name", kernel.name},
              {"count", kernel.count},
              {"predicted", asJson(predicted.improved)},
              {"bound", nameOf(predicted.bound)},
              {"latency", predicted.latency},
              {"cache_hits", predicted.cacheHits},
              {"blocks", kernel.launch.blocks},
              {"threads", kernel.launch.threads},
              {"active_blocks", predicted.occupancy.blocks},
              {"occupancy", predicted.occupancy.threads}};
    if (!predicted.occupancy.limit.empty()) json["occupancy_limit"] = predicted.occupancy.limit;
    json["parts"] = std::move(parts);
    return json;
}

Json stepJson(const StepPrediction& step, double measured) {
    Json differing = Json::array();
    for (const StepKernel& kernel : step.differing) differing.push_back(kernelJson(kernel));
    Json json{{"name", step.label},
              {"declared", step.isDeclared},
              {"kernels", step.kernels},
              {"bound", nameOf(step.bound)},
              {"launch", step.launch},
              {"predicted", asJson(step.time())},
              {"likely", rangeJson(step.likely)},
              {"van_bavel", asJson(step.plain)},
              {"roofline", step.roofline}};
    if (measured > 0.0) {
        json["measured"] = measured;
        json["error"] = model::errorOfMeasurement(measured, step.time().middle());
    }
    if (!step.warnings.empty()) json["warnings"] = step.warnings;
    json["parts_of_kernels"] = std::move(differing);
    return json;
}

} // namespace

std::string headOfPredictions(std::size_t width) {
    return fmt::format("{:<{}}  {:>10}  {:>10} {:>10} {:>10} {:>7}  {:>10} {:>10} {:>7}  {:>10} "
                       "{:>7}  {}\n",
                       "us", width, "measured", "predicted", "from", "to", "error", "van Bavel",
                       "to", "error", "roofline", "error", "bound");
}

std::string lineOf(const PredictedRow& row, std::size_t width) {
    const std::string measured =
        row.measured > 0.0 ? fmt::format("{:.1f}", row.measured * kInMicro) : "-";
    return fmt::format("{:<{}}  {:>10}  {:>10.1f} {:>10.1f} {:>10.1f} {:>7}  {:>10.1f} {:>10.1f} "
                       "{:>7}  {:>10.1f} {:>7}  {}\n",
                       row.label, width, measured, row.improved.middle() * kInMicro,
                       row.likely.low * kInMicro, row.likely.high * kInMicro,
                       errorText(row.measured, row.improved.middle()), row.plain.low * kInMicro,
                       row.plain.high * kInMicro, errorText(row.measured, row.plain.middle()),
                       row.roofline * kInMicro, errorText(row.measured, row.roofline), row.bound);
}

std::string tableOf(const std::string& pipeline, const PredictedDevice& predicted) {
    const PipelinePrediction& all = predicted.prediction;
    std::size_t width = std::string_view("total").size();
    for (const StepPrediction& step : all.steps) width = std::max(width, step.label.size() + 1);
    std::string text = fmt::format("{} on {}\n", pipeline, predicted.device.name);
    text += headOfPredictions(width);
    bool hasUndeclared = false;
    for (std::size_t i = 0; i < all.steps.size(); ++i) {
        const StepPrediction& step = all.steps[i];
        const double measured = predicted.measured.empty() ? 0.0 : predicted.measured[i];
        hasUndeclared = hasUndeclared || !step.isDeclared;
        text += lineOf({step.label + (step.isDeclared ? "" : "*"), measured, step.time(),
                        step.likely, step.plain, step.roofline, std::string(nameOf(step.bound))},
                       width);
    }
    text += lineOf({"total", sumOf(predicted.measured), all.improved + all.launch, all.likely,
                    all.plain, all.roofline, std::string(nameOf(all.bound))},
                   width);
    const Interval latency = all.likely + all.upload;
    if (all.upload > 0.0)
        text += fmt::format("upload over PCIe: {:.1f} us\n", all.upload * kInMicro);
    if (all.launch > 0.0)
        text += fmt::format("launches, included above: {:.1f} us\n", all.launch * kInMicro);
    text +=
        fmt::format("frame rate: {:.0f} frames/s ({:.0f} to {:.0f}), with uploads {} "
                    "computing\nlatency of one frame: {:.1f} to {:.1f} us\nmemory: {}\n",
                    all.framesPerSecond(), 1.0 / all.likelyFrame.high, 1.0 / all.likelyFrame.low,
                    predicted.device.overlapsCopies ? "beside" : "before", latency.low * kInMicro,
                    latency.high * kInMicro, memoryText(predicted));
    if (!predicted.device.isCpu) {
        text += knownErrorText();
        for (const StepPrediction& step : all.steps) text += occupancyText(step);
    }
    if (hasUndeclared)
        text += "* declares no work; counted as reading its inputs and writing its output.\n";
    for (const StepPrediction& step : all.steps)
        for (const std::string& warning : step.warnings) text += warning + "\n";
    return text;
}

std::string summaryOf(const std::string& pipeline, const std::vector<PredictedDevice>& devices) {
    std::size_t width = std::string_view("device").size();
    for (const PredictedDevice& each : devices) width = std::max(width, each.device.name.size());
    std::string text = pipeline + "\n";
    text += fmt::format("{:<{}}  {:>10}  {:>10} {:>10}  {:<18} {}\n", "device", width, "frames/s",
                        "latency us", "to", "bound", "memory");
    for (const PredictedDevice& each : devices) {
        const PipelinePrediction& all = each.prediction;
        text += fmt::format("{:<{}}  {:>10.0f}  {:>10.1f} {:>10.1f}  {:<18} {}\n", each.device.name,
                            width, all.framesPerSecond(), all.latency.low * kInMicro,
                            all.latency.high * kInMicro, nameOf(all.bound), memoryText(each));
    }
    return text;
}

std::string jsonOf(const std::string& pipeline, const std::vector<PredictedDevice>& devices) {
    Json list = Json::array();
    for (const PredictedDevice& each : devices) {
        const PipelinePrediction& all = each.prediction;
        Json steps = Json::array();
        for (std::size_t i = 0; i < all.steps.size(); ++i)
            steps.push_back(stepJson(all.steps[i], each.measured.empty() ? 0.0 : each.measured[i]));
        Json json{{"device", each.device.id},
                  {"name", each.device.name},
                  {"steps", std::move(steps)},
                  {"predicted", asJson(all.improved + all.launch)},
                  {"likely", rangeJson(all.likely)},
                  {"van_bavel", asJson(all.plain)},
                  {"roofline", all.roofline},
                  {"launch", all.launch},
                  {"upload", all.upload},
                  {"overlaps_copies", each.device.overlapsCopies},
                  {"frame", asJson(all.frame)},
                  {"likely_frame", rangeJson(all.likelyFrame)},
                  {"frames_per_s", all.framesPerSecond()},
                  {"latency", asJson(all.latency)},
                  {"bound", nameOf(all.bound)},
                  {"bytes", all.bytes},
                  {"fits", all.fits}};
        if (!each.measured.empty()) {
            const double measured = sumOf(each.measured);
            json["measured"] = measured;
            json["error"] =
                model::errorOfMeasurement(measured, (all.improved + all.launch).middle());
        }
        list.push_back(std::move(json));
    }
    return Json{{"pipeline", pipeline}, {"unit", "s"}, {"devices", std::move(list)}}.dump(2) + "\n";
}

} // namespace echolux
