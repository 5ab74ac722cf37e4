// SPDX-License-Identifier: GPL-3.0-or-later
// echolux simulate oct: writes recordings of raw spectra of a simulated sample.
#include "app/command_line/options.hpp"
#include "app/commands/commands.hpp"
#include "app/commands/simulated_recording.hpp"
#include "app/source/oct_simulator.hpp"
#include "gpu/core/error.hpp"

#include <CLI/CLI.hpp>
#include <fmt/chrono.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <ctime>
#include <map>
#include <memory>
#include <optional>

namespace echolux {

namespace {

constexpr double kMicro = 1e-6;
constexpr double kNano = 1e-9;

const std::map<std::string, Sampling> kSamplings{
    {"linear", Sampling::Linear}, {"grating", Sampling::Grating}, {"sweep", Sampling::Sweep}};
const std::map<std::string, DType> kTypes{
    {"u8", DType::U8}, {"u16", DType::U16}, {"packed12", DType::Packed12}};
constexpr const char* kCalibrations[] = {"k", "dispersion", "background"};

/// As on the command line: depths and pitches in um, wavelengths in nm. The preset gives missing
/// values.
struct OctOptions {
    OutputOptions output;
    std::string preset = "spectrometer";
    std::optional<std::string> sample;
    std::optional<std::int64_t> frames;
    std::optional<double> frameRate;
    std::optional<std::int64_t> samples, lines, bscansPerVolume, bscansPerPlace;
    std::optional<double> wavelengthNm, bandwidthNm, sourceWidthNm, index;
    std::optional<std::string> sampling;
    std::optional<double> gratingBow, sweepShare;
    std::vector<double> dispersion;
    std::optional<double> startDepthUm;
    double mirrorDepthUm = 300.0;
    std::optional<double> linePitchUm, bscanPitchUm, beamWidthUm;
    std::optional<std::string> motion;
    double breathingUm = 6.0;
    std::optional<double> flowMmps;
    std::optional<double> light, visibility, fixedPattern, fullWell, readNoise;
    std::optional<int> bits;
    std::optional<std::string> type;
    std::vector<std::string> calibration{"all"};
    std::uint64_t seed = 1;
    int compression = 6;
};

/// All values that the options and the preset determine.
struct OctJob {
    OctSetup setup;
    OctSampleRequest sample;
    std::int64_t frames = 1;
    std::string motion;
};

bool writes(const OctOptions& options, const std::string& what) {
    const auto& list = options.calibration;
    return std::ranges::find(list, "all") != list.end() ||
           std::ranges::find(list, what) != list.end();
}

void checkCalibration(const OctOptions& options) {
    std::vector<std::string> known{"all", "none"};
    known.insert(known.end(), std::begin(kCalibrations), std::end(kCalibrations));
    for (const std::string& name : options.calibration)
        if (std::ranges::find(known, name) == known.end())
            throw Error(fmt::format("--calibration has no '{}': choose from {}.", name,
                                    fmt::join(known, ", ")));
}

DType typeOf(const OctOptions& options, int bits) {
    if (options.type) return kTypes.at(*options.type);
    return bits == 8 ? DType::U8 : bits == 12 ? DType::Packed12 : DType::U16;
}

OctSetup setupOf(const OctOptions& o) {
    OctSetup setup = octPreset(o.preset);
    const auto take = [](const auto& given, auto& value) {
        if (given) value = *given;
    };
    const auto takeScaled = [](const std::optional<double>& given, double unit, double& value) {
        if (given) value = *given * unit;
    };
    take(o.samples, setup.samples);
    take(o.lines, setup.lines);
    take(o.bscansPerVolume, setup.bscansPerVolume);
    take(o.bscansPerPlace, setup.bscansPerPlace);
    takeScaled(o.wavelengthNm, kNano, setup.centreWavelengthM);
    takeScaled(o.bandwidthNm, kNano, setup.bandwidthM);
    takeScaled(o.sourceWidthNm, kNano, setup.sourceWidthM);
    take(o.index, setup.refractiveIndex);
    if (o.sampling) setup.sampling = kSamplings.at(*o.sampling);
    take(o.gratingBow, setup.gratingBow);
    take(o.sweepShare, setup.sweepShare);
    if (!o.dispersion.empty()) setup.dispersion = {0.0, 0.0, 0.0};
    std::ranges::copy(o.dispersion, setup.dispersion.begin());
    takeScaled(o.linePitchUm, kMicro, setup.linePitchM);
    takeScaled(o.bscanPitchUm, kMicro, setup.bscanPitchM);
    takeScaled(o.beamWidthUm, kMicro, setup.beamWidthM);
    take(o.light, setup.light);
    take(o.visibility, setup.visibility);
    take(o.fixedPattern, setup.fixedPattern);
    take(o.fullWell, setup.fullWellElectrons);
    take(o.readNoise, setup.readNoiseElectrons);
    take(o.bits, setup.bits);
    take(o.frameRate, setup.frameRateHz);
    setup.dtype = typeOf(o, setup.bits);
    setup.seed = o.seed;
    setup.writesResampling = writes(o, "k");
    setup.writesDispersion = writes(o, "dispersion");
    setup.writesBackground = writes(o, "background");
    checkSetup(setup);
    return setup;
}

OctJob jobOf(const OctOptions& o) {
    checkCalibration(o);
    OctJob job;
    job.setup = setupOf(o);
    const bool volume = job.setup.bscansPerVolume > 1;
    job.frames = o.frames.value_or(volume ? job.setup.bscansPerVolume : 32);
    checkFrames(job.frames);
    if (job.frames % job.setup.bscansPerVolume != 0)
        throw Error(fmt::format("--frames is {}, which is no whole number of volumes of {} "
                                "B-scans: choose a multiple of it.",
                                job.frames, job.setup.bscansPerVolume));
    job.sample.name = o.sample.value_or(job.setup.balanced ? "skin" : "retina");
    // B-scans of one place come too fast for breathing.
    const bool repeats = !volume || job.setup.bscansPerPlace > 1;
    const bool flows = repeats && hasBlood(job.sample.name);
    job.motion = o.motion.value_or(flows ? "vessel" : volume ? "none" : "all");
    job.sample.widthM = static_cast<double>(job.setup.lines) * job.setup.linePitchM;
    job.sample.rangeM = job.setup.rangeM();
    constexpr double kStart = 0.12; // part of the range
    job.sample.startDepthM = o.startDepthUm ? *o.startDepthUm * kMicro : kStart * job.sample.rangeM;
    job.sample.mirrorDepthM = o.mirrorDepthUm * kMicro;
    job.sample.vesselMoves = job.motion == "vessel" || job.motion == "all";
    chooseFlow(job.setup, job.sample);
    if (o.flowMmps) job.sample.flowMps = *o.flowMmps * 1e-3;
    if (job.motion == "breathing" || job.motion == "all")
        job.sample.breathingM = o.breathingUm * kMicro;
    if (job.motion != "none")
        job.sample.periodS = static_cast<double>(job.frames) / job.setup.frameRateHz;
    return job;
}

template <class Value> std::string nameIn(const std::map<std::string, Value>& names, Value value) {
    return std::ranges::find(names, value, [](const auto& entry) { return entry.second; })->first;
}

/// The command that gives the same samples again, with every value that matters.
std::string commandLine(const OctOptions& o, const OctJob& job) {
    const OctSetup& s = job.setup;
    return fmt::format(
        "echolux simulate oct --preset {} --sample {} --frames {} --frame-rate {} --samples {} "
        "--lines {} --bscans-per-volume {} --bscans-per-place {} --wavelength {:.10g} "
        "--bandwidth {:.10g} --source-width {:.10g} --index {} --sampling {} --grating-bow {} "
        "--sweep-share {} "
        "--dispersion {} --start-depth {:.10g} --mirror-depth {} --line-pitch {:.10g} "
        "--bscan-pitch {:.10g} --beam-width {:.10g} --motion {} --breathing {} --flow {:.10g} "
        "--light {} "
        "--visibility {} --fixed-pattern {} --full-well {} --read-noise {} --bits {} --type {} "
        "--calibration {} --seed {}",
        o.preset, job.sample.name, job.frames, s.frameRateHz, s.samples, s.lines, s.bscansPerVolume,
        s.bscansPerPlace, s.centreWavelengthM / kNano, s.bandwidthM / kNano, s.sourceWidthM / kNano,
        s.refractiveIndex, nameIn(kSamplings, s.sampling), s.gratingBow, s.sweepShare,
        fmt::join(s.dispersion, ","), job.sample.startDepthM / kMicro, o.mirrorDepthUm,
        s.linePitchM / kMicro, s.bscanPitchM / kMicro, s.beamWidthM / kMicro, job.motion,
        o.breathingUm, job.sample.flowMps * 1e3, s.light, s.visibility, s.fixedPattern,
        s.fullWellElectrons, s.readNoiseElectrons, s.bits, nameOf(s.dtype),
        fmt::join(o.calibration, ","), s.seed);
}

Provenance provenanceOf(const OctOptions& options, const OctJob& job, const OctSample& sample) {
    const OctSetup& setup = job.setup;
    Provenance provenance;
    provenance.program = "echolux " ECHOLUX_VERSION;
    provenance.source = commandLine(options, job);
    provenance.created = fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::time(nullptr)));
    provenance.seed = setup.seed;
    provenance.notes = sample.truth;
    provenance.notes.emplace_back(
        "dispersion", fmt::format("c1 {:g}, c2 {:g}, c3 {:g} take it away", setup.dispersion[0],
                                  setup.dispersion[1], setup.dispersion[2]));
    provenance.notes.emplace_back(
        "depth", fmt::format("{:.6g} um per bin of {} samples, refractive index {:g}",
                             setup.binM() / kMicro, setup.samples, setup.refractiveIndex));
    if (setup.bscansPerVolume > 1)
        provenance.notes.emplace_back(
            "volume",
            fmt::format("{} places, {:g} um apart", setup.places(), setup.bscanPitchM / kMicro));
    return provenance;
}

