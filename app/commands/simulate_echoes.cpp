// SPDX-License-Identifier: GPL-3.0-or-later
// Turns options into a set-up, and a set-up into a recording.
#include "app/commands/simulate_echoes.hpp"

#include "app/source/echo_simulator.hpp"
#include "app/source/option_range.hpp"
#include "gpu/core/error.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

namespace echolux {

void ElementOptions::addTo(CLI::App& command, const std::string& pitchDefault) {
    command.add_option("--pitch", pitchMm, "Distance of neighbouring elements, mm" + pitchDefault);
    command.add_option("--width", widthMm, "Width of an element, mm (default 0.9 pitch)");
}

ElementDesign ElementOptions::design(double defaultPitchMm) const {
    ElementDesign design;
    design.pitchM = pitchMm.value_or(defaultPitchMm) * kMetresPerMm;
    checkRange("--pitch", " mm", design.pitchM / kMetresPerMm, 0.001, 100);
    design.widthM = widthMm ? *widthMm * kMetresPerMm : 0.9 * design.pitchM;
    checkRange("--width", " mm", design.widthM / kMetresPerMm, 0.0, design.pitchM / kMetresPerMm);
    return design;
}

EchoSetup echoSetup(const SimulateOptions& options, const PulseOptions& pulses) {
    constexpr double kOctave = 2.0; // of the second harmonic
    EchoSetup setup;
    setup.excitation = pulses.excitation();
    setup.acquisition.soundSpeedMps = options.soundSpeed;
    setup.region.startDepthM = options.startDepthMm * kMetresPerMm;
    setup.region.depthM = options.depthMm * kMetresPerMm;
    setup.centreFrequencyHz = options.fcMhz * kHzPerMhz;
    setup.fractionalBandwidth = options.bandwidthPercent * kPercent;
    setup.samplingHz = options.fs() * kHzPerMhz;
    if (setup.excitation.harmonicPart > 0.0 && !options.fsMhz) setup.samplingHz *= kOctave;
    setup.frameRateHz = options.frameRate;
    setup.attenuationDbPerCmMhz = options.attenuation;
    setup.converter = options.converter();
    setup.screens = options.screenSetup();
    return setup;
}

namespace {

EchoSimulator simulatorOn(Backend backend, const SimulateOptions& options, const EchoSetup& setup) {
    return {setup,
            makePhantom(phantomFor(setup, options.phantom, options.density, options.periodS())),
            backend};
}

/// Uses the GPU where there is one with enough memory, unless the options choose the backend.
EchoSimulator simulatorFor(const SimulateOptions& options, const EchoSetup& setup) {
    const Backend backend = chooseBackend(options.backend, options.gpu).backend;
    if (options.backend != "auto") return simulatorOn(backend, options, setup);
    try {
        return simulatorOn(backend, options, setup);
    } catch (const OutOfMemory& shortage) {
        if (backend == Backend::Cpu) throw;
        printWarnings({fmt::format("{} The CPU sums the echoes.", shortage.what())});
    }
    return simulatorOn(Backend::Cpu, options, setup);
}

} // namespace

void simulateEchoes(const SimulateOptions& options, const std::string& source,
                    const EchoSetup& setup) {
    checkSetup(setup);
    EchoSimulator simulator = simulatorFor(options, setup);
    Provenance provenance =
        options.provenance(fmt::format("{} --backend {}", source, nameOf(simulator.backend())),
                           simulator.phantom(), truthOf(setup));
    for (auto& note : excitationNotes(setup)) provenance.notes.push_back(std::move(note));
    recordEchoes(options, simulator.frame(), provenance,
                 [&](std::int64_t index, std::span<std::int16_t> out) {
                     simulator.render(index, out);
                     return simulator.converter().limitedSamples();
                 });
}

} // namespace echolux
