// SPDX-License-Identifier: GPL-3.0-or-later
// Channel data in the form of zea and USTB: one channel per element, another time of the mixer's
// phase zero for IQ, directions as angles.
#pragma once

#include "app/export/subject.hpp"

#include <cstddef>
#include <span>
#include <vector>

namespace echolux {

class ChannelExport {
public:
    /// Precondition: subject.isChannelData(). setPhaseZero() takes one time per transmit, on the
    /// common clock, at which the mixer's phase is to be zero. Without it the phase stays as
    /// recorded.
    explicit ChannelExport(const ExportSubject& subject);

    void setPhaseZero(std::vector<double> phaseZeroS) { m_phaseZeroS = std::move(phaseZeroS); }
    std::size_t transmits() const { return m_transmits; }
    std::size_t elements() const { return m_elements; }
    std::size_t samples() const { return m_samples; }
    bool isComplex() const { return m_complex; }
    /// [transmit][element][sample], complex samples as pairs. Zeros where no channel listened to an
    /// element.
    std::vector<float> values(std::span<const std::byte> frame) const;
    /// True where the samples are whole numbers of 16 bits before and after.
    bool keepsIntegers() const;
    /// Sentences about facts that such files cannot hold.
    std::vector<std::string> losses() const;

private:
    std::size_t elementOf(std::size_t transmit, std::size_t channel) const;
    /// Phase in rad by which the samples of a transmit are turned.
    double turnOf(std::size_t transmit) const;

    FrameSpec m_frame;
    std::vector<double> m_phaseZeroS;
    std::size_t m_transmits = 0;
    std::size_t m_channels = 0;
    std::size_t m_elements = 0;
    std::size_t m_samples = 0;
    bool m_complex = false;
};

} // namespace echolux
