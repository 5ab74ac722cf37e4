// SPDX-License-Identifier: GPL-3.0-or-later
// An estimate on the host, step by step: for files, for looking at, and as the reference of the
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

/// Focused channels in few frequencies.
struct Spectra {
    ElementGrid grid;
    std::int32_t points = 0;
    std::vector<double> binsHz = {}; ///< as emitted, also of IQ data
    double independentBins = 1.0;    ///< as many tell as much of noise as all bins do
    std::vector<Complex> values =
        {}; ///< [place of the grid][point][bin]; 0 where there is no element
};

/// Of channel data [transmit][channel][sample], f32 or complex, in host memory. Throws Error where
/// the region or the gate has no samples.
Spectra focusedSpectra(const FrameSpec& input, const void* samples, const FocusParams& params);

/// Channels that were aligned before: one point. `samples` [place][sample], `bins` of a transform
/// over all of them, without a taper. Throws Error where there are not as many samples, and where
/// the bins do not lie within the transform.
Spectra spectraOfAligned(const ElementGrid& grid, std::span<const float> samples,
                         std::size_t samplesPerChannel, double samplingFrequencyHz,
                         const BinRange& bins);

/// As the stage `aberration` gives them to methods that iterate: of the usual magnitude. Cubes keep
/// theirs, which was published.
void toUsualScale(Spectra& spectra);

/// Per element of the array.
struct Filter {
    std::vector<double> delayS;    ///< how much later than without a screen its echoes come
    std::vector<double> amplitude; ///< against the mean of all
    std::vector<double> coherence; ///< with its neighbours, 0 to 1
};

/// Herikstad's figures show the filter after so many iterations.
inline constexpr std::array<int, 8> kShownIterations{1, 2, 4, 7, 10, 14, 18, 21};

/// One filter of an iteration, and how far it is from the one before.
struct Step {
    std::vector<Complex> filter;     ///< S per place: exp(-2 pi j f delay) times its amplitude
    double change = 0.0;             ///< norm of the complex change over the norm
    double changeOfMagnitudes = 0.0; ///< Herikstad's |mean(|S_old| / |S_new|) - 1|
};

struct Estimate {
    Filter filter;
    bool valid = false;     ///< to be applied: coherent enough, and in better focus with it
    bool coherent = false;  ///< enough for an estimate
    double coherence = 0.0; ///< mean of neighbours
    double centreHz = 0.0;  ///< mean frequency of the echoes, by power
    /// Focusing criterion: |sum_k Y_k|^2 / (elements sum_k |Y_k|^2), 0 to 1, of the points as
    /// they weigh, without and with the filter.
    double focusBefore = 0.0;
    double focusAfter = 0.0;
    double sharpnessBefore = 0.0; ///< of the beam sums over the points: sum I^2 / (sum I)^2
    double sharpnessAfter = 0.0;
    std::int64_t iterations = 0;
    std::int64_t age = 0;         ///< frames since it was made, of a stage's
    std::vector<Step> steps = {}; ///< where wanted: all of them
};

/// From figures as enum Figure numbers them.
void takeFigures(Estimate& estimate, std::span<const float> figures);

/// `start`: S of the frame before, per place; empty: 1. Throws Error where `spectra` are not as
/// many as they say.
Estimate estimate(const Spectra& spectra, const SolveParams& params, bool wantSteps = false,
                  std::span<const Complex> start = {});

} // namespace echolux::aberration
