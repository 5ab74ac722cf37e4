// SPDX-License-Identifier: GPL-3.0-or-later
// Element positions in HDF5 groups: listed as x, y and z of each element, or computed from counts
// and lengths.
#pragma once

#include "app/dataset/container/hdf5_values.hpp"
#include "gpu/core/acquisition.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace echolux {

/// Reads dataset `name`, (3, elements) or its transpose. Throws where the number of elements
/// differs from `channels`.
std::vector<Point> readElementTable(const Hdf5Values& group, const std::string& name,
                                    std::int64_t channels);

/// Reads a whole number from 1 to 10^6. Throws where it is missing or another.
std::size_t readElementCount(const Hdf5Values& probe, const std::string& name);
/// Reads a positive length in m. Throws where it is missing or another.
double readProbeLength(const Hdf5Values& probe, const std::string& name);
/// Length `name` in m, or `otherwise` where it is missing. 0 (unknown) where the value is not
/// positive and finite.
double probeLengthOr(const Hdf5Values& probe, const std::string& name, double otherwise);

/// Elements on an arc of radius `radius` whose vertex lies at the origin. `pitch` is the chord
/// between neighbours. The angles are between each element's normal and z, in rad.
struct ElementArc {
    double radiusM = 0.0;
    std::vector<double> anglesRad;

    Point place(std::size_t element) const;
};
ElementArc readElementArc(const Hdf5Values& probe, const std::string& count);

/// Columns along x and rows along y, `pitch_x` and `pitch_y` apart, centred at 0. Lengths in m.
struct ElementGrid {
    std::vector<double> columns;
    std::vector<double> rows;
};
ElementGrid readElementGrid(const Hdf5Values& probe, const std::string& countX,
                            const std::string& countY);

/// Positions `step` apart, centred at 0.
std::vector<double> centredPlaces(std::size_t count, double step);

} // namespace echolux
