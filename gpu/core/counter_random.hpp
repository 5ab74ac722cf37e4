// SPDX-License-Identifier: GPL-3.0-or-later
// Random numbers computed from a counter: the same on every machine and with any number of threads.
#pragma once

#include <array>
#include <cstdint>

namespace echolux {

/// Philox4x32 with ten rounds (Salmon et al., "Parallel random numbers: as easy as 1, 2, 3", SC11,
/// 2011): a bijection of a 128-bit counter under a 64-bit key.
std::array<std::uint32_t, 4> philox(std::array<std::uint32_t, 4> counter,
                                    std::array<std::uint32_t, 2> key);

/// The purpose of a random number. Each purpose has a sequence of its own.
enum class RandomStream : std::uint32_t {
    Speckle,
    Disk,
    Wall,
    Blood,
    Noise,
    OctTissue,
    OctBlood,
    OctSurface,
    OctPixels,
    OctNoise,
    Screen,
    Bubbles,
    OctTails
};

/// Four independent numbers for each place (stream, a, b, c) under a seed.
class CounterRandom {
public:
    CounterRandom(std::uint64_t seed, RandomStream stream);

    /// Uniform in (0, 1), never 0 or 1.
    std::array<double, 4> uniform(std::uint32_t a, std::uint32_t b = 0, std::uint32_t c = 0) const;
    /// Normal with mean 0 and standard deviation 1, by Box and Muller's transform.
    std::array<double, 4> normal(std::uint32_t a, std::uint32_t b = 0, std::uint32_t c = 0) const;

private:
    std::array<std::uint32_t, 2> m_key;
    std::uint32_t m_stream;
};

/// z1 = sqrt(-2 ln u1) cos(2 pi u2), z2 likewise with sin, for u1 and u2 in (0, 1).
std::array<double, 2> boxMuller(double u1, double u2);

} // namespace echolux
