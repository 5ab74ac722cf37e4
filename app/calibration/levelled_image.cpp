// SPDX-License-Identifier: GPL-3.0-or-later
// Applies gains, transforms to spectra once, and transforms back for each trial.
#include "app/calibration/levelled_image.hpp"

#include <algorithm>
#include <cmath>
#include <functional>

namespace echolux {

FftShape LevelledImages::shape(FftKind kind) const {
    const std::int64_t length = 2 * m_depths;
    return {kind, length, m_lines, {1, length}, {1, length}};
}

LevelledImages::LevelledImages(std::int64_t depths, std::int64_t lines)
    : m_depths(depths), m_lines(lines),
      m_forward(makeFft(Backend::Cpu, shape(FftKind::ComplexForward))),
      m_inverse(makeFft(Backend::Cpu, shape(FftKind::ComplexInverse))),
      m_from(MemoryKind::Host, static_cast<std::size_t>(2 * depths * lines) * sizeof(Complex)),
      m_to(MemoryKind::Host, m_from.bytes()),
      m_work(MemoryKind::Host,
             std::max<std::size_t>({fftWorkspaceBytes(shape(FftKind::ComplexForward)),
                                    fftWorkspaceBytes(shape(FftKind::ComplexInverse)), 1})) {}

void LevelledImages::add(const Complex* image, std::int64_t firstDepth, const RegionPower& region) {
    const std::vector<float> means = localMeans(region);
    Image& added = m_images.emplace_back();
    auto* levelled = m_from.as<Complex>();
    std::fill_n(levelled, 2 * m_depths * m_lines, Complex{});
    for (std::int64_t line = 0; line < m_lines; ++line)
        for (std::int64_t d = 0; d < region.depths; ++d) {
            const float share = region.share[static_cast<std::size_t>(d)];
            const float mean = means[static_cast<std::size_t>(line * region.depths + d)];
            added.shares += share;
            if (mean > 0.0F)
                levelled[line * 2 * m_depths + firstDepth + d] =
                    std::sqrt(share / mean) * image[line * m_depths + firstDepth + d];
        }
    m_forward->run({Backend::Cpu, nullptr}, m_from.data(), m_to.data(), m_work.data());
    for (std::int64_t line = 0; line < m_lines; ++line) {
        const auto* spectrum = m_to.as<Complex>() + line * 2 * m_depths;
        added.spectra.insert(added.spectra.end(), spectrum, spectrum + m_depths);
    }
}

double LevelledImages::contrastOf(const Image& image, std::span<const Complex> phasors) {
    auto* from = m_from.as<Complex>();
    for (std::int64_t line = 0; line < m_lines; ++line) {
        Complex* to = from + line * 2 * m_depths;
        std::transform(phasors.begin(), phasors.end(), image.spectra.begin() + line * m_depths, to,
                       std::multiplies());
        std::fill_n(to + m_depths, m_depths, Complex{});
    }
    m_inverse->run({Backend::Cpu, nullptr}, m_from.data(), m_to.data(), m_work.data());
    double sum = 0.0;
    double squares = 0.0;
    for (const Complex value : std::span(m_to.as<Complex>(), m_to.bytes() / sizeof(Complex))) {
        const double power = norm(value);
        sum += power;
        squares += power * power;
    }
    return image.shares * squares / (sum * sum);
}

double LevelledImages::contrast(std::span<const Complex> phasors) {
    double sum = 0.0;
    for (const Image& image : m_images) sum += contrastOf(image, phasors);
    return sum / static_cast<double>(m_images.size());
}

} // namespace echolux
