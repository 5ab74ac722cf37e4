// SPDX-License-Identifier: GPL-3.0-or-later
// Raw line of a channel and its spectrum.
#include "app/session/column/column.hpp"

#include "app/session/column/clipping.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <numbers>

namespace echolux {
namespace {

using Line = std::vector<Complex>; // codes minus their zero

template <class T> float codeAt(const std::byte* line, std::int64_t n, const FrameSpec& spec) {
    T code;
    std::memcpy(&code, line + static_cast<std::size_t>(n) * sizeof(T), sizeof(T));
    return static_cast<float>(static_cast<double>(code) - spec.codeOffset);
}

template <class T> Line decode(const std::byte* line, std::int64_t samples, const FrameSpec& spec) {
    Line out;
    for (std::int64_t n = 0; n < samples; ++n) out.push_back({codeAt<T>(line, n, spec), 0.0F});
    return out;
}

template <class T>
Line decodePairs(const std::byte* line, std::int64_t samples, const FrameSpec& spec) {
    Line out;
    for (std::int64_t n = 0; n < samples; ++n)
        out.push_back({codeAt<T>(line, 2 * n, spec), codeAt<T>(line, 2 * n + 1, spec)});
    return out;
}

Line decodePacked12(const std::byte* frame, std::int64_t first, std::int64_t samples,
                    const FrameSpec& spec) {
    Line out;
    for (std::int64_t n = first; n < first + samples; ++n) {
        const std::byte* triple = frame + n / 2 * 3;
        const auto byte = [triple](int i) { return std::to_integer<unsigned>(triple[i]); };
        const unsigned code =
            n % 2 == 0 ? byte(0) | (byte(1) & 0xFU) << 8U : byte(1) >> 4U | byte(2) << 4U;
        out.push_back({static_cast<float>(code - spec.codeOffset), 0.0F});
    }
    return out;
}

Line decodeLine(const FrameSpec& spec, const std::byte* frame, std::int64_t index) {
    const std::int64_t samples = spec.sizeOf(AxisName::Sample);
    const std::int64_t first = index * samples;
    const std::byte* line = frame + bytesOf(spec.dtype, static_cast<std::size_t>(first));
    switch (spec.dtype) {
    case DType::U8: return decode<std::uint8_t>(line, samples, spec);
    case DType::I16: return decode<std::int16_t>(line, samples, spec);
    case DType::U16: return decode<std::uint16_t>(line, samples, spec);
    case DType::F32: return decode<float>(line, samples, spec);
    case DType::ComplexI16: return decodePairs<std::int16_t>(line, samples, spec);
    case DType::ComplexF32: return decodePairs<float>(line, samples, spec);
    case DType::Packed12: return decodePacked12(frame, first, samples, spec);
    }
    return {};
}

} // namespace

RawLineReader::RawLineReader(const FrameSpec& raw)
    : m_raw(raw), m_spectrum(raw.sizeOf(AxisName::Sample)) {}

void RawLineReader::takeSpectrum(ColumnData& column, const std::vector<Complex>& line) {
    const bool complex = isComplex(m_raw.dtype);
    column.spectrumDb = m_spectrum.levelsDb(line, complex);
    column.spectrumStepHz = m_raw.samplingFrequencyHz() / static_cast<double>(m_spectrum.bins());
    const std::int64_t negative = complex ? m_spectrum.bins() / 2 : 0; // bins below zero frequency
    const double centreHz = complex ? m_raw.demodulationFrequencyHz : 0.0;
    column.spectrumStartHz = centreHz - static_cast<double>(negative) * column.spectrumStepHz;
}

void RawLineReader::readSpectrum(ColumnData& column, const std::byte* frame,
                                 std::int64_t line) const {
    column.oct = true;
    column.line = line % m_raw.sizeOf(AxisName::Lateral);
    const Line values = decodeLine(m_raw, frame, line);
    column.clipped = clippedSamples(values, false, clipLevels(m_raw, frame, line));
    for (const Complex& value : values) column.rf.push_back(value.re);
    column.rfStepS = 1.0;
}

/// The element that the channel listens to in that transmit; null where it listens to none.
const Point* RawLineReader::elementOf(std::int64_t transmit, std::int64_t channel) const {
    const Acquisition& acquisition = *m_raw.acquisition;
    const auto& heard = acquisition.receiveElements;
    const auto line =
        static_cast<std::size_t>(transmit * m_raw.sizeOf(AxisName::Channel) + channel);
    const std::int64_t element = heard.empty() ? channel : std::int64_t{heard[line]};
    return element < 0 ? nullptr : &acquisition.probe.elements[static_cast<std::size_t>(element)];
}

/// A single element hears itself best. Among waves, the one that is steered least travels straight
/// down.
std::int64_t RawLineReader::straightestTo(double lateralM) const {
    const auto& transmits = m_raw.acquisition->transmits;
    const auto straightest = std::ranges::min_element(transmits, {}, [&](const Transmit& transmit) {
        return transmit.wave == Wave::Plane ? std::hypot(transmit.angleRad, transmit.elevationRad)
                                            : std::abs(transmit.source.x - lateralM);
    });
    return straightest - transmits.begin();
}

void RawLineReader::readChannel(ColumnData& column, const std::byte* frame, const Point& place) {
    if (m_raw.acquisition == nullptr) return;
    column.transmit = straightestTo(place.x);
    double least = std::numeric_limits<double>::infinity();
    for (std::int64_t channel = 0; channel < m_raw.sizeOf(AxisName::Channel); ++channel) {
        const Point* element = elementOf(column.transmit, channel);
        if (element == nullptr) continue;
        const double apart = std::hypot(element->x - place.x, element->y - place.y);
        if (apart >= least) continue;
        least = apart;
        column.channel = channel;
    }
    readLine(column, frame);
}

void RawLineReader::readChannel(ColumnData& column, const std::byte* frame, std::int64_t index) {
    if (m_raw.acquisition == nullptr) return;
    column.channel = std::clamp<std::int64_t>(index, 0, m_raw.sizeOf(AxisName::Channel) - 1);
    const Point* element = elementOf(0, column.channel);
    column.transmit = straightestTo(element != nullptr ? element->x : 0.0);
    readLine(column, frame);
}

/// Reads the line of column.transmit and column.channel.
void RawLineReader::readLine(ColumnData& column, const std::byte* frame) {
    const std::int64_t channels = m_raw.sizeOf(AxisName::Channel);
    const std::int64_t index = column.transmit * channels + column.channel;
    const Line line = decodeLine(m_raw, frame, index);
    column.clipped = clippedSamples(line, isComplex(m_raw.dtype), clipLevels(m_raw, frame, index));
    for (const Complex& value : line) column.rf.push_back(value.re);
    column.rfStartS =
        m_raw.acquisition->transmits[static_cast<std::size_t>(column.transmit)].firstSampleS;
    column.rfStepS = m_raw.find(AxisName::Sample)->spacing;
    takeSpectrum(column, line);
}

ChannelMatrix RawLineReader::readChannels(const std::byte* frame, std::int64_t transmit) const {
    if (m_raw.acquisition == nullptr || transmit < 0 ||
        transmit >= m_raw.sizeOf(AxisName::Transmit))
        return {};
    const Axis& time = *m_raw.find(AxisName::Sample);
    const std::int64_t together =
        (time.size + ChannelMatrix::kMostRows - 1) / ChannelMatrix::kMostRows;
    const Transmit& t = m_raw.acquisition->transmits[static_cast<std::size_t>(transmit)];
    ChannelMatrix matrix{.transmit = transmit,
                         .channels = m_raw.sizeOf(AxisName::Channel),
                         .rows = (time.size + together - 1) / together,
                         .startS = t.firstSampleS - 0.5 * time.spacing,
                         .stepS = static_cast<double>(together) * time.spacing};
    matrix.level.assign(static_cast<std::size_t>(matrix.channels * matrix.rows), 0.0F);
    for (std::int64_t channel = 0; channel < matrix.channels; ++channel) {
        const Line line = decodeLine(m_raw, frame, transmit * matrix.channels + channel);
        float* levels = matrix.level.data() + channel * matrix.rows;
        for (std::size_t n = 0; n < line.size(); ++n) {
            float& level = levels[static_cast<std::int64_t>(n) / together];
            level = std::max(level, std::sqrt(norm(line[n])));
        }
    }
    return matrix;
}

const Axis* acrossOf(const FrameSpec& image) {
    const Axis* lateral = image.find(AxisName::Lateral);
    if (lateral != nullptr) return lateral;
    const Axis* channel = image.find(AxisName::Channel);
    return channel != nullptr ? channel : image.find(AxisName::SlowTime);
}

std::int64_t columnIndex(const FrameSpec& image, double place) {
    const Axis& across = *acrossOf(image);
    const auto nearest =
        static_cast<std::int64_t>(std::lround((place - across.origin) / across.spacing));
    return std::clamp<std::int64_t>(nearest, 0, across.size - 1);
}

} // namespace echolux
