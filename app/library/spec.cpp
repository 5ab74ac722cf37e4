// SPDX-License-Identifier: GPL-3.0-or-later
// echolux_spec_...: sample type and axes of frames.
#include "app/library/spec.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <cmath>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

using namespace echolux;          // NOLINT: the functions below belong to no namespace
using namespace echolux::library; // NOLINT

echolux_spec& library::own(echolux_spec* spec) {
    echolux_spec& found = checked(Kind::Spec, spec, "spec");
    if (found.isOwned) return found;
    throw Misuse{"spec belongs to a recording or a pipeline and cannot be changed or freed."};
}

const FrameSpec& library::read(const echolux_spec* spec) {
    return checked(Kind::Spec, spec, "spec").spec;
}

double library::finite(double number, const char* name) {
    if (std::isfinite(number)) return number;
    throw Misuse{std::string(name) + " is not a finite number."};
}

namespace {

constexpr std::int64_t kLargestAxis = std::int64_t{1} << 40;

const Axis& axisOf(const echolux_spec* spec, int axis) {
    const std::vector<Axis>& axes = read(spec).axes;
    if (axis >= 0 && static_cast<std::size_t>(axis) < axes.size())
        return axes[static_cast<std::size_t>(axis)];
    throw Misuse{fmt::format("There is no axis {}; the frame has {}.", axis, axes.size())};
}

/// The value of `all` that has this name.
template <class Value, std::size_t N>
Value named(const char* name, const std::array<Value, N>& all, const char* what) {
    std::vector<std::string_view> names;
    for (const Value each : all) {
        if (nameOf(each) == given(name, what)) return each;
        names.push_back(nameOf(each));
    }
    throw Misuse{
        fmt::format("There is no {} '{}'; choose one of {}.", what, name, fmt::join(names, ", "))};
}

} // namespace

echolux_spec* echolux_spec_new(const char* sample_type) {
    return value<echolux_spec*>(nullptr, [&] {
        constexpr std::array kTypes{DType::U8,        DType::I16, DType::U16,
                                    DType::Packed12,  DType::F32, DType::ComplexI16,
                                    DType::ComplexF32};
        auto spec = std::make_unique<echolux_spec>();
        spec->spec.dtype = named(sample_type, kTypes, "sample type");
        spec->isOwned = true;
        addHandle(Kind::Spec, spec.get());
        return spec.release();
    });
}

void echolux_spec_free(echolux_spec* spec) {
    status([&] {
        if (spec == nullptr) return;
        own(spec);
        removeHandle(Kind::Spec, spec);
        delete spec; // NOLINT: the caller's handle
    });
}

int echolux_spec_add_axis(echolux_spec* spec, const char* name, int64_t size, double spacing,
                          double origin, const char* unit) {
    return status([&] {
        FrameSpec& to = own(spec).spec;
        constexpr std::array kNames{AxisName::Frame,   AxisName::Transmit,  AxisName::Channel,
                                    AxisName::Sample,  AxisName::Elevation, AxisName::Depth,
                                    AxisName::Lateral, AxisName::Bubble,    AxisName::Property};
        const AxisName axis = named(name, kNames, "axis");
        const bool fits = size >= 1 && size <= kLargestAxis &&
                          (to.axes.empty() || to.count() <= kLargestAxis / size);
        if (!fits)
            throw Misuse{fmt::format("The axis {} cannot have {} entries; a frame has 1 to 2^40 "
                                     "samples.",
                                     nameOf(axis), size)};
        if (to.find(axis) != nullptr)
            throw Misuse{fmt::format("The frame has an axis {} already.", nameOf(axis))};
        to.axes.push_back({axis, size, finite(spacing, "spacing"), finite(origin, "origin"),
                           given(unit, "unit")});
    });
}

const char* echolux_spec_sample_type(const echolux_spec* spec) {
    return value<const char*>(nullptr, [&] { return kept(std::string(nameOf(read(spec).dtype))); });
}

int echolux_spec_axes(const echolux_spec* spec) {
    return value(-1, [&] { return static_cast<int>(read(spec).axes.size()); });
}

const char* echolux_spec_axis_name(const echolux_spec* spec, int axis) {
    return value<const char*>(nullptr,
                              [&] { return kept(std::string(nameOf(axisOf(spec, axis).name))); });
}

int64_t echolux_spec_axis_size(const echolux_spec* spec, int axis) {
    return value<int64_t>(-1, [&] { return axisOf(spec, axis).size; });
}

int echolux_spec_axis_scale(const echolux_spec* spec, int axis, double* spacing, double* origin) {
    return status([&] {
        const Axis& found = axisOf(spec, axis);
        *given(spacing, "spacing") = found.spacing;
        *given(origin, "origin") = found.origin;
    });
}

const char* echolux_spec_axis_unit(const echolux_spec* spec, int axis) {
    return value<const char*>(nullptr, [&] { return kept(axisOf(spec, axis).unit); });
}

int64_t echolux_spec_bytes(const echolux_spec* spec) {
    return value<int64_t>(-1, [&] { return static_cast<int64_t>(read(spec).bytes()); });
}

const char* echolux_spec_text(const echolux_spec* spec) {
    return value<const char*>(nullptr, [&] { return kept(read(spec).describe()); });
}
