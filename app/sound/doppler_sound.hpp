// SPDX-License-Identifier: GPL-3.0-or-later
// The pulses of a gate as stereo sound: flow towards the probe left, flow away from it right.
//   x[n]: complex echo of pulse n at the rate p (1/s), after a Butterworth high-pass of order 4
//   towards(t) = Re sum over n of x[n] h(p t - n),   away(t) = Re sum over n of x[n] conj(h(p t -
//   n)) h(u) = B sin(pi B u) / (pi B u) exp(j pi B u) w(u / K),   B = min(1, r / p) / 2,   |u| <= K
// r is the rate of the sound (1/s), w a Kaiser window with beta = 8, K = 48 / B pulses. Re h delays
// and interpolates, Im h is its Hilbert transform, so this is the phasing-filter technique (Aydin
// and Evans, Implementation of directional Doppler techniques using a digital signal processor,
// Med. Biol. Eng. Comput. 32, S157-S164, 1994) at another rate. A tone of the amplitude 1 has the
// amplitude 1 in its channel. Tones are apart from 0 and p / 2 by 0.025 p or more, else the other
// channel has part of them.
#pragma once

#include "gpu/core/complex.hpp"

#include <array>
#include <complex>
#include <cstdint>
#include <span>
#include <vector>

namespace echolux {

struct StereoSample {
    float left = 0.0F;  ///< flow towards the probe
    float right = 0.0F; ///< flow away from it
};

struct DopplerSoundSetup {
    double pulseRateHz = 0.0; ///< > 0
    double wallHz = 0.0;      ///< Doppler frequencies below it are removed; 0: none
    double rateHz = 48000.0;  ///< of the sound, > 0
    bool inverted = false;    ///< exchanges the channels

    bool operator==(const DopplerSoundSetup&) const = default;
};

class DopplerSound {
public:
    explicit DopplerSound(const DopplerSoundSetup& setup);

    const DopplerSoundSetup& setup() const { return m_setup; }
    /// Appends to `sound` what the pulses so far determine. Samples lag by K pulses.
    void add(std::span<const Complex> pulses, std::vector<StereoSample>& sound);
    /// Appends the rest: the sound is then as long as its pulses.
    void finish(std::vector<StereoSample>& sound);

private:
    using Value = std::complex<double>;
    /// A section of second order, in the transposed direct form II.
    struct Section {
        std::array<double, 3> b{1.0, 0.0, 0.0};
        std::array<double, 2> a{}; ///< of z^-1 and z^-2
        std::array<Value, 2> state{};
        Value filter(Value x);
    };
    void makeWallFilter();
    void makeKernel();
    Value filtered(Complex pulse);
    void render(std::vector<StereoSample>& sound, std::int64_t end);
    StereoSample sampleAt(double pulse) const;

    DopplerSoundSetup m_setup;
    std::array<Section, 2> m_wall;
    bool m_hasBegun = false;
    std::int64_t m_reach = 1; ///< K, in pulses
    std::vector<Value> m_kernel;
    std::vector<Value> m_pulses; ///< the latest ones
    std::int64_t m_first = 0;    ///< number of m_pulses.front()
    std::int64_t m_count = 0;    ///< pulses that were added
    std::int64_t m_rendered = 0; ///< samples
};

} // namespace echolux
