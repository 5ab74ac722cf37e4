// SPDX-License-Identifier: GPL-3.0-or-later
// Guesses the rows, frames, axes and form of images without a description.
#include "app/dataset/frames/channel_import.hpp"
#include "app/dataset/frames/image_import.hpp"
#include "app/dataset/frames/line_length.hpp"
#include "app/dataset/frames/line_statistics.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace echolux {

namespace {

constexpr std::size_t kMostImageValues = std::size_t{1} << 20U;
constexpr std::int64_t kLeast = 16; ///< lines, and values on each
constexpr std::int64_t kMost = 8192;

/// Bytes are brightnesses. Values that are never above 0 are levels. Values that swing about 0 are
/// a signal.
RecordedForm formOf(const std::vector<double>& values, const ElementType& type, bool pairs) {
    if (pairs || values.empty()) return RecordedForm::Beamformed;
    if (type.kind == ElementType::Kind::Unsigned && type.bytes == 1) return RecordedForm::Picture;
    double sum = 0.0;
    double size = 0.0;
    double most = values.front();
    for (const double value : values) {
        sum += value;
        size += std::abs(value);
        most = std::max(most, value);
    }
    if (most <= 0.0 && sum < 0.0) return RecordedForm::Decibels;
    return std::abs(sum) < 0.25 * size ? RecordedForm::Beamformed : RecordedForm::Envelope;
}

std::vector<double> magnitudesOfPairs(const std::vector<double>& values) {
    std::vector<double> sizes(values.size() / 2);
    for (std::size_t i = 0; i < sizes.size(); ++i)
        sizes[i] = std::hypot(values[2 * i], values[2 * i + 1]);
    return sizes;
}

/// The number of rows in one image: after so many rows the first one repeats. Else the number of
/// all rows.
std::int64_t rowsOfImage(const std::vector<double>& texture, std::int64_t length,
                         std::int64_t rows) {
    std::vector<std::int64_t> lags;
    for (const std::int64_t each : divisorsOf(rows, kLeast, std::min(kMost, rows / 2)))
        lags.push_back(each * length);
    constexpr double kAlike = 0.3;
    const LineLength image = lineLengthOf(texture, lags, length);
    return image.likeness > kAlike ? image.length / length : rows;
}

/// True where rows are lines along depth. In echoes each value along a line follows from earlier
/// ones. Other images are deeper than wide, and pictures have their pixels row by row.
bool rowsAreLines(const ImageImport& import, const std::vector<double>& values, std::int64_t length,
                  std::int64_t rows) {
    if (import.form == RecordedForm::Picture) return false;
    if (import.form != RecordedForm::Beamformed || import.pairs()) return length >= rows;
    const auto each = static_cast<std::size_t>(length);
    const std::size_t whole = values.size() / each;
    LineGrid along{each, 1, {}};
    for (std::size_t i = 0; i < std::min<std::size_t>(whole, 64); ++i)
        along.starts.push_back(i * each);
    LineGrid across{std::min(whole, static_cast<std::size_t>(rows)), each, {}};
    for (std::size_t i = 0; i < each; i += std::max<std::size_t>(1, each / 64))
        across.starts.push_back(i);
    return predictionGainDb(values, along) >= predictionGainDb(values, across);
}

/// Some numbers of the array: all of a small array, else those of its first slice.
std::vector<double> someOf(ArraySource& source) {
    ArrayLayout layout = source.layout();
    const bool whole = layout.bytes() <= kMostLooked;
    const std::size_t axis = layout.columnMajor ? layout.shape.size() - 1 : 0;
    if (!whole) {
        if (layout.shape.empty() || !source.canSlice(axis)) return {};
        layout.shape.erase(layout.shape.begin() + static_cast<std::ptrdiff_t>(axis));
        if (layout.bytes() > kMostLooked) return {};
    }
    std::vector<std::byte> bytes(static_cast<std::size_t>(layout.bytes()));
    whole ? source.read(bytes) : source.readSlice(axis, 0, bytes);
    std::vector<double> values = toDoubles(layout.type, bytes);
    std::erase_if(values, [](double value) { return !std::isfinite(value); });
    return values;
}

/// From slowest to fastest: frames, planes, depths, lines. MATLAB's order is the reverse, with
/// depths and lines first.
std::vector<ImportAxis> usualAxes(const ArrayLayout& layout) {
    using enum ArrayAxis;
    std::vector<ImportAxis> axes;
    for (const std::int64_t size : layout.shape) axes.push_back({std::nullopt, size});
    std::vector<std::size_t> open;
    for (std::size_t i = 0; i < axes.size(); ++i)
        if (axes[i].size != 1) open.push_back(i);
    const std::size_t fastest = layout.columnMajor ? 0 : axes.size() - 1;
    if (open.size() > 2 && layout.type.components == 1 && axes[fastest].size == 2) {
        axes[fastest].role = Iq;
        std::erase(open, fastest);
    }
    const std::vector<ArrayAxis> roles =
        layout.columnMajor ? std::vector{Depth, Lateral, open.size() > 3 ? Elevation : Frame, Frame}
        : open.size() > 3  ? std::vector{Frame, Elevation, Depth, Lateral}
        : open.size() > 2  ? std::vector{Frame, Depth, Lateral}
                           : std::vector{Depth, Lateral};
    for (std::size_t i = 0; i < std::min(open.size(), roles.size()); ++i)
        axes[open[i]].role = roles[i];
    return axes;
}

} // namespace

