// SPDX-License-Identifier: GPL-3.0-or-later
// One picked image column: the raw line of the channel above it, its spectrum, and the envelope
// down the column.
#pragma once

#include "gpu/core/complex.hpp"
#include "gpu/core/frame_spec.hpp"
#include "gpu/fft/fft.hpp"
#include "gpu/memory/buffer.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace echolux {

struct ColumnData {
    double lateralM = 0.0;
    std::int64_t frame = 0;
    std::int64_t transmit = 0; ///< the least steered one
    std::int64_t channel = 0;  ///< nearest to the column
    // Raw line, before any stage: physical value over time.
    std::vector<float> rf; ///< real part of IQ data
    double rfStartS = 0.0;
    double rfStepS = 0.0;
    std::vector<std::size_t> clipped; ///< see clipping.hpp
    // Its spectrum, Hann window: dB re its maximum. Centred on the demodulation frequency for IQ
    // data.
    std::vector<float> spectrumDb;
    double spectrumStartHz = 0.0;
    double spectrumStepHz = 0.0;
    // Envelope down the column, linear, in the pipeline's units; empty where the pipeline takes
    // none.
    std::vector<float> envelope;
    double depthStartM = 0.0;
    double depthStepM = 0.0;
};

/// Reads raw lines of one recording; allocates once.
class RawLineReader {
public:
    explicit RawLineReader(const FrameSpec& raw);
    /// Fills the raw line and its spectrum from one raw frame in host memory.
    void read(ColumnData& column, const std::byte* frame);

private:
    void takeSpectrum(ColumnData& column, const std::vector<Complex>& line);

    FrameSpec m_raw;
    FftShape m_shape;
    std::unique_ptr<Fft> m_fft;
    Buffer m_in;
    Buffer m_out;
    Buffer m_work;
};

/// Index of the image column nearest to `lateralM`, clamped to the image.
std::int64_t columnIndex(const FrameSpec& image, double lateralM);

} // namespace echolux
