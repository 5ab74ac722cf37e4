// SPDX-License-Identifier: GPL-3.0-or-later
// echolux_spec_...: facts of frames, elements and transmits.
#include "app/dataset/facts/facts.hpp"
#include "app/library/spec.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

using namespace echolux;          // NOLINT: the functions below belong to no namespace
using namespace echolux::library; // NOLINT

namespace {

constexpr std::int64_t kMostElements = std::int64_t{1} << 40;

/// The facts that frames have, by the names of their units.
const std::map<std::string, const FactPlace*, std::less<>>& facts() {
    static const auto kFacts = [] {
        std::map<std::string, const FactPlace*, std::less<>> all;
        for (const Fact* fact : allFacts())
            if (fact->place.get != nullptr) all.emplace(nameWithUnit(*fact), &fact->place);
        return all;
    }();
    return kFacts;
}

using TransmitFact = double& (*)(Transmit& transmit);
const std::map<std::string, TransmitFact, std::less<>>& transmitFacts() {
    static const std::map<std::string, TransmitFact, std::less<>> kFacts{
        {"angle_rad", [](Transmit& of) -> double& { return of.angleRad; }},
        {"elevation_rad", [](Transmit& of) -> double& { return of.elevationRad; }},
        {"x_m", [](Transmit& of) -> double& { return of.source.x; }},
        {"y_m", [](Transmit& of) -> double& { return of.source.y; }},
        {"z_m", [](Transmit& of) -> double& { return of.source.z; }},
        {"origin_x_m", [](Transmit& of) -> double& { return of.origin.x; }},
        {"origin_y_m", [](Transmit& of) -> double& { return of.origin.y; }},
        {"origin_z_m", [](Transmit& of) -> double& { return of.origin.z; }},
        {"first_sample_s", [](Transmit& of) -> double& { return of.firstSampleS; }},
        {"iq_phase_zero_s", [](Transmit& of) -> double& { return of.iqPhaseZeroS; }},
    };
    return kFacts;
}

/// The entry of `all` that has this name.
template <class Value>
const Value& factNamed(const char* name, const std::map<std::string, Value, std::less<>>& all) {
    const auto at = all.find(given(name, "fact"));
    if (at != all.end()) return at->second;
    std::vector<std::string_view> names;
    for (const auto& each : all) names.push_back(each.first);
    throw Misuse{
        fmt::format("There is no fact '{}'; choose one of {}.", name, fmt::join(names, ", "))};
}

constexpr std::array kWaves{std::pair{std::string_view("plane"), Wave::Plane},
                            std::pair{std::string_view("diverging"), Wave::Diverging},
                            std::pair{std::string_view("focused"), Wave::Focused},
                            std::pair{std::string_view("element"), Wave::Element},
                            std::pair{std::string_view("none"), Wave::None}};

Wave waveNamed(std::string_view name) {
    for (const auto& [text, wave] : kWaves)
        if (text == name) return wave;
    throw Misuse{fmt::format(
        "There is no wave '{}'; choose plane, diverging, focused, element or none.", name)};
}

/// The transmits, which are none where the frame has no acquisition.
const std::vector<Transmit>& transmitsOf(const FrameSpec& spec) {
    static const std::vector<Transmit> kNone;
    return spec.acquisition ? spec.acquisition->transmits : kNone;
}

std::size_t checkedTransmit(const FrameSpec& spec, int64_t transmit) {
    const std::size_t count = transmitsOf(spec).size();
    if (transmit >= 0 && static_cast<std::size_t>(transmit) < count)
        return static_cast<std::size_t>(transmit);
    throw Misuse{
        fmt::format("There is no transmit {}; the frame has {}, counted from 0.", transmit, count)};
}

/// Copies at most `room` values; how many there are.
template <class T> int64_t copied(const std::vector<T>& values, T* out, int64_t room) {
    if (room < 0) throw Misuse{fmt::format("count is {}, but must not be negative.", room)};
    if (room > 0) given(out, "The array");
    const auto size = static_cast<int64_t>(values.size());
    std::copy_n(values.begin(), std::min(size, room), out);
    return size;
}

} // namespace

int echolux_spec_set(echolux_spec* spec, const char* fact, double value) {
    return status([&] {
        FrameSpec& to = own(spec).spec;
        const FactPlace& found = *factNamed(fact, facts());
        if (found.set == nullptr)
            throw Misuse{fmt::format("{} follows from the axes and cannot be set.", fact)};
        found.set(to, finite(value, fact));
    });
}

int echolux_spec_get(const echolux_spec* spec, const char* fact, double* value) {
    return status([&] { *given(value, "value") = factNamed(fact, facts())->get(read(spec)); });
}

int echolux_spec_set_elements(echolux_spec* spec, const double* xyz, int64_t elements) {
    return status([&] {
        FrameSpec& to = own(spec).spec;
        given(xyz, "xyz");
        if (elements < 1 || elements > kMostElements)
            throw Misuse{fmt::format("An array cannot have {} elements.", elements)};
        std::vector<Point> points;
        for (std::int64_t i = 0; i < elements; ++i) {
            const double* at = xyz + 3 * i;
            points.push_back({finite(at[0], "x"), finite(at[1], "y"), finite(at[2], "z")});
        }
        ownAcquisition(to).probe.elements = std::move(points);
    });
}

