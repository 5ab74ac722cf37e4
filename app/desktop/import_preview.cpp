// SPDX-License-Identifier: GPL-3.0-or-later
// Previews on the CPU. Each has a limited cost.
#include "app/desktop/import_preview.hpp"

#include "app/dataset/recording/counted.hpp"
#include "app/dataset/recording/doubts.hpp"
#include "app/pipeline/graph_edits.hpp"
#include "app/session/checked_image.hpp"
#include "app/session/offline/offline.hpp"
#include "gpu/beamform/beamform_params.hpp"
#include "gpu/core/complex.hpp"

#include <QStringList>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <iterator>
#include <utility>
#include <vector>

namespace echolux {
namespace {

/// The levels of black and white: the lowest and the highest finite value, or quantiles.
struct Greys {
    float low = 0.0F;
    float high = 1.0F;
};
Greys greysOf(const std::vector<float>& values, double dark, double bright) {
    std::vector<float> sorted;
    std::ranges::copy_if(values, std::back_inserter(sorted),
                         [](float value) { return std::isfinite(value); });
    if (sorted.empty())
        throw Error("None of these values is a number; choose another type or header.");
    const auto quantile = [&sorted](double share) {
        const auto at =
            sorted.begin() + static_cast<std::ptrdiff_t>(share * double(sorted.size() - 1));
        std::nth_element(sorted.begin(), at, sorted.end());
        return *at;
    };
    const float low = quantile(dark);
    return {low, std::max(quantile(bright), low + 1e-6F)};
}

/// A picture of values [line][value]; lines run across.
QImage pictureOf(const std::vector<float>& values, int across, int down, Greys greys) {
    QImage image(across, down, QImage::Format_Grayscale8);
    for (int y = 0; y < down; ++y) {
        uchar* row = image.scanLine(y);
        for (int x = 0; x < across; ++x) {
            const float value =
                values[static_cast<std::size_t>(x) * static_cast<std::size_t>(down) +
                       static_cast<std::size_t>(y)];
            const float grey = 255.0F * (value - greys.low) / (greys.high - greys.low);
            row[x] = std::isfinite(grey) ? static_cast<uchar>(std::clamp(grey, 0.0F, 255.0F)) : 0;
        }
    }
    return image;
}
QImage pictureOf(const std::vector<float>& values, int across, int down, double dark,
                 double bright) {
    return pictureOf(values, across, down, greysOf(values, dark, bright));
}

std::vector<float> realsOf(const HostFrameData& frame) {
    std::vector<float> values(frame.bytes.size() / sizeof(float));
    std::memcpy(values.data(), frame.bytes.data(), values.size() * sizeof(float));
    return values;
}

/// Levels in dB of the samples of the middle transmit, [channel][sample].
ImportPreview samplesOf(Recording& recording, const SnapshotPtr& chain) {
    const HostFrameData frame =
        processFrame(recording, chain, Backend::Cpu, 0, chain->stages.front().id);
    const FrameSpec& spec = frame.spec;
    const std::vector<float> parts = realsOf(frame);
    const auto each = static_cast<std::size_t>(isComplex(spec.dtype) ? 2 : 1);
    const std::int64_t samples = spec.sizeOf(AxisName::Sample);
    const std::int64_t channels = spec.sizeOf(AxisName::Channel);
    const std::int64_t transmit = spec.sizeOf(AxisName::Transmit) / 2;
    std::vector<float> levels(static_cast<std::size_t>(samples * channels));
    const std::size_t first = static_cast<std::size_t>(transmit) * levels.size() * each;
    float largest = 0.0F;
    for (std::size_t i = 0; i < levels.size(); ++i) {
        const float* at = parts.data() + first + i * each;
        levels[i] = each == 2 ? std::hypot(at[0], at[1]) : std::abs(at[0]);
        if (std::isfinite(levels[i])) largest = std::max(largest, levels[i]);
    }
    constexpr float kFloor = 1e-3F; // 60 dB below the largest
    for (float& level : levels)
        level = std::log10(std::max(level / std::max(largest, 1e-30F), kFloor));
    return {pictureOf(levels, static_cast<int>(channels), static_cast<int>(samples), 0.0, 1.0),
            QString::fromStdString(fmt::format("Samples of transmit {}: {} across, {} down, 60 dB",
                                               transmit + 1, counted(channels, "channel"),
                                               counted(samples, "sample"))),
            0.0};
}

/// The default chain on a coarse grid. Of a volume it images the middle slice.
SnapshotPtr coarseChain(const FrameSpec& raw) {
    constexpr double kColumns = 160.0;
    constexpr double kRows = 224.0;
    PipelineConfig config = shippedPipeline(defaultPipelineName(raw));
    const SnapshotPtr fine = instantiate(config, raw);
    const StageState* beamform = fine->findWith<BeamformParams>();
    if (beamform == nullptr) return fine;
    const auto at = std::ranges::find(config.stages, beamform->id, &StageConfig::id);
    if (at == config.stages.end()) return fine;
    const auto& params = beamform->params.as<BeamformParams>();
    const auto coarse = [](double min, double max, double pixels, double own) {
        return std::max(own, std::min((max - min) / pixels, 0.01));
    };
    setValue(*at, "pixel_lateral",
             coarse(params.lateralMinM, params.lateralMaxM, kColumns, params.pixelLateralM));
    setValue(*at, "pixel_depth",
             coarse(params.depthMinM, params.depthMaxM, kRows, params.pixelDepthM));
    if (params.grid == PixelGrid::Volume) {
        setValue(*at, "elevation_min", 0.0);
        setValue(*at, "elevation_max", 1e-6);
        setValue(*at, "pixel_elevation", 0.01);
    }
    return instantiate(config, raw);
}

/// A plane of depths and lines, as columns of one line each. Of a volume it is the middle plane.
struct Plane {
    const Axis* depth;
    const Axis* lateral;
    std::vector<float> columns;