bool looksLikeImages(const InputFile& file, const ElementType& type, std::uint64_t headerBytes) {
    constexpr std::size_t kSome = 65536;
    const std::vector<double> values = valuesAt(file, headerBytes, type, kSome);
    if (values.empty() || looksLikeEchoes(file, type, headerBytes)) return false;
    const RecordedForm form = formOf(values, type, type.components == 2);
    return form == RecordedForm::Picture || form == RecordedForm::Decibels;
}

bool looksLikeImages(const std::filesystem::path& path, ArrayContainer& container,
                     const std::string& name) {
    const auto source = container.open(chosenArray(path, container, name));
    const ElementType& type = source->layout().type;
    if (type.kind == ElementType::Kind::Unsigned) return type.bytes == 1 && type.components == 1;
    return formOf(someOf(*source), type, type.components == 2) == RecordedForm::Decibels;
}

std::vector<ImageImport> suggestImageImports(const InputFile& file, const ImageImport& like,
                                             std::size_t most) {
    ImageImport base = like;
    if (!base.type) base.type = guessElementType(file, base.headerBytes);
    const ElementType type = *base.type;
    const std::uint64_t around = base.headerBytes + base.trailerBytes;
    if (around >= file.size() || file.size() - around < kLeast * kLeast * type.size()) return {};
    std::vector<double> values = valuesAt(file, base.headerBytes, type, kMostImageValues);
    base.complexElements = type.components == 2;
    const bool pairs = base.complexElements || lookLikePairs(values);
    base.form = formOf(values, type, pairs);
    std::uint64_t elementBytes = type.size();
    if (pairs) {
        values = magnitudesOfPairs(values);
        if (!base.complexElements) elementBytes *= 2;
    }
    const auto elements = static_cast<std::int64_t>((file.size() - around) / elementBytes);
    const std::vector<double> texture = textureOf(values);
    constexpr double kAlike = 0.1;
    LineLength line = lineLengthOf(texture, divisorsOf(elements, kLeast, kMost));
    if (line.likeness < kAlike) { // there is a header or a trailer
        std::vector<std::int64_t> usual;
        for (std::int64_t length = 32; length <= 2048; length += 4) usual.push_back(length);
        line = lineLengthOf(texture, usual);
    }
    if (line.likeness < kAlike || elements / line.length < kLeast) return {};
    const std::uint64_t rowBytes = static_cast<std::uint64_t>(line.length) * elementBytes;
    base.headerBytes += (file.size() - around) % rowBytes;
    const std::int64_t rows = elements / line.length;
    std::vector<ImageImport> found;
    const auto add = [&](std::int64_t each, bool lines) {
        ImageImport image = base;
        image.axes = {{ArrayAxis::Frame, -1},
                      {lines ? ArrayAxis::Lateral : ArrayAxis::Depth, each},
                      {lines ? ArrayAxis::Depth : ArrayAxis::Lateral, line.length}};
        if (pairs && !image.complexElements) image.axes.push_back({ArrayAxis::Iq, 2});
        const auto same = [&](const ImageImport& other) { return other.axes == image.axes; };
        if (openExtent(image, file.size()).problem.empty() && std::ranges::none_of(found, same))
            found.push_back(std::move(image));
    };
    const std::int64_t each = rowsOfImage(texture, line.length, rows);
    const bool lines = rowsAreLines(base, values, line.length, each);
    for (const bool either : {lines, !lines}) add(each, either);
    if (rows <= kMost) add(rows, lines);
    if (found.size() > most) found.resize(most);
    return found;
}

ImageImport guessImageArray(const std::filesystem::path& path, ArrayContainer& container,
                            const std::string& name) {
    ImageImport import;
    import.name = chosenArray(path, container, name);
    const auto source = container.open(import.name);
    const ArrayLayout& layout = source->layout();
    if (layout.shape.empty())
        throw fileError(
            path, fmt::format("'{}' is a single number; name the array of images", import.name));
    import.complexElements = layout.type.components == 2;
    import.axes = usualAxes(layout);
    import.form = formOf(someOf(*source), layout.type, import.pairs());
    return import;
}

} // namespace echolux
