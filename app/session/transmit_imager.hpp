// SPDX-License-Identifier: GPL-3.0-or-later
// Each transmit of a frame imaged by itself, coarsely, beside the pipeline that images all of them.
#pragma once

#include "app/pipeline/runner.hpp"
#include "gpu/core/error.hpp"
#include "gpu/memory/buffer.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace echolux {

/// From raw frames to the low-resolution images of transmits, as a pipeline makes them.
struct TransmitChain {
    FrameSpec raw;
    PipelineConfig config; ///< up to the output `transmits` of a beamformer, all switched on
    std::string beamform;  ///< its instance, in the pipeline too
    std::string key;       ///< chains of one recording with the same key make the same images
};

/// Thrown by transmitChain() where each transmit images lines of its own: with the parameter
/// `transmit_aperture` of `beamform` at "everywhere" each has a whole image.
class OwnLinesAlone : public Error {
public:
    using Error::Error;
};

/// The chain of the first active `beamform`, on a grid of about TransmitImager::kColumns x kRows
/// pixels of the same extent, of volumes their slice number `slice`. RF is imaged as analytic
/// signals, for which any grid is right. Throws Error, a sentence, where transmits have no images
/// of their own: of spectra, without `beamform`, of ensembles, where transmits have own lines.
TransmitChain transmitChain(const Snapshot& snapshot, std::int64_t slice = 0);

/// Magnitudes of one transmit's image, [depth][lateral], zero where nothing was imaged. Not
/// finite ones are zero, too.
struct TransmitImage {
    std::int64_t transmit = 0; ///< of the frame
    std::vector<float> magnitude;
};

/// In the plane of the array, of one frame.
struct TransmitImages {
    Axis depth;
    Axis lateral;
    std::vector<TransmitImage> images;
};

/// On the CPU, whatever runs the pipeline, and on a quarter of its cores: nobody waits for these
/// images. Used by one thread at a time.
class TransmitImager {
public:
    static constexpr std::int64_t kColumns = 96;
    static constexpr std::int64_t kRows = 128;

    TransmitImager();
    ~TransmitImager();
    TransmitImager(const TransmitImager&) = delete;
    TransmitImager& operator=(const TransmitImager&) = delete;

    /// Makes ready for these transmits (rising numbers, at least one); nothing to do where it is
    /// for the same chain. Throws Error where a stage refuses.
    void prepare(const TransmitChain& chain, std::span<const std::int64_t> transmits);
    /// Copies of a raw frame what image() needs; it may go then.
    void take(const std::byte* frame);
    TransmitImages image();

private:
    Runner m_runner;
    struct FewCores;
    std::unique_ptr<FewCores> m_few;
    std::string m_key;
    FrameSpec m_raw;
    std::vector<std::int64_t> m_transmits;
    Buffer m_lines; ///< the transmits' raw lines, one behind the other
};

} // namespace echolux
