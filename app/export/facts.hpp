// SPDX-License-Identifier: GPL-3.0-or-later
// The facts of the frames as named numbers and texts, for files that can hold any.
#pragma once

#include "app/export/subject.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace echolux {

struct NumberFact {
    std::string name;
    std::vector<std::int64_t> extent; ///< empty: a single number
    std::vector<double> values;       ///< row-major
};
struct TextFact {
    std::string name;
    std::string text;
};
struct ExportFacts {
    std::string data; ///< the name of the frames' array: "rf", "iq", "spectra", "data"
    std::vector<NumberFact> numbers;
    std::vector<TextFact> texts;
};

/// SI units. For channel data: fs, fc, fd, c, pitch, elements, angles, t0, wave (0 plane, 1
/// diverging, 2 focused, 3 element), source and others that are known. For other data: the axes by
/// their names. For several frames: `time`.
ExportFacts factsOf(const ExportSubject& subject);

/// What the stamps of the frames say: `time` (s since the first frame), `frame_number`,
/// `device_time` and `arrival` (s, the latter since 1970), `frame_pose` (rows of a 3 x 4 matrix
/// each); NaN where unknown, none where nothing is known of any frame.
std::vector<NumberFact> stampFacts(const ExportSubject& subject);

/// One text that describes program, source, recording and content.
std::string descriptionOf(const ExportSubject& subject);
/// "decibels", "envelope", ...
std::string contentOf(const ExportSubject& subject);

} // namespace echolux
