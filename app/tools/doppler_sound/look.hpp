// SPDX-License-Identifier: GPL-3.0-or-later
// The latest pulses of the gate of spectral Doppler, copied to the host.
#pragma once

#include "app/session/look/asked_look.hpp"
#include "gpu/core/complex.hpp"
#include "gpu/memory/buffer.hpp"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace echolux {

struct LatestPulses {
    std::string asked;           ///< GatePulses::output
    std::vector<Complex> pulses; ///< the latest ones, oldest first; 0 before the first one
    std::int64_t frames = 0;     ///< that the pipeline has shown so far, without repetitions
};

/// Copies 64 KiB when asked, on a stream of its own.
class PulsesLook : public AskedLook<std::string, LatestPulses> {
public:
    explicit PulsesLook(const LookPlace& place);

    static std::vector<std::string> outputs(const Snapshot& snapshot);
    void imageCame(std::int64_t newFrames) override {
        AskedLook::imageCame(newFrames);
        m_frames += newFrames;
    }

private:
    std::shared_ptr<const LatestPulses> look(const std::string& wanted,
                                             const LookFrame& frame) override;

    Backend m_backend;
    Stream m_stream;
    Buffer m_staging; ///< on the host
    std::int64_t m_frames = 0;
};

} // namespace echolux
