// SPDX-License-Identifier: GPL-3.0-or-later
// echolux simulate matrix, row-column: arrays that image a volume.
#include "app/commands/angle_list.hpp"
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

/// Options of arrays that image a volume.
struct VolumeOptions {
    SimulateOptions common;
    PulseOptions pulses;
    ElementOptions element;
    std::string angles = "-6:6:6";

    VolumeOptions() { common.phantom = "points"; }

    void addTo(CLI::App& command) {
        common.addTo(command, SimulateOptions::Computes::OnBackend);
        pulses.addTo(command);
        element.addTo(command, " (default 0.3)");
        command.add_option("--lateral", element.lateralMm,
                           "Width of the phantom, mm (default: the array's width, and a fifth of "
                           "--depth on each side)");
        command.add_option("--elevation", element.elevationMm,
                           "Thickness of the phantom, mm (default: likewise)");
    }
    ImagedRegion region(const Probe& probe, ImagedRegion region) const {
        constexpr double kAside = 0.2;
        double x = 0.0;
        double y = 0.0;
        for (const Point& e : probe.elements) {
            x = std::max(x, std::abs(e.x));
            y = std::max(y, std::abs(e.y));
        }
        region.halfWidthM = element.lateralMm ? 0.5 * *element.lateralMm * kMetresPerMm
                                              : x + kAside * region.depthM;
        region.halfElevationM = element.elevationMm ? 0.5 * *element.elevationMm * kMetresPerMm
                                                    : y + kAside * region.depthM;
        checkRange("--lateral", " mm", 2.0 * region.halfWidthM / kMetresPerMm, 0.1, 1000);
        return region;
    }
};

std::vector<double> steeringAngles(const char* option, const std::string& text) {
    std::vector<double> angles = parseAngles(text);
    for (const double angle : angles) checkRange(option, " deg", angle / kRadPerDegree, -60, 60);
    return angles;
}

/// Which waves are sent.
struct WaveOptions {
    std::string kind = "plane";
    double behindMm = 10.0;
    double focusMm = 25.0;

    void addTo(CLI::App& command, const std::string& elementsHelp) {
        command
            .add_option("--wave", kind,
                        "Kind of wave: plane, diverging, focused, or elements: " + elementsHelp)
            ->check(CLI::IsMember({"plane", "diverging", "focused", "elements"}))
            ->capture_default_str();
        command
            .add_option("--behind", behindMm, "Distance of virtual sources behind the array, mm")
            ->capture_default_str();
        command.add_option("--focus", focusMm, "Distance of the foci of focused waves, mm")
            ->capture_default_str();
    }
    void check() const {
        checkRange("--behind", " mm", behindMm, 0.1, 2000);
        checkRange("--focus", " mm", focusMm, 1, 2000);
    }
    bool isElements() const { return kind == "elements"; }
    Wave wave() const {
        return kind == "diverging" ? Wave::Diverging
               : kind == "focused" ? Wave::Focused
                                   : Wave::Plane;
    }
    /// Of the sources along the waves' directions; negative behind the array.
    double sourceM() const {
        return (wave() == Wave::Focused ? focusMm : -behindMm) * kMetresPerMm;
    }
};

struct MatrixOptions {
    VolumeOptions volume;
    WaveOptions wave;
    std::int64_t columns = 16;
    std::int64_t rows = 16;
    std::optional<double> pitchYMm;
    std::optional<double> heightMm;
    std::int64_t rowsPerBlock = 0;
    double gapMm = 0.0;
    std::string elevations = "-6:6:6";
    std::string steering = "tilts";
};

void runMatrix(const MatrixOptions& o, const std::string& source) {
    const SimulateOptions& common = o.volume.common;
    common.check();
    checkRange("--columns", "", static_cast<double>(o.columns), 1, 256);
    checkRange("--rows", "", static_cast<double>(o.rows), 1, 256);
    checkRange("--rows-per-block", "", static_cast<double>(o.rowsPerBlock), 0, 256);
    checkRange("--gap", " mm", o.gapMm, 0, 10);
    o.wave.check();
    ElementDesign design = o.volume.element.design(0.3);
    const double pitchYMm = o.pitchYMm.value_or(design.pitchM / kMetresPerMm);
    checkRange("--pitch-y", " mm", pitchYMm, 0.001, 100);
    design.heightM = o.heightMm.value_or(0.9 * pitchYMm) * kMetresPerMm;
    checkRange("--height", " mm", design.heightM / kMetresPerMm, 0.0, pitchYMm);
    EchoSetup setup = echoSetup(common, o.volume.pulses);
    Acquisition& acquisition = setup.acquisition;
    acquisition.probe = matrixProbe(
        {o.columns, o.rows, pitchYMm * kMetresPerMm, o.rowsPerBlock, o.gapMm * kMetresPerMm},
        design);
    acquisition.steering = o.steering == "tilts" ? Steering::Tilts : Steering::Projections;
    setup.channels = std::ssize(acquisition.probe.elements);
    setup.region = o.volume.region(acquisition.probe, setup.region);
    for (std::int64_t e = 0; o.wave.isElements() && e < setup.channels; ++e)
        acquisition.transmits.push_back(singleElement(acquisition.probe, e));
    for (const double elevation : steeringAngles("--elevations", o.elevations))
        for (const double angle : steeringAngles("--angles", o.volume.angles))
            if (!o.wave.isElements())
                acquisition.transmits.push_back(waveTowards(acquisition.probe, o.wave.wave(), angle,
                                                            elevation, acquisition.steering,
                                                            o.wave.sourceM()));
    simulateEchoes(common, source, setup);
}

