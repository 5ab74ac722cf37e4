// SPDX-License-Identifier: GPL-3.0-or-later
// A linear sweep of frequency, as coded excitation sends.
#pragma once

#include <complex>

namespace echolux {

/// x(t) = w(t) exp(2 pi j (f0 t + (f1 - f0) t^2 / (2 T))) for 0 <= t <= T, else 0, with a Tukey
/// window w that tapers a tenth of T at each end (Misaridis and Jensen, Use of modulated excitation
/// signals in medical ultrasound, IEEE UFFC 52, 2005). The sent signal is its real part.
struct Chirp {
    static constexpr double kTaper = 0.1; ///< of T, at each end

    double startHz = 3e6;   ///< f0
    double endHz = 7e6;     ///< f1; below f0 the frequency falls
    double lengthS = 10e-6; ///< T

    std::complex<double> at(double seconds) const;

    bool operator==(const Chirp&) const = default;
};

} // namespace echolux
