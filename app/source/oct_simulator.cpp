// SPDX-License-Identifier: GPL-3.0-or-later
// Light, fringes, noise and converter, for each line.
#include "app/source/oct_simulator.hpp"

#include "gpu/core/counter_random.hpp"

#include <oneapi/tbb/enumerable_thread_specific.h>
#include <oneapi/tbb/parallel_for.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstring>
#include <mutex>
#include <numbers>

namespace echolux {

namespace {

constexpr double kEtalonShare = 0.11; ///< depth of the fixed line, divided by n
constexpr double kImbalance = 0.02;
constexpr double kDark = 0.02; ///< part of full scale
constexpr double kPixelShare = 0.25;

OctSetup checked(const OctSetup& setup) {
    checkSetup(setup);
    return setup;
}

} // namespace

OctSimulator::OctSimulator(const OctSetup& setup, OctSample sample)
    : m_setup(checked(setup)), m_full(std::ldexp(1.0, setup.bits) - 1.0),
      m_index(wavenumberIndex(setup)), m_frame(frameOf(setup)), m_tissue(setup, std::move(sample)),
      m_fringes(setup.samples, m_index) {
    for (const double u : m_index) {
        const double phase = dispersionPhase(setup, u);
        m_dispersion.emplace_back(std::cos(phase), std::sin(phase));
        m_light.push_back(setup.light * m_full * lightAt(setup, u));
    }
    makeBackground();
    findGain();
}

void OctSimulator::makeBackground() {
    const CounterRandom random(m_setup.seed, RandomStream::OctPixels);
    const double offset = (m_setup.balanced ? 0.5 : kDark) * m_full;
    const double direct = m_setup.balanced ? kImbalance : 1.0;
    for (std::size_t p = 0; p < m_index.size(); ++p) {
        const double etalon =
            m_setup.fixedPattern * std::cos(2.0 * std::numbers::pi * m_index[p] * kEtalonShare);
        const double pixel = random.normal(static_cast<std::uint32_t>(p))[0];
        m_background.push_back(offset + m_light[p] * (direct + etalon) +
                               kPixelShare * m_setup.fixedPattern * m_full * pixel);
    }
    if (!m_setup.writesBackground) return;
    auto spectrometer = std::make_shared<Spectrometer>(*m_frame.spectrometer);
    for (const double code : m_background)
        spectrometer->background.push_back(static_cast<float>(code));
    m_frame.spectrometer = std::move(spectrometer);
}

void OctSimulator::addMirror(std::vector<std::complex<double>>& fringe) const {
    if (!sample().mirrorM) return;
    const double bin = *sample().mirrorM / m_setup.binM();
    for (std::size_t p = 0; p < fringe.size(); ++p) {
        const double angle =
            2.0 * std::numbers::pi * m_index[p] * bin / static_cast<double>(m_setup.samples);
        fringe[p] += std::complex<double>(std::cos(angle), std::sin(angle));
    }
}

void OctSimulator::fringesOf(std::int64_t line, Buffers& buffers) const {
    buffers.fringe.assign(m_index.size(), {});
    m_tissue.reflectorsOf(line, buffers.reflectors);
    if (!buffers.reflectors.empty())
        m_fringes.sum(buffers.reflectors, buffers.fringe, buffers.scratch);
    addMirror(buffers.fringe);
}

void OctSimulator::findGain() {
    m_tissue.moveTo(0);
    double most = 0.0;
    std::mutex guard;
    oneapi::tbb::enumerable_thread_specific<Buffers> buffers;
    oneapi::tbb::parallel_for(std::int64_t{0}, m_setup.lines, [&](std::int64_t line) {
        Buffers& own = buffers.local();
        fringesOf(line, own);
        double largest = 0.0;
        for (const std::complex<double>& value : own.fringe)
            largest = std::max(largest, std::norm(value));
        const std::scoped_lock lock(guard);
        most = std::max(most, largest);
    });
    m_gain = most > 0.0 ? m_setup.visibility / std::sqrt(most) : 0.0;
}

std::span<const double> OctSimulator::spectra(std::int64_t index) {
    m_tissue.moveTo(index);
    const std::size_t samples = m_index.size();
    m_spectra.resize(samples * static_cast<std::size_t>(m_setup.lines));
    oneapi::tbb::enumerable_thread_specific<Buffers> buffers;
    oneapi::tbb::parallel_for(std::int64_t{0}, m_setup.lines, [&](std::int64_t line) {
        Buffers& own = buffers.local();
        fringesOf(line, own);
        double* out = &m_spectra[static_cast<std::size_t>(line) * samples];
        for (std::size_t p = 0; p < samples; ++p) {
            const double fringe = m_dispersion[p].real() * own.fringe[p].real() -
                                  m_dispersion[p].imag() * own.fringe[p].imag();
            out[p] = m_background[p] + m_light[p] * m_gain * fringe;
        }
    });
    return m_spectra;
}

double OctSimulator::noiseVariance(std::size_t p, double codes) const {
    const double codesPerElectron = m_full / m_setup.fullWellElectrons;
    const double light = m_setup.balanced ? m_light[p] : std::max(codes - kDark * m_full, 0.0);
    const double read = m_setup.readNoiseElectrons * codesPerElectron;
    return light * codesPerElectron + read * read;
}

void OctSimulator::render(std::int64_t index, std::span<std::byte> out) {
    const std::span<const double> exact = spectra(index);
    const CounterRandom random(m_setup.seed, RandomStream::OctNoise);
    const std::size_t samples = m_index.size();
    m_codes.resize(exact.size());
    std::atomic<std::int64_t> limited = 0;
    oneapi::tbb::parallel_for(std::int64_t{0}, m_setup.lines, [&](std::int64_t line) {
        const std::size_t start = static_cast<std::size_t>(line) * samples;
        std::int64_t over = 0;
        std::array<double, 4> noise{};
        for (std::size_t p = 0; p < samples; ++p) {
            if (p % noise.size() == 0)
                noise = random.normal(static_cast<std::uint32_t>(index),
                                      static_cast<std::uint32_t>(line),
                                      static_cast<std::uint32_t>(p / noise.size()));
            const double expected = exact[start + p];
            const double code = std::round(expected + std::sqrt(noiseVariance(p, expected)) *
                                                          noise[p % noise.size()]);
            if (code < 0.0 || code > m_full) ++over;
            m_codes[start + p] = static_cast<std::uint16_t>(std::clamp(code, 0.0, m_full));
        }
        limited += over;
    });
    m_limited = limited;
    storeCodes(m_codes, m_setup.dtype, out);
}

void storeCodes(std::span<const std::uint16_t> codes, DType type, std::span<std::byte> out) {
    if (type == DType::U16) {
        std::memcpy(out.data(), codes.data(), codes.size_bytes());
    } else if (type == DType::U8) {
        std::ranges::transform(codes, out.begin(),
                               [](std::uint16_t code) { return static_cast<std::byte>(code); });
    } else {
        const auto byte = [](unsigned value) { return static_cast<std::byte>(value & 0xffU); };
        for (std::size_t i = 0; i < codes.size(); i += 2) {
            const unsigned even = codes[i];
            const unsigned odd = i + 1 < codes.size() ? codes[i + 1] : 0U;
            const std::size_t at = i / 2 * 3;
            out[at] = byte(even);
            out[at + 1] = byte(even >> 8U | (odd & 0xfU) << 4U);
            if (i + 1 < codes.size()) out[at + 2] = byte(odd >> 4U);
        }
    }
}

} // namespace echolux