void run(const OctOptions& options) {
    const NativeWriterOptions writing{.overwrite = options.output.force,
                                      .deflateLevel = options.compression};
    checkWritable(options.output.path, writing);
    const OctJob job = jobOf(options);
    OctSimulator simulator(job.setup, makeOctSample(job.sample));
    record({.path = options.output.path,
            .frame = simulator.frame(),
            .frameRateHz = job.setup.frameRateHz,
            .provenance = provenanceOf(options, job, simulator.sample()),
            .writing = writing,
            .frames = job.frames,
            .limitAdvice = "lower --light or --visibility"},
           [&](std::int64_t index, std::span<std::byte> out) {
               simulator.render(index, out);
               return simulator.limitedSamples();
           });
}

std::string sampleHelp() {
    std::string text = "What is imaged:";
    for (const auto& [name, help] : octSampleNames()) text += fmt::format(" {} ({});", name, help);
    return text + " default: retina or skin, by the preset";
}

template <class Value> std::vector<std::string> keysOf(const std::map<std::string, Value>& map) {
    std::vector<std::string> keys;
    for (const auto& [key, value] : map) keys.push_back(key);
    return keys;
}

void addDevice(CLI::App& command, OctOptions& o) {
    command.add_option("--samples", o.samples, "Samples of a raw line");
    command.add_option("--lines", o.lines, "Lines of a B-scan");
    command.add_option("--bscans-per-volume", o.bscansPerVolume,
                       "B-scans of a volume; 1: a cine of one place");
    command.add_option("--bscans-per-place", o.bscansPerPlace,
                       "B-scans of a volume at the same place, one after the other (default 1)");
    command.add_option("--wavelength", o.wavelengthNm, "Centre of the recorded wavelengths, nm");
    command.add_option("--bandwidth", o.bandwidthNm,
                       "Span of wavelengths from the first to the last sample, nm");
    command.add_option("--source-width", o.sourceWidthNm,
                       "Full width at half maximum of the light, nm");
    command.add_option("--index", o.index, "Refractive index of the sample");
    command.add_option("--sampling", o.sampling, "How the wavenumber changes along the line")
        ->check(CLI::IsMember(keysOf(kSamplings)));
    command.add_option(
        "--grating-bow", o.gratingBow,
        "Deviation from linear wavelength in the middle of the line, as a share of the bandwidth");
    command.add_option("--sweep-share", o.sweepShare,
                       "Middle part of the sinusoidal sweep that is recorded");
    command
        .add_option("--dispersion", o.dispersion,
                    "c1,c2,c3 of the dispersion stage that undo the residual dispersion")
        ->delimiter(',')
        ->expected(1, 3);
    command.add_option("--line-pitch", o.linePitchUm, "Distance of neighbouring lines, um");
    command.add_option("--bscan-pitch", o.bscanPitchUm,
                       "Distance of neighbouring places of a volume, um");
    command.add_option("--beam-width", o.beamWidthUm,
                       "Full width at half maximum of a point's image, um");
}

