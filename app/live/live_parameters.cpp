// SPDX-License-Identifier: GPL-3.0-or-later
// A list behind a lock.
#include "app/live/live_parameters.hpp"

#include <algorithm>
#include <cmath>

namespace echolux {

std::vector<LiveParameter> LiveParameters::list() const {
    const std::lock_guard lock(m_mutex);
    return m_list;
}

std::optional<double> LiveParameters::set(std::string_view key, double value) {
    const std::lock_guard lock(m_mutex);
    const auto found = std::ranges::find(m_list, key, &LiveParameter::key);
    if (found == m_list.end() || !std::isfinite(value)) return std::nullopt;
    found->value = std::clamp(value, found->min, found->max);
    return found->value;
}

double LiveParameters::value(std::string_view key) const {
    const std::lock_guard lock(m_mutex);
    return std::ranges::find(m_list, key, &LiveParameter::key)->value;
}

} // namespace echolux
