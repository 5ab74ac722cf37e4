// SPDX-License-Identifier: GPL-3.0-or-later
// Which pairs are refused, and what the sentence holds.
#pragma once

#include "app/pairs/pairs.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace echolux::pairs {

/// The key phrase of the refusal that is expected of a pair; empty where it runs.
std::optional<std::string_view> expectedRefusal(const Pair& pair);

} // namespace echolux::pairs
