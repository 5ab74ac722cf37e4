// SPDX-License-Identifier: GPL-3.0-or-later
// Checks of the simulators' options. A refusal is one sentence.
#pragma once

#include <cstdint>

namespace echolux {

/// Largest frame that a simulator makes.
inline constexpr std::int64_t kMaxFrameSamples = std::int64_t{1} << 28;

/// Throws Error unless least <= shown <= most; NaN is refused. `shown` is the value in the option's
/// unit.
void checkRange(const char* option, const char* unit, double shown, double least, double most);

/// Throws Error that names "--fs" where the sampling frequency is out of range, or below twice the
/// highest frequency of a pulse of `fractionalBandwidth` = bandwidth / centre frequency. Hz.
void checkSampling(double samplingHz, double centreFrequencyHz, double fractionalBandwidth);

} // namespace echolux
