// SPDX-License-Identifier: GPL-3.0-or-later
// Guesses the lines, channels, transmits and frames in a plain sequence of bytes.
#include "app/dataset/frames/channel_import.hpp"

#include "app/dataset/frames/line_length.hpp"
#include "app/dataset/frames/line_statistics.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace echolux {

namespace {

constexpr std::size_t kMostValues = std::size_t{1} << 20U;
constexpr std::array<std::int64_t, 16> kUsualChannels{128, 64,  256, 192,  96,  32, 80, 48,
                                                      512, 160, 16,  1024, 144, 40, 24, 8};

double medianOf(std::vector<double> values) {
    const auto middle = values.begin() + std::ssize(values) / 2;
    std::nth_element(values.begin(), middle, values.end());
    return *middle;
}

/// The number of rows in one transmit: neighbours across its end resemble each other less. 0 where
/// this gives no answer.
std::int64_t channelsBy(const std::vector<double>& texture, std::int64_t length,
                        std::int64_t rows) {
    const auto each = static_cast<std::size_t>(length);
    std::vector<double> alike;
    for (std::size_t start = 0; start + 2 * each <= texture.size(); start += each)
        alike.push_back(selfLikeness(std::span(texture).subspan(start, 2 * each), each));
    double best = 4.0;
    std::int64_t found = 0;
    for (const std::int64_t channels : divisorsOf(rows, 4, 4096)) {
        double within = 0.0;
        double squares = 0.0;
        double across = 0.0;
        double many = 0.0;
        double few = 0.0;
        for (std::size_t i = 0; i < alike.size(); ++i) {
            if ((static_cast<std::int64_t>(i) + 1) % channels == 0) {
                across += alike[i];
                few += 1.0;
            } else {
                within += alike[i];
                squares += alike[i] * alike[i];
                many += 1.0;
            }
        }
        if (few < 1.0 || many < 4.0) continue;
        const double mean = within / many;
        const double spread = std::sqrt(std::max(squares / many - mean * mean, 1e-6));
        const double score = (mean - across / few) / spread * std::sqrt(few);
        if (score > 1.05 * best) {
            best = score;
            found = channels;
        }
    }
    return found;
}

std::vector<std::int64_t> usualChannels(std::int64_t rows) {
    std::vector<std::int64_t> usual;
    if (std::ranges::count(kUsualChannels, rows) > 0) usual.push_back(rows);
    for (const std::int64_t channels : kUsualChannels)
        if (rows % channels == 0 && rows != channels) usual.push_back(channels);
    if (usual.empty() && rows > 1 && rows <= 4096) usual.push_back(rows);
    return usual;
}

/// The number of transmits in a frame: after so many transmits the first one repeats. `groupBytes`
/// is the size of one transmit.
std::int64_t transmitsBy(const InputFile& file, const ElementType& type, std::uint64_t headerBytes,
                         std::uint64_t groupBytes, std::int64_t groups) {
    constexpr std::int64_t kMostTransmits = 512;
    constexpr std::uint64_t kValuesLooked = std::uint64_t{1} << 16U; // values
    const std::uint64_t look = std::min(groupBytes / type.size(), kValuesLooked);
    const std::uint64_t start = headerBytes + (groupBytes / type.size() - look) / 2 * type.size();
    const auto first = valuesAt(file, start, type, look);
    for (const std::int64_t transmits : divisorsOf(groups, 1, kMostTransmits)) {
        if (transmits == groups) break;
        const auto again =
            valuesAt(file, start + static_cast<std::uint64_t>(transmits) * groupBytes, type, look);
        if (again.size() != first.size()) break;
        std::vector<double> both = first;
        both.insert(both.end(), again.begin(), again.end());
        if (selfLikeness(both, first.size()) > 0.5) return transmits;
    }
    return groups;
}

} // namespace

