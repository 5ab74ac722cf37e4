// SPDX-License-Identifier: GPL-3.0-or-later
// Probes of USTB: uff.probe and its subclasses. `geometry` lists x, y, z, theta, phi, width, height
// of each element, 7 rows in HDF5. Subclasses that lack it are computed from their own properties.
#include "app/dataset/formats/element_places.hpp"
#include "app/dataset/formats/ustb_objects.hpp"
#include "app/dataset/transmit/array_kind.hpp"
#include "app/dataset/transmit/transmit_clock.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace echolux {

namespace {

constexpr std::size_t kRows = 7;

/// [property][element]
using Geometry = std::vector<std::vector<double>>;

Geometry linear(const Hdf5Values& probe) {
    Geometry geometry(kRows, std::vector<double>(readElementCount(probe, "N"), 0.0));
    geometry[0] = centredPlaces(geometry[0].size(), readProbeLength(probe, "pitch"));
    return geometry;
}

Geometry curvilinear(const Hdf5Values& probe) {
    const ElementArc arc = readElementArc(probe, "N");
    Geometry geometry(kRows, std::vector<double>(arc.anglesRad.size(), 0.0));
    for (std::size_t k = 0; k < arc.anglesRad.size(); ++k) {
        geometry[0][k] = arc.place(k).x;
        geometry[2][k] = arc.place(k).z;
    }
    geometry[3] = arc.anglesRad;
    return geometry;
}

/// The y index counts fastest, as in MATLAB's grids.
Geometry matrix(const Hdf5Values& probe) {
    const ElementGrid grid = readElementGrid(probe, "N_x", "N_y");
    const std::size_t rows = grid.rows.size();
    Geometry geometry(kRows, std::vector<double>(grid.columns.size() * rows, 0.0));
    for (std::size_t k = 0; k < geometry[0].size(); ++k) {
        geometry[0][k] = grid.columns[k / rows];
        geometry[1][k] = grid.rows[k % rows];
    }
    return geometry;
}

Geometry readGeometry(const Hdf5Values& probe) {
    const auto values = probe.numbers("geometry");
    if (!values) {
        const std::string type = ustbClassOf(*probe.tree(), probe.where());
        if (type == "uff.linear_array") return linear(probe);
        if (type == "uff.curvilinear_array") return curvilinear(probe);
        if (type == "uff.matrix_array") return matrix(probe);
        throw probe.error(fmt::format("'{}' has no 'geometry', so nobody knows where its elements "
                                      "are; write the probe with its geometry",
                                      probe.where()));
    }
    const auto shape = probe.shape("geometry");
    // NOTE: pyuff_ustb writes matrix arrays as (7, rows, columns).
    const bool rowsFirst = !shape.empty() && shape.front() == std::ssize(Geometry(kRows));
    const bool rowsLast = shape.size() == 2 && shape.back() == std::ssize(Geometry(kRows));
    if (!rowsFirst && !rowsLast)
        throw probe.error(fmt::format("'{}' is not 7 numbers (x, y, z, theta, phi, width, height) "
                                      "for each element; write the probe again",
                                      probe.at("geometry")));
    const std::size_t elements = values->size() / kRows;
    Geometry geometry(kRows, std::vector<double>(elements));
    for (std::size_t row = 0; row < kRows; ++row)
        for (std::size_t k = 0; k < elements; ++k)
            geometry[row][k] = (*values)[rowsFirst ? row * elements + k : k * kRows + row];
    return geometry;
}

double usualSize(const std::vector<double>& sizes) {
    const double size = median(sizes);
    return std::isfinite(size) && size > 0.0 ? size : 0.0;
}

/// The elements of one row of a row-column array are wide, those of the other one are high.
void takeCrossedLines(const Geometry& geometry, Probe& probe) {
    Probe lines = probe;
    std::vector<double> widths;
    std::vector<double> heights;
    for (std::size_t k = 0; k < geometry[0].size(); ++k) {
        const auto [width, height] = std::minmax(geometry[5][k], geometry[6][k]);
        widths.push_back(width);
        heights.push_back(height);
    }
    lines.elementWidthM = usualSize(widths);
    lines.elementHeightM = usualSize(heights);
    lines.longAxes = crossedLines(lines);
    if (!lines.longAxes.empty()) probe = std::move(lines);
}

} // namespace

Probe readUstbProbe(const Hdf5Values& object, std::vector<std::string>& warnings) {
    const Geometry geometry = readGeometry(object);
    const std::size_t count = geometry[0].size();
    Probe probe;
    probe.name = object.text("name").value_or("");
    probe.elements.resize(count);
    for (std::size_t k = 0; k < count; ++k)
        probe.elements[k] = {geometry[0][k], geometry[1][k], geometry[2][k]};
    // Where all faces look straight ahead, faceNormals() decides: old files give no angles for
    // curved arrays.
    const auto isAngle = [](double angle) { return std::isfinite(angle); };
    const auto looksAhead = [](double angle) { return angle == 0.0; };
    if (!std::ranges::all_of(geometry[3], isAngle) || !std::ranges::all_of(geometry[4], isAngle)) {
        warnings.emplace_back("The angles of the elements' faces are no numbers; they are taken "
                              "from where the elements are.");
    } else if (!std::ranges::all_of(geometry[3], looksAhead) ||
               !std::ranges::all_of(geometry[4], looksAhead)) {
        for (std::size_t k = 0; k < count; ++k)
            probe.normals.push_back(UstbPoint{1.0, geometry[3][k], geometry[4][k]}.place());
    }
    probe.elementWidthM = probeLengthOr(object, "element_width", usualSize(geometry[5]));
    probe.elementHeightM = probeLengthOr(object, "element_height", usualSize(geometry[6]));
    takeCrossedLines(geometry, probe);
    probe.pitchM = medianPitch(probe.elements);
    for (const char* name : {"pitch", "pitch_x"})
        if (const auto pitch = object.number(name); pitch && std::isfinite(*pitch) && *pitch > 0.0)
            probe.pitchM = *pitch;
    const UstbPoint origin = readUstbPoint(object.below("origin"));
    if (std::isfinite(origin.distance) && origin.distance > 1e-6)
        warnings.push_back(fmt::format("The probe says that it stands {:.4g} mm off the origin; "
                                       "USTB's images do not heed it, nor do these.",
                                       origin.distance * 1e3));
    return probe;
}

} // namespace echolux
