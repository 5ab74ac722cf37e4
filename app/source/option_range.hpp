// SPDX-License-Identifier: GPL-3.0-or-later
// What simulators refuse of their options, one sentence each.
#pragma once

namespace echolux {

/// Throws Error unless least <= shown <= most. `shown` is the value in the option's unit; NaN is
/// refused.
void checkRange(const char* option, const char* unit, double shown, double least, double most);

/// Throws Error naming "--fs" where it is out of range, or below twice the highest frequency of a
/// pulse of `fractionalBandwidth` = bandwidth / centre frequency. Hz.
void checkSampling(double samplingHz, double centreFrequencyHz, double fractionalBandwidth);

} // namespace echolux
