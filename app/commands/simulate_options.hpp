// SPDX-License-Identifier: GPL-3.0-or-later
// Options that all kinds of simulated echoes share: pulse, record, converter, phantom, file.
#pragma once

#include "app/command_line/options.hpp"
#include "app/commands/screen_options.hpp"
#include "app/commands/simulated_recording.hpp"
#include "app/source/echo_converter.hpp"
#include "app/source/phantom.hpp"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>

namespace echolux {

/// In the units of the command line: lengths in mm, frequencies in MHz, angles in degrees.
struct SimulateOptions {
    OutputOptions output;
    std::string backend = "auto"; ///< for kinds with Computes::OnBackend
    int gpu = 0;                  ///< number of the GPU
    std::int64_t frames = 32;
    double fcMhz = 5.0;
    double bandwidthPercent = 60.0;
    std::optional<double> fsMhz;
    double startDepthMm = 0.0;
    double depthMm = 40.0;
    double soundSpeed = 1540.0;
    double frameRate = 25.0;
    double attenuation = 0.3;
    double snr = 50.0;
    int bits = 14;
    double headroom = 0.7;
    std::string phantom = "cine";
    double density = 8.0;
    std::uint64_t seed = 1;
    int compression = 6;
    ScreenOptions screens;

    enum class Computes { OnCpu, OnBackend };
    void addTo(CLI::App& command, Computes computes = Computes::OnCpu);
    double fs() const { return fsMhz.value_or(4.0 * fcMhz); }
    double wavelengthM() const { return soundSpeed / (fcMhz * 1e6); }
    ConverterSetup converter() const { return {snr, bits, headroom, seed}; }
    ScreenSetup screenSetup() const { return screens.setup(soundSpeed, seed); }
    double periodS() const { return static_cast<double>(frames) / frameRate; }
    /// Throws Error where the file cannot be written or an option makes no sense.
    void check() const;
    NativeWriterOptions writing() const;
    /// `source`: command that reproduces these samples, without its screens. `truth`: effect of the
    /// screens; null without any.
    Provenance provenance(const std::string& source, const Phantom& phantom,
                          std::shared_ptr<const AberrationTruth> truth) const;
};

/// Renders one frame, and returns the number of samples that the converter clipped.
using RenderCodes = std::function<std::int64_t(std::int64_t index, std::span<std::int16_t> out)>;

void recordEchoes(const SimulateOptions& options, const FrameSpec& frame,
                  const Provenance& provenance, const RenderCodes& render);

/// "echolux simulate NAME --option value ..." with every option that affects the samples and was
/// given or has a default of its own; without screens.
std::string commandLineOf(const CLI::App& command);

} // namespace echolux
