// SPDX-License-Identifier: GPL-3.0-or-later
// What is known of the frames, as named numbers and texts for files that hold any.
#pragma once

#include "app/export/subject.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace echolux {

struct NumberFact {
    std::string name;
    std::vector<std::int64_t> extent; ///< none: one number
    std::vector<double> values;       ///< row-major
};
struct TextFact {
    std::string name;
    std::string text;
};
struct ExportFacts {
    std::string data; ///< what the frames are called: "rf", "iq", "spectra", "data"
    std::vector<NumberFact> numbers;
    std::vector<TextFact> texts;
};

/// SI units. Of channel data fs, fc, fd, c, pitch, elements, angles, t0, wave (0 plane, 1
/// diverging, 2 focused, 3 element), source and what else says something; of all others their axes
/// by name; `time` of several frames.
ExportFacts factsOf(const ExportSubject& subject);

/// One text about all of it: program, source, recording, content.
std::string descriptionOf(const ExportSubject& subject);
/// "decibels", "envelope", ...
std::string contentOf(const ExportSubject& subject);

} // namespace echolux