    /// `down` is the picture's vertical axis; the lateral axis lies across.
    QImage picture(Greys greys) const {
        return pictureOf(columns, static_cast<int>(lateral->size), static_cast<int>(depth->size),
                         greys);
    }
    bool metric() const { return depth->unit == "m" && lateral->unit == "m"; }
    double heightOverWidth() const {
        return (static_cast<double>(depth->size) * depth->spacing) /
               (static_cast<double>(lateral->size) * lateral->spacing);
    }
    QString places() const {
        const auto last = [](const Axis& axis) {
            return axis.origin + static_cast<double>(axis.size - 1) * axis.spacing;
        };
        QString text = QString::fromStdString(fmt::format(
            "lateral {:.1f} to {:.1f} mm, depth {:.1f} to {:.1f} mm", lateral->origin * 1e3,
            last(*lateral) * 1e3, depth->origin * 1e3, last(*depth) * 1e3));
        return text.replace('-', QChar(0x2212));
    }
};
Plane planeOf(const HostFrameData& frame) {
    const FrameSpec& spec = frame.spec;
    Plane plane{spec.find(AxisName::Depth), spec.find(AxisName::Lateral), {}};
    if (plane.depth == nullptr || plane.lateral == nullptr ||
        (spec.dtype != DType::F32 && spec.dtype != DType::ComplexF32))
        throw Error("These data make no image in the plane of the array.");
    const std::vector<float> parts = realsOf(frame); // [elevation][depth][lateral]
    const std::size_t each = isComplex(spec.dtype) ? 2 : 1;
    const auto down = static_cast<std::size_t>(plane.depth->size);
    const auto across = static_cast<std::size_t>(plane.lateral->size);
    const std::size_t planes = parts.size() / (down * across * each);
    const float* first = parts.data() + planes / 2 * down * across * each;
    plane.columns.resize(down * across);
    for (std::size_t row = 0; row < down; ++row)
        for (std::size_t column = 0; column < across; ++column) {
            const float* at = first + (row * across + column) * each;
            plane.columns[column * down + row] = each == 2 ? std::hypot(at[0], at[1]) : at[0];
        }
    return plane;
}

/// From the brightest level to 60 dB below it, unless the data give another range.
Greys levelsOf(const Plane& plane, const FrameSpec& spec) {
    if (spec.valueRange)
        return {static_cast<float>(spec.valueRange->min), static_cast<float>(spec.valueRange->max)};
    const Greys all = greysOf(plane.columns, 0.0, 1.0);
    return {std::max(all.low, all.high - 60.0F), all.high};
}

ImportPreview imageOf(Recording& recording) {
    const HostFrameData frame =
        processFrame(recording, coarseChain(recording.info().frame), Backend::Cpu, 0);
    Plane plane = planeOf(frame);
    const Greys all = greysOf(plane.columns, 0.0, 1.0);
    ImportPreview preview;
    preview.picture = plane.picture({std::max(all.low, all.high - 60.0F), all.high});
    if (plane.metric()) {
        preview.heightOverWidth = plane.heightOverWidth();
        preview.caption = QString("Frame 1: %1, 60 dB").arg(plane.places());
    }
    return preview;
}

/// With the doubts about the described facts below the caption.
ImportPreview doubted(ImportPreview preview, const Recording& recording) {
    QStringList sentences;
    if (!preview.caption.isEmpty()) sentences.append(preview.caption);
    for (const std::string& doubt : doubtsAbout(recording.info()))
        sentences.append(QString::fromStdString(doubt));
    preview.caption = sentences.join('\n');
    return preview;
}

void refuseLarge(const FrameSpec& frame) {
    constexpr std::size_t kMostBytes = std::size_t{1} << 29U;
    if (frame.bytes() > kMostBytes)
        throw Error(
            fmt::format("A frame of {} MiB is too large for a preview.", frame.bytes() >> 20U));
}

} // namespace

ImportPreview previewOf(const std::shared_ptr<const InputFile>& file,
                        const std::shared_ptr<ArrayContainer>& container, const RawImport& import,
                        bool stored) {
    const auto recording = openSpectraImport(
        file, import.inArray ? import : firstLines(import, file->size()), container);
    refuseLarge(recording->info().frame);
    const SnapshotPtr chain = imagingSnapshot(recording->info().frame, std::nullopt);
    std::optional<std::string> stage;
    if (stored) stage = chain->stages.front().id;
    const HostFrameData frame = processFrame(*recording, chain, Backend::Cpu, 0, stage);
    const auto down = static_cast<int>(frame.spec.axes.back().size);
    return doubted(
        {pictureOf(realsOf(frame), static_cast<int>(frame.spec.count() / down), down, 0.02, 0.998),
         {},
         0.0},
        *recording);
}

ImportPreview previewOf(const std::shared_ptr<const InputFile>& file,
                        const std::shared_ptr<ArrayContainer>& container,
                        const ChannelImport& import, bool stored) {
    const ChannelImport part = firstFrame(import, file->size());
    const auto recording = openChannelImport(file, part, container);
    const FrameSpec& frame = recording->info().frame;
    refuseLarge(frame);
    const ChannelFit fit = checkChannelImport(import, file->size());
    const std::vector<std::string> missing = missingFacts(import, fit.extents);
    if (!stored && missing.empty()) return doubted(imageOf(*recording), *recording);
    ImportPreview preview = samplesOf(*recording, imagingSnapshot(frame, std::nullopt));
    if (!stored)
        preview.caption += QString::fromStdString(
            fmt::format(". For an image, give {}.", fmt::join(missing, ", ")));
    return doubted(std::move(preview), *recording);
}

ImportPreview previewOf(const std::shared_ptr<const InputFile>& file,
                        const std::shared_ptr<ArrayContainer>& container, const ImageImport& import,
                        bool stored) {
    const auto recording = openImageImport(file, firstFrame(import, file->size()), container);
    refuseLarge(recording->info().frame);
    const SnapshotPtr chain = imagingSnapshot(recording->info().frame, std::nullopt);
    std::optional<std::string> stage;
    if (stored) stage = chain->stages.front().id;
    const HostFrameData frame = processFrame(*recording, chain, Backend::Cpu, 0, stage);
    const Plane plane = planeOf(frame);
    ImportPreview preview;
    preview.picture =
        plane.picture(stored ? greysOf(plane.columns, 0.02, 0.998) : levelsOf(plane, frame.spec));
    if (!stored && plane.metric()) {
        preview.heightOverWidth = plane.heightOverWidth();
        preview.caption = "Frame 1: " + plane.places();
    } else {
        preview.caption = QString::fromStdString(
            fmt::format("{} of frame 1: {} across, {} down", stored ? "Values" : "Pixels",
                        counted(plane.lateral->size, "line"), counted(plane.depth->size, "depth")));
    }
    return doubted(std::move(preview), *recording);
}

} // namespace echolux
