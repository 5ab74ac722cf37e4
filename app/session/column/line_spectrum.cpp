// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/session/column/line_spectrum.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace echolux {

LineSpectrum::LineSpectrum(std::int64_t samples)
    : m_shape{FftKind::ComplexForward, fastFftLength(samples), 1, {}, {}},
      m_fft(makeFft(Backend::Cpu, m_shape)),
      m_in(MemoryKind::Host, static_cast<std::size_t>(m_shape.length) * sizeof(Complex)),
      m_out(MemoryKind::Host, m_in.bytes()), m_work(MemoryKind::Host, fftWorkspaceBytes(m_shape)) {}

std::vector<float> LineSpectrum::levelsDb(std::span<const Complex> line, bool twoSided) {
    const auto length = static_cast<std::size_t>(m_shape.length);
    std::fill_n(m_in.as<Complex>(), length, Complex{});
    for (std::size_t n = 0; n < line.size(); ++n) {
        const double phase = 2.0 * std::numbers::pi * (static_cast<double>(n) + 0.5) /
                             static_cast<double>(line.size());
        m_in.as<Complex>()[n] = static_cast<float>(0.5 - 0.5 * std::cos(phase)) * line[n];
    }
    m_fft->run({}, m_in.data(), m_out.data(), m_work.data());

    const std::size_t shown = twoSided ? length : length / 2 + 1;
    const std::size_t shift = twoSided ? length - length / 2 : 0;
    constexpr float kFloor = 1e-20F;
    float highest = kFloor;
    for (std::size_t k = 0; k < shown; ++k)
        highest = std::max(highest, norm(m_out.as<Complex>()[k]));
    std::vector<float> levels;
    for (std::size_t k = 0; k < shown; ++k) {
        const float power =
            std::max(norm(m_out.as<Complex>()[(k + shift) % length]) / highest, kFloor);
        levels.push_back(10.0F * std::log10(power));
    }
    return levels;
}

} // namespace echolux
