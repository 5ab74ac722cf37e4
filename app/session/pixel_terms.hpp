// SPDX-License-Identifier: GPL-3.0-or-later
// What each element adds to one pixel of a beamformed frame.
#pragma once

#include "app/session/few_cores.hpp"
#include "gpu/core/complex.hpp"
#include "gpu/memory/buffer.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace echolux {

/// A pixel of the image of a beamformer.
struct BeamformedPixel {
    double lateralM = 0.0;
    double depthM = 0.0;     ///< on a grid of beams: range along its beam
    std::int64_t column = 0; ///< on a grid of beams: number of its beam
    std::int64_t slice = 0;  ///< of a volume
};

/// The chain from raw frames to the output `delayed` of the first active `beamform`, at one pixel.
struct PixelChain {
    FrameSpec raw;
    PipelineConfig config;
    std::int64_t column = 0; ///< of the row that the chain images
    std::string key;         ///< chains of one recording with the same key give the same terms
};

/// Throws Error, a sentence, for spectra, for ensembles and without `beamform`.
PixelChain pixelChain(const Snapshot& snapshot, const BeamformedPixel& pixel);

/// Used by one thread at a time.
class PixelTerms {
public:
    /// Does nothing where the same chain is prepared already. Throws Error where a stage refuses.
    void prepare(const PixelChain& chain);
    /// Copies a raw frame. The frame may go then.
    void take(const std::byte* frame);
    /// One term per element, summed over the transmits that are switched on, weights included. The
    /// terms of RF are real. Their sum is the pixel (coherent sums without a coherence factor and
    /// without division by the weights). 0 where a value is not finite.
    std::vector<Complex> terms();

private:
    FewCoresRunner m_runner;
    std::string m_key;
    FrameSpec m_raw;
    std::int64_t m_column = 0;
    Buffer m_frame;
};

} // namespace echolux
