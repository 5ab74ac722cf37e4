// SPDX-License-Identifier: GPL-3.0-or-later
// Hysteresis of axis ranges.
#include "ui/plots/sticky_range.hpp"

#include <algorithm>
#include <cmath>

namespace echolux {

double roundUp(double value) {
    const double power = std::pow(10.0, std::floor(std::log10(value)));
    for (const double step : {1.0, 2.0, 5.0}) {
        if (value <= step * power * (1.0 + 1e-9)) return step * power;
    }
    return 10.0 * power;
}

double StickyRange::update(double magnitude) {
    if (!std::isfinite(magnitude) || magnitude <= 0.0) return m_limit;
    if (magnitude > m_limit) {
        m_limit = roundUp(magnitude);
        m_calm = 0;
        m_largestCalm = 0.0;
        return m_limit;
    }
    if (magnitude > 0.5 * m_limit) {
        m_calm = 0;
        m_largestCalm = 0.0;
        return m_limit;
    }
    m_largestCalm = std::max(m_largestCalm, magnitude);
    if (++m_calm >= m_patience) {
        m_limit = roundUp(m_largestCalm);
        m_calm = 0;
        m_largestCalm = 0.0;
    }
    return m_limit;
}

double StickyRange::fit(double magnitude) {
    if (std::isfinite(magnitude) && magnitude > 0.0) reset();
    return update(magnitude);
}

void StickyRange::reset() {
    m_limit = 0.0;
    m_calm = 0;
    m_largestCalm = 0.0;
}

} // namespace echolux
