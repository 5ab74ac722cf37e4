// SPDX-License-Identifier: GPL-3.0-or-later
// The acquisition in words, for recording_facts: which elements send which waves, and which
// elements the channels hear.
#pragma once

#include "app/dataset/recording/aberration_truth.hpp"
#include "gpu/core/acquisition.hpp"

#include <cstdint>
#include <string>

namespace echolux {

std::string describeTransmits(const Acquisition& acquisition);
/// "32 of 128 elements fire", where the recording tells which elements fire.
std::string describeFiring(const Acquisition& acquisition);
/// "32 channels hear elements 0 to 31 first, 96 to 127 last", where channels are not simply the
/// elements.
std::string describeHearing(const Acquisition& acquisition, std::int64_t channels);
/// "at 50 ranges, 0 to 49 mm", where the recording has a table of weights over range.
std::string describeRangeWeights(const RangeWeights& weights, std::int64_t channels);
/// "delays of 50 ns rms, -120 to 95 ns; 1/e correlation over 3.1 mm along x; ..."
std::string describeAberration(const AberrationTruth& truth, const Probe& probe);
std::string describeFirstSample(const Acquisition& acquisition);

/// Where the origin of the coordinates lies at a row of elements, "in the middle of the array",
/// "3.12 mm below the middle of the array"; empty for arrays with their middle at the origin that
/// are not curved, and for arrays that are no row.
std::string describeOrigin(const Probe& probe);

} // namespace echolux
