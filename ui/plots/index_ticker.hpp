// SPDX-License-Identifier: GPL-3.0-or-later
// Ticks of an axis that shows indices.
#pragma once

#include "ui/plots/sticky_range.hpp"

#include <qcustomplot.h>

#include <algorithm>

namespace echolux {

/// No ticks between whole numbers.
class IndexTicker : public QCPAxisTicker {
protected:
    double getTickStep(const QCPRange& range) override {
        return std::max(1.0, roundUp(range.size() / (tickCount() + 1e-10)));
    }
    int getSubTickCount(double) override { return 0; }
};

} // namespace echolux
