// SPDX-License-Identifier: GPL-3.0-or-later
// Orders channels by element, and multiplies IQ by exp(j 2 pi fd (new zero - old zero)).
#include "app/export/channel_export.hpp"

#include "app/dataset/transmit/array_kind.hpp"
#include "app/export/pixels.hpp"

#include <algorithm>
#include <cmath>
#include <complex>
#include <numbers>

namespace echolux {

ChannelExport::ChannelExport(const ExportSubject& subject)
    : m_frame(subject.frame),
      m_transmits(static_cast<std::size_t>(m_frame.sizeOf(AxisName::Transmit))),
      m_channels(static_cast<std::size_t>(m_frame.sizeOf(AxisName::Channel))),
      m_elements(m_frame.acquisition->probe.elements.size()),
      m_samples(static_cast<std::size_t>(m_frame.sizeOf(AxisName::Sample))),
      m_complex(echolux::isComplex(m_frame.dtype)) {}

std::size_t ChannelExport::elementOf(std::size_t transmit, std::size_t channel) const {
    const auto& listened = m_frame.acquisition->receiveElements;
    return listened.empty() ? channel
                            : static_cast<std::size_t>(listened[transmit * m_channels + channel]);
}

double ChannelExport::turnOf(std::size_t transmit) const {
    if (!m_complex || m_phaseZeroS.empty()) return 0.0;
    const double zeroS = m_frame.acquisition->transmits[transmit].iqPhaseZeroS;
    return 2.0 * std::numbers::pi * m_frame.demodulationFrequencyHz *
           (m_phaseZeroS[transmit] - zeroS);
}

bool ChannelExport::keepsIntegers() const {
    const bool whole = m_frame.dtype == DType::I16 || m_frame.dtype == DType::ComplexI16;
    if (!whole || m_frame.codeOffset != 0.0 || m_frame.codeScale != 1.0) return false;
    for (std::size_t t = 0; t < m_transmits; ++t)
        if (turnOf(t) != 0.0) return false;
    return true;
}

std::vector<float> ChannelExport::values(std::span<const std::byte> frame) const {
    const std::vector<float> all = valuesOf(m_frame, frame);
    const std::size_t line = m_samples * (m_complex ? 2 : 1);
    std::vector<float> out(m_transmits * m_elements * line, 0.0F);
    for (std::size_t t = 0; t < m_transmits; ++t) {
        const double turn = turnOf(t);
        const std::complex<double> factor = std::polar(1.0, turn);
        for (std::size_t channel = 0; channel < m_channels; ++channel) {
            const std::size_t element = elementOf(t, channel);
            if (element >= m_elements) continue;
            const float* from = all.data() + (t * m_channels + channel) * line;
            float* to = out.data() + (t * m_elements + element) * line;
            std::copy_n(from, line, to);
            if (turn == 0.0) continue;
            for (std::size_t n = 0; n < line; n += 2) {
                const std::complex<double> value =
                    std::complex<double>(from[n], from[n + 1]) * factor;
                to[n] = static_cast<float>(value.real());
                to[n + 1] = static_cast<float>(value.imag());
            }
        }
    }
    return out;
}

std::vector<std::string> ChannelExport::losses() const {
    const Acquisition& acquisition = *m_frame.acquisition;
    std::vector<std::string> sentences;
    if (!acquisition.receiveElements.empty())
        sentences.emplace_back("The file has a channel per element; where an element did not "
                               "listen, the samples are 0.");
    const auto uneven = [](const std::vector<float>& weights) {
        return std::ranges::any_of(weights, [](float w) { return w != 1.0F && w != 0.0F; });
    };
    if (uneven(acquisition.receiveWeights) || !acquisition.rangeWeights.values.empty())
        sentences.emplace_back("The file does not hold the receive weights.");
    if (acquisition.probe.longAxes != crossedLines(acquisition.probe))
        sentences.emplace_back("The file does not say that elements are long rows and columns.");
    return sentences;
}

} // namespace echolux
