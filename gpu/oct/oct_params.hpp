// SPDX-License-Identifier: GPL-3.0-or-later
// Parameters of OCT stages that fusions and plots read besides the stage itself, and values derived
// from them.
#pragma once

#include "gpu/exec/exec.hpp"
#include "gpu/oct/oct_tables.hpp"
#include "gpu/stage/shown_stage.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace echolux::oct {

/// The number of a frame's first lines to use: `wanted`, or all of them where `wanted` is 0 or
/// greater than `all`.
std::int64_t firstLines(std::int64_t wanted, std::int64_t all);

struct SpectrumToFloatParams {
    std::int64_t shift = 0;
};

enum class BackgroundSource { Recording, FrameMean, None };
struct BackgroundParams {
    BackgroundSource source = BackgroundSource::None;
    std::int64_t lines = 0; ///< first lines that the mean is taken of; 0 = all of the frame
    double strength = 1.0;
    std::int64_t points = 0; ///< see condensedBackground()
};

enum class DcMethod { MovingAverage, FourierBins };
struct DcRemovalMovingParams {
    DcMethod method = DcMethod::MovingAverage;
    std::int64_t window = 25;
    std::int64_t bins = 15;
};

enum class ResamplingMethod { Nufft, Linear, Cubic, Lanczos };
enum class ResamplingCurve { Recording, Polynomial };
struct KLinearizeParams {
    ResamplingMethod method = ResamplingMethod::Nufft;
    std::int64_t kernelWidth = 4;
    double oversampling = 2.0;
    std::int64_t lobes = 3;
    ResamplingCurve curve = ResamplingCurve::Polynomial;
    double c0 = 0.0;
    double c1 = 0.0;
    double c2 = 0.0;
    double c3 = 0.0;
    std::int64_t lineLength = 0; ///< samples of the lines that c0 to c3 are given for; 0: any

    /// c0 to c3 for lines of `samples` samples: as they are where lineLength is 0, otherwise scaled
    /// by (samples - 1) / (lineLength - 1), so that the curve keeps its shape.
    std::array<double, 4> coefficientsFor(std::int64_t samples) const;
};
/// Position in the lines of `input` of each sample of a line with equal steps in wavenumber.
std::vector<double> resamplingCurve(const FrameSpec& input, const KLinearizeParams& params);
/// The spectral grid that k_linearize writes into its output for lines of `input`.
SpectralGrid spectralGridOf(const FrameSpec& input, const KLinearizeParams& params);
/// Weights that resample lines of `input` to equal steps, or to the grid of `output` as k_linearize
/// planned it.
GatherTable gatherTable(const FrameSpec& input, const FrameSpec& output,
                        const KLinearizeParams& params);
/// Most taps that gatherTable() may need for any live parameters.
std::int64_t mostTaps(const FrameSpec& output, const KLinearizeParams& params);
/// Weights that bring spectra to their grid. Precondition: they have a grid.
GatherTable griddingTable(const FrameSpec& spectra);
/// Brings `line` to the grid by that table, for plots of lines between the stages.
std::vector<float> onGrid(const GatherTable& table, std::span<const float> line);

enum class DispersionTermCount { Three, Eight };
struct DispersionParams {
    DispersionTermCount terms = DispersionTermCount::Three;
    double c1 = 0.0;
    double c2 = 0.0;
    double c3 = 0.0;
    double c4 = 0.0;
    double c5 = 0.0;
    double c6 = 0.0;
    double c7 = 0.0;
    double c8 = 0.0;
    bool keepDepth = false;
    bool useRecorded = false;

    /// c1 to c8; 0 for those beyond the terms in use.
    std::array<double, 8> inUse() const;
    /// True where a term beyond c3 is in use and not 0.
    bool hasHigherTerms() const;
    /// The recorded phase that is used: n values, or none.
    const std::vector<double>& recordedIn(const FrameSpec& spectra) const;
};
/// phi in rad at each k of `positions` on lines of n = `samples`, see dispersionPhase(); with
/// keepDepth, minus the straight line that has the slope of phi in the middle.
std::vector<double> phaseOf(const DispersionParams& params, const std::vector<double>& recorded,
                            const std::vector<double>& positions, std::int64_t samples);
/// exp(+j phi) at every sample of the lines of `input`.
std::vector<Complex> dispersionPhasors(const FrameSpec& input, const DispersionParams& params);
/// The slope of phi in the middle, see middleSlope(); 0 with keepDepth.
double slopeOf(const DispersionParams& params, const std::vector<double>& recorded);

enum class Padding { None, Twice, FourTimes };
enum class DepthRange { Half, Full };
struct InverseFftParams {
    Padding padding = Padding::None;
    DepthRange range = DepthRange::Half;
    double centreWavelengthM = 0.0;
    double bandwidthM = 0.0;
    double refractiveIndex = 1.0;
};
/// The factor 1 / windowMean, which restores the amplitudes that the window lowered. It is bounded,
/// so a window that is 0 everywhere still gives 0.
float windowGain(const FrameSpec& spectra);

enum class PatternMethod { Mean, MinimumVariance };
struct FixedPatternParams {
    PatternMethod method = PatternMethod::MinimumVariance;
    std::int64_t lines = 0; ///< 0 = all of the frame
    std::int64_t segments = 10;
};
std::size_t patternScratchBytes(std::int64_t depths);
/// Enqueues the estimate of the fixed pattern, [depth], from `lines` A-scans, [line][depth].
void enqueuePattern(const Exec& exec, const Complex* in, std::int64_t lines, std::int64_t depths,
                    const FixedPatternParams& params, void* scratch, Complex* pattern);

enum class Flip { None, Odd, Even, All };
struct ScanCorrectionParams {
    Flip flip = Flip::None;
    bool unwarp = false;
    double arc = 1.0;
};

enum class MagnitudeScale { Decibels, Linear };
/// Display limits. The defaults come from the recording where its levels are known. With detectors
/// of 12 to 16 bit the noise of an A-scan is near -10 dB and bright layers are near 30 dB. Limits
/// of another program must be converted by its reference: unscaled transforms are 20 log10(n
/// mean(h) / 2) higher.
struct MagnitudeLogParams {
    MagnitudeScale scale = MagnitudeScale::Decibels;
    double minDb = -8.0;
    double maxDb = 32.0;
};
struct Limits {
    double low;
    double high;
};
/// Where the maximum is below the minimum, it counts as 1 dB above it. (Two sliders allow that.)
Limits limitsDb(const MagnitudeLogParams& params);

/// A few hundred of the values, over the one that has no effect.
StageCurve lineCurve(const std::vector<double>& values, double neutral, std::string yLabel);

/// The same of values that have no effect at 0, with limits that are at least 1 apart.
StageCurve curveAroundZero(const std::vector<double>& values, std::string yLabel);

} // namespace echolux::oct
