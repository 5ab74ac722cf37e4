// SPDX-License-Identifier: GPL-3.0-or-later
// Levels to colours, pixels to squares.
#include "app/commands/picture.hpp"

#include "app/commands/output_file.hpp"
#include "app/dataset/container/npy_writer.hpp"
#include "gpu/core/error.hpp"
#include "gpu/core/volume_image.hpp"
#include "render/view/screen_axis.hpp"

#include <QImage>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <utility>

namespace echolux {
namespace {

ValueRange shownRange(const HostFrameData& frame) {
    if (frame.spec.valueRange) return *frame.spec.valueRange;
    const auto* values = reinterpret_cast<const float*>(frame.bytes.data());
    ValueRange range{std::numeric_limits<double>::max(), std::numeric_limits<double>::lowest(), "",
                     ""};
    for (std::int64_t i = 0; i < frame.spec.count(); ++i) {
        if (!std::isfinite(values[i])) continue;
        range.min = std::min<double>(range.min, values[i]);
        range.max = std::max<double>(range.max, values[i]);
    }
    return range;
}

/// From black to white: "-8 to 32 dB re 1 code".
std::string levelsOf(const HostFrameData& frame) {
    const ValueRange range = shownRange(frame);
    std::string text = fmt::format("{:g} to {:g}", range.min, range.max);
    if (!range.unit.empty()) text += " " + range.unit;
    if (!range.reference.empty()) text += " re " + range.reference;
    return text;
}

QRgb colourOf(double value, const ValueRange& range, const ColourMap& map) {
    if (!std::isfinite(value)) return kNotANumberColour;
    const double span = range.max - range.min;
    const double unit = span > 0.0 ? std::clamp((value - range.min) / span, 0.0, 1.0) : 0.0;
    return map.colour[static_cast<std::size_t>(std::lround(unit * (ColourMap::kEntries - 1)))];
}

/// Pixels of a picture's side; more than what picture files take is refused.
int sideOf(const Axis& axis, double pixelM) {
    constexpr double kMostPixels = 32767.0;
    const double pixels = std::round(static_cast<double>(axis.size) * axis.spacing / pixelM);
    if (pixels > kMostPixels) {
        throw Error(
            fmt::format("The {} axis would be {:.0f} pixels long at the true aspect, with {} "
                        "points {:g} m apart; correct the spacing, or write .npy.",
                        nameOf(axis.name), pixels, axis.size, axis.spacing));
    }
    return std::max(static_cast<int>(pixels), 1);
}

/// At the true aspect: the coarser axis is stretched, so that pixels of the picture are square.
QImage toPicture(const HostFrameData& frame, const ColourMap& map) {
    if (frame.spec.dtype != DType::F32 || frame.spec.axes.size() != 2) {
        throw Error(fmt::format("{} cannot be drawn as a picture; write it as .npy.",
                                frame.spec.describe()));
    }
    const Axis& rows = frame.spec.axes[0];
    const Axis& columns = frame.spec.axes[1];
    const ValueRange range = shownRange(frame);
    const auto* values = reinterpret_cast<const float*>(frame.bytes.data());
    QImage picture(static_cast<int>(columns.size), static_cast<int>(rows.size),
                   QImage::Format_RGB32);
    for (std::int64_t row = 0; row < rows.size; ++row) {
        auto* line = reinterpret_cast<QRgb*>(picture.scanLine(static_cast<int>(row)));
        for (std::int64_t column = 0; column < columns.size; ++column) {
            const double value = values[row * columns.size + column];
            line[column] = 0xff000000U | colourOf(value, range, map);
        }
    }
    if (rows.unit != "m" || columns.unit != "m") return picture;
    const double finest = std::min(rows.spacing, columns.spacing);
    return picture.scaled(sideOf(columns, finest), sideOf(rows, finest), Qt::IgnoreAspectRatio,
                          Qt::SmoothTransformation);
}

} // namespace

HostFrameData middleSlice(const HostFrameData& volume) {
    const std::int64_t slices = volume.spec.axes.front().size;
    HostFrameData slice{volume.spec, {}};
    slice.spec.axes.erase(slice.spec.axes.begin());
    const auto first =
        static_cast<std::ptrdiff_t>(static_cast<std::size_t>(slices / 2) * slice.spec.bytes());
    const auto begin = volume.bytes.begin() + first;
    slice.bytes.assign(begin, begin + static_cast<std::ptrdiff_t>(slice.spec.bytes()));
    return slice;
}

HostFrameData depthDown(HostFrameData frame) {
    std::vector<Axis>& axes = frame.spec.axes;
    if (!drawnTransposed(frame.spec)) return frame;
    const auto lines = static_cast<std::size_t>(axes[0].size);
    const auto depths = static_cast<std::size_t>(axes[1].size);
    const std::size_t pixel = bytesOf(frame.spec.dtype, 1);
    std::vector<std::byte> turned(frame.bytes.size());
    for (std::size_t line = 0; line < lines; ++line) {
        for (std::size_t z = 0; z < depths; ++z) {
            std::copy_n(frame.bytes.data() + (line * depths + z) * pixel, pixel,
                        turned.data() + (z * lines + line) * pixel);
        }
    }
    frame.bytes = std::move(turned);
    std::swap(axes[0], axes[1]);
    return frame;
}

void writePicture(const std::filesystem::path& path, const HostFrameData& image,
                  const ColourMap& map) {
    QImage picture = toPicture(image, map);
    picture.setText("Description", QString::fromStdString(levelsOf(image)));
    OutputFile file(path.string());
    if (!picture.save(&file.device(), "PNG")) file.refuse();
    file.commit();
}

std::vector<std::filesystem::path> filesOfImage(const std::filesystem::path& path) {
    if (path.extension() != ".npy") return {path};
    return {path, std::filesystem::path(path).replace_extension(".json")};
}

void writeImage(const std::filesystem::path& path, HostFrameData image, const ColourMap& map) {
    image = depthDown(std::move(image));
    if (path.extension() == ".npy") {
        writeNpy(path, image.spec, image.bytes);
    } else if (isWholeVolume(image.spec)) {
        writePicture(path, middleSlice(image), map);
        const Axis& elevation = image.spec.axes.front();
        const std::int64_t slice = elevation.size / 2;
        fmt::print(stderr,
                   "{} shows slice {} of {} of the volume, at elevation {:.2f} mm; write .npy for "
                   "all of it.\n",
                   path.string(), slice + 1, elevation.size,
                   1e3 * (elevation.origin + static_cast<double>(slice) * elevation.spacing));
    } else {
        writePicture(path, image, map);
    }
}

} // namespace echolux
