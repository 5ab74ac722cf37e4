// SPDX-License-Identifier: GPL-3.0-or-later
// A curve of the latest seconds. Its times are relative to now, so the axis stays and the curve
// moves.
#pragma once

#include <qcustomplot.h>

#include <algorithm>

namespace echolux {

/// Moves the points back by `passedS` (not by less than 0) and forgets those older than `keptS`.
inline void slideCurve(QCPGraph& curve, double passedS, double keptS) {
    const auto samples = curve.data();
    for (auto each = samples->begin(); each != samples->end(); ++each)
        each->key -= std::max(0.0, passedS);
    samples->removeBefore(-keptS);
}

} // namespace echolux
