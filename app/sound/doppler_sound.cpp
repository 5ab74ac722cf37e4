// SPDX-License-Identifier: GPL-3.0-or-later
// A wall filter, and one complex kernel that parts the directions and changes the rate.
#include "app/sound/doppler_sound.hpp"

#include "gpu/core/bessel.hpp"
#include "gpu/core/error.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace echolux {
namespace {

constexpr double kPi = std::numbers::pi;
constexpr double kBeta = 8.0;           ///< of the Kaiser window: side lobes below -80 dB
constexpr double kHalfTurns = 48.0;     ///< K B
constexpr std::int64_t kPerPulse = 256; ///< values of the kernel, linear between them: -90 dB

double kaiser(double place) {
    if (std::abs(place) >= 1.0) return 0.0;
    return besselI0(kBeta * std::sqrt(1.0 - place * place)) / besselI0(kBeta);
}

} // namespace

DopplerSound::DopplerSound(const DopplerSoundSetup& setup) : m_setup(setup) {
    if (!(setup.pulseRateHz > 0.0) || !(setup.rateHz > 0.0))
        throw Error("Sound needs the time between pulses, which is unknown; describe "
                    "'signal.frame_rate'.");
    makeWallFilter();
    makeKernel();
}

/// Two sections by the bilinear transform.
void DopplerSound::makeWallFilter() {
    if (!(m_setup.wallHz > 0.0)) return;
    const double edge = std::min(m_setup.wallHz / m_setup.pulseRateHz, 0.499);
    const double k = std::tan(kPi * edge);
    for (std::size_t i = 0; i < m_wall.size(); ++i) {
        const double damping = 2.0 * std::sin(kPi * (2.0 * static_cast<double>(i) + 1.0) / 8.0);
        const double scale = 1.0 / (1.0 + damping * k + k * k);
        m_wall[i].b = {scale, -2.0 * scale, scale};
        m_wall[i].a = {2.0 * (k * k - 1.0) * scale, (1.0 - damping * k + k * k) * scale};
    }
}

void DopplerSound::makeKernel() {
    const double band = 0.5 * std::min(1.0, m_setup.rateHz / m_setup.pulseRateHz);
    m_reach = static_cast<std::int64_t>(std::ceil(kHalfTurns / band));
    for (std::int64_t i = -m_reach * kPerPulse; i <= m_reach * kPerPulse + 1; ++i) {
        const double u = static_cast<double>(i) / static_cast<double>(kPerPulse);
        const double phase = kPi * band * u;
        const double sinc = phase == 0.0 ? 1.0 : std::sin(phase) / phase;
        m_kernel.push_back(std::polar(band * sinc * kaiser(u / static_cast<double>(m_reach)), 0.0) *
                           std::polar(1.0, phase));
    }
}

DopplerSound::Value DopplerSound::Section::filter(Value x) {
    const Value y = b[0] * x + state[0];
    state[0] = b[1] * x - a[0] * y + state[1];
    state[1] = b[2] * x - a[1] * y;
    return y;
}

/// The filter begins as if the first pulse had always come.
DopplerSound::Value DopplerSound::filtered(Complex pulse) {
    const bool isFinite = std::isfinite(pulse.re) && std::isfinite(pulse.im);
    Value x = isFinite ? Value(pulse.re, pulse.im) : Value();
    if (!(m_setup.wallHz > 0.0)) return x;
    if (!m_hasBegun) m_wall[0].state = {-m_wall[0].b[0] * x, m_wall[0].b[2] * x};
    m_hasBegun = true;
    for (Section& section : m_wall) x = section.filter(x);
    return x;
}

StereoSample DopplerSound::sampleAt(double pulse) const {
    const auto nearest = static_cast<std::int64_t>(std::floor(pulse));
    const std::int64_t end = m_first + static_cast<std::int64_t>(m_pulses.size());
    double left = 0.0;
    double right = 0.0;
    for (std::int64_t n = std::max(m_first, nearest - m_reach + 1);
         n <= std::min(end - 1, nearest + m_reach); ++n) {
        const double at = (pulse - static_cast<double>(n) + static_cast<double>(m_reach)) *
                          static_cast<double>(kPerPulse);
        const auto below = static_cast<std::size_t>(at);
        const double part = at - static_cast<double>(below);
        const Value h = (1.0 - part) * m_kernel[below] + part * m_kernel[below + 1];
        const Value x = m_pulses[static_cast<std::size_t>(n - m_first)];
        const double inPhase = x.real() * h.real();
        const double quadrature = x.imag() * h.imag();
        left += inPhase - quadrature;
        right += inPhase + quadrature;
    }
    if (m_setup.inverted) std::swap(left, right);
    return {static_cast<float>(left), static_cast<float>(right)};
}

/// Up to the pulse `end`, which is not included.
void DopplerSound::render(std::vector<StereoSample>& sound, std::int64_t end) {
    const double step = m_setup.pulseRateHz / m_setup.rateHz;
    double at = static_cast<double>(m_rendered) * step;
    while (at < static_cast<double>(end)) {
        sound.push_back(sampleAt(at));
        at = static_cast<double>(++m_rendered) * step;
    }
    const auto unused = std::min(static_cast<std::int64_t>(std::floor(at)) - m_reach - m_first,
                                 static_cast<std::int64_t>(m_pulses.size()));
    if (unused < 4 * m_reach) return;
    m_pulses.erase(m_pulses.begin(), m_pulses.begin() + unused);
    m_first += unused;
}

void DopplerSound::add(std::span<const Complex> pulses, std::vector<StereoSample>& sound) {
    for (const Complex& pulse : pulses) m_pulses.push_back(filtered(pulse));
    m_count += static_cast<std::int64_t>(pulses.size());
    render(sound, m_count - m_reach);
}

void DopplerSound::finish(std::vector<StereoSample>& sound) { render(sound, m_count); }

} // namespace echolux
