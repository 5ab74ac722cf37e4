// SPDX-License-Identifier: GPL-3.0-or-later
// Values for the dock "Aberration": plain numbers in the units on screen.
#pragma once

#include <QString>
#include <QVector>

#include <cstddef>
#include <memory>
#include <optional>
#include <vector>

namespace echolux {

/// One number per place of an array, [row][column]; NaN where there is no element or no number.
struct ElementValues {
    int rows = 1; ///< 1: a line of elements, drawn as a curve
    int columns = 0;
    std::vector<double> values = {};

    bool empty() const { return values.empty(); }
    bool isLine() const { return rows == 1; }
    bool operator==(const ElementValues&) const = default;
};

/// A screen as estimated, and its delays without their mean and best plane (piston and tilt), which
/// move an image and do not blur it.
struct ScreenValues {
    ElementValues delayNs;
    ElementValues levelDelayNs;
    ElementValues amplitudeDb;
};

struct IterationStep {
    int number = 0; ///< from 1
    ScreenValues screen;
    double change = 0.0; ///< norm of the complex change divided by the norm of the filter
    double changeOfMagnitudes = 0.0; ///< |mean(|S_old| / |S_new|) - 1|, see aberration::Step
};

/// Signals of the channels in the frequency bins of the estimate, focused on one point. A flat
/// wavefront is corrected. [channel][row]; row 0 is at startUs relative to the focus.
struct AlignedSignals {
    int channels = 0;
    int rows = 0;
    double startUs = 0.0;
    double stepUs = 0.0;
    std::vector<float> before;
    std::vector<float> after;

    bool empty() const { return channels == 0 || rows == 0; }
};

struct ChannelSpectrum {
    QVector<double> frequencyMhz;
    QVector<double> levelDb; ///< mean power of the channels relative to its peak
    QVector<double> binsMhz; ///< frequencies of the estimate
};

/// One estimate of one frame.
struct AberrationValues {
    ScreenValues found;
    std::optional<ScreenValues> truth; ///< where the recording states it
    ElementValues coherence;           ///< with the neighbours, 0 to 1
    AlignedSignals aligned;
    ChannelSpectrum spectrum;
    std::shared_ptr<const std::vector<IterationStep>> steps; ///< never null
    bool published = false; ///< the method is one of Herikstad's programs, as published

    /// Coherent enough, and better focused with the correction: the filter is applied.
    bool valid = false;
    bool coherent = false; ///< coherent enough for an estimate
    double meanCoherence = 0.0;
    double rmsDelayNs = 0.0; ///< of levelDelayNs
    double focusBefore = 0.0;
    double focusAfter = 0.0;
    double sharpnessBefore = 0.0;
    double sharpnessAfter = 0.0;
    std::optional<double> widthBeforeMm; ///< -6 dB width of the brightest point of the region
    std::optional<double> widthAfterMm;
    std::optional<double> residualNs; ///< rms difference from the truth, without mean and plane
    std::optional<double> residualDb; ///< the same for amplitudes, without their mean
    QString text;                     ///< what was estimated and how, for title lines
};

/// Mean times per frame of the stages that estimate and correct, ms.
struct AberrationTimes {
    double estimateMs = 0.0;
    double correctionMs = 0.0; ///< of all stages that correct

    /// Time that one beam may take: 24 images/s of 250 beams (Herikstad 2009, 5.3.4).
    static constexpr double kBeamMs = 1e3 / (24.0 * 250.0);
    double sumMs() const { return estimateMs + correctionMs; }
};

/// Parts of one estimate, ms.
struct AberrationParts {
    double focusMs = 0.0;
    double sumsMs = 0.0; ///< beam sums and correlation of neighbours
    double solutionMs = 0.0;
    double endMs = 0.0;
};

/// How the image shows the correction.
enum class Correction { Off, On, Split, Blink };

} // namespace echolux
