// SPDX-License-Identifier: GPL-3.0-or-later
// How well bubbles are localised and tracked, where their true places are known (Heiles et al.,
// Performance benchmarking of microbubble-localization algorithms for ultrasound localization
// microscopy, Nat. Biomed. Eng. 6, 2022).
#pragma once

#include <span>

namespace echolux {

/// In m and m/s.
struct BubbleState {
    double depth = 0.0;
    double lateral = 0.0;
    double depthSpeed = 0.0;
    double lateralSpeed = 0.0;
};

/// Sums over frames. In each frame listed and true bubbles are paired one to one, within a largest
/// distance, so that the sum of the squared distances is least. Pairs are true positives; other
/// listed bubbles are false positives, other true ones false negatives.
class BubbleScores {
public:
    /// `withinM` is the largest distance; in the paper a quarter of a wavelength.
    void add(std::span<const BubbleState> listed, std::span<const BubbleState> truth,
             double withinM);

    double truePositives() const { return m_paired; }
    double falsePositives() const { return m_listed - m_paired; }
    double falseNegatives() const { return m_true - m_paired; }
    double precision() const { return m_paired / m_listed; } ///< NaN: none is listed
    double recall() const { return m_paired / m_true; }      ///< NaN: there is none
    /// TP / (TP + FN + FP)
    double jaccard() const { return m_paired / (m_listed + m_true - m_paired); }
    // Root mean squares of the errors of pairs; NaN: there is no pair.
    double axialRmseM() const;
    double lateralRmseM() const;
    double speedRmseMps() const; ///< of the velocity vector

private:
    double m_listed = 0.0;
    double m_true = 0.0;
    double m_paired = 0.0;
    double m_axialSquares = 0.0;
    double m_lateralSquares = 0.0;
    double m_speedSquares = 0.0;
};

} // namespace echolux
