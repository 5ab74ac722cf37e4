// SPDX-License-Identifier: GPL-3.0-or-later
// The parameters of a live source, set by one thread and read by another.
#pragma once

#include "app/live/live_source.hpp"

#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace echolux {

/// Any thread.
class LiveParameters {
public:
    explicit LiveParameters(std::vector<LiveParameter> list) : m_list(std::move(list)) {}

    std::vector<LiveParameter> list() const;
    /// Limits the value to its range, and returns what it is now. Null for an unknown key, and for
    /// a value that is not finite: then nothing changes.
    std::optional<double> set(std::string_view key, double value);
    double value(std::string_view key) const; ///< precondition: the key is in the list

private:
    mutable std::mutex m_mutex;
    std::vector<LiveParameter> m_list;
};

} // namespace echolux
