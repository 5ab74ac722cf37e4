// SPDX-License-Identifier: GPL-3.0-or-later
// High-pass clutter filters, and one that goes on over three ensembles as SciPy filters all frames.
#pragma once

#include "tests/gpu/flow_frames.hpp"
#include "tests/support/vectors.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace echolux::test {

inline Settings highPass(const std::string& design, std::int64_t order, double cutoffMps) {
    return {{"method", std::string("high_pass")},
            {"design", design},
            {"filter_order", order},
            {"cutoff", cutoffMps},
            {"speed_of_sound", 1500.0}};
}

inline Settings continuedHighPass(const std::string& design, std::int64_t order) {
    Settings settings = highPass(design, order, 0.05);
    settings.emplace_back("continue", true);
    return settings;
}

inline void expectContinued(Backend backend) {
    const Vectors vectors("gpu/vectors/continued_filter.txt");
    const FrameSpec spec = ensembleSpec(9, 7, 6);
    const StageType& type = stageType("clutter_filter");
    const auto part = [&](const char* name, std::ptrdiff_t ensemble) {
        const std::vector<float>& all = vectors[name];
        const std::ptrdiff_t each = std::ssize(all) / 3;
        return std::vector<float>(all.begin() + each * ensemble,
                                  all.begin() + each * (ensemble + 1));
    };
    for (const auto& [name, settings] :
         {std::pair{"butterworth_3", continuedHighPass("butterworth", 3)},
          std::pair{"fir_4", continuedHighPass("fir", 4)}}) {
        SCOPED_TRACE(name);
        StageRunner run(type, spec, paramsFor(type, spec, settings), backend);
        const auto frames = [&](std::ptrdiff_t ensemble) {
            return filled(spec, part("frames", ensemble));
        };
        expectClose(run.run(frames(0)), part(name, 0), 1e-5);
        expectClose(run.run(frames(1)), part(name, 1), 1e-5);
        // The same frames again, from the state before them.
        expectClose(run.runAgain(frames(1)), part(name, 1), 1e-5);
        expectClose(run.run(frames(2)), part(name, 2), 1e-5);
    }
}

} // namespace echolux::test
