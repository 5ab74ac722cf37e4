// SPDX-License-Identifier: GPL-3.0-or-later
// Names and types inside the native recording.
#include "app/dataset/native/native_format.hpp"

#include "app/dataset/container/hdf5_attributes.hpp"
#include "app/dataset/frames/acquisition_check.hpp"
#include "app/dataset/frames/layout_check.hpp"
#include "app/dataset/frames/spectra_check.hpp"
#include "app/dataset/native/native_acquisition.hpp"
#include "app/dataset/native/native_image.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace echolux::native {

namespace {

Hdf5Handle pairOf(hid_t component) {
    const std::size_t bytes = H5Tget_size(component);
    Hdf5Handle pair(H5Tcreate(H5T_COMPOUND, 2 * bytes));
    H5Tinsert(pair.get(), "r", 0, component);
    H5Tinsert(pair.get(), "i", bytes, component);
    return pair;
}

template <class Enum, std::size_t N>
std::optional<Enum> find(const std::array<Enum, N>& all, std::string_view name) {
    for (const Enum one : all)
        if (nameOf(one) == name) return one;
    return std::nullopt;
}

} // namespace

SampleTypes sampleTypes(DType type) {
    const auto copies = [](hid_t stored, hid_t memory) {
        return SampleTypes{Hdf5Handle(H5Tcopy(stored)), Hdf5Handle(H5Tcopy(memory))};
    };
    switch (type) {
    case DType::U8:
    case DType::Packed12: return copies(H5T_STD_U8LE, H5T_NATIVE_UINT8);
    case DType::I16: return copies(H5T_STD_I16LE, H5T_NATIVE_INT16);
    case DType::U16: return copies(H5T_STD_U16LE, H5T_NATIVE_UINT16);
    case DType::F32: return copies(H5T_IEEE_F32LE, H5T_NATIVE_FLOAT);
    case DType::ComplexI16: return {pairOf(H5T_STD_I16LE), pairOf(H5T_NATIVE_INT16)};
    case DType::ComplexF32: return {pairOf(H5T_IEEE_F32LE), pairOf(H5T_NATIVE_FLOAT)};
    }
    return {};
}

std::optional<Wave> waveOf(std::string_view name) {
    return find(std::array{Wave::Plane, Wave::Diverging, Wave::Focused, Wave::Element, Wave::None},
                name);
}

std::optional<DType> dtypeOf(std::string_view name) {
    return find(std::array{DType::U8, DType::I16, DType::U16, DType::Packed12, DType::F32,
                           DType::ComplexI16, DType::ComplexF32},
                name);
}

std::optional<AxisName> axisOf(std::string_view name) {
    return find(std::array{AxisName::Frame, AxisName::Transmit, AxisName::Channel, AxisName::Sample,
                           AxisName::Elevation, AxisName::Depth, AxisName::Lateral,
                           AxisName::Velocity, AxisName::SlowTime},
                name);
}

void writeFacts(hid_t at, const FrameSpec& frame, Facts facts) {
    for (const Fact* fact : facts)
        hdf5::writeReal(at, nameWithUnit(*fact).c_str(), fact->place.get(frame));
}

void writeKnownFacts(hid_t at, const FrameSpec& frame, Facts facts) {
    for (const Fact* fact : facts)
        if (fact->place.get(frame) != 0.0) writeFacts(at, frame, {fact});
}

void readFacts(hid_t at, FrameSpec& frame, const std::filesystem::path& path, Facts facts) {
    for (const Fact* fact : facts) {
        const std::string name = nameWithUnit(*fact);
        fact->place.set(frame, demand(path, hdf5::readReal(at, name.c_str()), name.c_str()));
    }
}

void readKnownFacts(hid_t at, FrameSpec& frame, const std::filesystem::path& path, Facts facts) {
    for (const Fact* fact : facts)
        if (H5Aexists(at, nameWithUnit(*fact).c_str()) > 0) readFacts(at, frame, path, {fact});
}

std::vector<hsize_t> storedExtent(const FrameSpec& frame) {
    if (frame.dtype == DType::Packed12) return {frame.bytes()};
    std::vector<hsize_t> extent;
    for (const Axis& axis : frame.axes) extent.push_back(static_cast<hsize_t>(axis.size));
    return extent;
}

std::optional<std::string> contradictionIn(const FrameSpec& frame) {
    if (auto wrong = contradictionInLayout(frame)) return wrong;
    if (isImage(frame)) return contradictionInImage(frame);
    if (frame.spectrometer) {
        if (frame.acquisition) return "it has both a spectrometer and a probe";
        return contradictionInSpectra(frame);
    }
    if (!frame.acquisition) return "it does not say who transmitted what from where";
    return contradictionInAcquisition(frame);
}

Hdf5Handle selectFrame(hid_t dataset, std::int64_t index) {
    std::vector<hsize_t> count = hdf5::extentOf(dataset);
    std::vector<hsize_t> start(count.size(), 0);
    start.at(0) = static_cast<hsize_t>(index);
    count.at(0) = 1;
    Hdf5Handle space(hdf5::require(H5Dget_space(dataset), "reading the extent"));
    hdf5::require(H5Sselect_hyperslab(space.get(), H5S_SELECT_SET, start.data(), nullptr,
                                      count.data(), nullptr),
                  "selecting a frame");
    return space;
}

} // namespace echolux::native
