// SPDX-License-Identifier: GPL-3.0-or-later
// The report of `echolux aberration` on an estimate.
#pragma once

#include "gpu/aberration/aberration_params.hpp"
#include "gpu/aberration/host_estimate.hpp"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace echolux {

struct AberrationReport {
    std::string file;
    std::string method;
    std::int64_t firstFrame = 1; ///< counted from 1
    std::int64_t lastFrame = 1;
    bool isCube = false;
    aberration::FocusParams focus; ///< only for recordings
    aberration::ElementGrid grid;
    std::int32_t points = 0;
    std::vector<double> binsHz;
    aberration::Estimate estimate;
    double rmsDelayS = 0.0; ///< without piston and tilt
    /// Where the recording states its screen: rms delay of the screen, and of its remainder after
    /// correction. Both without piston and tilt.
    struct Residual {
        double beforeS = 0.0;
        double afterS = 0.0;
    };
    std::optional<Residual> residual = {};
    /// Magnitudes summed over the brightest points.
    struct Peak {
        std::size_t points = 0;
        double uncorrected = 0.0;
        double corrected = 0.0;
        double withTruth = 0.0; ///< 0: unknown
    };
    std::optional<Peak> peak = {};
};

void print(const AberrationReport& report);
/// SI units.
std::string asJson(const AberrationReport& report);
/// "no coherent signal: ...", or "nothing to gain: ..."
std::string whyNotValid(const AberrationReport& report);

} // namespace echolux
