// SPDX-License-Identifier: GPL-3.0-or-later
// Channel data as zea and USTB describe it: a channel per element, IQ mixed from another moment on,
// directions as angles.
#pragma once

#include "app/export/subject.hpp"

#include <cstddef>
#include <span>
#include <vector>

namespace echolux {

class ChannelExport {
public:
    /// Precondition: subject.isChannelData(). `phaseZeroS`: when the mixer's phase is to be zero,
    /// per transmit, common clock; none: as it is.
    explicit ChannelExport(const ExportSubject& subject);

    void setPhaseZero(std::vector<double> phaseZeroS) { m_phaseZeroS = std::move(phaseZeroS); }
    std::size_t transmits() const { return m_transmits; }
    std::size_t elements() const { return m_elements; }
    std::size_t samples() const { return m_samples; }
    bool isComplex() const { return m_complex; }
    /// [transmit][element][sample], complex ones as pairs; silence where an element was not heard.
    std::vector<float> values(std::span<const std::byte> frame) const;
    /// One sentence each about what such files do not hold.
    std::vector<std::string> losses() const;

private:
    std::size_t elementOf(std::size_t transmit, std::size_t channel) const;

    FrameSpec m_frame;
    std::vector<double> m_phaseZeroS;
    std::size_t m_transmits = 0;
    std::size_t m_channels = 0;
    std::size_t m_elements = 0;
    std::size_t m_samples = 0;
    bool m_complex = false;
};

} // namespace echolux
