// SPDX-License-Identifier: GPL-3.0-or-later
// Noise, rounding and limits of the simulated converter.
#include "app/source/echo_converter.hpp"

#include "app/source/option_range.hpp"
#include "gpu/core/counter_random.hpp"

#include <oneapi/tbb/parallel_for.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>

namespace echolux {

double ConverterSetup::highestCode() const { return std::ldexp(1.0, bits - 1) - 1.0; }

double ConverterSetup::codeScale() const { return std::ldexp(1.0, 1 - bits); }

void checkConverter(const ConverterSetup& setup) {
    checkRange("--snr", " dB", setup.snrDb, -40, 200);
    checkRange("--bits", "", setup.bits, 4, 16);
    checkRange("--headroom", "", setup.headroom, 0.01, 1);
}

EchoConverter::EchoConverter(const ConverterSetup& setup, std::span<const double> firstFrame)
    : m_setup(setup) {
    double peak = 0.0;
    double energy = 0.0;
    for (const double value : firstFrame) {
        peak = std::max(peak, std::abs(value));
        energy += value * value;
    }
    if (peak > 0.0) m_codesPerUnit = setup.headroom * setup.highestCode() / peak;
    const double rms = std::sqrt(energy / static_cast<double>(firstFrame.size()));
    m_noiseCodes = m_codesPerUnit * rms * std::pow(10.0, -setup.snrDb / 20.0);
}

void EchoConverter::convert(std::int64_t index, std::span<const double> echoes, std::size_t samples,
                            std::span<std::int16_t> out) {
    const CounterRandom random(m_setup.seed, RandomStream::Noise);
    const double full = m_setup.highestCode();
    std::atomic<std::int64_t> limited = 0;
    oneapi::tbb::parallel_for(std::size_t{0}, echoes.size() / samples, [&](std::size_t trace) {
        const std::size_t start = trace * samples;
        std::int64_t over = 0;
        std::array<double, 4> noise{};
        for (std::size_t i = 0; i < samples; ++i) {
            if (i % noise.size() == 0)
                noise = random.normal(static_cast<std::uint32_t>(index),
                                      static_cast<std::uint32_t>(trace),
                                      static_cast<std::uint32_t>(i / noise.size()));
            const double code = std::round(m_codesPerUnit * echoes[start + i] +
                                           m_noiseCodes * noise[i % noise.size()]);
            if (std::abs(code) > full) ++over;
            out[start + i] = static_cast<std::int16_t>(std::clamp(code, -full, full));
        }
        limited += over;
    });
    m_limited = limited;
}

} // namespace echolux
