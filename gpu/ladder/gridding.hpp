// SPDX-License-Identifier: GPL-3.0-or-later
// Kernels of Tschupp 2019 that the document weighs against one another: gridding by output or by
// input (section 2.3.4), and factors from tables or computed where they are needed (2.3.6).
#pragma once

#include "gpu/core/complex.hpp"
#include "gpu/exec/exec.hpp"
#include "gpu/memory/buffer.hpp"

#include <array>
#include <cstdint>
#include <vector>

namespace echolux::ladder {

/// How gridding is parted among threads. By output: a thread sums the samples near its grid point.
/// By input: a thread adds its sample to the grid points near it; on CUDA by atomic additions in
/// shared memory, one block per line.
enum class GridBy { Output, Input };

/// Where a kernel takes its factors from.
enum class Factors { Table, Computed };

/// out[g] = sum over p of weights[p] in[p] K(places[p] - g), g = 0 .. points - 1, with the
/// Kaiser-Bessel kernel K(u) = I0(beta sqrt(1 - (2 u / width)^2)) / I0(beta), |u| <= width / 2.
struct GridProblem {
    std::int64_t points = 0;
    int width = 4; ///< grid points, 2 to 8
    double beta = 0.0;
    std::vector<double> places;  ///< of each sample, in grid points; rising
    std::vector<double> weights; ///< of each sample
};

constexpr std::int64_t kMostGridPoints = 12288; ///< of one line; shared memory holds no more

/// The tables of a problem in compute memory.
class Gridding {
public:
    /// Copies the tables and waits for it. Throws std::logic_error for more than kMostGridPoints
    /// points, and for places that do not rise.
    Gridding(const Exec& exec, const GridProblem& problem);

    /// Enqueues all lines. `in` is [lines][samples], `out` [lines][points], in compute memory.
    void run(const Exec& exec, GridBy by, Factors factors, std::int64_t lines, const float* in,
             float* out) const;
    /// Bytes of the tables that `run` reads with these arguments.
    std::size_t tableBytes(GridBy by, Factors factors) const;

private:
    std::int64_t m_samples;
    std::int64_t m_points;
    int m_width;
    float m_beta;
    int m_taps;           ///< most samples near a grid point
    Buffer m_whole;       ///< [samples], int32: the grid point at or below a sample's place
    Buffer m_part;        ///< [samples], f32: the rest of the place, 0 to 1
    Buffer m_weights;     ///< [samples]
    Buffer m_firstSample; ///< [points], int32: the first of m_taps samples that may be near
    Buffer m_byOutput;    ///< [taps][points]
    Buffer m_byInput; ///< [width + 1][samples]: factors on the points from the lowest near one on
};

/// out[line][k] = in[line][k] h(k) exp(j phi(k)), with the Hann window
/// h = (1 - cos(2 pi k / (n - 1))) / 2 and phi = c1 x^2 + c2 x^3 + c3 x^4 in rad,
/// x = -k / (2 (n - 1)), k = 0 .. n - 1.
class WindowAndPhase {
public:
    WindowAndPhase(const Exec& exec, std::int64_t samples, const std::array<double, 3>& terms);
    void run(const Exec& exec, Factors factors, std::int64_t lines, const float* in,
             Complex* out) const;

private:
    std::int64_t m_samples;
    std::array<float, 3> m_terms;
    Buffer m_window; ///< [samples]
    Buffer m_phasor; ///< [samples], complex
};

} // namespace echolux::ladder
