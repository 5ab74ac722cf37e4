// SPDX-License-Identifier: GPL-3.0-or-later
// What `echolux aberration` tells of an estimate.
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
    std::int64_t firstFrame = 1; ///< as people count
    std::int64_t lastFrame = 1;
    bool isCube = false;
    aberration::FocusParams focus; ///< of recordings
    aberration::ElementGrid grid;
    std::int32_t points = 0;
    std::vector<double> binsHz;
    aberration::Estimate estimate;
    double rmsDelayS = 0.0; ///< piston and tilt removed
    /// Where the recording knows its screen, piston and tilt removed: of the screen, and of what is
    /// left of it.
    struct Residual {
        double beforeS = 0.0;
        double afterS = 0.0;
    };
    std::optional<Residual> residual = {};
    /// Magnitudes at the brightest points, summed.
    struct Peak {
        std::size_t points = 0;
        double uncorrected = 0.0;
        double corrected = 0.0;
        double withTruth = 0.0; ///< 0: not known
    };
    std::optional<Peak> peak = {};
};

void print(const AberrationReport& report);
/// SI units.
std::string asJson(const AberrationReport& report);
/// "no coherent signal: ...", or "nothing to gain: ..."
std::string whyNotValid(const AberrationReport& report);

} // namespace echolux
