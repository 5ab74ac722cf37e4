// SPDX-License-Identifier: GPL-3.0-or-later
// Makes a coarse image of each single transmit of a frame. The pipeline images all transmits
// together.
#pragma once

#include "app/session/few_cores.hpp"
#include "gpu/core/error.hpp"
#include "gpu/memory/buffer.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace echolux {

/// The chain from raw frames to the low-resolution images of transmits, as the pipeline makes them.
struct TransmitChain {
    FrameSpec raw;
    PipelineConfig config; ///< the stages up to the output `transmits` of a beamformer, with all
                           ///< transmits switched on
    std::string beamform;  ///< the id of the beamformer, here and in the pipeline
    std::string key;       ///< chains of one recording with the same key make the same images
};

/// Thrown by transmitChain() where each transmit images only lines of its own. With "everywhere"
/// for the parameter `transmit_aperture` of `beamform`, each transmit has a whole image.
class OwnLinesAlone : public Error {
public:
    using Error::Error;
};

/// The chain of the first active `beamform`, on a grid of the same extent with about
/// TransmitImager::kColumns x kRows pixels; of volumes, the slice number `slice`. RF is imaged as
/// analytic signals, because these allow any grid. Throws Error, a sentence, where transmits have
/// no images of their own: for spectra, for ensembles, without `beamform`, and where transmits
/// image lines of their own.
TransmitChain transmitChain(const Snapshot& snapshot, std::int64_t slice = 0);

/// Magnitudes of one transmit's image, [depth][lateral]. Zero where nothing was imaged and where
/// the value is not finite.
struct TransmitImage {
    std::int64_t transmit = 0; ///< number of the transmit in the frame
    std::vector<float> magnitude;
};

/// Images of one frame's transmits in the plane of the array.
struct TransmitImages {
    Axis depth;
    Axis lateral;
    std::vector<TransmitImage> images;
};

/// Used by one thread at a time.
class TransmitImager {
public:
    static constexpr std::int64_t kColumns = 96;
    static constexpr std::int64_t kRows = 128;

    /// Prepares for these transmits: rising numbers, at least one. Does nothing where the same
    /// chain is prepared already. Throws Error where a stage refuses.
    void prepare(const TransmitChain& chain, std::span<const std::int64_t> transmits);
    /// Copies what image() needs of a raw frame. The frame may go then.
    void take(const std::byte* frame);
    TransmitImages image();

private:
    FewCoresRunner m_runner;
    std::string m_key;
    FrameSpec m_raw;
    std::vector<std::int64_t> m_transmits;
    Buffer m_lines; ///< raw lines of the transmits, one transmit after the other
};

} // namespace echolux
