// SPDX-License-Identifier: GPL-3.0-or-later
// What stages that end in a picture show of channel data, [transmit][channel][sample]: one transmit
// as [channel][sample]. Other frames stay as they are.
#pragma once

#include "gpu/core/frame_spec.hpp"
#include "gpu/stage/param_table.hpp"

#include <cstdint>

namespace echolux {

/// For the table, of a field that is 1 by default. Transmits count from 1 in all of this file.
ParamRow transmitRow();

/// The transmit of [transmit][...] that is shown unless another is chosen: of plane waves the one
/// that is steered least, else the middle one; 1 where there is no such axis.
std::int64_t usualTransmit(const FrameSpec& input);

/// A frame [transmit][...] without its first axis: samples in seconds from the transmit's own first
/// one where that is known. Throws Error, naming `stage`, where there is no such transmit.
FrameSpec transmitOf(const char* stage, const FrameSpec& input, std::int64_t transmit);
/// The frame that is shown: transmitOf() channel data.
FrameSpec shownOf(const char* stage, const FrameSpec& input, std::int64_t transmit);
/// Its first element in the whole frame.
std::int64_t shownFrom(const FrameSpec& input, std::int64_t transmit);

} // namespace echolux
