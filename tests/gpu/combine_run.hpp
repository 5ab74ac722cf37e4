// SPDX-License-Identifier: GPL-3.0-or-later
// combine on delayed channels, with both of its outputs.
#pragma once

#include "gpu/core/complex.hpp"
#include "tests/support/stage_run.hpp"

#include <string>
#include <vector>

namespace echolux::test {

using Samples = std::vector<Complex>;

struct Combined {
    Samples image;
    std::vector<float> weight;
};

inline Combined combined(const HostFrame& delayed, const Settings& settings) {
    const StageType& type = stageType("combine");
    StageRunner runner(type, specsOf({delayed}), paramsFor(type, delayed.spec, settings));
    const HostFrames out = runner.runAll({delayed});
    const auto image = out[0].as<Complex>();
    const auto weight = out[1].as<float>();
    return {{image.begin(), image.end()}, {weight.begin(), weight.end()}};
}

} // namespace echolux::test
