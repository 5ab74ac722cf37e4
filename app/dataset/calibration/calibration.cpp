// SPDX-License-Identifier: GPL-3.0-or-later
// Checks calibrations and applies them in place of a recording's own values.
#include "app/dataset/calibration/calibration.hpp"

#include "app/dataset/frames/curve.hpp"
#include "app/dataset/frames/spectra_check.hpp"
#include "gpu/core/error.hpp"

#include <fmt/format.h>

#include <utility>

namespace echolux {

namespace {

std::vector<double> phaseOf(const std::array<double, 3>& terms, std::int64_t samples) {
    std::vector<double> phase(static_cast<std::size_t>(samples));
    for (std::size_t m = 0; m < phase.size(); ++m) {
        const double x = -0.5 * static_cast<double>(m) / static_cast<double>(samples - 1);
        phase[m] = x * x * (terms[0] + x * (terms[1] + x * terms[2]));
    }
    return phase;
}

Error unfit(const std::string& origin, const std::string& what) {
    return Error(
        fmt::format("The calibration '{}' does not fit: {}; choose the one that belongs to "
                    "this device.",
                    origin, what));
}

} // namespace

AppliedCalibration applied(const Calibration& calibration, const Spectrometer& facts,
                           std::int64_t samples, const std::string& origin) {
    AppliedCalibration result{facts, {}};
    const auto fitted = [&](const std::vector<double>& values, const char* what, auto stretch) {
        if (static_cast<std::int64_t>(values.size()) == samples) return values;
        result.warnings.push_back(fmt::format("The {} of {} values in '{}' was stretched to the {} "
                                              "samples of a line.",
                                              what, values.size(), origin, samples));
        return stretch(values, samples);
    };
    if (!calibration.resampling.empty())
        result.facts.resampling =
            fitted(calibration.resampling, "resampling curve", stretchedCurve);
    if (!calibration.dispersionRad.empty())
        result.facts.dispersionRad = fitted(calibration.dispersionRad, "dispersion", stretched);
    if (calibration.dispersionTerms)
        result.facts.dispersionRad = phaseOf(*calibration.dispersionTerms, samples);
    if (!calibration.background.empty()) result.facts.background = calibration.background;
    if (calibration.centreWavelengthM > 0.0)
        result.facts.centreWavelengthM = calibration.centreWavelengthM;
    if (calibration.bandwidthM > 0.0) result.facts.bandwidthM = calibration.bandwidthM;
    if (const auto wrong = contradictionIn(result.facts, samples)) throw unfit(origin, *wrong);
    return result;
}

} // namespace echolux
