// SPDX-License-Identifier: GPL-3.0-or-later
// Detectors of photoacoustic devices, as the coordinates of IPASC place them, as an array of
// Echolux.
#pragma once

#include "gpu/core/acquisition.hpp"

#include <array>
#include <optional>
#include <string>
#include <vector>

namespace echolux {

/// In the file's coordinates x1, x2, x3. m
struct IpascDetector {
    std::array<double, 3> place{};
    std::array<double, 3> faces{};  ///< a direction of any length; zero: unknown
    std::array<double, 3> extent{}; ///< of a cuboid along its axes; zero: unknown
};

struct IpascArray {
    Probe probe;
    std::string coordinates; ///< which of the file's axes are lateral and depth, in words
};

/// `fieldOfView`: from x1 to x1, x2 to x2, x3 to x3. Depth is the axis along which the detectors
/// face, or which leads from them to the field of view. Detectors on a closed ring face its middle,
/// so depth is the last axis of its plane there. Where places would have no depth of 0 or more, all
/// are moved along depth. Precondition: there is a detector, and all numbers are finite.
IpascArray arrayOf(const std::vector<IpascDetector>& detectors,
                   const std::optional<std::array<double, 6>>& fieldOfView);

} // namespace echolux
