// SPDX-License-Identifier: GPL-3.0-or-later
// echolux simulate plane-wave: writes recordings of simulated phantoms.
#include "app/commands/angle_list.hpp"
#include "app/commands/commands.hpp"
#include "app/commands/simulate_echoes.hpp"
#include "app/commands/simulate_options.hpp"
#include "app/source/plane_wave_simulator.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <memory>
#include <optional>

namespace echolux {

namespace {

constexpr double kMillimetre = 1e-3;
constexpr double kMega = 1e6;

/// As on the command line: lengths in mm, frequencies in MHz, angles in degrees.
struct PlaneWaveOptions {
    SimulateOptions common;
    std::int64_t elements = 128;
    double pitchMm = 0.3;
    std::optional<double> widthMm;
    std::string angles = "-10:10:5";
    std::string spreading = "cylindrical";

    double width() const { return widthMm.value_or(0.9 * pitchMm); }
};

PlaneWaveSetup setupOf(const PlaneWaveOptions& options) {
    PlaneWaveSetup setup;
    setup.elements = options.elements;
    setup.pitchM = options.pitchMm * kMillimetre;
    setup.elementWidthM = options.width() * kMillimetre;
    setup.centreFrequencyHz = options.common.fcMhz * kMega;
    setup.fractionalBandwidth = options.common.bandwidthPercent * kPercent;
    setup.samplingHz = options.common.fs() * kMega;
    setup.anglesRad = parseAngles(options.angles);
    setup.startDepthM = options.common.startDepthMm * kMillimetre;
    setup.depthM = options.common.depthMm * kMillimetre;
    setup.soundSpeedMps = options.common.soundSpeed;
    setup.frameRateHz = options.common.frameRate;
    setup.attenuationDbPerCmMhz = options.common.attenuation;
    setup.spreading =
        options.spreading == "spherical" ? Spreading::Spherical : Spreading::Cylindrical;
    setup.converter = options.common.converter();
    setup.screens = options.common.screenSetup();
    checkSetup(setup);
    return setup;
}

PhantomRequest phantomOf(const PlaneWaveOptions& options, const PlaneWaveSetup& setup) {
    constexpr double kMarginPitches = 5.0;
    constexpr double kClearWavelengths = 5.0;
    PhantomRequest request;
    request.name = options.common.phantom;
    request.halfWidthM = setup.apertureM() / 2.0 + kMarginPitches * setup.pitchM;
    PlaneWaveSetup bare = setup; // so that the phantom is the same as without screens
    bare.screens = {};
    const DepthRange depths = recordedDepths(bare);
    request.startDepthM = std::max(depths.first, kClearWavelengths * setup.wavelengthM());
    request.depthM = depths.last;
    request.wavelengthM = setup.wavelengthM();
    request.scatterersPerSquareWavelength = options.common.density;
    request.periodS = options.common.periodS();
    request.seed = options.common.seed;
    return request;
}

/// The command that gives the same samples again, with every value that matters.
std::string commandLine(const PlaneWaveOptions& options) {
    const SimulateOptions& o = options.common;
    return fmt::format(
        "echolux simulate plane-wave --phantom {} --frames {} --frame-rate {} --elements {} "
        "--pitch {} --width {} --fc {} --bandwidth {} --fs {} --angles {} --start-depth {} "
        "--depth {} --sound-speed {} --attenuation {} --spreading {} --snr {} --bits {} "
        "--headroom {} --speckle-density {} --seed {}",
        o.phantom, o.frames, o.frameRate, options.elements, options.pitchMm, options.width(),
        o.fcMhz, o.bandwidthPercent, o.fs(), options.angles, o.startDepthMm, o.depthMm,
        o.soundSpeed, o.attenuation, options.spreading, o.snr, o.bits, o.headroom, o.density,
        o.seed);
}

void runPlaneWave(const PlaneWaveOptions& options) {
    options.common.check();
    const PlaneWaveSetup setup = setupOf(options);
    PlaneWaveSimulator simulator(setup, makePhantom(phantomOf(options, setup)));
    recordEchoes(
        options.common, simulator.frame(),
        options.common.provenance(commandLine(options), simulator.phantom(), truthOf(setup)),
        [&](std::int64_t index, std::span<std::int16_t> out) {
            simulator.render(index, out);
            return simulator.converter().limitedSamples();
        });
}

void addPlaneWave(CLI::App& simulate) {
    auto options = std::make_shared<PlaneWaveOptions>();
    CLI::App& command = *simulate.add_subcommand(
        "plane-wave", "A linear array sends plane waves at a phantom of point scatterers");
    PlaneWaveOptions& o = *options;
    o.common.addTo(command);
    command.add_option("--elements", o.elements, "Elements of the array")->capture_default_str();
    command.add_option("--pitch", o.pitchMm, "Distance of neighbouring elements, mm")
        ->capture_default_str();
    command.add_option("--width", o.widthMm, "Width of an element, mm (default 0.9 pitch)");
    command
        .add_option("--angles", o.angles, "Plane waves, deg: first:last:step or a list with commas")
        ->capture_default_str();
    command.add_option("--spreading", o.spreading, "How echoes spread: 1/sqrt(r) or 1/r")
        ->check(CLI::IsMember({"cylindrical", "spherical"}))
        ->capture_default_str();
    command.callback([options] { runPlaneWave(*options); });
}

} // namespace

void addSimulate(CLI::App& app) {
    CLI::App& command = *app.add_subcommand("simulate", "Write a recording of a simulated phantom");
    command.require_subcommand(1);
    addPlaneWave(command);
    addSimulateRows(command);
    addSimulateVolumes(command);
    addSimulateCube(command);
    addSimulateOct(command);
}

} // namespace echolux
