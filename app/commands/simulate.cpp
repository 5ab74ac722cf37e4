// SPDX-License-Identifier: GPL-3.0-or-later
// echolux simulate plane-wave: writes recordings of simulated phantoms.
#include "app/commands/angle_list.hpp"
#include "app/commands/commands.hpp"
#include "app/commands/options.hpp"
#include "app/commands/simulated_recording.hpp"
#include "app/source/plane_wave_simulator.hpp"
#include "gpu/core/error.hpp"

#include <CLI/CLI.hpp>
#include <fmt/chrono.h>
#include <fmt/format.h>

#include <ctime>
#include <memory>
#include <optional>

namespace echolux {

namespace {

constexpr double kMilli = 1e-3;
constexpr double kMega = 1e6;
constexpr double kPercent = 0.01;

/// As typed: lengths in mm, frequencies in MHz, angles in degrees.
struct PlaneWaveOptions {
    OutputOptions output;
    std::int64_t frames = 32;
    std::int64_t elements = 128;
    double pitchMm = 0.3;
    std::optional<double> widthMm;
    double fcMhz = 5.0;
    double bandwidthPercent = 60.0;
    std::optional<double> fsMhz;
    std::string angles = "-10:10:5";
    double startDepthMm = 0.0;
    double depthMm = 40.0;
    double soundSpeed = 1540.0;
    double frameRate = 25.0;
    double attenuation = 0.3;
    std::string spreading = "cylindrical";
    double snr = 50.0;
    int bits = 14;
    double headroom = 0.7;
    std::string phantom = "cine";
    double density = 8.0;
    std::uint64_t seed = 1;
    int compression = 6;

    double width() const { return widthMm.value_or(0.9 * pitchMm); }
    double fs() const { return fsMhz.value_or(4.0 * fcMhz); }
};

PlaneWaveSetup setupOf(const PlaneWaveOptions& options) {
    PlaneWaveSetup setup;
    setup.elements = options.elements;
    setup.pitchM = options.pitchMm * kMilli;
    setup.elementWidthM = options.width() * kMilli;
    setup.centreFrequencyHz = options.fcMhz * kMega;
    setup.fractionalBandwidth = options.bandwidthPercent * kPercent;
    setup.samplingHz = options.fs() * kMega;
    setup.anglesRad = parseAngles(options.angles);
    setup.startDepthM = options.startDepthMm * kMilli;
    setup.depthM = options.depthMm * kMilli;
    setup.soundSpeedMps = options.soundSpeed;
    setup.frameRateHz = options.frameRate;
    setup.attenuationDbPerCmMhz = options.attenuation;
    setup.spreading =
        options.spreading == "spherical" ? Spreading::Spherical : Spreading::Cylindrical;
    setup.snrDb = options.snr;
    setup.bits = options.bits;
    setup.headroom = options.headroom;
    setup.seed = options.seed;
    checkSetup(setup);
    return setup;
}

PhantomRequest phantomOf(const PlaneWaveOptions& options, const PlaneWaveSetup& setup) {
    constexpr double kMarginPitches = 5.0;
    constexpr double kClearWavelengths = 5.0;
    PhantomRequest request;
    request.name = options.phantom;
    request.halfWidthM = setup.apertureM() / 2.0 + kMarginPitches * setup.pitchM;
    const DepthRange depths = recordedDepths(setup);
    request.startDepthM = std::max(depths.first, kClearWavelengths * setup.wavelengthM());
    request.depthM = depths.last;
    request.wavelengthM = setup.wavelengthM();
    request.scatterersPerSquareWavelength = options.density;
    request.periodS = static_cast<double>(options.frames) / setup.frameRateHz;
    request.seed = setup.seed;
    return request;
}

/// The command that gives these samples again, with every value that matters.
std::string commandLine(const PlaneWaveOptions& o) {
    return fmt::format(
        "echolux simulate plane-wave --phantom {} --frames {} --frame-rate {} --elements {} "
        "--pitch {} --width {} --fc {} --bandwidth {} --fs {} --angles {} --start-depth {} "
        "--depth {} --sound-speed {} --attenuation {} --spreading {} --snr {} --bits {} "
        "--headroom {} --speckle-density {} --seed {}",
        o.phantom, o.frames, o.frameRate, o.elements, o.pitchMm, o.width(), o.fcMhz,
        o.bandwidthPercent, o.fs(), o.angles, o.startDepthMm, o.depthMm, o.soundSpeed,
        o.attenuation, o.spreading, o.snr, o.bits, o.headroom, o.density, o.seed);
}

Provenance provenanceOf(const PlaneWaveOptions& options, const PlaneWaveSimulator& simulator) {
    Provenance provenance;
    provenance.program = "echolux " ECHOLUX_VERSION;
    provenance.source = commandLine(options);
    provenance.created = fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::time(nullptr)));
    provenance.seed = options.seed;
    provenance.notes = simulator.phantom().truth;
    provenance.notes.emplace_back(
        "noise", fmt::format("{:g} dB below the first frame's echoes, both RMS", options.snr));
    provenance.notes.emplace_back("attenuation",
                                  fmt::format("{:g} dB/(cm MHz)", options.attenuation));
    return provenance;
}

