// SPDX-License-Identifier: GPL-3.0-or-later
// Raw line of a channel, its clipped samples, its spectrum.
#include "app/session/column.hpp"

#include "gpu/core/complex.hpp"
#include "gpu/fft/fft.hpp"
#include "gpu/memory/buffer.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <numbers>

namespace echolux {
namespace {

struct Line {
    std::vector<Complex> values; ///< physical, before any stage
    std::vector<std::size_t> clipped;
};

template <class T> T codeAt(const std::byte* line, std::int64_t n) {
    T code;
    std::memcpy(&code, line + static_cast<std::size_t>(n) * sizeof(T), sizeof(T));
    return code;
}

/// `components` codes per sample: 1, or 2 for (I, Q). Floating point has no lowest and highest
/// code.
template <class T>
Line decode(const std::byte* line, std::int64_t samples, int components, const FrameSpec& spec) {
    Line out;
    const auto physical = [&](T code) {
        return static_cast<float>((static_cast<double>(code) - spec.codeOffset) * spec.codeScale);
    };
    const auto clips = [](T code) {
        return std::is_integral_v<T> &&
               (code == std::numeric_limits<T>::lowest() || code == std::numeric_limits<T>::max());
    };
    for (std::int64_t n = 0; n < samples; ++n) {
        const T re = codeAt<T>(line, n * components);
        const T im = components == 2 ? codeAt<T>(line, n * components + 1) : T(spec.codeOffset);
        out.values.push_back({physical(re), components == 2 ? physical(im) : 0.0F});
        if (clips(re) || (components == 2 && clips(im)))
            out.clipped.push_back(static_cast<std::size_t>(n));
    }
    return out;
}

Line decodePacked12(const std::byte* frame, std::int64_t first, std::int64_t samples,
                    const FrameSpec& spec) {
    Line out;
    constexpr unsigned kHighest = 0xFFF;
    for (std::int64_t n = first; n < first + samples; ++n) {
        const std::byte* triple = frame + n / 2 * 3;
        const auto byte = [triple](int i) { return std::to_integer<unsigned>(triple[i]); };
        const unsigned code =
            n % 2 == 0 ? byte(0) | (byte(1) & 0xFU) << 8U : byte(1) >> 4U | byte(2) << 4U;
        out.values.push_back({static_cast<float>((code - spec.codeOffset) * spec.codeScale), 0.0F});
        if (code == 0 || code == kHighest)
            out.clipped.push_back(static_cast<std::size_t>(n - first));
    }
    return out;
}

Line decodeLine(const FrameSpec& spec, const std::byte* frame, std::int64_t index) {
    const std::int64_t samples = spec.sizeOf(AxisName::Sample);
    const std::int64_t first = index * samples;
    const std::byte* line = frame + bytesOf(spec.dtype, static_cast<std::size_t>(first));
    switch (spec.dtype) {
    case DType::U8: return decode<std::uint8_t>(line, samples, 1, spec);
    case DType::I16: return decode<std::int16_t>(line, samples, 1, spec);
    case DType::U16: return decode<std::uint16_t>(line, samples, 1, spec);
    case DType::F32: return decode<float>(line, samples, 1, spec);
    case DType::ComplexI16: return decode<std::int16_t>(line, samples, 2, spec);
    case DType::ComplexF32: return decode<float>(line, samples, 2, spec);
    case DType::Packed12: return decodePacked12(frame, first, samples, spec);
    }
    return {};
}

/// dB re the maximum of |FFT| of the Hann-windowed line; negative frequencies first for complex
/// lines.
void takeSpectrum(ColumnData& column, const std::vector<Complex>& line, const FrameSpec& spec) {
    const auto samples = static_cast<std::int64_t>(line.size());
    const FftShape shape{FftKind::ComplexForward, fastFftLength(samples), 1, {}, {}};
    const auto length = static_cast<std::size_t>(shape.length);
    Buffer in(MemoryKind::Host, length * sizeof(Complex));
    Buffer out(MemoryKind::Host, length * sizeof(Complex));
    Buffer work(MemoryKind::Host, fftWorkspaceBytes(shape));
    std::fill_n(in.as<Complex>(), length, Complex{});
    for (std::size_t n = 0; n < line.size(); ++n) {
        const double phase =
            2.0 * std::numbers::pi * (static_cast<double>(n) + 0.5) / static_cast<double>(samples);
        in.as<Complex>()[n] = static_cast<float>(0.5 - 0.5 * std::cos(phase)) * line[n];
    }
    makeFft(Backend::Cpu, shape)->run({}, in.data(), out.data(), work.data());

    const bool complex = isComplex(spec.dtype);
    const std::size_t shown = complex ? length : length / 2 + 1;
    const std::size_t shift = complex ? length / 2 : 0;
    constexpr float kFloor = 1e-20F;
    float highest = kFloor;
    for (std::size_t k = 0; k < shown; ++k) highest = std::max(highest, norm(out.as<Complex>()[k]));
    column.spectrumDb.clear();
    for (std::size_t k = 0; k < shown; ++k) {
        const float power =
            std::max(norm(out.as<Complex>()[(k + shift) % length]) / highest, kFloor);
        column.spectrumDb.push_back(10.0F * std::log10(power));
    }
    column.spectrumStepHz = spec.samplingFrequencyHz() / static_cast<double>(length);
    column.spectrumStartHz = complex ? spec.demodulationFrequencyHz -
                                           static_cast<double>(length / 2) * column.spectrumStepHz
                                     : 0.0;
}

} // namespace

void readRawLine(ColumnData& column, const FrameSpec& raw, const std::byte* frame) {
    const Acquisition& acquisition = *raw.acquisition;
    const auto& elements = acquisition.probe.elements;
    const auto nearest = std::ranges::min_element(
        elements, {}, [&](const Point& element) { return std::abs(element.x - column.lateralM); });
    column.channel = nearest - elements.begin();
    // A single element hears itself best; of waves, the least steered one looks straight down.
    const auto& transmits = acquisition.transmits;
    const auto straightest = std::ranges::min_element(transmits, {}, [&](const Transmit& transmit) {
        return transmit.wave == Wave::Plane ? std::abs(transmit.angleRad)
                                            : std::abs(transmit.source.x - nearest->x);
    });
    column.transmit = straightest - transmits.begin();

    Line line =
        decodeLine(raw, frame, column.transmit * raw.sizeOf(AxisName::Channel) + column.channel);
    column.clipped = std::move(line.clipped);
    column.rf.clear();
    for (const Complex& value : line.values) column.rf.push_back(value.re);
    column.rfStartS = straightest->firstSampleS;
    column.rfStepS = raw.find(AxisName::Sample)->spacing;
    takeSpectrum(column, line.values, raw);
}

std::int64_t columnIndex(const FrameSpec& image, double lateralM) {
    const Axis& lateral = *image.find(AxisName::Lateral);
    const auto nearest =
        static_cast<std::int64_t>(std::lround((lateralM - lateral.origin) / lateral.spacing));
    return std::clamp<std::int64_t>(nearest, 0, lateral.size - 1);
}

} // namespace echolux
