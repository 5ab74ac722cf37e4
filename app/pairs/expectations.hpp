// SPDX-License-Identifier: GPL-3.0-or-later
// Which pairs are refused, what the sentence holds, and how far points may lie from their places.
#pragma once

#include "app/pairs/pairs.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace echolux::pairs {

/// The key phrase of the refusal that is expected of a pair; empty where it runs.
std::optional<std::string_view> expectedRefusal(const Pair& pair);

/// How far a point of a pipeline's image, or of a measurement, may lie from its place.
double tolerableOffsetM(const Acquired& acquired, std::string_view pipeline = {});

} // namespace echolux::pairs
