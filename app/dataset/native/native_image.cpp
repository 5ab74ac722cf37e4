// SPDX-License-Identifier: GPL-3.0-or-later
// Facts about images. Facts that are unknown are missing from the file.
#include "app/dataset/native/native_image.hpp"

#include "app/dataset/container/hdf5_attributes.hpp"
#include "app/dataset/native/native_acquisition.hpp"
#include "app/dataset/native/native_format.hpp"
#include "gpu/core/sector.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <utility>
#include <vector>

namespace echolux::native {
namespace {

constexpr std::array kForms{RecordedForm::Beamformed, RecordedForm::Envelope,
                            RecordedForm::Decibels, RecordedForm::Picture};

std::optional<RecordedForm> formOf(const std::string& name) {
    for (const RecordedForm form : kForms)
        if (nameOf(form) == name) return form;
    return std::nullopt;
}

bool allFinite(const std::vector<double>& values) {
    return std::ranges::all_of(values, [](double value) { return std::isfinite(value); });
}

std::optional<std::string> contradictionIn(const Sector& sector, std::int64_t lines) {
    if (std::ssize(sector.anglesRad) != lines)
        return fmt::format("its lines have {} angles, but each frame has {} lines",
                           sector.anglesRad.size(), lines);
    std::vector<double> values = sector.anglesRad;
    values.insert(values.end(), {sector.apexXM, sector.apexZM, sector.radiusM});
    for (const Point& start : sector.starts) values.insert(values.end(), {start.x, start.z});
    if (!allFinite(values)) return "its lines lie at places that are no numbers";
    const bool rise = std::ranges::adjacent_find(sector.anglesRad, std::greater_equal<>{}) ==
                      sector.anglesRad.end();
    if (sector.hasOneApex() && !rise) return "its lines do not lie in the order of their angles";
    return std::nullopt;
}

void writeSector(hid_t at, const Sector& sector) {
    const hsize_t lines = sector.lines();
    hdf5::writeTable(at, kLineAngle, std::array{lines}, sector.anglesRad);
    if (sector.hasOneApex()) {
        hdf5::writeReals(at, kApex, std::array{sector.apexXM, sector.apexZM});
        hdf5::writeReal(at, kArcRadius, sector.radiusM);
        return;
    }
    std::vector<double> starts;
    for (const Point& p : sector.starts) starts.insert(starts.end(), {p.x, p.y, p.z});
    hdf5::writeTable(at, kLineStart, std::array<hsize_t, 2>{lines, 3}, starts);
}

std::shared_ptr<const Sector> readSector(hid_t at, std::int64_t lines,
                                         const std::filesystem::path& path) {
    auto sector = std::make_shared<Sector>();
    const auto count = static_cast<hsize_t>(lines);
    sector->anglesRad =
        demand(path, hdf5::readTable(at, kLineAngle, std::array{count}), kLineAngle);
    if (H5Lexists(at, kLineStart, H5P_DEFAULT) > 0) {
        const auto starts = demand(
            path, hdf5::readTable(at, kLineStart, std::array<hsize_t, 2>{count, 3}), kLineStart);
        for (std::size_t i = 0; i + 2 < starts.size(); i += 3)
            sector->starts.push_back({starts[i], starts[i + 1], starts[i + 2]});
        return sector;
    }
    const auto apex = demand(path, hdf5::readReals(at, kApex), kApex);
    if (apex.size() != 2) demand<double>(path, std::nullopt, kApex);
    sector->apexXM = apex[0];
    sector->apexZM = apex[1];
    sector->radiusM = demand(path, hdf5::readReal(at, kArcRadius), kArcRadius);
    return sector;
}

} // namespace

bool isImage(const FrameSpec& frame) { return frame.recordedForm != RecordedForm::Signals; }

std::optional<std::string> contradictionInImage(const FrameSpec& frame) {
    if (frame.spectrometer || frame.acquisition)
        return "it holds images, and says how signals were recorded";
    if (frame.dtype == DType::Packed12)
        return fmt::format("its images have the sample type {}", nameOf(frame.dtype));
    if (isComplex(frame.dtype) && frame.recordedForm != RecordedForm::Beamformed)
        return fmt::format("its images have the form {} and complex samples",
                           nameOf(frame.recordedForm));
    if (const auto& range = frame.valueRange;
        range && !(allFinite({range->min, range->max}) && range->min < range->max))
        return fmt::format("its images are shown from {} to {}", range->min, range->max);
    if (frame.sector) return contradictionIn(*frame.sector, frame.sizeOf(AxisName::Lateral));
    return std::nullopt;
}

void writeImage(hid_t file, const FrameSpec& frame) {
    const Hdf5Handle group = createGroup(file, kImage);
    hdf5::writeText(group.get(), kForm, std::string(nameOf(frame.recordedForm)));
    if (frame.isOneWay) hdf5::writeReals(group.get(), kOneWay, std::array{1.0});
    if (const auto& range = frame.valueRange) {
        hdf5::writeReals(group.get(), kShownRange, std::array{range->min, range->max});
        hdf5::writeText(group.get(), kShownUnit, range->unit);
        hdf5::writeText(group.get(), kShownReference, range->reference);
    }
    if (frame.sector) writeSector(group.get(), *frame.sector);
}

void readImage(const Hdf5Handle& at, FrameSpec& frame, const std::filesystem::path& path) {
    const auto form = hdf5::readText(at.get(), kForm);
    frame.recordedForm = demand(path, form ? formOf(*form) : std::nullopt, kForm);
    if (frame.find(AxisName::Depth) == nullptr || frame.find(AxisName::Lateral) == nullptr) {
        std::string axes;
        for (const Axis& axis : frame.axes)
            axes += fmt::format("{}{}", axes.empty() ? "" : " and ", nameOf(axis.name));
        throw fileError(path, fmt::format("its images have the axes {}, and Echolux opens images "
                                          "with depth and lateral; read it with h5py",
                                          axes));
    }
    const auto oneWay = hdf5::readReals(at.get(), kOneWay);
    frame.isOneWay = oneWay && *oneWay == std::vector{1.0};
    if (const auto range = hdf5::readReals(at.get(), kShownRange); range && range->size() == 2)
        frame.valueRange = ValueRange{range->front(), range->back(),
                                      hdf5::readText(at.get(), kShownUnit).value_or(""),
                                      hdf5::readText(at.get(), kShownReference).value_or("")};
    if (H5Lexists(at.get(), kLineAngle, H5P_DEFAULT) > 0)
        frame.sector = readSector(at.get(), frame.sizeOf(AxisName::Lateral), path);
}

} // namespace echolux::native
