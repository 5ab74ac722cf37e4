// SPDX-License-Identifier: GPL-3.0-or-later
// echolux simulate cube: writes aligned channels of one focal point, and the screens before it.
#include "app/command_line/options.hpp"
#include "app/commands/commands.hpp"
#include "app/commands/screen_options.hpp"
#include "app/commands/simulate_echoes.hpp"
#include "app/commands/simulate_options.hpp"
#include "app/export/named_arrays.hpp"
#include "app/source/cube_simulator.hpp"
#include "gpu/core/error.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace echolux {

namespace {

constexpr const char* kUsualScreen = "delay=50ns,gain=3dB,length=3mm";

/// In the units of the command line: lengths in mm, frequencies in MHz.
struct CubeOptions {
    OutputOptions output;
    CubeSetup setup; ///< its counts, SNR and seed; the others follow from the numbers below
    std::optional<double> pitchMm;
    double focusMm = 60.0;
    double fcMhz = 3.5;
    double bandwidthPercent = 50.0;
    double fsMhz = 70.248;
    ScreenOptions screens;
};

CubeSetup setupOf(const CubeOptions& options) {
    CubeSetup setup = options.setup;
    const double halfWavelengthMm =
        0.5 * setup.soundSpeedMps / (options.fcMhz * kHzPerMhz) / kMetresPerMm;
    setup.pitchM = options.pitchMm.value_or(halfWavelengthMm) * kMetresPerMm;
    setup.focusM = options.focusMm * kMetresPerMm;
    setup.centreFrequencyHz = options.fcMhz * kHzPerMhz;
    setup.fractionalBandwidth = options.bandwidthPercent * kPercent;
    setup.samplingHz = options.fsMhz * kHzPerMhz;
    setup.screens = options.screens.setup(setup.soundSpeedMps, setup.seed);
    checkSetup(setup);
    return setup;
}

/// (x, y, sample) or (x, y), of values [row][column][sample].
NumberFact tableOf(const char* name, const CubeSetup& setup, const std::vector<double>& values,
                   std::int64_t samples) {
    NumberFact table{name, {setup.columns, setup.rows}, {}};
    if (samples > 1) table.extent.push_back(samples);
    table.values.reserve(values.size());
    for (std::int64_t x = 0; x < setup.columns; ++x)
        for (std::int64_t y = 0; y < setup.rows; ++y) {
            const auto first = values.begin() + (y * setup.columns + x) * samples;
            table.values.insert(table.values.end(), first, first + samples);
        }
    return table;
}

void runCube(const CubeOptions& options, const std::string& source) {
    const std::filesystem::path path = options.output.path;
    if (path.extension() != ".mat" && path.extension() != ".npz")
        throw Error(fmt::format("'{}' names no kind of file for a cube; end it in .mat or .npz.",
                                options.output.path));
    const CubeSetup setup = setupOf(options);
    OutputFiles files(path, {}, options.output.force);
    const SimulatedCube cube = simulateCube(setup);
    std::vector<NumberFact> numbers{tableOf("u_z", setup, cube.values, setup.samples),
                                    {"fs", {}, {setup.samplingHz}},
                                    {"fc", {}, {setup.centreFrequencyHz}},
                                    {"c", {}, {setup.soundSpeedMps}},
                                    {"pitch", {}, {setup.pitchM}},
                                    {"focus", {}, {setup.focusM}},
                                    tableOf("delay_s", setup, cube.truth.delayS, 1)};
    if (!cube.truth.amplitude.empty())
        numbers.push_back(tableOf("amplitude", setup, cube.truth.amplitude, 1));
    std::string screens;
    for (const ScreenDesign& design : setup.screens.screens)
        screens += (screens.empty() ? "" : "; ") + describe(design);
    const std::vector<TextFact> texts{
        {"description",
         "Simulated channels u_z (x, y, sample), aligned on one focal point. delay_s "
         "and amplitude are the true screen: how much later an element's echoes "
         "come, and how strong they are."},
        {"source", source},
        {"screens", screens}};
    writeNamedArrays(files, numbers, texts, "Echolux " ECHOLUX_VERSION);
    files.commit();
    fmt::print("{}: {} x {} channels of {} samples\n", options.output.path, setup.columns,
               setup.rows, setup.samples);
}

} // namespace

void addSimulateCube(CLI::App& simulate) {
    auto options = std::make_shared<CubeOptions>();
    CLI::App& command = *simulate.add_subcommand(
        "cube", "Aligned channels of one focal point behind a known screen: a cube 'u_z' (.mat, "
                ".npz) with its truth");
    CubeOptions& o = *options;
    acceptBackend(command);
    o.output.addTo(command, "Cube to write, .mat or .npz");
    command.add_option("--columns", o.setup.columns, "Elements along x")->capture_default_str();
    command.add_option("--rows", o.setup.rows, "Elements along y")->capture_default_str();
    command.add_option("--samples", o.setup.samples, "Samples of each channel")
        ->capture_default_str();
    command.add_option("--pitch", o.pitchMm,
                       "Distance of neighbouring elements, mm (default half a wavelength)");
    command.add_option("--focus", o.focusMm, "Depth of the focal point, mm")->capture_default_str();
    command.add_option("--fc", o.fcMhz, "Centre frequency of the echoes, MHz")
        ->capture_default_str();
    command.add_option("--bandwidth", o.bandwidthPercent, "-6 dB bandwidth of the echoes, % of fc")
        ->capture_default_str();
    command.add_option("--fs", o.fsMhz, "Sampling frequency, MHz")->capture_default_str();
    command.add_option("--sound-speed", o.setup.soundSpeedMps, "Speed of sound, m/s")
        ->capture_default_str();
    command.add_option("--scatterers", o.setup.scatterers, "Scatterers round the focal point")
        ->capture_default_str();
    command.add_option("--snr", o.setup.snrDb, "RMS of the echoes over the noise, dB")
        ->capture_default_str();
    command.add_option("--seed", o.setup.seed, "Seed of all random numbers")
        ->check(CLI::Validator(seedError, ""))
        ->capture_default_str();
    o.screens.addTo(command);
    command.get_option("--screen")->default_str(kUsualScreen);
    command.callback([options, &command] {
        CubeOptions& cube = *options;
        if (cube.screens.wall.empty() && cube.screens.screens.empty())
            cube.screens.screens = {kUsualScreen};
        runCube(cube, commandLineOf(command) +
                          cube.screens.words(cube.setup.soundSpeedMps, cube.setup.seed));
    });
}

} // namespace echolux
