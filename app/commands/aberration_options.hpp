// SPDX-License-Identifier: GPL-3.0-or-later
// Options of `echolux aberration`: the data to use and the method of the estimate.
#pragma once

#include "gpu/aberration/aberration_params.hpp"
#include "gpu/core/frame_spec.hpp"

#include <cstdint>
#include <optional>
#include <string>

namespace CLI {
class App;
}

namespace echolux {

struct AberrationEstimateOptions {
    std::string frames;
    std::string region;
    std::string method = "least_squares";
    std::optional<std::int64_t> kernel;
    std::optional<std::int64_t> iterations;
    std::optional<std::int64_t> passes;
    std::optional<double> mu;
    std::optional<double> epsilon;
    std::optional<double> minCoherence;
    std::optional<double> centreMHz;
    std::optional<std::int64_t> centreBin; ///< of a cube, counted from 0
    std::optional<double> bandwidthMHz;
    std::optional<double> gateUs;
    std::optional<double> samplingMHz; ///< sampling frequency of a cube
    std::optional<std::int64_t> bins;
    std::optional<std::int64_t> points;

    void addTo(CLI::App& command);

    /// The following functions throw Error, a sentence, where an option makes no sense.
    aberration::SolveParams solve() const;
    /// For a recording whose channel data are `spec`.
    aberration::FocusParams focus(const FrameSpec& spec) const;
    struct Range {
        std::int64_t first = 0; ///< counted from 0
        std::int64_t last = 0;
    };
    Range framesAsked() const;
};

} // namespace echolux
