// SPDX-License-Identifier: GPL-3.0-or-later
// The struct of parameters of a MUST recording, and the probe that it describes.
#pragma once

#include "app/dataset/container/mat_value.hpp"
#include "gpu/core/acquisition.hpp"
#include "gpu/core/error.hpp"

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace echolux {

/// Fields of the struct `name`; case does not matter in their names. Errors name the file and the
/// field.
class MustFields {
public:
    MustFields(const std::filesystem::path& path, const MatValue& parameters, std::string name)
        : m_path(path), m_parameters(parameters), m_name(std::move(name)) {}

    const MatValue& all() const { return m_parameters; }
    const std::string& name() const { return m_name; }
    Error error(const std::string& what) const;

    std::vector<double> list(const std::string& field) const; ///< empty where the field is missing
    /// First number of a field. Throws where it is NaN.
    std::optional<double> number(const std::string& field) const;
    /// A finite number above 0. `fallback` is used where the field is missing. Throws where both
    /// are missing.
    double positive(const std::string& field, std::optional<double> fallback) const;

private:
    const std::filesystem::path& m_path;
    const MatValue& m_parameters;
    std::string m_name;
};

/// A linear or convex array from `pitch` and `radius`, or any array from the positions of its
/// `elements` in m. Two rows (or columns) of `elements` are x and z where these form a line or an
/// arc, otherwise x and y; three are x, y and z. Throws Error where they do not fit `channels`.
Probe readMustProbe(const MustFields& fields, std::size_t channels, double soundSpeedMps,
                    double centreFrequencyHz);

} // namespace echolux
