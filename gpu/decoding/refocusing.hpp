// SPDX-License-Identifier: GPL-3.0-or-later
// Matrices that tell apart, frequency by frequency, what elements sent in transmits of any wave
// (REFoCUS: Bottenus, "Recovery of the complete data set from focused transmit beams", IEEE UFFC
// 2018; regularised inverse: Ali, Herickhoff, Hyun, Dahl and Bottenus, IEEE UFFC 2020).
#pragma once

#include "gpu/core/complex.hpp"
#include "gpu/decoding/firings.hpp"

#include <cstdint>
#include <vector>

namespace echolux::decoding {

enum class RefocusMethod { Adjoint, Inverse };

/// Frequencies that are kept: `count` bins from `first` on, of a spectrum of `length` points. A
/// bin below 0 lies at the end of the spectrum.
struct Bins {
    std::int64_t length = 1;
    std::int64_t first = 0;
    std::int64_t count = 0;
};

/// Record t begins at begins[t]. Records of single elements begin at `to`, all of them, so early
/// that nothing is lost, and last `longer` samples longer.
struct Refocusing {
    Firings firings;
    std::vector<Begin> begins;
    Begin to;
    std::int64_t longer = 0;
    double samplingHz = 0.0;
    double demodulationHz = 0.0; ///< 0: real samples

    /// Of channel data that passed checkSent(), and what was sent.
    Refocusing(const FrameSpec& input, Firings sent);

    /// With a, tau of `firings`, f = demodulationHz + bin samplingHz / length:
    ///   H_te = a_te exp(2 pi j (f - demodulationHz) (begin_t - to - tau_te))
    ///          exp(-2 pi j demodulationHz (tau_te + phase zero of `to` - that of t))
    /// and, with P = sum of all a^2 / senders:
    ///   adjoint  M = H^H / P
    ///   inverse  M = (H^H H + damping T I)^-1 H^H, T the mean of the diagonal of H^H H
    /// Returns M [sender][transmit][bin].
    std::vector<Complex> matrices(const Bins& bins, RefocusMethod method, double damping) const;
};

} // namespace echolux::decoding
