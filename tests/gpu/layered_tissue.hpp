// SPDX-License-Identifier: GPL-3.0-or-later
// B-scans of tissue whose borders are known, and the surfaces that the stage finds.
#pragma once

#include "tests/support/stage_run.hpp"
#include "tests/support/test_frames.hpp"

#include <cmath>
#include <complex>
#include <cstdint>
#include <random>
#include <vector>

namespace echolux::test {

inline constexpr double kTissueDepthM = 2e-6;

/// B-scans in dB, shown from -10 to 30 dB; `bscans` 0: no elevation.
inline FrameSpec tissueSpec(std::int64_t bscans, std::int64_t lines, std::int64_t depths) {
    FrameSpec spec = octSpec(bscans, lines, depths);
    spec.axes.back() = {AxisName::Depth, depths, kTissueDepthM, 0.0, "m"};
    spec.valueRange = {-10.0, 30.0, "dB", ""};
    return spec;
}

struct FoundSurfaces {
    HostFrame lines;
    HostFrame upper;
    HostFrame lower;
};

inline FoundSurfaces surfacesOf(const HostFrame& image, const Settings& settings = {},
                                Backend backend = Backend::Cpu) {
    const StageType& type = stageType("surfaces");
    StageRunner runner(type, image.spec, paramsFor(type, image.spec, settings), backend);
    HostFrames all = runner.runAll({image});
    return {all[0], all[1], all[2]};
}

/// Tissue between two curved borders, with fully developed speckle, above noise of power 1.
struct LayeredTissue {
    std::int64_t lines = 300;
    std::int64_t depths = 400;
    double tissueDb = 20.0;
    double belowDb = 8.0;

    double upperAt(double line) const {
        return 90.0 + 35.0 * std::sin(line / 45.0) + 5.0 * std::sin(line / 9.0);
    }
    double lowerAt(double line) const { return 230.0 + 30.0 * std::cos(line / 60.0); }

    HostFrame image(unsigned seed) const {
        HostFrame made(tissueSpec(0, lines, depths));
        std::mt19937 random(seed);
        std::normal_distribution<double> normal(0.0, std::sqrt(0.5));
        const auto draw = [&] { return std::complex<double>(normal(random), normal(random)); };
        auto values = made.as<float>();
        for (std::int64_t i = 0; i < lines * depths; ++i) {
            const auto line = static_cast<double>(i / depths);
            const auto z = static_cast<double>(i % depths);
            const double db = z < upperAt(line) ? -200.0 : z < lowerAt(line) ? tissueDb : belowDb;
            const std::complex<double> echo = std::pow(10.0, db / 20.0) * draw() + draw();
            values[static_cast<std::size_t>(i)] =
                static_cast<float>(20.0 * std::log10(std::abs(echo)));
        }
        return made;
    }
};

} // namespace echolux::test
