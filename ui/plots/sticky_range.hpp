// SPDX-License-Identifier: GPL-3.0-or-later
// An axis limit that follows the data without jumping each frame. It grows at once to a round
// number, and shrinks only after the data have stayed well below it for a while.
#pragma once

namespace echolux {

class StickyRange {
public:
    /// `patience`: number of updates below half of the limit before it shrinks.
    explicit StickyRange(int patience = 60) : m_patience(patience) {}
    /// Takes the largest magnitude of the new data and returns the limit to show: 1, 2 or 5 times a
    /// power of ten. A magnitude that is not finite and positive does not change the limit.
    double update(double magnitude);
    /// The same for data of a frozen frame: the limit also shrinks at once.
    double fit(double magnitude);
    double limit() const { return m_limit; }
    void reset();

private:
    int m_patience;
    int m_calm = 0;
    double m_largestCalm = 0.0;
    double m_limit = 0.0;
};

/// Smallest of 1, 2 and 5 times a power of ten that is at least `value` (> 0).
double roundUp(double value);

} // namespace echolux