void addMatrix(CLI::App& simulate) {
    auto options = std::make_shared<MatrixOptions>();
    CLI::App& command =
        *simulate.add_subcommand("matrix", "A two-dimensional array sends waves into a volume");
    MatrixOptions& o = *options;
    o.volume.addTo(command);
    command.add_option("--columns", o.columns, "Elements along the array")->capture_default_str();
    command.add_option("--rows", o.rows, "Elements across it")->capture_default_str();
    command.add_option("--pitch-y", o.pitchYMm,
                       "Distance of neighbouring rows, mm (default --pitch)");
    command.add_option("--height", o.heightMm,
                       "Height of an element, mm (default 0.9 of the distance of rows)");
    command
        .add_option(
            "--rows-per-block", o.rowsPerBlock,
            "Number of rows after which a gap follows, for arrays made of blocks; 0: no gaps")
        ->capture_default_str();
    command.add_option("--gap", o.gapMm, "Additional distance of rows at a gap, mm")
        ->capture_default_str();
    o.wave.addTo(command, "each element fires alone");
    command
        .add_option("--angles", o.volume.angles,
                    "Directions in the x-z plane, deg: first:last:step or a list with commas")
        ->capture_default_str();
    command
        .add_option("--elevations", o.elevations,
                    "Directions out of the x-z plane, deg; each is combined with each of --angles")
        ->capture_default_str();
    command
        .add_option("--steering", o.steering,
                    "Whether the second angle tilts the direction of the first out of the x-z "
                    "plane, or is the angle as seen in the y-z plane")
        ->check(CLI::IsMember({"tilts", "projections"}))
        ->capture_default_str();
    command.callback([options, &command] { runMatrix(*options, commandLineOf(command)); });
}

struct RowColumnOptions {
    VolumeOptions volume;
    WaveOptions wave;
    std::int64_t lines = 32;
    std::string transmit = "both";
};

/// Adds the waves that one set of lines sends, steered across these lines. Sources and foci are
/// lines along them.
void addOrientation(EchoSetup& setup, bool columnsSend, const WaveOptions& wave,
                    const std::vector<double>& angles) {
    Acquisition& acquisition = setup.acquisition;
    const std::int64_t lines = std::ssize(acquisition.probe.elements) / 2;
    for (std::int64_t e = 0; wave.isElements() && e < lines; ++e)
        addCrossed(acquisition, columnsSend,
                   singleElement(acquisition.probe, columnsSend ? e : lines + e));
    for (const double angle : angles) {
        if (wave.isElements()) break;
        Transmit transmit = waveTowards(acquisition.probe, wave.wave(), columnsSend ? angle : 0.0,
                                        columnsSend ? 0.0 : angle, Steering::Tilts, wave.sourceM());
        transmit.apodization.clear();
        addCrossed(acquisition, columnsSend, std::move(transmit));
    }
}

void runRowColumn(const RowColumnOptions& o, const std::string& source) {
    const SimulateOptions& common = o.volume.common;
    common.check();
    checkRange("--lines", "", static_cast<double>(o.lines), 2, 1024);
    o.wave.check();
    ElementDesign design = o.volume.element.design(0.3);
    design.heightM = static_cast<double>(o.lines) * design.pitchM;
    EchoSetup setup = echoSetup(common, o.volume.pulses);
    setup.acquisition.probe = rowColumnProbe(o.lines, design);
    setup.channels = o.lines;
    setup.region = o.volume.region(setup.acquisition.probe, setup.region);
    const std::vector<double> angles = steeringAngles("--angles", o.volume.angles);
    if (o.transmit != "rows") addOrientation(setup, true, o.wave, angles);
    if (o.transmit != "columns") addOrientation(setup, false, o.wave, angles);
    simulateEchoes(common, source, setup);
}

void addRowColumn(CLI::App& simulate) {
    auto options = std::make_shared<RowColumnOptions>();
    CLI::App& command = *simulate.add_subcommand(
        "row-column",
        "A row-column array: one set of long elements sends waves, the other listens");
    RowColumnOptions& o = *options;
    o.volume.addTo(command);
    command.add_option("--lines", o.lines, "Number of columns, and of rows")->capture_default_str();
    command
        .add_option("--transmit", o.transmit,
                    "The set that sends. both: first the columns, then the rows")
        ->check(CLI::IsMember({"columns", "rows", "both"}))
        ->capture_default_str();
    command
        .add_option("--angles", o.volume.angles,
                    "Waves of each set, deg: first:last:step or a list with commas")
        ->capture_default_str();
    o.wave.addTo(command, "each line fires alone");
    command.callback([options, &command] { runRowColumn(*options, commandLineOf(command)); });
}

} // namespace

void addSimulateVolumes(CLI::App& simulate) {
    addMatrix(simulate);
    addRowColumn(simulate);
}

} // namespace echolux
