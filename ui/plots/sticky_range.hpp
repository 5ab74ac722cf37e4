// SPDX-License-Identifier: GPL-3.0-or-later
// An axis range that follows its data without jumping each frame: it grows at once to a round
// number, and shrinks only after the data have stayed well inside for a while.
#pragma once

namespace echolux {

class StickyRange {
public:
    /// `patience`: updates that the data must stay below half of the range before it shrinks.
    explicit StickyRange(int patience = 60) : m_patience(patience) {}
    /// Takes in the largest magnitude of the new data and returns the limit to show, 1, 2 or 5
    /// times a power of ten. Not finite or not positive magnitudes leave it as it is.
    double update(double magnitude);
    /// The same for data that stand still: the limit shrinks at once, too.
    double fit(double magnitude);
    double limit() const { return m_limit; }
    void reset();

private:
    int m_patience;
    int m_calm = 0;
    double m_largestCalm = 0.0;
    double m_limit = 0.0;
};

/// Smallest of 1, 2, 5 times a power of ten that is at least `value` (> 0).
double roundUp(double value);

} // namespace echolux
