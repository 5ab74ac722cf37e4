// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/dataset/frames/shown_range.hpp"

#include "app/dataset/recording/input_file.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace echolux {

namespace {

constexpr double kShownDb = 60.0;

std::vector<std::byte> firstFrameOf(const std::filesystem::path& path, ArraySource& source,
                                    const ArrayMapping& mapping) {
    const ArrayLayout& layout = source.layout();
    const auto at = std::ranges::find(mapping.axes, ArrayAxis::Frame);
    const auto axis = static_cast<std::size_t>(at - mapping.axes.begin());
    std::uint64_t bytes = layout.bytes();
    const bool slices = at != mapping.axes.end() && source.canSlice(axis);
    if (slices) bytes /= static_cast<std::uint64_t>(layout.shape[axis]);
    checkLoadSize(path, "one frame", bytes);
    std::vector<std::byte> samples(bytes);
    if (slices)
        source.readSlice(axis, 0, samples);
    else
        source.read(samples);
    return samples;
}

std::pair<double, double> extremesOf(const ElementType& type, std::span<const std::byte> bytes) {
    double least = std::numeric_limits<double>::infinity();
    double most = -least;
    visitComponent(type, [&](auto zero) {
        using In = decltype(zero);
        const std::span values(reinterpret_cast<const In*>(bytes.data()),
                               bytes.size() / sizeof(In));
        for (const In& stored : values) {
            const auto value = static_cast<double>(stored);
            if (!std::isfinite(value)) continue;
            least = std::min(least, value);
            most = std::max(most, value);
        }
    });
    return least <= most ? std::pair(least, most) : std::pair(0.0, 0.0);
}

} // namespace

std::optional<ValueRange> shownRangeOf(const std::filesystem::path& path, ArraySource& source,
                                       const ArrayMapping& mapping, const FrameSpec& frame) {
    const bool levels = frame.recordedForm == RecordedForm::Decibels;
    if (!levels && frame.recordedForm != RecordedForm::Picture) return std::nullopt;
    const ElementType& type = source.layout().type;
    const bool codes = type.kind == ElementType::Kind::Unsigned && type.bytes == 1;
    const std::pair<double, double> stored =
        codes && !levels ? std::pair(0.0, 255.0)
                         : extremesOf(type, firstFrameOf(path, source, mapping));
    const double first = (stored.first - frame.codeOffset) * frame.codeScale;
    const double second = (stored.second - frame.codeOffset) * frame.codeScale;
    const double most = std::max(first, second);
    if (levels) return ValueRange{std::ceil(most) - kShownDb, std::ceil(most), "dB", "as recorded"};
    const double least = std::min(first, second);
    return ValueRange{least, most > least ? most : least + 1.0, "", ""};
}

} // namespace echolux
