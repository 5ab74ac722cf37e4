// SPDX-License-Identifier: GPL-3.0-or-later
// Numbered members, places, rotations, probes and waves of the task force's UFF.
#pragma once

#include "app/dataset/container/hdf5_values.hpp"
#include "gpu/core/acquisition.hpp"

#include <array>
#include <string>
#include <vector>

namespace echolux {

/// Row-major: a rotated point is R p.
using Rotation = std::array<std::array<double, 3>, 3>;

/// R = Rz Ry Rx of the angles x, y, z in rad below the group; none: no rotation.
Rotation readUffRotation(const Hdf5Values& rotation);
Point rotated(const Rotation& rotation, const Point& p);

/// x, y, z below the group; what is missing is 0.
Point readUffPlace(const Hdf5Values& place);

/// Groups "00000001", "00000002", ... below `list`.
std::vector<std::string> uffMembers(const Hdf5Values& list);
/// Member `number`, from 1; throws where there is none.
Hdf5Values uffMember(const Hdf5Values& list, double number);

/// Linear, curvilinear, matrix or free arrays, moved as their transform says.
Probe readUffProbe(const Hdf5Values& probe);

/// unique_waves/...: wave, direction or source, and where its aperture has its middle.
Transmit readUffWave(const Hdf5Values& wave);

/// When the wave is at `p`, 0 at the origin. s
double uffArrival(const Transmit& transmit, const Point& p, double soundSpeedMps);

} // namespace echolux
