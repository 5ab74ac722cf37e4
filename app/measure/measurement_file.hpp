// SPDX-License-Identifier: GPL-3.0-or-later
// Measurements as a TOML file, beside the recording or anywhere else.
#pragma once

#include "app/measure/measurement.hpp"

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace echolux::measure {

/// The file beside a recording: its name with ".echolux-measurements.toml" behind it.
std::filesystem::path measurementsBeside(const std::filesystem::path& recording);

/// `origin` stands at the beginning of errors. Throws Error, one sentence that names line, key and
/// remedy, where the text holds no measurements.
std::vector<Measurement> parseMeasurements(std::string_view text, const std::string& origin);

/// Targets of a known phantom: a file of measurements with `title` and `source`. The places of its
/// points are nominal.
struct Phantom {
    std::string title;
    std::string source; ///< where the places are published
    std::vector<Measurement> targets;
};
std::vector<std::string> shippedPhantoms();
/// By the name of a shipped phantom, or of a file (.toml). Throws Error where there is none, and as
/// readMeasurements().
Phantom phantomNamed(const std::string& name);
/// The targets, moved so that the first one lies at `first`; null: as they are.
std::vector<Measurement> targetsAt(const Phantom& phantom, const std::optional<Place>& first);

/// Throws Error where the file cannot be read, and as parseMeasurements().
std::vector<Measurement> readMeasurements(const std::filesystem::path& path);

/// parseMeasurements() reads it back to the same measurements.
std::string toToml(const std::vector<Measurement>& measurements);

} // namespace echolux::measure
