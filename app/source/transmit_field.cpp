// SPDX-License-Identifier: GPL-3.0-or-later
// Superposition of delayed pulses, and its reading at any delay.
#include "app/source/transmit_field.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace echolux {

namespace {

constexpr std::ptrdiff_t kMargin = 3; // samples that a cubic may read beyond a pulse

/// Of the grid points -1, 0, 1, 2 for the place `f` between 0 and 1 (Lagrange).
std::array<double, 4> cubicWeights(double f) {
    return {-f * (f - 1.0) * (f - 2.0) / 6.0, (f + 1.0) * (f - 1.0) * (f - 2.0) / 2.0,
            -(f + 1.0) * f * (f - 2.0) / 2.0, (f + 1.0) * f * (f - 1.0) / 6.0};
}

} // namespace

void TransmitField::build(const PulseBank& pulses, double pathM, std::span<const Arrival> arrivals,
                          std::size_t fineness) {
    m_length = 0;
    if (arrivals.empty()) return;
    m_fineness = fineness;
    const auto [least, most] = std::ranges::minmax(arrivals, {}, &Arrival::sample);
    const std::ptrdiff_t lead = pulses.lead();
    m_first = static_cast<std::ptrdiff_t>(std::floor(least.sample)) - lead - 1 - kMargin;
    const auto last = static_cast<std::ptrdiff_t>(std::floor(most.sample));
    const auto taps = static_cast<std::ptrdiff_t>(pulses.taps());
    m_length = last - lead + taps + kMargin - m_first;
    m_rows.assign(m_fineness * static_cast<std::size_t>(m_length), 0.0);
    for (const Arrival& arrival : arrivals) {
        for (std::size_t phase = 0; phase < m_fineness; ++phase) {
            const double position =
                arrival.sample - static_cast<double>(phase) / static_cast<double>(m_fineness);
            const double whole = std::floor(position);
            const double* pulse = pulses.echo(pathM, position - whole);
            double* out = &m_rows[phase * static_cast<std::size_t>(m_length)] +
                          (static_cast<std::ptrdiff_t>(whole) - lead - m_first);
            for (std::ptrdiff_t tap = 0; tap < taps; ++tap) out[tap] += arrival.gain * pulse[tap];
        }
    }
}

/// The row of the grid point `fine` behind a sample, and by how many samples it lies apart.
const double* TransmitField::row(std::ptrdiff_t fine, std::ptrdiff_t& shift) const {
    const auto count = static_cast<std::ptrdiff_t>(m_fineness);
    shift = fine >= 0 ? fine / count : -((-fine + count - 1) / count);
    return &m_rows[static_cast<std::size_t>((fine - shift * count) * m_length)];
}

void TransmitField::addTo(std::span<double> trace, std::ptrdiff_t firstSample, double delaySamples,
                          double gain) const {
    if (m_length == 0) return;
    const double fine = delaySamples * static_cast<double>(m_fineness);
    const double whole = std::ceil(fine);
    const std::array<double, 4> weights = cubicWeights(whole - fine);
    std::array<std::ptrdiff_t, 4> shift{};
    std::array<const double*, 4> rows{};
    for (std::ptrdiff_t k = 0; k < 4; ++k)
        rows[static_cast<std::size_t>(k)] =
            row(k - 1 - static_cast<std::ptrdiff_t>(whole), shift[static_cast<std::size_t>(k)]);
    // Sample i reads the places firstSample + i - m_first + shift of the rows.
    const std::ptrdiff_t base = firstSample - m_first;
    const std::ptrdiff_t from = std::max<std::ptrdiff_t>(0, -(base + shift.front()));
    const std::ptrdiff_t to = std::min(std::ssize(trace), m_length - (base + shift.back()));
    if (from >= to) return;
    const double* const a = rows[0] + (base + shift[0] + from);
    const double* const b = rows[1] + (base + shift[1] + from);
    const double* const c = rows[2] + (base + shift[2] + from);
    const double* const d = rows[3] + (base + shift[3] + from);
    double* const out = &trace[static_cast<std::size_t>(from)];
    const double wa = gain * weights[0];
    const double wb = gain * weights[1];
    const double wc = gain * weights[2];
    const double wd = gain * weights[3];
    for (std::ptrdiff_t i = 0; i < to - from; ++i)
        out[i] += wa * a[i] + wb * b[i] + wc * c[i] + wd * d[i];
}

} // namespace echolux
