// SPDX-License-Identifier: GPL-3.0-or-later
// How much memory a pipeline needs.
#pragma once

#include "app/pipeline/frame_program.hpp"

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace echolux::testing_support {

/// Compute memory on the CPU, where one frame is in flight.
inline std::size_t programBytes(SnapshotPtr snapshot, std::vector<std::string> kept = {}) {
    return makeFrameProgram(std::move(snapshot), Backend::Cpu, std::move(kept), Fusing::Allowed)
        .bytes(1);
}

} // namespace echolux::testing_support
