// SPDX-License-Identifier: GPL-3.0-or-later
// Measurements as a TOML file, beside the recording or anywhere else.
#pragma once

#include "app/measure/measurement.hpp"

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace echolux::measure {

/// The file beside a recording: its name with ".echolux-measurements.toml" behind it.
std::filesystem::path measurementsBeside(const std::filesystem::path& recording);

/// `origin` stands at the beginning of errors. Throws Error, one sentence that names line, key and
/// remedy, where the text holds no measurements.
std::vector<Measurement> parseMeasurements(std::string_view text, const std::string& origin);

/// Throws Error where the file cannot be read, and as parseMeasurements().
std::vector<Measurement> readMeasurements(const std::filesystem::path& path);

/// parseMeasurements() reads it back to the same measurements.
std::string toToml(const std::vector<Measurement>& measurements);

} // namespace echolux::measure
