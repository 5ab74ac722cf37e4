// SPDX-License-Identifier: GPL-3.0-or-later
// Places of elements in HDF5 groups: listed as x, y and z of each, or computed from numbers and
// lengths.
#pragma once

#include "app/dataset/container/hdf5_values.hpp"
#include "gpu/core/acquisition.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace echolux {

/// Dataset `name`, (3, elements) or its transpose; throws where it has not one element per channel.
std::vector<Point> readElementTable(const Hdf5Values& group, const std::string& name,
                                    std::int64_t channels);

/// A whole number of elements that no probe exceeds; throws where it is missing or another.
std::size_t readElementCount(const Hdf5Values& probe, const std::string& name);
/// A positive length; throws where it is missing or another. m
double readProbeLength(const Hdf5Values& probe, const std::string& name);
/// `name`, else `otherwise`; 0 (unknown) where the value is no length. m
double probeLengthOr(const Hdf5Values& probe, const std::string& name, double otherwise);

/// Elements `pitch` apart, along their chord, on an arc of `radius` whose middle lies at the
/// origin: angles of their faces to z. rad
struct ElementArc {
    double radiusM = 0.0;
    std::vector<double> anglesRad;

    Point place(std::size_t element) const;
};
ElementArc readElementArc(const Hdf5Values& probe, const std::string& count);

/// Centred columns along x and rows along y, `pitch_x` and `pitch_y` apart.
struct ElementGrid {
    std::vector<double> columns;
    std::vector<double> rows;
};
ElementGrid readElementGrid(const Hdf5Values& probe, const std::string& countX,
                            const std::string& countY);

/// Places of elements side by side, the middle at 0.
std::vector<double> centredPlaces(std::size_t count, double step);

} // namespace echolux
