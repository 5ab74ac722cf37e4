// SPDX-License-Identifier: GPL-3.0-or-later
// Numbered members, positions, rotations, probes and waves of the task force's UFF.
#pragma once

#include "app/dataset/container/hdf5_values.hpp"
#include "gpu/core/acquisition.hpp"

#include <array>
#include <string>
#include <vector>

namespace echolux {

/// Row-major matrix R; a rotated point is R p.
using Rotation = std::array<std::array<double, 3>, 3>;

/// R = Rz Ry Rx from the angles x, y, z (rad) in the group. No rotation where they are missing.
Rotation readUffRotation(const Hdf5Values& rotation);
Point rotated(const Rotation& rotation, const Point& p);

/// x, y and z in the group; a missing one is 0.
Point readUffPlace(const Hdf5Values& place);

/// Paths of the groups "00000001", "00000002", ... in `list`.
std::vector<std::string> uffMembers(const Hdf5Values& list);
/// Member `number`, counted from 1. Throws where it does not exist.
Hdf5Values uffMember(const Hdf5Values& list, double number);

/// Linear, curvilinear, matrix or free arrays, moved by their transform.
Probe readUffProbe(const Hdf5Values& probe);

/// A member of unique_waves: the kind of wave, its direction or source, and the centre of its
/// aperture.
Transmit readUffWave(const Hdf5Values& wave);

/// Time in s at which the wave reaches `p`, relative to the origin.
double uffArrival(const Transmit& transmit, const Point& p, double soundSpeedMps);

} // namespace echolux
