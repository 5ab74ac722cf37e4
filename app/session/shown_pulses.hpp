// SPDX-License-Identifier: GPL-3.0-or-later
// The latest pulses of the gate of spectral Doppler, copied to the host when a tool asks for them.
#pragma once

#include "app/pipeline/snapshot.hpp"
#include "app/session/look_request.hpp"
#include "gpu/core/complex.hpp"
#include "gpu/memory/buffer.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace echolux {

/// The output of a stage with a gate that holds its pulses.
inline constexpr const char* kGateOutput = "pulses";

/// What turns the pulses of a gate into sound.
struct GatePulses {
    std::string output;        ///< "pulses@spectral_doppler"
    double rateHz = 0.0;       ///< pulses per second; 0: unknown
    double wallHz = 0.0;       ///< Doppler frequency of the wall filter; 0: none
    bool inverted = false;     ///< flow away from the probe counts as towards it
    std::int64_t perFrame = 1; ///< new pulses per frame of the pipeline

    bool operator==(const GatePulses&) const = default;
};

/// Of the first active stage `spectral_doppler`; null where there is none.
std::optional<GatePulses> gatePulses(const Snapshot& snapshot);

struct PulsesLook {
    std::string asked;           ///< GatePulses::output
    std::vector<Complex> pulses; ///< the latest ones, oldest first; 0 before the first one
    std::int64_t frames = 0;     ///< that the pipeline has shown so far, without repetitions
};

/// Copies only when asked, on a stream of its own.
class ShownPulses : public LookRequest<std::string, PulsesLook> {
public:
    explicit ShownPulses(Backend backend);

    // Pipeline thread.
    void imageCame(std::int64_t newFrames) {
        LookRequest::imageCame();
        m_frames += newFrames;
    }
    /// Answers the request. `pulses`: the output in compute memory; without it there is no answer.
    void copy(const ConstTensorView& pulses);

private:
    Backend m_backend;
    Stream m_stream;
    Buffer m_staging; ///< on the host
    std::int64_t m_frames = 0;
};

} // namespace echolux
