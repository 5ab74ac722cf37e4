// SPDX-License-Identifier: GPL-3.0-or-later
// The true screen that an estimate of aberration should find, where it is known.
#pragma once

#include "app/dataset/recording/aberration_truth.hpp"
#include "app/pipeline/snapshot.hpp"

#include <optional>

namespace echolux {

/// The sum of all screens that stages on the way to `last` put before the array. Empty where there
/// are none.
std::optional<AberrationTruth> screensBefore(const Snapshot& snapshot, Source last);

/// `put` and the screen of the recording, one behind the other. `recorded` is null where the
/// recording's screen is unknown.
std::optional<AberrationTruth> knownScreen(const std::optional<AberrationTruth>& put,
                                           const AberrationTruth* recorded);

} // namespace echolux
