// SPDX-License-Identifier: GPL-3.0-or-later
// Tables of the OCT stages: resampling curves and their weights, windows, dispersion, and
// corrections of the inverse transform. They are computed on the host whenever a parameter changes.
// n is the number of samples of a line; M >= n is the number of grid points of the inverse
// transform. k is the position on a line of n samples with equal steps in wavenumber; grid point g
// is at k = g n / M.
#pragma once

#include "gpu/core/complex.hpp"
#include "gpu/core/frame_spec.hpp"

#include <array>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace echolux::oct {

/// A frame as lines along its last axis.
struct Lines {
    std::int64_t count = 1;
    std::int64_t length = 1; ///< n
    std::int64_t grid = 1;   ///< M
};
Lines linesOf(const FrameSpec& spec);

/// The k of each sample of a line.
std::vector<double> positionsOf(const FrameSpec& spectra);
/// The k of `points` samples with equal steps that span `samples` steps.
std::vector<double> evenPositions(std::int64_t points, std::int64_t samples);

/// Source position r(m), m = 0 .. n - 1, of the sample with number m on a grid equally spaced in
/// wavenumber: r(m) = c0 + (n - 1 + c1) u + c2 u^2 + c3 u^3, u = m / (n - 1). All zero is the
/// identity. Steps are limited to 0.1 to 4 samples, so that every setting of the four sliders gives
/// a rising curve.
std::vector<double> polynomialCurve(std::int64_t samples, const std::array<double, 4>& c);

/// Throws Error that names `owner` where `curve` is no resampling curve for lines of `samples`
/// samples: it has another length, is not finite or not strictly monotonic, or has steps beyond 16
/// samples.
void checkCurve(std::string_view owner, const std::vector<double>& curve, std::int64_t samples);

/// out[g] = sum over t < taps of weights[t * points + g] * in[first[g] + t]. All positions are
/// inside the line: 0 <= first[g] <= n - taps.
struct GatherTable {
    std::int64_t points = 0; ///< M
    std::int64_t taps = 0;
    std::vector<std::int32_t> first;
    std::vector<float> weights;
};

enum class Interpolation { Linear, Cubic, Lanczos };

/// Interpolates at curve[m] clamped to the line; samples beyond its ends repeat the last one.
/// Cubic: Catmull-Rom. Lanczos: sinc(x) sinc(x / lobes), |x| < lobes (3 or 4), weights scaled to
/// sum 1.
GatherTable interpolationTable(Interpolation method, std::int64_t lobes,
                               const std::vector<double>& curve);

/// The low frequencies of a recorded background (Tschupp 2019, 4.1.1): the means of `points` equal
/// parts of it, with straight lines between their middles. Noise of the capture is averaged; what
/// changes faster than a part stays in the spectra. 0 points, or as many as samples: `background`.
std::vector<float> condensedBackground(const std::vector<float>& background, std::int64_t points);

/// Kaiser-Bessel kernel for gridding, in grid points:
/// K(u) = I0(beta sqrt(1 - (2 u / width)^2)) / I0(beta), |u| <= width / 2, with Beatty's beta
/// (Beatty, Nishimura, Pauly 2005) for the oversampling M / n.
struct Kernel {
    std::int64_t width = 0; ///< 2 to 8
    double beta = 0.0;

    double at(double u) const;
    /// Transform of K at f cycles per grid point, relative to its value at 0.
    double taper(double f) const;
    double area() const; ///< integral of K over u
};
Kernel kaiserBessel(std::int64_t width, std::int64_t samples, std::int64_t points);

/// kappa(p), p = 0 .. n - 1: the k of raw sample p, the inverse of `curve`. Straight lines between
/// the curve's points and beyond its ends.
std::vector<double> inverseCurve(const std::vector<double>& curve);

/// Width in k that sample p represents: half the distance between its neighbours. It is bounded, so
/// that no sample dominates where a recorded curve hardly moves.
double densityWeight(const std::vector<double>& positions, std::size_t p);