void addDetector(CLI::App& command, OctOptions& o) {
    command.add_option("--light", o.light, "Peak of the light, as a share of full scale");
    command.add_option("--visibility", o.visibility,
                       "Largest fringe of the first B-scan, divided by the light");
    command.add_option("--fixed-pattern", o.fixedPattern,
                       "Background: share of the light and of full scale");
    command.add_option("--full-well", o.fullWell,
                       "Electrons at full scale; they set the shot noise");
    command.add_option("--read-noise", o.readNoise, "Electrons");
    command.add_option("--bits", o.bits, "Bits of the converter");
    command
        .add_option("--type", o.type,
                    "How codes are stored (default: u8 for 8 bits, packed12 for 12, else u16)")
        ->check(CLI::IsMember(keysOf(kTypes)));
}

} // namespace

void addSimulateOct(CLI::App& simulate) {
    auto options = std::make_shared<OctOptions>();
    CLI::App& command = *simulate.add_subcommand(
        "oct", "A spectrometer or a swept-source device records spectra of a scattering sample");
    OctOptions& o = *options;
    acceptBackend(command);
    o.output.addTo(command, kRecordingHelp);
    command
        .add_option("--preset", o.preset, "Kind of device; it sets each value that no option gives")
        ->check(CLI::IsMember({"spectrometer", "swept_source"}))
        ->capture_default_str();
    command.add_option("--sample", o.sample, sampleHelp());
    command.add_option("--frames", o.frames,
                       "Recorded B-scans; motion repeats after them (default 32, or one volume)");
    command.add_option("--frame-rate", o.frameRate, "B-scans per second");
    command.add_option(
        "--start-depth", o.startDepthUm,
        "Distance from zero delay to the sample's surface, um (default 12 % of the range)");
    command
        .add_option("--mirror-depth", o.mirrorDepthUm,
                    "Depth of the mirror, um; below 0 on the other side of zero delay")
        ->capture_default_str();
    command
        .add_option(
            "--motion", o.motion,
            "What moves: none, vessel, breathing, all (default all; none for a volume; vessel "
            "for the samples vessels and plexus, where places are repeated)")
        ->check(CLI::IsMember({"none", "vessel", "breathing", "all"}));
    command.add_option("--breathing", o.breathingUm, "Amplitude of the breathing, um")
        ->capture_default_str();
    command.add_option(
        "--flow", o.flowMmps,
        "Peak velocity along the beam in the sample vessels, mm/s (default 60 % of the "
        "largest that repeated B-scans measure)");
    addDevice(command, o);
    addDetector(command, o);
    command
        .add_option("--calibration", o.calibration,
                    "What the file says of its device: k, dispersion, background, all, none")
        ->delimiter(',')
        ->capture_default_str();
    command.add_option("--seed", o.seed, "Seed of all random numbers")
        ->check(CLI::Validator(seedError, ""))
        ->capture_default_str();
    command.add_option("--compression", o.compression, "Deflate level")
        ->check(CLI::Range(0, 9))
        ->capture_default_str();
    command.callback([options] { run(*options); });
}

} // namespace echolux
