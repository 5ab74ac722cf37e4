// SPDX-License-Identifier: GPL-3.0-or-later
// Spectra of simulated samples, and the chain that images them.
#pragma once

#include "app/pipeline/pipeline_config.hpp"
#include "app/pipeline/snapshot.hpp"
#include "app/source/oct_simulator.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace echolux::testing_support {

inline OctSimulator simulated(const OctSetup& setup, const std::string& sample) {
    return {setup, makeOctSample({.name = sample,
                                  .widthM = static_cast<double>(setup.lines) * setup.linePitchM,
                                  .rangeM = setup.rangeM(),
                                  .startDepthM = 0.12 * setup.rangeM()})};
}

inline std::vector<std::byte> rendered(OctSimulator& simulator) {
    std::vector<std::byte> frame(simulator.frame().bytes());
    simulator.render(0, frame);
    return frame;
}

inline SnapshotPtr octChain(const FrameSpec& frame) {
    return instantiate(shippedPipeline("oct"), frame);
}

} // namespace echolux::testing_support
