// SPDX-License-Identifier: GPL-3.0-or-later
// The estimate on the host with its steps: for files, for display, and as the reference of the
// stage `aberration`.
#pragma once

#include "gpu/aberration/aberration_params.hpp"
#include "gpu/aberration/aligned_bins.hpp"
#include "gpu/aberration/element_grid.hpp"
#include "gpu/core/complex.hpp"
#include "gpu/core/frame_spec.hpp"

#include <array>
#include <cstddef>
#include <functional>
#include <span>
#include <vector>

namespace echolux::aberration {

/// Focused channels at a few frequencies.
struct Spectra {
    ElementGrid grid;
    std::int32_t points = 0;
    std::vector<double> binsHz = {}; ///< frequencies of the sound, also for IQ data
    double independentBins = 1.0;    ///< effective number of independent bins
    std::vector<Complex> values =
        {}; ///< [place of the grid][point][bin]; 0 where there is no element
};

/// Focuses channel data [transmit][channel][sample], f32 or complex, in host memory. Throws Error
/// where the region or the gate has no samples.
Spectra focusedSpectra(const FrameSpec& input, const void* samples, const FocusParams& params);

/// Spectra of aligned channels, which count as one point. `samples` are [place][sample]; `bins` are
/// those of a transform over all samples without a taper. Throws Error where the number of samples
/// is wrong, and where the bins are not within the transform.
Spectra spectraOfAligned(const ElementGrid& grid, std::span<const float> samples,
                         std::size_t samplesPerChannel, double samplingFrequencyHz,
                         const BinRange& bins);

/// Scales spectra to the usual magnitude, as the stage `aberration` does for iterated methods.
/// Spectra of cubes keep their published scale.
void toUsualScale(Spectra& spectra);

/// A filter, per element of the array.
struct Filter {
    std::vector<double> delayS;    ///< how much later the element's echoes come than without a
                                   ///< screen
    std::vector<double> amplitude; ///< relative to the mean of all
    std::vector<double> coherence; ///< coherence with the neighbours, 0 to 1
};

/// Herikstad's figures show the filter after these numbers of iterations.
inline constexpr std::array<int, 8> kShownIterations{1, 2, 4, 7, 10, 14, 18, 21};

/// Iterations after which Herikstad's program ended, by its epsilon (2009, 5.2.1).
struct PublishedEnd {
    double epsilon;
    int iterations;
};
inline constexpr std::array<PublishedEnd, 3> kPublishedEnds{{{0.01, 21}, {0.05, 8}, {0.1, 3}}};

/// The filter after one iteration, and its difference from the one before.
struct Step {
    std::vector<Complex> filter;     ///< S per place: exp(-2 pi j f delay) times its amplitude
    double change = 0.0;             ///< norm of the complex change divided by the norm of the
                                     ///< filter
    double changeOfMagnitudes = 0.0; ///< Herikstad's |mean(|S_old| / |S_new|) - 1|
};

struct Estimate {
    Filter filter;
    bool valid = false;     ///< the filter is to be applied: it is coherent enough and improves the
                            ///< focus
    bool coherent = false;  ///< coherent enough for an estimate
    double coherence = 0.0; ///< mean coherence of neighbours
    double centreHz = 0.0;  ///< mean frequency of the echoes, by power
    /// Focusing criterion: |sum_k Y_k|^2 / (elements sum_k |Y_k|^2), 0 to 1, of the weighted
    /// points, without and with the filter.
    double focusBefore = 0.0;
    double focusAfter = 0.0;
    double sharpnessBefore = 0.0; ///< sum I^2 / (sum I)^2 over the points, with I the intensity of
                                  ///< the beam sum
    double sharpnessAfter = 0.0;
    std::int64_t iterations = 0;
    std::int64_t age = 0;         ///< frames since it was made, for an estimate of the stage
    std::vector<Step> steps = {}; ///< all steps, where requested
};

/// Fills `estimate` from figures in the order of enum Figure.
void takeFigures(Estimate& estimate, std::span<const float> figures);

/// `start` is the S of the previous frame, per place; empty: 1. Throws Error where the number of
/// spectra contradicts their sizes.
Estimate estimate(const Spectra& spectra, const SolveParams& params, bool wantSteps = false,
                  std::span<const Complex> start = {});

} // namespace echolux::aberration
