// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/dataset/formats/uff_task_force_parts.hpp"

#include "app/dataset/formats/element_places.hpp"
#include "app/dataset/transmit/transmit_clock.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace echolux {

namespace {

enum class WaveKind {
    Converging = 0,
    Diverging = 1,
    Plane = 2,
    Cylindrical = 3,
    Photoacoustic = 4
};

Point plus(const Point& a, const Point& b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }

/// Elements of a matrix array that the file does not list. x counts fastest.
std::vector<Point> matrixArray(const Hdf5Values& probe) {
    const ElementGrid grid = readElementGrid(probe, "number_elements_x", "number_elements_y");
    std::vector<Point> elements;
    for (const double y : grid.rows)
        for (const double x : grid.columns) elements.push_back({x, y, 0.0});
    return elements;
}

std::vector<Point> curvedArray(const Hdf5Values& probe, std::vector<Point>& normals) {
    const ElementArc arc = readElementArc(probe, "number_elements");
    std::vector<Point> elements;
    for (const double angle : arc.anglesRad) {
        normals.push_back({std::sin(angle), 0.0, std::cos(angle)});
        elements.push_back(arc.place(elements.size()));
    }
    return elements;
}

std::vector<Point> freeArray(const Hdf5Values& probe, std::vector<Point>& normals) {
    std::vector<Point> elements;
    for (const std::string& where : uffMembers(probe.below("element"))) {
        const Hdf5Values transform(probe.tree(), where + "/transform");
        elements.push_back(readUffPlace(transform.below("translation")));
        normals.push_back(rotated(readUffRotation(transform.below("rotation")), {0.0, 0.0, 1.0}));
    }
    if (elements.empty())
        throw probe.error(
            fmt::format("'{}' lists no elements; write the probe again", probe.where()));
    return elements;
}

} // namespace

Rotation readUffRotation(const Hdf5Values& rotation) {
    const Point angle = readUffPlace(rotation);
    const double sx = std::sin(angle.x);
    const double cx = std::cos(angle.x);
    const double sy = std::sin(angle.y);
    const double cy = std::cos(angle.y);
    const double sz = std::sin(angle.z);
    const double cz = std::cos(angle.z);
    return {{{cz * cy, cz * sy * sx - sz * cx, cz * sy * cx + sz * sx},
             {sz * cy, sz * sy * sx + cz * cx, sz * sy * cx - cz * sx},
             {-sy, cy * sx, cy * cx}}};
}

Point rotated(const Rotation& rotation, const Point& p) {
    const auto row = [&](std::size_t i) {
        return rotation[i][0] * p.x + rotation[i][1] * p.y + rotation[i][2] * p.z;
    };
    return {row(0), row(1), row(2)};
}

Point readUffPlace(const Hdf5Values& place) {
    return {place.number("x").value_or(0.0), place.number("y").value_or(0.0),
            place.number("z").value_or(0.0)};
}

std::vector<std::string> uffMembers(const Hdf5Values& list) {
    constexpr std::size_t kMostMembers = 65536;
    std::vector<std::string> members;
    for (const std::string& name : list.children(kMostMembers))
        if (list.isGroup(name)) members.push_back(list.at(name));
    return members;
}

Hdf5Values uffMember(const Hdf5Values& list, double number) {
    const std::string name =
        number >= 1.0 && number < 1e8 ? fmt::format("{:08}", static_cast<long>(number)) : "?";
    if (!list.isGroup(name))
        throw list.error(fmt::format("'{}' has no member {:g}, though something refers to it; the "
                                     "file is damaged or was never finished",
                                     list.where(), number));
    return list.below(name);
}

Probe readUffProbe(const Hdf5Values& object) {
    Probe probe;
    const std::string type = object.textAttribute("probe_type").value_or("");
    if (object.isGroup("element"))
        probe.elements = freeArray(object, probe.normals);
    else if (object.has("radius") || type.find("curvilinear") != std::string::npos)
        probe.elements = curvedArray(object, probe.normals);
    else if (object.has("number_elements_x") || type.find("matrix") != std::string::npos)
        probe.elements = matrixArray(object);
    else
        probe.elements = linearArray(readElementCount(object, "number_elements"),
                                     readProbeLength(object, "pitch"));
    const Rotation turn = readUffRotation(object.below("transform/rotation"));
    const Point shift = readUffPlace(object.below("transform/translation"));
    const bool turned = rotated(turn, {0.0, 0.0, 1.0}) != Point{0.0, 0.0, 1.0};
    if (turned && probe.normals.empty()) probe.normals.assign(probe.elements.size(), {0, 0, 1});
    for (Point& element : probe.elements) element = plus(rotated(turn, element), shift);
    for (Point& normal : probe.normals) normal = rotated(turn, normal);
    probe.pitchM = probeLengthOr(object, "pitch",
                                 probeLengthOr(object, "pitch_x", medianPitch(probe.elements)));
    probe.elementWidthM = probeLengthOr(object, "element_width", 0.0);
    probe.elementHeightM = probeLengthOr(object, "element_height", 0.0);
    return probe;
}

Transmit readUffWave(const Hdf5Values& wave) {
    const double kind = wave.number("type").value_or(-1.0);
    if (!(kind >= 0.0) || kind > 3.0 || kind != std::floor(kind))
        throw wave.error(fmt::format("'{}' is {:g}, but Echolux images converging (0), diverging "
                                     "(1), plane (2) and cylindrical (3) waves; choose another "
                                     "recording",
                                     wave.at("type"), kind));
    Transmit transmit;
    const Hdf5Values origin = wave.below("origin");
    switch (static_cast<WaveKind>(static_cast<int>(kind))) {
    case WaveKind::Plane: {
        const Point way = rotated(readUffRotation(origin.below("rotation")), {0.0, 0.0, 1.0});
        transmit.angleRad = std::atan2(way.x, way.z);
        transmit.elevationRad = std::asin(std::clamp(way.y, -1.0, 1.0));
        return transmit;
    }
    case WaveKind::Converging: transmit.wave = Wave::Focused; break;
    default: transmit.wave = Wave::Diverging; break;
    }
    const char* name = "position";
    for (const char* other : {"translation", "location"})
        if (!origin.isGroup(name) && origin.isGroup(other)) name = other;
    transmit.source = readUffPlace(origin.isGroup(name) ? origin.below(name) : origin);
    if (transmit.wave == Wave::Diverging && transmit.source.z > 0.0) transmit.wave = Wave::Focused;
    if (transmit.wave != Wave::Focused) return transmit;
    if (!(transmit.source.z > 0.0))
        throw wave.error(fmt::format("'{}' converges on a point at {:g} mm of depth, which is not "
                                     "in front of the array; correct it",
                                     wave.where(), transmit.source.z * 1e3));
    const Point middle = readUffPlace(wave.below("aperture/origin"));
    if (middle.z < transmit.source.z) transmit.origin = middle;
    return transmit;
}

double uffArrival(const Transmit& transmit, const Point& p, double soundSpeedMps) {
    if (transmit.wave == Wave::Plane) {
        const Point u = direction(transmit, Steering::Tilts);
        return (p.x * u.x + p.y * u.y + p.z * u.z) / soundSpeedMps;
    }
    const double home = norm(transmit.source);
    const double away = distance(p, transmit.source);
    const bool diverges = transmit.wave == Wave::Diverging;
    return (diverges ? away - home : home + (p.z < transmit.source.z ? -away : away)) /
           soundSpeedMps;
}

} // namespace echolux
