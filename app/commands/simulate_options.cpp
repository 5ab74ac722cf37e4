// SPDX-License-Identifier: GPL-3.0-or-later
// Reads pulse, record, converter, phantom and file of simulated echoes from the command line.
#include "app/commands/simulate_options.hpp"

#include "gpu/core/error.hpp"

#include <CLI/CLI.hpp>
#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <ctime>
#include <string_view>

namespace echolux {

namespace {

std::string phantomHelp() {
    std::string text = "What is imaged:";
    for (const auto& [name, help] : phantomNames()) text += fmt::format(" {} ({});", name, help);
    text.back() = '.';
    return text;
}

} // namespace

void SimulateOptions::addTo(CLI::App& command, Computes computes) {
    if (computes == Computes::OnBackend) {
        command.add_option("--backend", backend, "Where echoes are summed: auto, cuda or cpu")
            ->check(CLI::IsMember({"auto", "cuda", "cpu"}))
            ->capture_default_str();
        addDeviceTo(command, gpu);
    } else {
        acceptBackend(command);
    }
    output.addTo(command, kRecordingHelp);
    command.add_option("--phantom", phantom, phantomHelp())->capture_default_str();
    command.add_option("--frames", frames, "Frames; motion repeats after them")
        ->capture_default_str();
    command.add_option("--frame-rate", frameRate, "Frames per second")->capture_default_str();
    command.add_option("--fc", fcMhz, "Centre frequency of the echoes, MHz")->capture_default_str();
    command.add_option("--bandwidth", bandwidthPercent, "-6 dB bandwidth of the echoes, % of fc")
        ->capture_default_str();
    command.add_option("--fs", fsMhz, "Sampling frequency, MHz (default 4 fc)");
    command.add_option("--start-depth", startDepthMm, "Depth where recording starts, mm")
        ->capture_default_str();
    command.add_option("--depth", depthMm, "Depth where it ends, mm")->capture_default_str();
    command.add_option("--sound-speed", soundSpeed, "Speed of sound, m/s")->capture_default_str();
    command.add_option("--attenuation", attenuation, "Attenuation, dB/(cm MHz)")
        ->capture_default_str();
    command.add_option("--snr", snr, "RMS of the first frame's echoes over the noise, dB")
        ->capture_default_str();
    command.add_option("--bits", bits, "Bits of the converter")->capture_default_str();
    command
        .add_option("--headroom", headroom,
                    "Amplitude of the largest echo, as a share of full scale")
        ->capture_default_str();
    command
        .add_option(
            "--speckle-density", density,
            "Speckle scatterers per square wavelength (thick phantoms: per cubic wavelength)")
        ->capture_default_str();
    command.add_option("--seed", seed, "Seed of all random numbers")
        ->check(CLI::Validator(seedError, ""))
        ->capture_default_str();
    screens.addTo(command);
    command.add_option("--compression", compression, "Deflate level")
        ->check(CLI::Range(0, 9))
        ->capture_default_str();
}

NativeWriterOptions SimulateOptions::writing() const {
    return {.overwrite = output.force, .deflateLevel = compression};
}

void SimulateOptions::check() const {
    checkFrames(frames);
    if (!(density > 0.0 && density <= 100.0))
        throw Error(fmt::format("--speckle-density is {:g}, but only more than 0 and up to 100 "
                                "scatterers per square wavelength make sense: choose about 8.",
                                density));
    checkWritable(output.path, writing());
}

Provenance SimulateOptions::provenance(const std::string& source, const Phantom& made,
                                       std::shared_ptr<const AberrationTruth> truth) const {
    Provenance provenance;
    provenance.program = "echolux " ECHOLUX_VERSION;
    provenance.source = source + screens.words(soundSpeed, seed);
    provenance.aberration = std::move(truth);
    provenance.created = fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::time(nullptr)));
    provenance.seed = seed;
    provenance.notes = made.truth;
    provenance.notes.emplace_back(
        "noise", fmt::format("{:g} dB below the first frame's echoes, both RMS", snr));
    provenance.notes.emplace_back("attenuation", fmt::format("{:g} dB/(cm MHz)", attenuation));
    const ScreenSetup setup = screenSetup();
    for (std::size_t i = 0; i < setup.screens.size(); ++i)
        provenance.notes.emplace_back(fmt::format("screen {}", i + 1), describe(setup.screens[i]));
    if (setup.any())
        provenance.notes.emplace_back("screens passed by",
                                      setup.onTransmit ? "sent waves and echoes" : "echoes alone");
    return provenance;
}

void recordEchoes(const SimulateOptions& options, const FrameSpec& frame,
                  const Provenance& provenance, const RenderCodes& render) {
    record({.path = options.output.path,
            .frame = frame,
            .frameRateHz = options.frameRate,
            .provenance = provenance,
            .writing = options.writing(),
            .frames = options.frames,
            .limitAdvice = "lower --headroom"},
           [&](std::int64_t index, std::span<std::byte> out) {
               return render(index, {reinterpret_cast<std::int16_t*>(out.data()),
                                     out.size() / sizeof(std::int16_t)});
           });
}

std::string commandLineOf(const CLI::App& command) {
    constexpr std::array<std::string_view, 8> kElsewhere{
        "help", "output", "force", "backend", "compression", "screen", "wall", "screens-on"};
    std::string line = "echolux simulate " + command.get_name();
    for (const CLI::Option* option : command.get_options()) {
        if (option->get_lnames().empty()) continue;
        const std::string& name = option->get_lnames().front();
        if (std::ranges::find(kElsewhere, name) != kElsewhere.end()) continue;
        const std::string value =
            option->count() > 0 ? option->results().front() : option->get_default_str();
        if (!value.empty()) line += fmt::format(" --{} {}", name, value);
    }
    return line;
}

} // namespace echolux
