// SPDX-License-Identifier: GPL-3.0-or-later
// Turns levels into colours, and samples into square pixels.
#include "app/export/picture.hpp"

#include "app/export/pixels.hpp"
#include "gpu/core/error.hpp"
#include "gpu/core/posed.hpp"
#include "gpu/image/mixed_samples.hpp"
#include "render/view/colour_map.hpp"
#include "render/view/mixed_pixels.hpp"
#include "render/view/screen_axis.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

namespace echolux {
namespace {

/// Position of a value from black (0) to white (1).
double partOf(double value, const ValueRange& range, double gamma) {
    const double span = range.max - range.min;
    const double part = span > 0.0 ? std::clamp((value - range.min) / span, 0.0, 1.0) : 0.0;
    return gamma == 1.0 ? part : std::pow(part, gamma);
}

/// The image with square pixels as fine as the finer axis. Its values between the samples follow
/// from their kind.
HostFrameData withSquarePixels(const HostFrameData& frame) {
    const Axis& rows = frame.spec.axes[0];
    const Axis& columns = frame.spec.axes[1];
    if (rows.unit != "m" || columns.unit != "m") return frame;
    const double finest = std::min(rows.spacing, columns.spacing);
    const int height = sideOf(rows, finest);
    const int width = sideOf(columns, finest);
    if (height == rows.size && width == columns.size) return frame;
    HostFrameData square{frame.spec, {}};
    const auto stretch = [](Axis& axis, int size) {
        const double spacing = axis.spacing * static_cast<double>(axis.size) / size;
        axis.origin += 0.5 * (spacing - axis.spacing);
        axis.spacing = spacing;
        axis.size = size;
    };
    stretch(square.spec.axes[0], height);
    stretch(square.spec.axes[1], width);
    square.bytes.resize(square.spec.bytes());
    const auto* values = reinterpret_cast<const float*>(frame.bytes.data());
    auto* out = reinterpret_cast<float*>(square.bytes.data());
    mixed::withRuleOf(frame.spec, [&](const auto& rule) {
        using Rule = std::decay_t<decltype(rule)>;
        std::vector<typename Rule::Sample> samples(static_cast<std::size_t>(frame.spec.count()));
        const mixed::PrepareSamples<Rule> prepare{values, samples.data(), columns.size,
                                                  0,      columns.size,   rule};
        for (std::int64_t i = 0; i < frame.spec.count(); ++i) prepare(i);
        const mixed::MixedSamples<Rule> mix{.in = samples.data(),
                                            .rows = static_cast<int>(rows.size),
                                            .columns = static_cast<int>(columns.size),
                                            .values = values,
                                            .own = static_cast<int>(columns.size),
                                            .before = 0,
                                            .cubic = false,
                                            .rule = rule};
        const auto placeOf = [](int pixel, const Axis& from, int size) {
            const double place = (pixel + 0.5) * static_cast<double>(from.size) / size - 0.5;
            return static_cast<float>(std::clamp(place, 0.0, static_cast<double>(from.size - 1)));
        };
        for (int y = 0; y < height; ++y)
            for (int x = 0; x < width; ++x)
                *out++ = mix.between(placeOf(y, rows, height), placeOf(x, columns, width));
    });
    return square;
}

} // namespace

std::array<QRgb, ColourMap::kEntries> coloursOf(const ExportLook& look) {
    const ColourMap& map = colourMap(look.colourMap);
    std::array<QRgb, ColourMap::kEntries> colours{};
    for (std::size_t i = 0; i < colours.size(); ++i)
        colours[i] = 0xff000000U | map.colour[look.inverted ? ColourMap::kEntries - 1 - i : i];
    return colours;
}

HostFrameData imageOf(const CopiedPlane& copied) {
    HostFrameData image{copied.spec, {}};
    image.spec.dtype = DType::F32;
    const auto bytes = std::as_bytes(std::span(copied.values));
    image.bytes.assign(bytes.begin(), bytes.end());
    return depthDown(std::move(image));
}

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

std::string levelsOf(const ValueRange& range) {
    std::string text = fmt::format("{:g} to {:g}", range.min, range.max);
    if (!range.unit.empty()) text += " " + range.unit;
    if (!range.reference.empty()) text += " re " + range.reference;
    return text;
}

std::uint16_t greyOf(double value, const ExportLook& look, const ValueRange& range) {
    constexpr double kWhite = 65535.0;
    if (!std::isfinite(value)) return 0;
    const double part = partOf(value, range, look.gamma);
    return static_cast<std::uint16_t>(std::lround((look.inverted ? 1.0 - part : part) * kWhite));
}

constexpr double kMostPixels = 32767.0; ///< of a side of a QImage

int sideOf(const Axis& axis, double pixelM) {
    const double pixels = std::round(static_cast<double>(axis.size) * axis.spacing / pixelM);
    if (pixels > kMostPixels) {
        throw Error(
            fmt::format("The {} axis would be {:.0f} pixels long at the true aspect, with {} "
                        "points {:g} m apart; correct the spacing, or write .npy.",
                        nameOf(axis.name), pixels, axis.size, axis.spacing));
    }
    return std::max(static_cast<int>(pixels), 1);
}

namespace {

void stateResolution(QImage& picture, double perMetre) {
    const int stated = static_cast<int>(std::lround(std::clamp(perMetre, 1.0, 2e9)));
    picture.setDotsPerMeterX(stated);
    picture.setDotsPerMeterY(stated);
}

} // namespace

QImage toPicture(const HostFrameData& given, const ExportLook& look, const ValueRange& range,
                 std::uint32_t gap) {
    if (given.spec.dtype != DType::F32 || given.spec.axes.size() != 2) {
        throw Error(fmt::format("{} cannot be drawn as a picture; write it as .npy.",
                                given.spec.describe()));
    }
    const HostFrameData frame = withSquarePixels(given);
    const Axis& rows = frame.spec.axes[0];
    const Axis& columns = frame.spec.axes[1];
    const auto colours = coloursOf(look);
    const auto* values = reinterpret_cast<const float*>(frame.bytes.data());
    QImage picture(static_cast<int>(columns.size), static_cast<int>(rows.size),
                   QImage::Format_RGB32);
    for (std::int64_t row = 0; row < rows.size; ++row) {
        auto* line = reinterpret_cast<QRgb*>(picture.scanLine(static_cast<int>(row)));
        for (std::int64_t column = 0; column < columns.size; ++column) {
            const double value = values[row * columns.size + column];
            const double entry = partOf(value, range, look.gamma) * (ColourMap::kEntries - 1);
            const bool isGap = frame.spec.hasGaps && std::isnan(value);
            line[column] = std::isfinite(value)
                               ? colours[static_cast<std::size_t>(std::lround(entry))]
                               : 0xff000000U | (isGap ? gap : kNotANumberColour);
        }
    }
    if (rows.unit != "m" || columns.unit != "m") return picture;
    const double finest = std::min(given.spec.axes[0].spacing, given.spec.axes[1].spacing);
    stateResolution(picture, 1.0 / finest);
    return picture;
}

HostFrameData middleSlice(const HostFrameData& volume) {
    const std::int64_t slices = volume.spec.axes.front().size;
    HostFrameData slice{volume.spec, {}};
    slice.spec = planeOf(slice.spec, AxisName::Elevation, static_cast<double>(slices / 2));
    const auto first =
        static_cast<std::ptrdiff_t>(static_cast<std::size_t>(slices / 2) * slice.spec.bytes());
    const auto begin = volume.bytes.begin() + first;
    slice.bytes.assign(begin, begin + static_cast<std::ptrdiff_t>(slice.spec.bytes()));
    return slice;
}

HostFrameData depthDown(HostFrameData frame) {
    if (!drawnTransposed(frame.spec)) return frame;
    std::vector<Axis>& axes = frame.spec.axes;
    frame.bytes =
        permuted(frame.bytes, {axes[0].size, axes[1].size}, {1, 0}, bytesOf(frame.spec.dtype, 1));
    std::swap(axes[0], axes[1]);
    return frame;
}

namespace {

QImage ofWidth(const QImage& picture, int width, ValueKind kind) {
    const double scale = static_cast<double>(width) / picture.width();
    const double height = picture.height() * scale;
    if (height > kMostPixels)
        throw Error(fmt::format("With {} pixels across, the picture would be {:.0f} pixels high; "
                                "choose a smaller width.",
                                width, height));
    QImage scaled = picture.scaled(
        width, std::max(static_cast<int>(std::lround(height)), 1), Qt::IgnoreAspectRatio,
        mayMixPixels(kind) ? Qt::SmoothTransformation : Qt::FastTransformation);
    stateResolution(scaled, picture.dotsPerMeterX() * scale);
    return scaled;
}

} // namespace

QImage finishedPicture(const HostFrameData& image, const ExportLook& look,
                       const ValueRange& range) {
    constexpr double kMetresPerInch = 0.0254;
    QImage picture = toPicture(image, look, range);
    if (look.width > 0) picture = ofWidth(picture, look.width, image.spec.valueKind);
    if (look.dpi > 0.0) stateResolution(picture, look.dpi / kMetresPerInch);
    return withMarks(picture, image.spec, look, range);
}

PictureMaker::PictureMaker(FrameSpec frame, ExportLook look)
    : m_frame(std::move(frame)), m_look(std::move(look)) {
    colourMap(m_look.colourMap);
    if (m_look.depthBits != 8 && (m_look.width > 0 || m_look.dpi > 0.0))
        throw Error("Levels of 16 and values of 32 bits are written pixel by pixel; leave out the "
                    "width and the resolution, or write 8 bits.");
    const bool volume =
        m_frame.axes.size() == 3 && m_frame.axes.front().name == AxisName::Elevation;
    if (isComplex(m_frame.dtype) || (m_frame.axes.size() != 2 && !volume)) {
        throw Error(fmt::format("Frames of {} cannot be drawn as a picture; choose an output that "
                                "is an image with --output-of, or write .npz or .mat.",
                                m_frame.describe()));
    }
    if (m_look.range) {
        ValueRange range = m_frame.valueRange.value_or(ValueRange{});
        range.min = m_look.range->first;
        range.max = m_look.range->second;
        m_range = range;
    }
}

std::string PictureMaker::remark() const {
    if (m_frame.axes.size() != 3) return {};
    const Axis& elevation = m_frame.axes.front();
    const std::int64_t slice = elevation.size / 2;
    return fmt::format("A picture shows slice {} of {} of the volume, at elevation {:.2f} mm; "
                       ".nrrd, .nii, .npz and .mat hold all of it.",
                       slice + 1, elevation.size,
                       1e3 * (elevation.origin + static_cast<double>(slice) * elevation.spacing));
}

HostFrameData PictureMaker::imageOf(std::span<const std::byte> frame) const {
    const std::vector<float> values = valuesOf(m_frame, frame);
    const auto bytes = std::as_bytes(std::span(values));
    HostFrameData image{m_frame, {bytes.begin(), bytes.end()}};
    image.spec.dtype = DType::F32;
    if (image.spec.axes.size() == 3) image = middleSlice(image);
    return depthDown(std::move(image));
}

const ValueRange& PictureMaker::rangeFor(const HostFrameData& image) {
    if (!m_range) m_range = shownRange(image);
    return *m_range;
}

QImage PictureMaker::draw(std::span<const std::byte> frame) {
    const HostFrameData image = imageOf(frame);
    return finishedPicture(image, m_look, rangeFor(image));
}

} // namespace echolux