std::vector<ChannelImport> suggestChannelImports(const InputFile& file, const ChannelImport& like,
                                                 std::size_t most) {
    ChannelImport base = like;
    if (!base.type) base.type = guessElementType(file, base.headerBytes);
    const ElementType type = *base.type;
    const std::uint64_t around = base.headerBytes + base.trailerBytes;
    if (around >= file.size() || file.size() - around < 64 * type.size()) return {};
    std::vector<double> values = valuesAt(file, base.headerBytes, type, kMostValues);
    if (type.kind == ElementType::Kind::Unsigned) base.codeOffset = std::round(medianOf(values));
    const bool pairs = type.components == 2 || lookLikePairs(values);
    base.complexElements = type.components == 2;
    std::int64_t elements = static_cast<std::int64_t>((file.size() - around) / type.size());
    std::uint64_t elementBytes = type.size();
    if (pairs) {
        for (std::size_t i = 0; i < values.size() / 2; ++i)
            values[i] = std::hypot(values[2 * i], values[2 * i + 1]);
        values.resize(values.size() / 2);
        if (!base.complexElements) {
            elements /= 2;
            elementBytes *= 2;
        }
    }
    // Lines of exactly this file or, after a short header, lines of usual lengths.
    constexpr std::int64_t kLeast = 32;
    constexpr std::int64_t kMost = 32768;
    constexpr double kAlike = 0.1;
    const std::vector<double> texture = textureOf(values);
    LineLength rows = lineLengthOf(texture, divisorsOf(elements, kLeast, kMost));
    bool headed = false;
    if (rows.likeness < kAlike) {
        std::vector<std::int64_t> usual;
        for (std::int64_t length = 64; length <= 8192; length += length < 2048 ? 16 : 64)
            usual.push_back(length);
        const LineLength other = lineLengthOf(texture, usual);
        headed = other.likeness > kAlike;
        if (headed) rows = other;
    }
    if (rows.length == 0) return {};
    const auto length = static_cast<std::size_t>(rows.length);
    const std::size_t whole = values.size() / length;
    LineGrid along{length, 1, {}};
    for (std::size_t i = 0; i < std::min<std::size_t>(whole, 64); ++i)
        along.starts.push_back(i * length);
    LineGrid across{std::min<std::size_t>(whole, 2048), length, {}};
    for (std::size_t i = 0; i < length; i += std::max<std::size_t>(1, length / 64))
        across.starts.push_back(i);
    constexpr double kClearDb = 3.0;
    const bool channelsFirst =
        rows.length <= 2048 &&
        predictionGainDb(values, across) > predictionGainDb(values, along) + kClearDb;

    std::vector<ChannelImport> found;
    const auto add = [&](std::int64_t channels, std::int64_t samples, std::int64_t groups) {
        ChannelImport each = base;
        const std::uint64_t groupBytes = static_cast<std::uint64_t>(channels) *
                                         static_cast<std::uint64_t>(samples) * elementBytes;
        if (headed) each.headerBytes += (file.size() - around) % groupBytes;
        const std::int64_t transmits =
            transmitsBy(file, type, each.headerBytes, groupBytes, groups);
        each.axes = {{ArrayAxis::Frame, -1}};
        if (transmits > 1) each.axes.push_back({ArrayAxis::Transmit, transmits});
        each.axes.push_back(channelsFirst ? ImportAxis{ArrayAxis::Sample, samples}
                                          : ImportAxis{ArrayAxis::Channel, channels});
        each.axes.push_back(channelsFirst ? ImportAxis{ArrayAxis::Channel, channels}
                                          : ImportAxis{ArrayAxis::Sample, samples});
        if (pairs && !each.complexElements) each.axes.push_back({ArrayAxis::Iq, 2});
        each.wave = transmits > 7 && transmits == channels ? Wave::Element : Wave::Plane;
        const auto same = [&](const ChannelImport& other) { return other.axes == each.axes; };
        if (checkChannelImport(each, file.size()).stored && std::ranges::none_of(found, same))
            found.push_back(std::move(each));
    };
    const std::int64_t all = elements / rows.length;
    if (channelsFirst) {
        for (const std::int64_t samples : divisorsOf(all, 64, kMost)) {
            const std::size_t repeat = length * static_cast<std::size_t>(samples);
            if (samples == all || selfLikeness(texture, repeat) > 0.5 * rows.likeness)
                add(rows.length, samples, all / samples);
        }
    } else if (headed) {
        for (const std::int64_t channels : kUsualChannels)
            if (const std::int64_t groups = all / channels; groups > 0)
                if ((file.size() - around) %
                        (static_cast<std::uint64_t>(channels) * length * elementBytes) <=
                    4096)
                    add(channels, rows.length, groups);
    } else {
        if (const std::int64_t channels = channelsBy(texture, rows.length, all); channels > 0)
            add(channels, rows.length, all / channels);
        for (const std::int64_t channels : usualChannels(all))
            add(channels, rows.length, all / channels);
    }
    if (found.size() > most) found.resize(most);
    return found;
}

double guessBandCentre(const InputFile& file, const ChannelImport& import) {
    if (import.pairs() || !import.headerless()) return 0.0;
    const std::vector<double> values =
        valuesAt(file, import.headerBytes, *import.type, kMostValues);
    std::size_t stride = 1;
    LineGrid grid;
    std::size_t channelStride = 1;
    std::size_t channels = 1;
    for (std::size_t i = import.axes.size(); i-- > 0;) {
        const ImportAxis& axis = import.axes[i];
        const auto size = static_cast<std::size_t>(std::max<std::int64_t>(axis.size, 1));
        if (axis.role == ArrayAxis::Sample) {
            grid.stride = stride;
            grid.length = size;
        } else if (axis.role == ArrayAxis::Channel) {
            channelStride = stride;
            channels = size;
        }
        stride *= size;
    }
    for (std::size_t i = 0; i < std::min<std::size_t>(channels, 256); ++i)
        if (i * channelStride + (std::max<std::size_t>(grid.length, 1) - 1) * grid.stride <
            values.size())
            grid.starts.push_back(i * channelStride);
    return bandCentreOf(powerSpectrum(values, grid));
}

} // namespace echolux
