// SPDX-License-Identifier: GPL-3.0-or-later
// echolux simulate focused, full-matrix, diverging: linear, curved, concave and phased arrays.
#include "app/commands/commands.hpp"
#include "app/commands/simulate_echoes.hpp"
#include "app/source/option_range.hpp"
#include "app/source/transmit_design.hpp"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <cmath>
#include <memory>

namespace echolux {

namespace {

/// A row of elements in the x-z plane, with the beams or waves that it sends.
struct RowOptions {
    SimulateOptions common;
    PulseOptions pulses;
    CodeOptions code;
    ElementOptions element;
    std::string array = "linear";
    std::optional<std::int64_t> elements;
    double radiusMm = 60.0;
    double heightMm = 0.0;
    double elevationFocusMm = 0.0;
    std::optional<std::int64_t> count; ///< of lines or waves
    std::optional<std::int64_t> active;
    double distanceMm = 0.0; ///< of the focus, or of the virtual source behind the array
    double fNumber = 0.0;
    double sectorDeg = 80.0;
    std::string window = "rectangular";

    bool phased() const { return array == "phased"; }
    std::int64_t elementCount() const { return elements.value_or(phased() ? 64 : 128); }
    ApertureWindow apertureWindow() const {
        return window == "hann"    ? ApertureWindow::Hann
               : window == "tukey" ? ApertureWindow::Tukey
                                   : ApertureWindow::Rectangular;
    }
    double halfSectorRad() const { return 0.5 * sectorDeg * kRadPerDegree; }
};

void addRow(CLI::App& command, RowOptions& o) {
    o.common.addTo(command, SimulateOptions::Computes::OnBackend);
    command.add_option("--array", o.array, "Kind of array")
        ->check(CLI::IsMember({"linear", "curved", "concave", "phased"}))
        ->capture_default_str();
    command.add_option("--elements", o.elements, "Elements of the array (default 128, phased 64)");
    o.element.addTo(command, " (default 0.3, phased half a wavelength)");
    command.add_option("--radius", o.radiusMm, "Radius of a curved or concave array, mm")
        ->capture_default_str();
    command
        .add_option("--height", o.heightMm,
                    "Height of the elements, mm; 0: unknown, and echoes spread in one plane")
        ->capture_default_str();
    command
        .add_option("--elevation-focus", o.elevationFocusMm,
                    "Depth where a lens focuses across the array, mm; 0: no lens")
        ->capture_default_str();
    command.add_option("--elevation", o.element.elevationMm,
                       "Thickness of the phantom across the array, mm (default 0)");
    command
        .add_option("--window", o.window,
                    "Weights of the elements that fire: all alike, Hann, "
                    "or Tukey with a tapered half")
        ->check(CLI::IsMember({"rectangular", "hann", "tukey"}))
        ->capture_default_str();
    command
        .add_option("--sector", o.sectorDeg,
                    "Angle between the first and the last line of a phased array, deg")
        ->capture_default_str();
}

Probe probeOf(const RowOptions& o) {
    const std::int64_t count = o.elementCount();
    checkRange("--elements", "", static_cast<double>(count), 1, 4096);
    checkRange("--height", " mm", o.heightMm, 0, 100);
    checkRange("--elevation-focus", " mm", o.elevationFocusMm, 0, 1000);
    checkRange("--sector", " deg", o.sectorDeg, 0, 160);
    checkRange("--radius", " mm", o.radiusMm, 1, 1000);
    ElementDesign design =
        o.element.design(o.phased() ? 0.5 * o.common.wavelengthM() / kMetresPerMm : 0.3);
    design.heightM = o.heightMm * kMetresPerMm;
    design.elevationFocusM = o.elevationFocusMm * kMetresPerMm;
    const double radiusM = o.radiusMm * kMetresPerMm;
    if (o.array == "curved") return curvedProbe(count, radiusM, design);
    if (o.array == "concave") return concaveProbe(count, radiusM, design);
    return linearProbe(count, design);
}

ImagedRegion regionOf(const RowOptions& o, const Probe& probe, ImagedRegion region) {
    constexpr double kMarginPitches = 5.0;
    region.halfElevationM = 0.5 * o.element.elevationMm.value_or(0.0) * kMetresPerMm;
    if (o.phased()) {
        constexpr double kLeastRad = 5.0 * kRadPerDegree;
        region.sector = SectorOutline{.halfAngleRad = std::max(o.halfSectorRad(), kLeastRad)};
    } else if (o.array == "curved") {
        const double edge = std::asin(probe.elements.back().x / (o.radiusMm * kMetresPerMm));
        region.sector = SectorOutline{.apexZ = -o.radiusMm * kMetresPerMm * std::cos(edge),
                                      .innerRadiusM = o.radiusMm * kMetresPerMm,
                                      .halfAngleRad = edge};
    } else {
        region.halfWidthM = probe.elements.back().x + kMarginPitches * probe.pitchM;
    }
    return region;
}

/// Directions of `count` lines of a phased array.
std::vector<double> directionsOf(const RowOptions& o, std::int64_t count) {
    checkRange("--lines or --waves", "", static_cast<double>(count), 1, 4096);
    std::vector<double> angles;
    for (std::int64_t i = 0; i < count; ++i)
        angles.push_back(
            count == 1 ? 0.0
                       : o.halfSectorRad() *
                             (2.0 * static_cast<double>(i) / static_cast<double>(count - 1) - 1.0));
    return angles;
}

std::int64_t activeOf(const RowOptions& o, const Probe& probe) {
    const std::int64_t all = std::ssize(probe.elements);
    if (o.fNumber == 0.0) return o.active.value_or(std::min<std::int64_t>(32, all));
    checkRange("--f-number", "", o.fNumber, 0.1, 100);
    const double elements = o.distanceMm * kMetresPerMm / o.fNumber / probe.pitchM;
    return std::clamp<std::int64_t>(std::lround(elements), 1, all);
}

void runFocused(const RowOptions& o, const std::string& source) {
    o.common.check();
    checkRange("--focus", " mm", o.distanceMm, 1, 2000);
    EchoSetup setup = echoSetup(o.common, o.pulses);
    Acquisition& acquisition = setup.acquisition;
    acquisition.probe = probeOf(o);
    setup.region = regionOf(o, acquisition.probe, setup.region);
    const double focusM = o.distanceMm * kMetresPerMm;
    if (o.phased()) {
        setup.channels = o.elementCount();
        for (const double angle : directionsOf(o, o.count.value_or(64)))
            acquisition.transmits.push_back(
                steeredLine(acquisition.probe, angle, focusM, o.apertureWindow()));
        return simulateEchoes(o.common, source, setup);
    }
    setup.channels = activeOf(o, acquisition.probe);
    const auto lines = o.count.value_or(o.elementCount() - setup.channels + 1);
    for (const ActiveElements active : walk(o.elementCount(), setup.channels, lines)) {
        acquisition.transmits.push_back(
            focusedLine(acquisition.probe, active, focusM, o.apertureWindow()));
        for (std::int64_t i = 0; i < active.count; ++i)
            acquisition.receiveElements.push_back(static_cast<std::int32_t>(active.first + i));
    }
    simulateEchoes(o.common, source, setup);
}

/// All elements listen; transmits are to be added.
EchoSetup listeningRow(const RowOptions& o) {
    o.common.check();
    EchoSetup setup = echoSetup(o.common, o.pulses);
    setup.acquisition.probe = probeOf(o);
    setup.region = regionOf(o, setup.acquisition.probe, setup.region);
    setup.channels = o.elementCount();
    return setup;
}

void runDiverging(const RowOptions& o, const std::string& source) {
    checkRange("--behind", " mm", o.distanceMm, 0.1, 2000);
    EchoSetup setup = listeningRow(o);
    Acquisition& acquisition = setup.acquisition;
    const double behindM = o.distanceMm * kMetresPerMm;
    const std::int64_t waves = o.count.value_or(8);
    if (o.phased()) {
        for (const double angle : directionsOf(o, waves))
            acquisition.transmits.push_back(
                steeredDiverging(acquisition.probe, angle, behindM, o.apertureWindow()));
        return simulateEchoes(o.common, source, setup);
    }
    const std::int64_t all = o.elementCount();
    const std::int64_t active = o.active.value_or(std::max<std::int64_t>(1, all / 2));
    for (const ActiveElements some : walk(all, active, waves))
        acquisition.transmits.push_back(
            divergingWave(acquisition.probe, some, behindM, o.apertureWindow()));
    simulateEchoes(o.common, source, setup);
}

void runFullMatrix(const RowOptions& o, const std::string& source) {
    EchoSetup setup = listeningRow(o);
    const SpatialCode code = o.code.spatialCode();
    if (code != SpatialCode::None) addCoded(setup, code);
    Acquisition& acquisition = setup.acquisition;
    for (std::int64_t e = 0; code == SpatialCode::None && e < setup.channels; ++e)
        acquisition.transmits.push_back(singleElement(acquisition.probe, e));
    simulateEchoes(o.common, source, setup);
}

void runOneWay(const RowOptions& o, const std::string& source) {
    EchoSetup setup = listeningRow(o);
    setup.acquisition.transmits.resize(1);
    setup.acquisition.transmits.front().wave = Wave::None;
    simulateEchoes(o.common, source, setup);
}

void addFocused(CLI::App& simulate) {
    auto options = std::make_shared<RowOptions>();
    CLI::App& command = *simulate.add_subcommand(
        "focused",
        "Focused lines of a linear, curved, concave or phased array, one after the other");
    RowOptions& o = *options;
    o.distanceMm = 25.0;
    addRow(command, o);
    o.pulses.addTo(command);
    command.add_option(
        "--lines", o.count,
        "Number of lines (default: one per position of the active elements; phased 64)");
    command.add_option("--focus", o.distanceMm, "Distance of the focus, mm")->capture_default_str();
    command.add_option("--active", o.active,
                       "Number of elements that fire and listen for a line; they walk along a "
                       "linear, curved or concave array (default 32). Phased arrays use all");
    command
        .add_option("--f-number", o.fNumber,
                    "Focus distance over width of the active elements; 0: as --active says")
        ->capture_default_str();
    command.callback([options, &command] { runFocused(*options, commandLineOf(command)); });
}

void addFullMatrix(CLI::App& simulate) {
    auto options = std::make_shared<RowOptions>();
    CLI::App& command = *simulate.add_subcommand(
        "full-matrix",
        "Each element of a linear, curved, concave or phased array fires alone, or all by a code");
    addRow(command, *options);
    options->pulses.addTo(command);
    options->code.addTo(command);
    command.callback([options, &command] { runFullMatrix(*options, commandLineOf(command)); });
}

void addOneWay(CLI::App& simulate) {
    auto options = std::make_shared<RowOptions>();
    CLI::App& command = *simulate.add_subcommand(
        "one-way", "Nothing is sent: the scatterers sound at time 0, as where light heats them, "
                   "and a linear, curved, concave or phased array hears them");
    addRow(command, *options);
    command.callback([options, &command] { runOneWay(*options, commandLineOf(command)); });
}

void addDiverging(CLI::App& simulate) {
    auto options = std::make_shared<RowOptions>();
    CLI::App& command = *simulate.add_subcommand(
        "diverging", "Waves from virtual sources behind a linear, curved, concave or phased array");
    RowOptions& o = *options;
    o.distanceMm = 10.0;
    addRow(command, o);
    o.pulses.addTo(command);
    command.add_option("--waves", o.count, "Waves (default 8)");
    command.add_option("--behind", o.distanceMm, "Distance of the sources behind the array, mm")
        ->capture_default_str();
    command.add_option("--active", o.active,
                       "Number of elements that fire; they walk along a linear, curved or concave "
                       "array (default half). All elements listen. Phased arrays use all");
    command.callback([options, &command] { runDiverging(*options, commandLineOf(command)); });
}

} // namespace

void addSimulateRows(CLI::App& simulate) {
    addFocused(simulate);
    addFullMatrix(simulate);
    addDiverging(simulate);
    addOneWay(simulate);
}

} // namespace echolux
