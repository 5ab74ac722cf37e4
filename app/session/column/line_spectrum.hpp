// SPDX-License-Identifier: GPL-3.0-or-later
// Spectrum of a line of samples with a Hann window.
#pragma once

#include "gpu/core/complex.hpp"
#include "gpu/fft/fft.hpp"
#include "gpu/memory/buffer.hpp"

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace echolux {

/// Allocates when constructed. Used by one thread.
class LineSpectrum {
public:
    /// For lines of at most `samples` samples.
    explicit LineSpectrum(std::int64_t samples);
    /// |FFT|^2 of the line in dB relative to its maximum. `twoSided`: bins() values, of which the
    /// first bins() / 2 belong to negative frequencies; else those from 0 to half of the sampling
    /// frequency.
    std::vector<float> levelsDb(std::span<const Complex> line, bool twoSided);
    std::int64_t bins() const { return m_shape.length; } ///< over the sampling frequency

private:
    FftShape m_shape;
    std::unique_ptr<Fft> m_fft;
    Buffer m_in;
    Buffer m_out;
    Buffer m_work;
};

} // namespace echolux