int64_t echolux_spec_elements(const echolux_spec* spec, double* xyz, int64_t count) {
    return value<int64_t>(-1, [&] {
        const FrameSpec& of = read(spec);
        std::vector<double> places;
        if (of.acquisition)
            for (const Point& at : of.acquisition->probe.elements)
                places.insert(places.end(), {at.x, at.y, at.z});
        return copied(places, xyz, std::clamp<int64_t>(count, -1, kMostElements) * 3) / 3;
    });
}

int64_t echolux_spec_channel_elements(const echolux_spec* spec, int32_t* elements, int64_t count) {
    return value<int64_t>(-1, [&] {
        const FrameSpec& of = read(spec);
        static const std::vector<std::int32_t> kNone;
        return copied(of.acquisition ? of.acquisition->receiveElements : kNone, elements, count);
    });
}

int echolux_spec_add_transmit(echolux_spec* spec, const char* wave, double angle_rad, double x,
                              double y, double z, double first_sample_s) {
    return status([&] {
        FrameSpec& to = own(spec).spec;
        Transmit transmit;
        transmit.wave = waveNamed(given(wave, "wave"));
        transmit.angleRad = finite(angle_rad, "angle_rad");
        transmit.source = {finite(x, "x"), finite(y, "y"), finite(z, "z")};
        transmit.firstSampleS = finite(first_sample_s, "first_sample_s");
        ownAcquisition(to).transmits.push_back(transmit);
    });
}

int64_t echolux_spec_transmits(const echolux_spec* spec) {
    return value<int64_t>(-1, [&] { return static_cast<int64_t>(transmitsOf(read(spec)).size()); });
}

const char* echolux_spec_transmit_wave(const echolux_spec* spec, int64_t transmit) {
    return value<const char*>(nullptr, [&] {
        const FrameSpec& of = read(spec);
        const Wave wave = transmitsOf(of)[checkedTransmit(of, transmit)].wave;
        return std::ranges::find(kWaves, wave, [](const auto& each) { return each.second; })
            ->first.data();
    });
}

int echolux_spec_transmit_get(const echolux_spec* spec, int64_t transmit, const char* fact,
                              double* value) {
    return status([&] {
        const FrameSpec& of = read(spec);
        Transmit found = transmitsOf(of)[checkedTransmit(of, transmit)];
        *given(value, "value") = factNamed(fact, transmitFacts())(found);
    });
}

int echolux_spec_transmit_set(echolux_spec* spec, int64_t transmit, const char* fact,
                              double value) {
    return status([&] {
        FrameSpec& to = own(spec).spec;
        const std::size_t at = checkedTransmit(to, transmit);
        const TransmitFact found = factNamed(fact, transmitFacts());
        finite(value, fact);
        found(ownAcquisition(to).transmits[at]) = value;
    });
}

int64_t echolux_spec_transmit_weights(const echolux_spec* spec, int64_t transmit, float* weights,
                                      int64_t count) {
    return value<int64_t>(-1, [&] {
        const FrameSpec& of = read(spec);
        return copied(transmitsOf(of)[checkedTransmit(of, transmit)].apodization, weights, count);
    });
}

const char* echolux_spec_steering(const echolux_spec* spec) {
    return value<const char*>(nullptr, [&] {
        const FrameSpec& of = read(spec);
        const bool tilts = !of.acquisition || of.acquisition->steering == Steering::Tilts;
        return tilts ? "tilts" : "projections";
    });
}

int echolux_spec_value_range(const echolux_spec* spec, double* minimum, double* maximum) {
    return status([&] {
        const FrameSpec& of = read(spec);
        *given(minimum, "minimum") = of.valueRange ? of.valueRange->min : 0.0;
        *given(maximum, "maximum") = of.valueRange ? of.valueRange->max : 0.0;
    });
}

const char* echolux_spec_value_unit(const echolux_spec* spec) {
    return value<const char*>(nullptr, [&] {
        const FrameSpec& of = read(spec);
        return kept(of.valueRange ? of.valueRange->unit : std::string());
    });
}

int64_t echolux_spec_pose(const echolux_spec* spec, double* numbers, int64_t count) {
    return value<int64_t>(-1, [&] {
        std::vector<double> all;
        if (const auto& pose = read(spec).pose)
            for (const Point& p : {pose->along[0], pose->along[1], pose->along[2], pose->origin})
                all.insert(all.end(), {p.x, p.y, p.z});
        return copied(all, numbers, count);
    });
}

const char* echolux_spec_pose_space(const echolux_spec* spec) {
    return value<const char*>(nullptr, [&] {
        const FrameSpec& of = read(spec);
        return kept(of.pose ? of.pose->space : std::string());
    });
}

int echolux_spec_set_pose(echolux_spec* spec, const double* numbers, const char* space) {
    return status([&] {
        FrameSpec& to = own(spec).spec;
        given(numbers, "numbers");
        const auto pointAt = [&](std::size_t i) {
            return Point{finite(numbers[3 * i], "x"), finite(numbers[3 * i + 1], "y"),
                         finite(numbers[3 * i + 2], "z")};
        };
        Pose pose{.along = {pointAt(0), pointAt(1), pointAt(2)},
                  .origin = pointAt(3),
                  .space = given(space, "space")};
        for (const Point& p : pose.along)
            if (std::abs(std::hypot(p.x, p.y, p.z) - 1.0) > 1e-6)
                throw Misuse{fmt::format("A direction of the pose is {:.9g} long, but must be 1.",
                                         std::hypot(p.x, p.y, p.z))};
        to.pose = std::make_shared<const Pose>(std::move(pose));
    });
}
