// SPDX-License-Identifier: GPL-3.0-or-later
// The figures as text for users, and all of them as JSON.
#include "app/commands/aberration_report.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace echolux {

namespace {

void figure(const std::string& name, const std::string& text) {
    fmt::print("{:<22}{}\n", name, text);
}

std::string wordsOfArray(const aberration::ElementGrid& grid) {
    if (grid.isLine()) return fmt::format("{} elements", grid.elements());
    return fmt::format("{} elements on {} x {} places", grid.elements(), grid.columns, grid.rows);
}

std::string wordsOfFrames(const AberrationReport& report) {
    if (report.isCube) return "aligned channels";
    if (report.firstFrame == report.lastFrame) return fmt::format("frame {}", report.firstFrame);
    return fmt::format("frames {} to {}", report.firstFrame, report.lastFrame);
}

} // namespace

std::string whyNotValid(const AberrationReport& report) {
    const aberration::Estimate& estimate = report.estimate;
    if (estimate.coherent)
        return fmt::format("nothing to gain: the focusing criterion is {:.4f} as recorded and "
                           "{:.4f} with the filter",
                           estimate.focusBefore, estimate.focusAfter);
    return fmt::format("no coherent signal: neighbouring channels agree by {:.2f} of 1",
                       estimate.coherence);
}

void print(const AberrationReport& report) {
    const aberration::Estimate& estimate = report.estimate;
    figure("File", fmt::format("{}, {}, {}", report.file, wordsOfFrames(report),
                               wordsOfArray(report.grid)));
    if (!report.isCube) {
        const aberration::FocusParams& focus = report.focus;
        figure("Focused on",
               fmt::format("{} points, x {:.1f} to {:.1f} mm, depth {:.1f} to {:.1f} mm, gate "
                           "{:.2f} us",
                           report.points, 1e3 * (focus.lateralM - 0.5 * focus.widthM),
                           1e3 * (focus.lateralM + 0.5 * focus.widthM),
                           1e3 * (focus.depthM - 0.5 * focus.heightM),
                           1e3 * (focus.depthM + 0.5 * focus.heightM), 1e6 * focus.gateS));
    }
    figure("Spectra", fmt::format("{} bins, {:.3f} to {:.3f} MHz", report.binsHz.size(),
                                  1e-6 * report.binsHz.front(), 1e-6 * report.binsHz.back()));
    figure("Method", fmt::format("{}, {} iterations", report.method, estimate.iterations));
    figure("Coherence", fmt::format("{:.3f} of neighbours", estimate.coherence));
    if (!estimate.valid) {
        figure("Filter", whyNotValid(report));
        return;
    }
    figure("Focusing criterion",
           fmt::format("{:.4f} before, {:.4f} after", estimate.focusBefore, estimate.focusAfter));
    figure("Sharpness", fmt::format("{:.4g} before, {:.4g} after", estimate.sharpnessBefore,
                                    estimate.sharpnessAfter));
    figure("Delays", fmt::format("{:.1f} ns rms at {:.2f} MHz, without piston and tilt",
                                 1e9 * report.rmsDelayS, 1e-6 * estimate.centreHz));
    if (report.residual)
        figure("Known screen",
               fmt::format("{:.1f} ns rms before, {:.1f} ns after", 1e9 * report.residual->beforeS,
                           1e9 * report.residual->afterS));
    if (report.peak && report.peak->uncorrected > 0.0) {
        const AberrationReport::Peak& peak = *report.peak;
        std::string text =
            fmt::format("{:.3f} times as high corrected", peak.corrected / peak.uncorrected);
        if (peak.withTruth > 0.0)
            text +=
                fmt::format(", {:.3f} with the known screen", peak.withTruth / peak.uncorrected);
        figure("Brightest points", fmt::format("{}: {}", peak.points, text));
    }
}

std::string asJson(const AberrationReport& report) {
    const aberration::Estimate& estimate = report.estimate;
    nlohmann::ordered_json root;
    root["file"] = report.file;
    if (!report.isCube) {
        root["first_frame"] = report.firstFrame;
        root["last_frame"] = report.lastFrame;
        const aberration::FocusParams& focus = report.focus;
        root["region"] = {{"lateral_m", focus.lateralM},
                          {"depth_m", focus.depthM},
                          {"elevation_m", focus.elevationM},
                          {"width_m", focus.widthM},
                          {"height_m", focus.heightM}};
        root["gate_s"] = focus.gateS;
    }
    root["elements"] = report.grid.elements();
    root["rows"] = report.grid.rows;
    root["columns"] = report.grid.columns;
    root["points"] = report.points;
    root["bins_hz"] = report.binsHz;
    root["method"] = report.method;
    root["iterations"] = estimate.iterations;
    root["valid"] = estimate.valid;
    root["coherent"] = estimate.coherent;
    root["coherence"] = estimate.coherence;
    root["centre_hz"] = estimate.centreHz;
    root["focusing_criterion"] = {{"before", estimate.focusBefore}, {"after", estimate.focusAfter}};
    root["sharpness"] = {{"before", estimate.sharpnessBefore}, {"after", estimate.sharpnessAfter}};
    root["rms_delay_s"] = report.rmsDelayS;
    if (report.residual)
        root["residual_s"] = {{"before", report.residual->beforeS},
                              {"after", report.residual->afterS}};
    if (report.peak) {
        root["peak"] = {{"points", report.peak->points},
                        {"uncorrected", report.peak->uncorrected},
                        {"corrected", report.peak->corrected}};
        if (report.peak->withTruth > 0.0) root["peak"]["with_truth"] = report.peak->withTruth;
    }
    root["delay_s"] = estimate.filter.delayS;
    root["amplitude"] = estimate.filter.amplitude;
    root["element_coherence"] = estimate.filter.coherence;
    for (const aberration::Step& step : estimate.steps) {
        root["change"].push_back(step.change);
        root["change_of_magnitudes"].push_back(step.changeOfMagnitudes);
    }
    return root.dump(2) + '\n';
}

} // namespace echolux