/// NUFFT gridding: grid point g is the sum over p of w(p) x[p] K(kappa(p) M / n - g). kappa(p) is
/// `positions`, and w(p) is densityWeight(), so that dense samples do not count twice. The result
/// is scaled so that the grid has the values of the spectrum. The kernel does not wrap from one end
/// of the grid to the other. So the outermost grid points lose half of the value that the window
/// leaves.
GatherTable griddingTable(const std::vector<double>& positions, std::int64_t points,
                          const Kernel& kernel);
/// Taps of griddingTable(), without computing it.
std::int64_t griddingTaps(const std::vector<double>& positions, std::int64_t points,
                          const Kernel& kernel);
/// Taps that the inverse of any polynomialCurve() may need.
std::int64_t mostGriddingTaps(std::int64_t samples, std::int64_t points, const Kernel& kernel);

/// The grid for lines of `samples` samples at the requested oversampling. It is the next length of
/// oct::kKernelGrids where that is at most a third longer than requested or at most twice the line;
/// else the next length that FFTs are fast with. Without oversampling it is the line's own length.
std::int64_t gridPoints(std::int64_t samples, double oversampling);

enum class WindowShape { Hann, Hamming, Tukey, Gauss, Blackman, Rectangular };
struct WindowParams {
    WindowShape shape = WindowShape::Hann;
    double centre = 0.5;      ///< fraction of the line
    double fill = 1.0;        ///< width as a fraction of the line
    double tukeyTaper = 0.5;  ///< tapered fraction
    double gaussSigma = 0.25; ///< as a fraction of the width
};
/// h(t), t = (k / (n - 1) - centre) / fill + 1/2 from 0 to 1, 0 outside (with a tolerance of half a
/// sample), at each k of `positions` on lines of n = `samples`.
std::vector<float> windowTable(const std::vector<double>& positions, std::int64_t samples,
                               const WindowParams& params);
/// Mean over wavenumber of `window`, whose values are at `positions`, weighted by densityWeight().
double windowMean(const std::vector<float>& window, const std::vector<double>& positions);

/// Dispersion phase phi(k) in rad at each k of `positions` on lines of n = `samples`: the sum of
/// c_i x^(i + 1) over the terms c_1, c_2, ..., with x = -k / (2 (n - 1)). `recorded` (n values, or
/// empty) is interpolated at k and added.
std::vector<double> dispersionPhase(const std::vector<double>& positions, std::int64_t samples,
                                    std::span<const double> terms,
                                    const std::vector<double>& recorded);
/// phi' in the middle of the line with respect to q = k / (n - 1), in rad. It moves the image by
/// -phi' / (2 pi) bins. For a recorded phase it is the mean over the middle tenth.
double middleSlope(std::span<const double> terms, const std::vector<double>& recorded);
std::vector<Complex> phasors(const std::vector<double>& phase);

/// The bins of the inverse transform and of its output. Bin z is the depth z * spacing; the first
/// one is 0, or half the bins before 0.
struct DepthGrid {
    std::int64_t transform = 1; ///< FFT length, M * padding
    std::int64_t depths = 1;    ///< kept bins
    std::int64_t firstBin = 0;  ///< 0, or -(n * padding / 2) for the full range
};
DepthGrid depthGrid(const Lines& lines, std::int64_t padding, bool full);

/// Factor per kept bin: 2 / (M taper(z)). Together with 1 / windowMean it makes |X| = A for a
/// fringe A cos(2 pi z k / n + phase), for any number of samples, padding and window. (At z = 0,
/// and at n / 2, where the two halves of the spectrum meet, |X| = 2 A.)
std::vector<float> depthScale(const Lines& lines, const SpectralGrid& grid, const DepthGrid& depth);

/// Depth in metres per bin of the unpadded transform: pi / (index n dk). The wavenumber step is
/// dk = 2 pi (1 / shortest wavelength - 1 / longest wavelength) / (n - 1). 0 where centre or
/// bandwidth is unknown (0) or absurd.
double depthSpacingM(std::int64_t samples, double centreWavelengthM, double bandwidthM,
                     double refractiveIndex);

} // namespace echolux::oct