void checkRest(const PlaneWaveOptions& options) {
    checkFrames(options.frames);
    if (!(options.density > 0.0 && options.density <= 100.0))
        throw Error(fmt::format("--speckle-density is {:g}, but only more than 0 and up to 100 "
                                "scatterers per square wavelength make sense: choose about 8.",
                                options.density));
}

void runPlaneWave(const PlaneWaveOptions& options) {
    checkRest(options);
    const NativeWriterOptions writing{.overwrite = options.output.force,
                                      .deflateLevel = options.compression};
    checkWritable(options.output.path, writing);
    const PlaneWaveSetup setup = setupOf(options);
    PlaneWaveSimulator simulator(setup, makePhantom(phantomOf(options, setup)));
    record({.path = options.output.path,
            .frame = simulator.frame(),
            .frameRateHz = setup.frameRateHz,
            .provenance = provenanceOf(options, simulator),
            .writing = writing,
            .frames = options.frames,
            .limitAdvice = "lower --headroom"},
           [&](std::int64_t index, std::span<std::byte> out) {
               simulator.render(index, {reinterpret_cast<std::int16_t*>(out.data()),
                                        out.size() / sizeof(std::int16_t)});
               return simulator.limitedSamples();
           });
}

std::string phantomHelp() {
    std::string text = "What is imaged:";
    for (const auto& [name, help] : phantomNames()) text += fmt::format(" {} ({});", name, help);
    text.back() = '.';
    return text;
}

void addPlaneWave(CLI::App& simulate) {
    auto options = std::make_shared<PlaneWaveOptions>();
    CLI::App& command = *simulate.add_subcommand(
        "plane-wave", "A linear array sends plane waves at a phantom of point scatterers");
    PlaneWaveOptions& o = *options;
    acceptBackend(command);
    o.output.addTo(command, kRecordingHelp);
    command.add_option("--phantom", o.phantom, phantomHelp())->capture_default_str();
    command.add_option("--frames", o.frames, "Frames; motion repeats after them")
        ->capture_default_str();
    command.add_option("--frame-rate", o.frameRate, "Frames per second")->capture_default_str();
    command.add_option("--elements", o.elements, "Elements of the array")->capture_default_str();
    command.add_option("--pitch", o.pitchMm, "Distance of elements, mm")->capture_default_str();
    command.add_option("--width", o.widthMm, "Width of an element, mm (default 0.9 pitch)");
    command.add_option("--fc", o.fcMhz, "Centre frequency of the echoes, MHz")
        ->capture_default_str();
    command.add_option("--bandwidth", o.bandwidthPercent, "-6 dB bandwidth of the echoes, % of fc")
        ->capture_default_str();
    command.add_option("--fs", o.fsMhz, "Sampling frequency, MHz (default 4 fc)");
    command
        .add_option("--angles", o.angles, "Plane waves, deg: first:last:step or a list with commas")
        ->capture_default_str();
    command.add_option("--start-depth", o.startDepthMm, "Depth where recording starts, mm")
        ->capture_default_str();
    command.add_option("--depth", o.depthMm, "Depth where it ends, mm")->capture_default_str();
    command.add_option("--sound-speed", o.soundSpeed, "Speed of sound, m/s")->capture_default_str();
    command.add_option("--attenuation", o.attenuation, "Attenuation, dB/(cm MHz)")
        ->capture_default_str();
    command.add_option("--spreading", o.spreading, "How echoes spread: 1/sqrt(r) or 1/r")
        ->check(CLI::IsMember({"cylindrical", "spherical"}))
        ->capture_default_str();
    command.add_option("--snr", o.snr, "RMS of the first frame's echoes over the noise, dB")
        ->capture_default_str();
    command.add_option("--bits", o.bits, "Bits of the converter")->capture_default_str();
    command
        .add_option("--headroom", o.headroom, "Part of full scale that the largest echo reaches")
        ->capture_default_str();
    command.add_option("--speckle-density", o.density, "Speckle scatterers per square wavelength")
        ->capture_default_str();
    command.add_option("--seed", o.seed, "Seed of all that is random")
        ->check(CLI::Validator(seedError, ""))
        ->capture_default_str();
    command.add_option("--compression", o.compression, "Deflate level")
        ->check(CLI::Range(0, 9))
        ->capture_default_str();
    command.callback([options] { runPlaneWave(*options); });
}

} // namespace

void addSimulate(CLI::App& app) {
    CLI::App& command = *app.add_subcommand("simulate", "Write a recording of a simulated phantom");
    command.require_subcommand(1);
    addPlaneWave(command);
    addSimulateOct(command);
}

} // namespace echolux
