// SPDX-License-Identifier: GPL-3.0-or-later
// What the dock "Aberration" is given: plain values, in the units that it shows.
#pragma once

#include <QString>
#include <QVector>

#include <cstddef>
#include <memory>
#include <optional>
#include <vector>

namespace echolux {

/// One number per place of an array, [row][column]; NaN where there is no element, or no number.
struct ElementValues {
    int rows = 1; ///< 1: a line of elements, drawn as a curve
    int columns = 0;
    std::vector<double> values = {};

    bool empty() const { return values.empty(); }
    bool isLine() const { return rows == 1; }
    bool operator==(const ElementValues&) const = default;
};

/// A screen as it stands, and less its mean and its plane, which move an image and do not blur it.
struct ScreenValues {
    ElementValues delayNs;
    ElementValues levelDelayNs;
    ElementValues amplitudeDb;
};

struct IterationStep {
    int number = 0; ///< from 1
    ScreenValues screen;
    double change = 0.0;             ///< norm of the complex change over the norm
    double changeOfMagnitudes = 0.0; ///< Herikstad's
};

/// Signals of the channels in the bins of the estimate, focused on one place: a wave that is flat
/// has been corrected. [channel][row]; row 0 at startUs from the focus.
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
    QVector<double> levelDb; ///< mean power of the channels, below its own peak
    QVector<double> binsMhz; ///< that the estimate is made from
};

/// One estimate of one frame.
struct AberrationValues {
    ScreenValues found;
    std::optional<ScreenValues> truth; ///< where the recording knows it
    ElementValues coherence;           ///< with the neighbours, 0 to 1
    AlignedSignals aligned;
    ChannelSpectrum spectrum;
    std::shared_ptr<const std::vector<IterationStep>> steps; ///< never null

    bool valid = false;    ///< to be applied: coherent enough, and in better focus with it
    bool coherent = false; ///< enough for an estimate
    double meanCoherence = 0.0;
    double rmsDelayNs = 0.0; ///< of the level delays
    double focusBefore = 0.0;
    double focusAfter = 0.0;
    double sharpnessBefore = 0.0;
    double sharpnessAfter = 0.0;
    std::optional<double> widthBeforeMm; ///< -6 dB, across the brightest point of the region
    std::optional<double> widthAfterMm;
    std::optional<double> residualNs; ///< rms against the truth, less mean and plane
    std::optional<double> residualDb; ///< the same of amplitudes, less their mean
    QString text;                     ///< what was estimated how, for title lines
};

/// How the image shows the correction.
enum class Correction { Off, On, Split, Blink };

} // namespace echolux
