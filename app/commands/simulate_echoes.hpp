// SPDX-License-Identifier: GPL-3.0-or-later
// Parts shared by the commands that simulate arrays element by element.
#pragma once

#include "app/commands/simulate_options.hpp"
#include "app/commands/simulate_pulses.hpp"
#include "app/source/array_design.hpp"
#include "app/source/echo_setup.hpp"

#include <numbers>
#include <optional>
#include <string>

namespace echolux {

constexpr double kMetresPerMm = 1e-3;
constexpr double kHzPerMhz = 1e6;
constexpr double kPercent = 0.01;
constexpr double kRadPerDegree = std::numbers::pi / 180.0;

/// Options of all these kinds: elements, and size of the phantom.
struct ElementOptions {
    std::optional<double> pitchMm;
    std::optional<double> widthMm;
    std::optional<double> lateralMm;
    std::optional<double> elevationMm;

    void addTo(CLI::App& command, const std::string& pitchDefault);
    /// Throws Error where pitch or width makes no sense.
    ElementDesign design(double defaultPitchMm) const;
};

/// Sets pulses, record and converter. Probe, transmits and region are left to the caller.
EchoSetup echoSetup(const SimulateOptions& options, const PulseOptions& pulses);

/// Writes the recording. `source`: command that reproduces these samples.
void simulateEchoes(const SimulateOptions& options, const std::string& source,
                    const EchoSetup& setup);

} // namespace echolux
