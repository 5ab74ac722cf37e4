// SPDX-License-Identifier: GPL-3.0-or-later
// What there is to find for an estimate of aberration, where anybody knows it.
#pragma once

#include "app/dataset/recording/aberration_truth.hpp"
#include "app/pipeline/snapshot.hpp"

#include <optional>

namespace echolux {

/// All that `aberrating_screen` stages on the way to `last` put before the array; nothing where
/// there is none.
std::optional<AberrationTruth> screensBefore(const Snapshot& snapshot, Source last);

/// `put` and the screen of the recording (null: nobody knows it), one behind the other.
std::optional<AberrationTruth> knownScreen(const std::optional<AberrationTruth>& put,
                                           const AberrationTruth* recorded);

} // namespace echolux
