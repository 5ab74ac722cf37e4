// SPDX-License-Identifier: GPL-3.0-or-later
// What the commands share that simulate arrays element by element.
#pragma once

#include "app/commands/simulate_options.hpp"
#include "app/source/array_design.hpp"
#include "app/source/echo_setup.hpp"

#include <numbers>
#include <optional>
#include <string>

namespace echolux {

constexpr double kMetresPerMm = 1e-3;
constexpr double kRadPerDegree = std::numbers::pi / 180.0;

/// What all of these kinds have: elements, and how large the phantom is.
struct ElementOptions {
    std::optional<double> pitchMm;
    std::optional<double> widthMm;
    std::optional<double> lateralMm;
    std::optional<double> elevationMm;

    void addTo(CLI::App& command, const std::string& pitchDefault);
    /// Throws Error where pitch or width makes no sense.
    ElementDesign design(double defaultPitchMm) const;
};

/// Pulse, record and converter; probe, transmits and region are still to be filled in.
EchoSetup echoSetup(const SimulateOptions& options);

/// Writes the recording. `source`: the command that gives these samples again.
void simulateEchoes(const SimulateOptions& options, const std::string& source,
                    const EchoSetup& setup);

} // namespace echolux
