// SPDX-License-Identifier: GPL-3.0-or-later
// Sets up the OCT problems and runs them, one buffer at a time and streaming.
#include "app/bench/oct.hpp"

#include "app/bench/runs.hpp"
#include "app/prediction/timed_work.hpp"
#include "gpu/memory/transfer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <random>
#include <utility>

namespace echolux {
namespace {

constexpr int kOctSlots = 3;
constexpr std::int64_t kDifferentLines = 1024; ///< after these the data repeat
/// Below this level, rounding in the 24 bits of a float is visible beside the strongest echo.
constexpr float kComparedDb = -20.0F;

/// One line of codes: three reflectors, the envelope of a spectrum, and noise, with a total
/// amplitude of 2048.
std::vector<std::uint16_t> lineOfCodes(std::int64_t samples, std::mt19937& random) {
    std::uniform_real_distribution<double> depth(20.0, 0.45 * static_cast<double>(samples));
    std::normal_distribution<double> noise(0.0, 20.0);
    const double depths[] = {depth(random), depth(random), depth(random)};
    std::vector<std::uint16_t> codes(static_cast<std::size_t>(samples));
    for (std::size_t n = 0; n < codes.size(); ++n) {
        const double u = static_cast<double>(n) / static_cast<double>(samples);
        const double envelope = std::exp(-8.0 * (u - 0.5) * (u - 0.5));
        double fringes = 0.0;
        for (const double z : depths) fringes += std::cos(2.0 * std::numbers::pi * z * u);
        const double code = envelope * (2000.0 + 300.0 * fringes) + noise(random);
        codes[n] = static_cast<std::uint16_t>(std::clamp(code, 0.0, 4095.0));
    }
    return codes;
}

void store(const std::vector<std::uint16_t>& codes, bool packed, std::byte* out) {
    if (!packed) {
        std::copy(codes.begin(), codes.end(), reinterpret_cast<std::uint16_t*>(out));
        return;
    }
    for (std::size_t n = 0; n + 1 < codes.size(); n += 2) {
        const unsigned both = codes[n] | static_cast<unsigned>(codes[n + 1]) << 12;
        for (unsigned byte = 0; byte < 3; ++byte)
            *out++ = static_cast<std::byte>(both >> (8 * byte) & 0xFF);
    }
}

} // namespace

SnapshotPtr tschuppChain(const OctProblem& problem, const std::string& dcRemoval,
                         double oversampling) {
    PipelineConfig config;
    config.name = "bench documents";
    addStage(config, "spectrum_to_float");
    addStage(config, "background_subtract", {{"source", std::string("recording")}});
    addStage(config, "dc_removal_moving", {{"method", dcRemoval}, {"window", std::int64_t{25}}});
    addStage(config, "k_linearize",
             {{"method", std::string("nufft")},
              {"oversampling", oversampling},
              {"c1", -20.0},
              {"c2", 30.0},
              {"c3", -10.0}});
    addStage(config, "window");
    addStage(config, "dispersion", {{"c1", 20.0}, {"c2", -15.0}});
    addStage(config, "inverse_fft", {{"range", std::string("full")}});
    addStage(config, "magnitude_log", {{"scale", std::string("linear")}});
    return instantiate(config, problem.input());
}

void fillSpectra(const OctProblem& problem, const FrameSpec& spec, std::byte* raw) {
    std::mt19937 random(1);
    const auto lineBytes = bytesOf(spec.dtype, static_cast<std::size_t>(problem.samples));
    const std::int64_t lines = problem.linesPerBscan * problem.bscans;
    const std::int64_t made = std::min(lines, kDifferentLines);
    for (std::int64_t line = 0; line < made; ++line) {
        store(lineOfCodes(problem.samples, random), problem.packed,
              raw + static_cast<std::size_t>(line) * lineBytes);
    }
    for (std::int64_t line = made; line < lines; ++line) {
        const std::byte* from = raw + static_cast<std::size_t>(line % made) * lineBytes;
        std::copy(from, from + lineBytes, raw + static_cast<std::size_t>(line) * lineBytes);
    }
}

namespace {

/// Compares the first lines of the buffer: fused against stage by stage.
double deviationDb(OctProblem problem, Backend backend) {
    problem.bscans = 1;
    const SnapshotPtr snapshot = problem.snapshot();
    const Buffer raw(stagingMemory(backend), snapshot->input.bytes());
    fillSpectra(problem, snapshot->input, raw.as<std::byte>());
    std::vector<float> images[2];
    for (const Fusing fusing : {Fusing::Allowed, Fusing::Never}) {
        std::vector<float>& image = images[fusing == Fusing::Allowed ? 0 : 1];
        image.resize(static_cast<std::size_t>(snapshot->output().count()));
        const Buffer out(computeMemory(backend), snapshot->output().bytes());
        Runner runner(backend, 1, fusing);
        runner.apply(snapshot);
        runner.enqueue({.raw = raw.as<std::byte>(), .targets = {ViewTarget{out.data()}}});
        download(runner.exec(0), image.data(), out.data(), out.bytes());
        runner.drain();
    }
    double worst = 0.0;
    for (std::size_t i = 0; i < images[0].size(); ++i) {
        if (images[1][i] < kComparedDb) continue;
        worst = std::max(worst, static_cast<double>(std::abs(images[0][i] - images[1][i])));
    }
    return worst;
}

} // namespace

FrameSpec OctProblem::input() const {
    FrameSpec spec;
    spec.dtype = packed ? DType::Packed12 : DType::U16;
    spec.axes = {{AxisName::Elevation, bscans, 1.0, 0.0, ""},
                 {AxisName::Lateral, linesPerBscan, 1.0, 0.0, ""},
                 {AxisName::Sample, samples, 1.0, 0.0, ""}};
    auto spectrometer = std::make_shared<Spectrometer>();
    spectrometer->background.assign(static_cast<std::size_t>(samples), 1000.0F);
    spec.spectrometer = spectrometer;
    return spec;
}

SnapshotPtr OctProblem::snapshot() const {
    PipelineConfig config;
    config.name = "bench oct";
    addStage(config, "spectrum_to_float");
    const bool grids = gridding > 0.0;
    if (!grids) addStage(config, "background_subtract");
    if (movingAverage) addStage(config, "dc_removal_moving");
    std::vector<std::pair<std::string, ParamValue>> curve = {
        {"method", grids ? "nufft" : "cubic"}, {"c1", -20.0}, {"c2", 30.0}, {"c3", -10.0}};
    if (grids) curve.emplace_back("oversampling", gridding);
    addStage(config, "k_linearize", std::move(curve));
    addStage(config, "window");
    addStage(config, "dispersion", {{"c1", 20.0}, {"c2", -15.0}});
    addStage(config, "inverse_fft");
    if (!grids) addStage(config, "fixed_pattern", {{"method", "mean"}, {"lines", linesPerBscan}});
    addStage(config, "magnitude_log");
    return instantiate(config, input());
}

std::string OctProblem::describe() const {
    return fmt::format("{} samples x {} A-scans x {} B-scans, {}{}{}", samples, linesPerBscan,
                       bscans, packed ? "12 bit packed" : "12 bit in 16",
                       movingAverage ? ", moving average" : "",
                       gridding > 0.0 ? fmt::format(", NUFFT x {}", gridding) : "");
}

std::vector<OctProblem> octProblems(bool reduced) {
    std::vector<OctProblem> all;
    const auto add = [&](const char* id, std::int64_t samples, std::int64_t bscans) {
        for (const bool moving : {false, true}) {
            for (const bool packed : {false, true}) {
                all.push_back({fmt::format("{}{}{}", id, moving ? "m" : "", packed ? "p" : ""),
                               samples, 512, reduced ? std::min<std::int64_t>(bscans, 4) : bscans,
                               moving, packed, 0.0});
            }
        }
    };
    add("O1", 1024, 256);
    add("O2", 2048, 128);
    add("O3", 1024, 16);
    for (const auto& [id, gridding] :
         {std::pair("N1", 1.25), std::pair("N1.5", 1.5), std::pair("N2", 2.0)}) {
        all.push_back({id, 1024, 512, reduced ? 4 : 256, true, false, gridding}); // NUFFT gridding
    }
    return all;
}

OctResult runOctProblem(const OctProblem& problem, Backend backend, Fusing fusing, int repeat) {
    const SnapshotPtr snapshot = problem.snapshot();
    const FrameSpec& spec = snapshot->input;
    const Buffer raw(stagingMemory(backend), spec.bytes());
    fillSpectra(problem, spec, raw.as<std::byte>());
    const FrameJob job{.raw = raw.as<std::byte>()};
    Runner runner(backend, kOctSlots, fusing);
    runner.apply(snapshot);
    OctResult result;
    result.processingMs = medianProcessingMs(runner, job, repeat);
    result.processingPerS = problem.lines() / (result.processingMs * 1e-3);
    const double seconds = streamingSeconds(runner, job, repeat);
    result.streamingPerS = problem.lines() / seconds;
    result.streamingGigabytesPerS = static_cast<double>(spec.bytes()) / seconds / 1e9;
    runner.release();
    if (backend == Backend::Cuda && fusing == Fusing::Allowed)
        result.deviationDb = deviationDb(problem, backend);
    return result;
}

} // namespace echolux
