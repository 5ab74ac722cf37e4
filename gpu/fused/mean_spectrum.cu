// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/fused/mean_spectrum.hpp"

#include "gpu/core/code_to_float.hpp"
#include "gpu/exec/for_each.hpp"

namespace echolux::fused {
namespace {

constexpr const char* kName = "oct_chain";
constexpr std::int64_t kChunks = 64; ///< partial sums per frame

/// Sum of the codes at sample i % samples in chunk i / samples of the lines.
template <class Codes> struct SumOfCodes {
    Codes codes;
    double* partial;
    std::int64_t samples;
    std::int64_t lines;

    ECHOLUX_HD void operator()(std::int64_t i) const {
        const std::int64_t chunk = i / samples;
        const std::int64_t n = i % samples;
        const std::int64_t end = (chunk + 1) * lines / kChunks;
        std::int64_t sum = 0;
        for (std::int64_t line = chunk * lines / kChunks; line < end; ++line)
            sum += codes(line * samples + n);
        partial[i] = static_cast<double>(sum);
    }
};

template <class Code> struct PlainCodes {
    const Code* in;
    int shift;
    ECHOLUX_HD int operator()(std::int64_t i) const { return static_cast<int>(in[i]) >> shift; }
};

struct PackedCodes {
    const std::uint8_t* in;
    int shift;
    ECHOLUX_HD int operator()(std::int64_t i) const { return packed12At(in, i) >> shift; }
};

/// spectrum[n] = offset + strength (mean code - offset).
struct MeanSpectrum {
    const double* partial;
    float* spectrum;
    std::int64_t samples;
    double lines;
    double offset;
    double strength;

    ECHOLUX_HD void operator()(std::int64_t n) const {
        double sum = 0.0;
        for (std::int64_t chunk = 0; chunk < kChunks; ++chunk) sum += partial[chunk * samples + n];
        spectrum[n] = static_cast<float>(offset + strength * (sum / lines - offset));
    }
};

} // namespace

std::size_t meanScratchBytes(std::int64_t samples) {
    return static_cast<std::size_t>(kChunks * samples) * sizeof(double);
}

void enqueueMeanSpectrum(const Exec& exec, const RawLines& raw, double offset, double strength,
                         void* scratch, float* spectrum) {
    auto* partial = static_cast<double*>(scratch);
    // NOTE: clang 16 deduces no arguments of aggregates.
    const auto sum = [&]<class Codes>(const Codes& codes) {
        forEach(exec, kName, kChunks * raw.samples,
                SumOfCodes<Codes>{codes, partial, raw.samples, raw.lines});
    };
    switch (raw.type) {
    case DType::U8:
        sum(PlainCodes<std::uint8_t>{static_cast<const std::uint8_t*>(raw.codes), raw.shift});
        break;
    case DType::I16:
        sum(PlainCodes<std::int16_t>{static_cast<const std::int16_t*>(raw.codes), raw.shift});
        break;
    case DType::U16:
        sum(PlainCodes<std::uint16_t>{static_cast<const std::uint16_t*>(raw.codes), raw.shift});
        break;
    default: sum(PackedCodes{static_cast<const std::uint8_t*>(raw.codes), raw.shift});
    }
    forEach(exec, kName, raw.samples,
            MeanSpectrum{partial, spectrum, raw.samples, static_cast<double>(raw.lines), offset,
                         strength});
}

} // namespace echolux::fused
