// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/dataset/native/native_frame_facts.hpp"

#include "app/dataset/container/hdf5_attributes.hpp"
#include "app/dataset/native/native_acquisition.hpp"
#include "app/dataset/native/native_format.hpp"
#include "app/dataset/recording/input_file.hpp"

#include <array>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

namespace echolux::native {
namespace {

const Facts kFrameFacts{&fact::kCodeOffset, &fact::kCodeScale, &fact::kCentreFrequency,
                        &fact::kDemodulation};

} // namespace

void writeFrameFacts(hid_t dataset, const FrameSpec& frame, double frameRateHz) {
    std::vector<std::string> names;
    std::vector<std::string> units;
    std::vector<std::int64_t> sizes;
    std::vector<double> spacings;
    std::vector<double> origins;
    for (const Axis& axis : frame.axes) {
        names.emplace_back(nameOf(axis.name));
        units.push_back(axis.unit);
        sizes.push_back(axis.size);
        spacings.push_back(axis.spacing);
        origins.push_back(axis.origin);
    }
    hdf5::writeText(dataset, kSampleType, std::string(nameOf(frame.dtype)));
    hdf5::writeTexts(dataset, kAxisName, names);
    hdf5::writeIntegers(dataset, kAxisSize, sizes);
    hdf5::writeReals(dataset, kAxisSpacing, spacings);
    hdf5::writeReals(dataset, kAxisOrigin, origins);
    hdf5::writeTexts(dataset, kAxisUnit, units);
    if (const auto& range = frame.converterRange) {
        hdf5::writeReals(dataset, kConverterRange, std::array{range->lowest, range->highest});
    }
    writeFacts(dataset, frame, kFrameFacts);
    hdf5::writeReal(dataset, kFrameRate, frameRateHz);
}

void readFrameFacts(hid_t at, RecordingInfo& info) {
    FrameSpec& frame = info.frame;
    const auto names = demand(info.path, hdf5::readTexts(at, kAxisName), kAxisName);
    const auto units = demand(info.path, hdf5::readTexts(at, kAxisUnit), kAxisUnit);
    const auto sizes = demand(info.path, hdf5::readIntegers(at, kAxisSize), kAxisSize);
    const auto spacings = demand(info.path, hdf5::readReals(at, kAxisSpacing), kAxisSpacing);
    const auto origins = demand(info.path, hdf5::readReals(at, kAxisOrigin), kAxisOrigin);
    const std::size_t count = names.size();
    if (units.size() != count || sizes.size() != count || spacings.size() != count ||
        origins.size() != count)
        throw fileError(info.path, "the facts of its axes differ in number; it is damaged, "
                                   "record or copy it again");
    for (std::size_t i = 0; i < count; ++i)
        frame.axes.push_back({demand(info.path, axisOf(names[i]), kAxisName), sizes[i], spacings[i],
                              origins[i], units[i]});
    const std::string type = demand(info.path, hdf5::readText(at, kSampleType), kSampleType);
    frame.dtype = demand(info.path, dtypeOf(type), kSampleType);
    if (const auto range = hdf5::readReals(at, kConverterRange); range && range->size() == 2)
        frame.converterRange = {range->front(), range->back()};
    readFacts(at, frame, info.path, kFrameFacts);
    info.frameRateHz = demand(info.path, hdf5::readReal(at, kFrameRate), kFrameRate);
    if (!std::isfinite(info.frameRateHz) || info.frameRateHz < 0.0) info.frameRateHz = 0.0;
}

} // namespace echolux::native
