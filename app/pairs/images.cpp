// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/pairs/images.hpp"

#include "app/pairs/findings.hpp"
#include "app/pipeline/graph_edits.hpp"
#include "app/pipeline/past_images.hpp"
#include "app/pipeline/runner.hpp"
#include "app/session/offline/offline.hpp"
#include "gpu/beamform/beamform_defaults.hpp"
#include "gpu/beamform/beamform_params.hpp"
#include "gpu/core/sector.hpp"
#include "gpu/memory/transfer.hpp"
#include "gpu/stage/registry.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <functional>
#include <limits>

namespace echolux::pairs {
namespace {

/// Numbers along the axes, in their order.
std::vector<std::int64_t> numbersOf(const FrameSpec& spec, std::size_t index) {
    std::vector<std::int64_t> numbers(spec.axes.size());
    auto rest = static_cast<std::int64_t>(index);
    for (std::size_t axis = numbers.size(); axis-- > 0;) {
        numbers[axis] = rest % spec.axes[axis].size;
        rest /= spec.axes[axis].size;
    }
    return numbers;
}

double coordinate(const FrameSpec& spec, const std::vector<std::int64_t>& numbers, AxisName name) {
    for (std::size_t axis = 0; axis < numbers.size(); ++axis)
        if (spec.axes[axis].name == name)
            return spec.axes[axis].origin +
                   static_cast<double>(numbers[axis]) * spec.axes[axis].spacing;
    return 0.0;
}

double distanceBetween(const Point& a, const Point& b) {
    return std::hypot(a.x - b.x, a.y - b.y, a.z - b.z);
}

bool isInDb(const FrameSpec& spec) { return spec.valueRange && spec.valueRange->unit == "dB"; }

/// The middle of the spot round its largest value: of all samples less than 6 dB below it, each
/// counted by how far it rises above that. NOTE: the largest value itself may lie beside the middle
/// of a flat top, because an aperture that grows in steps of an element makes steps of 1 %.
Point middleOfSpot(const Image& image, std::size_t index, double reachM) {
    constexpr double kBelowDb = 6.0;
    const bool db = isInDb(image.spec);
    const double peak = image.values[index];
    const double floor = db ? peak - kBelowDb : 0.5 * peak;
    const Point top = image.placeOf(index);
    Point sum;
    double weights = 0.0;
    for (std::size_t i = 0; i < image.values.size(); ++i) {
        const double weight = image.values[i] - floor;
        if (!(weight > 0.0)) continue;
        const Point at = image.placeOf(i);
        if (distanceBetween(at, top) > reachM) continue;
        sum = {sum.x + weight * at.x, sum.y + weight * at.y, sum.z + weight * at.z};
        weights += weight;
    }
    return weights > 0.0 ? Point{sum.x / weights, sum.y / weights, sum.z / weights} : top;
}

Image onHost(const Exec& exec, const ConstTensorView& view) {
    Image image{*view.spec, std::vector<float>(static_cast<std::size_t>(view.spec->count()))};
    if (view.spec->dtype != DType::F32)
        throw Error("Pairs are checked on images of real numbers alone.");
    download(exec, image.values.data(), view.data, view.spec->bytes());
    return image;
}

using EditGrid =
    std::function<void(StageConfig& stage, const BeamformParams& planned, const FrameSpec& image)>;

/// Edits every beamformer, told what it has planned.
PipelineConfig withGrids(PipelineConfig config, const FrameSpec& raw, const EditGrid& edit) {
    const SnapshotPtr snapshot = instantiate(config, raw);
    for (StageConfig& stage : config.stages) {
        if (!stageType(stage.type).has<BeamformParams>()) continue;
        const StageState& planned = snapshot->stage(stage.id);
        edit(stage, planned.params.as<BeamformParams>(), planned.plan.outputs.front());
    }
    return config;
}

/// Number of the line of beam space that passes nearest to a place, and the range there.
std::pair<std::size_t, double> nearestOn(const Sector& sector, const Axis& ranges,
                                         const Point& place) {
    double least = std::numeric_limits<double>::max();
    std::pair<std::size_t, double> found;
    for (std::size_t line = 0; line < sector.lines(); ++line) {
        for (std::int64_t n = 0; n < ranges.size; ++n) {
            const double range = ranges.origin + static_cast<double>(n) * ranges.spacing;
            const double away = distanceBetween(sector.at(line, range), place);
            if (away >= least) continue;
            least = away;
            found = {line, range};
        }
    }
    return found;
}

} // namespace

bool Image::isInSpace() const {
    return spec.find(AxisName::Depth) != nullptr && spec.find(AxisName::Lateral) != nullptr &&
           spec.find(AxisName::Depth)->unit == "m" &&
           (spec.sector != nullptr || spec.find(AxisName::Lateral)->unit == "m");
}

Point Image::placeOf(std::size_t index) const {
    const std::vector<std::int64_t> numbers = numbersOf(spec, index);
    const double depth = coordinate(spec, numbers, AxisName::Depth);
    if (spec.sector != nullptr)
        return spec.sector->at(static_cast<std::size_t>(numbers.back()), depth);
    return {coordinate(spec, numbers, AxisName::Lateral),
            coordinate(spec, numbers, AxisName::Elevation), depth};
}

std::vector<Image> viewsOf(Recording& recording, const SnapshotPtr& snapshot, Backend backend) {
    constexpr std::int64_t kEnough = 4; ///< frames until links of the frame before have settled
    const EnsembleWindows windows =
        windowsOf(recording.info(), snapshot->ensemble(), snapshot->name);
    const Buffer raw(stagingMemory(backend), snapshot->input.bytes());
    Runner runner(backend, 1);
    runner.apply(snapshot);
    const std::int64_t wanted = std::max(imagesBefore(*snapshot) + 1, kEnough);
    const std::int64_t last = std::min(wanted, windows.count()) - 1;
    int slot = 0;
    for (std::int64_t window = 0; window <= last; ++window) {
        const std::int64_t first = window * windows.each;
        readFrames(recording, first, {raw.as<std::byte>(), raw.bytes()});
        slot = runner.enqueue({.raw = raw.as<std::byte>(), .frame = first});
        runner.wait(slot);
    }
    std::vector<Image> images;
    for (std::size_t view = 0; view < snapshot->views.size(); ++view)
        images.push_back(onHost(runner.exec(slot), runner.viewOutput(slot, view)));
    runner.drain();
    return images;
}

Image outputOf(Recording& recording, const SnapshotPtr& snapshot, Backend backend,
               const std::optional<std::string>& stage) {
    const HostFrameData data = processFrame(recording, snapshot, backend, 0, stage);
    Image image{data.spec, std::vector<float>(static_cast<std::size_t>(data.spec.count()))};
    std::memcpy(image.values.data(), data.bytes.data(),
                std::min(data.bytes.size(), image.values.size() * sizeof(float)));
    return image;
}

std::optional<Peak> peakNear(const Image& image, const Point& place, double reachM) {
    std::optional<Peak> peak;
    for (std::size_t i = 0; i < image.values.size(); ++i) {
        const double value = image.values[i];
        if (std::isnan(value) || (peak && value <= peak->value)) continue;
        if (distanceBetween(image.placeOf(i), place) > reachM) continue;
        peak = Peak{value, {}, i};
    }
    if (peak) peak->place = middleOfSpot(image, peak->index, reachM);
    return peak;
}

double largest(const Image& image) {
    double most = 0.0;
    for (const float value : image.values)
        if (std::isfinite(value)) most = std::max<double>(most, value);
    return most;
}

PipelineConfig finelyRound(PipelineConfig config, const FrameSpec& raw, const Point& place,
                           double reachM) {
    constexpr double kFiner = 4.0;
    const auto edit = [&](StageConfig& stage, const BeamformParams& planned,
                          const FrameSpec& image) {
        const auto span = [&](const char* axis, double middle) {
            setValue(stage, std::string(axis) + "_min", middle - reachM);
            setValue(stage, std::string(axis) + "_max", middle + reachM);
        };
        setValue(stage, "pixel_depth", planned.pixelDepthM / kFiner);
        if (planned.grid != PixelGrid::Beams) {
            span("depth", place.z);
            span("lateral", place.x);
            setValue(stage, "pixel_lateral", planned.pixelLateralM / kFiner);
            if (planned.grid != PixelGrid::Volume) return;
            span("elevation", place.y);
            setValue(stage, "pixel_elevation", planned.pixelElevationM / kFiner);
            return;
        }
        if (image.sector == nullptr) return span("depth", place.z);
        const auto [line, range] = nearestOn(*image.sector, *image.find(AxisName::Depth), place);
        span("depth", range);
        if (planned.transmitAperture == TransmitAperture::OwnLines) return;
        constexpr std::size_t kBeside = 4; ///< lines to each side
        const std::vector<double>& angles = image.sector->anglesRad;
        const std::size_t first = line > kBeside ? line - kBeside : 0;
        const std::size_t last = std::min(line + kBeside, angles.size() - 1);
        setValue(stage, "angle_min", std::min(angles[first], angles[last]));
        setValue(stage, "angle_max", std::max(angles[first], angles[last]));
        setValue(stage, "lines",
                 static_cast<std::int64_t>(kFiner) * static_cast<std::int64_t>(last - first) + 1);
    };
    return withGrids(std::move(config), raw, edit);
}

PipelineConfig coarsely(PipelineConfig config, const FrameSpec& raw) {
    const auto edit = [&](StageConfig& stage, const BeamformParams& planned, const FrameSpec&) {
        // Rows stay: RF may be summed with its carrier. Three pixels are not yet wider than the
        // narrowest spot, that of a wide aperture; four are, and move it. Voxels that a large
        // volume makes coarser are fine in the part of it that is made here.
        constexpr double kWider = 3.0;
        constexpr std::int64_t kLines = 96;
        constexpr double kThin = 0.4e-3;  ///< half of the slices' extent
        constexpr double kAside = 1.5e-3; ///< half of the width of a volume
        if (planned.grid == PixelGrid::Image)
            setValue(stage, "pixel_lateral", kWider * planned.pixelLateralM);
        if (planned.grid == PixelGrid::Beams &&
            planned.transmitAperture != TransmitAperture::OwnLines)
            setValue(stage, "lines", kLines);
        if (planned.grid == PixelGrid::Volume) {
            setValue(stage, "elevation_min", -kThin);
            setValue(stage, "elevation_max", kThin);
            setValue(stage, "lateral_min", -kAside);
            setValue(stage, "lateral_max", kAside);
            const das::FineVoxel fine = das::fineVoxel(raw, planned);
            setValue(stage, "pixel_lateral", std::min(planned.pixelLateralM, fine.wide));
            setValue(stage, "pixel_elevation", std::min(planned.pixelElevationM, fine.high));
            setValue(stage, "pixel_depth", std::min(planned.pixelDepthM, kWavelengthM / 8.0));
        }
    };
    return withGrids(std::move(config), raw, edit);
}

} // namespace echolux::pairs
