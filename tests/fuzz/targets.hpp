// SPDX-License-Identifier: GPL-3.0-or-later
// What libFuzzer feeds with any bytes, one function for each of our parsers, and what the tests
// feed with the corpus. Each refuses bytes with a sentence, which is an Error, or takes them;
// everything else is a find.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace echolux::fuzz {

using Bytes = std::span<const std::uint8_t>;

void answer(Bytes bytes);       ///< what the reader process answers
void array(Bytes bytes);        ///< a message of ZeroMQ
void calibration(Bytes bytes);  ///< the calibration of the bundled spectra
void described(Bytes bytes);    ///< the sidecar of a headerless file
void device(Bytes bytes);       ///< a device file
void measurements(Bytes bytes); ///< a file of measurements
void message(Bytes bytes);      ///< messages of OpenIGTLink
void octproz(Bytes bytes);      ///< the description beside a raw file of OCTproZ
void pipeline(Bytes bytes);     ///< a pipeline, in TOML or in the filter language
void recording(Bytes bytes);    ///< a recording
void shared(Bytes bytes);       ///< shared memory of a scanner

} // namespace echolux::fuzz
