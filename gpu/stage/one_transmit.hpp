// SPDX-License-Identifier: GPL-3.0-or-later
// Stages that end in a picture show one transmit of channel data: [channel][sample] of
// [transmit][channel][sample]. Other frames are shown whole.
#pragma once

#include "gpu/core/frame_spec.hpp"
#include "gpu/stage/param_table.hpp"

#include <cstdint>

namespace echolux {

/// The table row of a field whose default is 1. Transmits count from 1 in all of this file.
ParamRow transmitRow();

/// The transmit that is shown by default: of plane waves the one that is steered least, else the
/// middle one. 1 where there is no transmit axis.
std::int64_t usualTransmit(const FrameSpec& input);

/// The specification of one transmit of [transmit][...]: the first axis is removed. The origin of
/// the Sample axis is the time of this transmit's first sample, where it is known. Throws Error
/// that names `stage` where there is no such transmit.
FrameSpec transmitOf(const char* stage, const FrameSpec& input, std::int64_t transmit);
/// The specification of what is shown: transmitOf() for channel data, else `input`.
FrameSpec shownOf(const char* stage, const FrameSpec& input, std::int64_t transmit);
/// Index in the whole frame where the shown part begins.
std::int64_t shownFrom(const FrameSpec& input, std::int64_t transmit);

} // namespace echolux
