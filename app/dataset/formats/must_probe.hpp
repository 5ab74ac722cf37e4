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

/// Fields of the struct `name`, whose names have no case. What it throws names file and field.
class MustFields {
public:
    MustFields(const std::filesystem::path& path, const MatValue& parameters, std::string name)
        : m_path(path), m_parameters(parameters), m_name(std::move(name)) {}

    const MatValue& all() const { return m_parameters; }
    const std::string& name() const { return m_name; }
    Error error(const std::string& what) const;

    std::vector<double> list(const std::string& field) const; ///< empty where there is none
    /// The first number of a field; throws where it is NaN.
    std::optional<double> number(const std::string& field) const;
    /// A finite number above 0. `fallback` stands for a field that is not there; throws where there
    /// is neither.
    double positive(const std::string& field, std::optional<double> fallback) const;

private:
    const std::filesystem::path& m_path;
    const MatValue& m_parameters;
    std::string m_name;
};

/// A linear or convex array by `pitch` and `radius`, or any array by the places of its `elements`:
/// rows (or columns) of x, of x and z where these make a line or an arc, else of x and y, or of x,
/// y and z. m. Throws Error where these do not fit to `channels`.
Probe readMustProbe(const MustFields& fields, std::size_t channels, double soundSpeedMps,
                    double centreFrequencyHz);

} // namespace echolux
