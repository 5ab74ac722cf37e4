// SPDX-License-Identifier: GPL-3.0-or-later
// S3, table 4.1: a plane wave from channel data to gray levels, stage by stage, and travel times
// from a table or a square root.
#include "app/bench/documents.hpp"
#include "app/prediction/timed_work.hpp"

#include "app/bench/runs.hpp"
#include "app/prediction/device_file.hpp"
#include "app/prediction/device_here.hpp"
#include "app/prediction/pipeline_prediction.hpp"
#include "gpu/core/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <numbers>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace echolux {
namespace {

constexpr double kWaveSamplingHz = 40e6; ///< not in the document
constexpr double kSoundSpeedMps = 1540.0;
constexpr double kPitchM = 0.3e-3;
constexpr double kRowM = kSoundSpeedMps / (2.0 * kWaveSamplingHz); ///< a row per sample
constexpr double kEchoPeriod = 16.0;                               ///< samples
constexpr double kGoalPerS = 2000.0;
constexpr std::size_t kStages = 5;
constexpr std::size_t kSum = 2; ///< number of the reconstruction among them

/// Microseconds of each stage and of all: DC removal, band-pass, reconstruction, envelope, colour
/// map, total.
using Times = std::array<double, kStages + 1>;

struct Problem {
    const char* name;
    std::int64_t channels;
    std::int64_t samples;
    Times gpuUs; ///< published, GTX 660 Ti
    Times cpuUs; ///< published, one core of a Core i5-2300 without SIMD
};

constexpr Problem kShallow{
    "64 x 8 mm", 64, 416, {9, 15, 93, 9, 20, 146}, {126, 238, 8525, 629, 328, 9846}};
constexpr Problem kDeep{"128 x 128 mm",
                        128,
                        6649,
                        {119, 196, 3672, 136, 60, 4183},
                        {3986, 7888, 2332597, 22451, 9273, 2376195}};
constexpr std::array<const char*, kStages + 1> kNames{"DC removal", "band-pass",  "reconstruction",
                                                      "envelope",   "colour map", "total"};

FrameSpec inputOf(const Problem& problem) {
    auto acquisition = std::make_shared<Acquisition>();
    acquisition->soundSpeedMps = kSoundSpeedMps;
    acquisition->probe.pitchM = kPitchM;
    for (std::int64_t n = 0; n < problem.channels; ++n) {
        const double place =
            static_cast<double>(n) - 0.5 * static_cast<double>(problem.channels - 1);
        acquisition->probe.elements.push_back({place * kPitchM, 0.0, 0.0});
    }
    acquisition->transmits.resize(1);
    acquisition->transmits[0].wave = Wave::Plane;
    FrameSpec spec;
    spec.dtype = DType::F32;
    spec.axes = {{AxisName::Transmit, 1, 1.0, 0.0, ""},
                 {AxisName::Channel, problem.channels, 1.0, 0.0, ""},
                 {AxisName::Sample, problem.samples, 1.0 / kWaveSamplingHz, 0.0, "s"}};
    spec.centreFrequencyHz = kWaveSamplingHz / kEchoPeriod;
    spec.acquisition = acquisition;
    return spec;
}

/// The stages of the document: full aperture, no weights, the nearest sample, one unsteered wave,
/// as many columns as channels and as many rows as samples.
SnapshotPtr snapshotOf(const Problem& problem, const char* delays) {
    const FrameSpec input = inputOf(problem);
    const double left = input.acquisition->probe.elements.front().x;
    PipelineConfig config;
    config.name = "bench documents";
    addStage(config, "dc_removal");
    addStage(config, "bandpass",
             {{"design", std::string("coefficients")},
              {"coefficients", std::vector<double>{-0.0049, 0.1007, 0.4761}},
              {"coefficient_form", std::string("half_even")}});
    addStage(config, "beamform",
             {{"f_number", 0.0},
              {"interpolation", std::string("nearest")},
              {"delays", std::string(delays)},
              {"grid", std::string("image")},
              {"lateral_min", left},
              {"lateral_max", -left},
              {"pixel_lateral", kPitchM},
              {"depth_min", 0.0},
              {"depth_max", kRowM * static_cast<double>(problem.samples - 1)},
              {"pixel_depth", kRowM}});
    addStage(config, "envelope",
             {{"kind", std::string("fir_hilbert")}, {"window", std::int64_t{15}}});
    addStage(config, "linear_map", {{"reference", std::string("fixed")}});
    return instantiate(config, input);
}

/// Slow echoes with another phase in each channel.
std::vector<float> echoesOf(const Problem& problem) {
    std::vector<float> echoes;
    for (std::int64_t channel = 0; channel < problem.channels; ++channel)
        for (std::int64_t n = 0; n < problem.samples; ++n)
            echoes.push_back(static_cast<float>(
                0.5 + std::sin(2.0 * std::numbers::pi *
                               (static_cast<double>(n) / kEchoPeriod +
                                0.618 * static_cast<double>(channel * channel)))));
    return echoes;
}

/// Deviation of the reconstruction from its definition in double precision, relative to the
/// greatest magnitude. Where an echo arrives so close to the middle between two samples that
/// rounding decides, both samples count as right.
double reconstructionDeviation(const Problem& problem, const std::vector<float>& samples,
                               const std::vector<float>& image) {
    constexpr double kUnclear = 4e-3;       // samples
    constexpr std::size_t kCompared = 1500; // pixels
    const auto columns = static_cast<std::size_t>(problem.channels);
    const std::size_t stride = std::max<std::size_t>(1, image.size() / kCompared) | 1;
    const auto sampleAt = [&](std::size_t channel, double index) {
        const auto n = static_cast<std::int64_t>(std::floor(index + 0.5));
        if (n < 0 || n >= problem.samples) return 0.0;
        return double{samples[channel * static_cast<std::size_t>(problem.samples) +
                              static_cast<std::size_t>(n)]};
    };
    Deviation deviation;
    for (std::size_t pixel = 0; pixel < image.size(); pixel += stride) {
        const double z = kRowM * static_cast<double>(pixel / columns);
        double sum = 0.0;
        double unclear = 0.0;
        for (std::size_t channel = 0; channel < columns; ++channel) {
            const double x =
                kPitchM * (static_cast<double>(pixel % columns) - static_cast<double>(channel));
            const double index = (z + std::hypot(z, x)) / kSoundSpeedMps * kWaveSamplingHz;
            sum += sampleAt(channel, index);
            unclear +=
                std::abs(sampleAt(channel, index + kUnclear) - sampleAt(channel, index - kUnclear));
        }
        deviation.add(std::abs(sum), std::abs(sum - double{image[pixel]}) - unclear);
    }
    return deviation.relative();
}

/// The document's own reconstruction on the GTX 660 Ti: a thread per pixel adds, for each channel,
/// a travel time from the table and the sample there. Instructions other than the sum are counted
/// by hand from its description: two addresses, two loads, a conversion, the loop.
CountedStep ownSum(const Problem& problem) {
    const auto pixels = static_cast<double>(problem.channels * problem.samples);
    const double terms = pixels * static_cast<double>(problem.channels);
    constexpr double kThreads = 256.0;
    model::Kernel kernel{"beamform", {.blocks = std::ceil(pixels / kThreads), .threads = kThreads}};
    kernel.parts = {{.name = "fetch", .globalBytes = 8.0 * terms},
                    {.name = "sum", .fadd = terms, .offsets = 7.0 * terms},
                    {.name = "store", .globalBytes = 4.0 * pixels}};
    return {"beamform", {kernel}};
}

/// Microseconds by the performance model.
Times predicted(const Problem& problem, const model::Device& device,
                std::vector<CountedStep> counts = {}) {
    const PipelinePrediction all =
        predictPipeline(snapshotOf(problem, "table"), device,
                        {.fusing = Fusing::Never, .counts = std::move(counts)});
    Times us{};
    for (std::size_t i = 0; i < kStages; ++i) {
        us[i] = 1e6 * all.steps[i].time().middle();
        us[kStages] += us[i];
    }
    return us;
}

/// The device that is measured; null where no device file is known for it.
std::optional<model::Device> deviceOrNone(Backend backend) {
    try {
        return deviceHere(backend);
    } catch (const Error&) {
        return std::nullopt;
    }
}

struct Measured {
    Times us{};
    double deviation = 0.0;
};

Measured measure(const Problem& problem, Backend backend, const char* delays, int repeat) {
    const SnapshotPtr snapshot = snapshotOf(problem, delays);
    const std::vector<float> echoes = echoesOf(problem);
    Buffer raw(stagingMemory(backend), snapshot->input.bytes());
    std::ranges::copy(echoes, raw.as<float>());
    const FrameJob job{.raw = raw.as<std::byte>()};
    Runner runner(backend, 1, Fusing::Never);
    runner.apply(snapshot, {"bandpass", "beamform"});
    const StepMedians times = stepMedians(runner, job, repeat);
    Measured made;
    for (std::size_t i = 0; i < kStages; ++i) made.us[i] = 1e3 * times.stepMs[i];
    made.us[kStages] = 1e3 * times.processingMs;
    const auto kept = [&](const char* stage) {
        const ConstTensorView output = runner.keptOutput(0, stage);
        std::vector<float> values(static_cast<std::size_t>(output.spec->count()));
        download(runner.exec(0), values.data(), output.data, output.spec->bytes());
        runner.drain();
        return values;
    };
    made.deviation = reconstructionDeviation(problem, kept("bandpass"), kept("beamform"));
    return made;
}

class Table {
public:
    Table(const DocumentBench& bench, std::string name) : m_bench(bench), m_name(std::move(name)) {}

    void take(std::string entry, const char* unit, std::optional<double> published, double measured,
              std::string note = {}) const {
        m_bench.take({.table = m_name,
                      .entry = std::move(entry),
                      .unit = unit,
                      .published = published,
                      .measured = measured,
                      .note = std::move(note)});
    }
    /// `there` is the device that the document measured; null: its problem was larger. `here` is
    /// the one that is measured; null: it is not known.
    void takeTimes(const Problem& problem, const char* where, const Times& published,
                   const std::optional<Times>& there, const Measured& measured,
                   const std::optional<Times>& here) const {
        for (std::size_t i = 0; i < published.size(); ++i) {
            DocumentEntry entry{.table = m_name,
                                .entry = fmt::format("{}, {}{}", problem.name, kNames[i], where),
                                .unit = "us"};
            entry.published = published[i];
            entry.measured = measured.us[i];
            if (there) entry.predictedThere = (*there)[i];
            if (here) entry.predictedHere = (*here)[i];
            if (i == kSum) {
                entry.deviation = measured.deviation;
                entry.allowed = 1e-4;
            }
            m_bench.take(entry);
        }
    }

private:
    const DocumentBench& m_bench;
    std::string m_name;
};

} // namespace

void benchPlaneWave(const DocumentBench& bench) {
    const bool onCuda = bench.exec.backend == Backend::Cuda;
    Problem deep = kDeep;
    if (bench.reduced) deep.samples = kShallow.samples;
    const Table stages(bench, "S3 table 4.1 (channels x depth; 40 MHz, 1540 m/s)");
    const Table whole(bench, "S3 section 4.5, rates, scaling and speed-up");
    std::array<double, 2> totals{};
    std::array<double, 2> oneThreadTotals{};
    const model::Device processor = deviceHere(Backend::Cpu);
    const model::Device oneCore = oneCoreOf(processor);
    const auto here = onCuda ? deviceOrNone(Backend::Cuda) : std::optional(processor);
    const model::Device card = deviceBy("gtx_660_ti");
    const model::Device publishedCore = deviceBy("core_i5_2300_one_core");
    for (std::size_t i = 0; i < totals.size(); ++i) {
        const Problem& problem = i == 0 ? kShallow : deep;
        const int cpuRepeat = onCuda ? 1 : bench.repeat;
        const auto onOneThread = [&] {
            const auto limit = oneThread();
            return measure(problem, Backend::Cpu, "table", cpuRepeat);
        }();
        const bool isWhole = i == 0 || !bench.reduced;
        const auto onPublishedCore =
            isWhole ? std::optional(predicted(problem, publishedCore)) : std::nullopt;
        const auto onCard =
            isWhole ? std::optional(predicted(problem, card, {ownSum(problem)})) : std::nullopt;
        stages.takeTimes(problem, ", CPU, one thread", problem.cpuUs, onPublishedCore, onOneThread,
                         predicted(problem, oneCore));
        const Measured measured = measure(problem, bench.exec.backend, "table", bench.repeat);
        stages.takeTimes(problem, onCuda ? ", GPU" : ", CPU, all threads",
                         onCuda ? problem.gpuUs : problem.cpuUs, onCuda ? onCard : onPublishedCore,
                         measured, here ? std::optional(predicted(problem, *here)) : std::nullopt);
        totals[i] = measured.us[kStages];
        oneThreadTotals[i] = onOneThread.us[kStages];
    }
    const Times& published = onCuda ? kShallow.gpuUs : kShallow.cpuUs;
    whole.take("64 x 8 mm, frames", "frames/s", 1e6 / published[kStages], 1e6 / totals[0]);
    whole.take("64 x 8 mm, frames, goal of the document", "frames/s", kGoalPerS, 1e6 / totals[0]);
    const auto scaling = [](const Times& large, const Times& small) {
        return large[kStages] / small[kStages];
    };
    whole.take("128 x 128 mm over 64 x 8 mm, 32 times the data", "times",
               onCuda ? scaling(kDeep.gpuUs, kShallow.gpuUs) : scaling(kDeep.cpuUs, kShallow.cpuUs),
               totals[1] / totals[0]);
    for (std::size_t i = 0; i < totals.size(); ++i) {
        const Problem& problem = i == 0 ? kShallow : kDeep;
        whole.take(fmt::format("{}, {} over one thread of the CPU", problem.name,
                               onCuda ? "GPU" : "all threads"),
                   "times faster",
                   onCuda ? std::optional(problem.cpuUs[kStages] / problem.gpuUs[kStages])
                          : std::nullopt,
                   oneThreadTotals[i] / totals[i]);
    }
    const double tableUs = measure(deep, bench.exec.backend, "table", bench.repeat).us[kSum];
    const double rootUs = measure(deep, bench.exec.backend, "kernel", bench.repeat).us[kSum];
    whole.take("128 x 128 mm, reconstruction by square roots", "us", std::nullopt, rootUs);
    whole.take("travel times from a table over square roots", "times faster", 1.8,
               rootUs / tableUs);
}

} // namespace echolux
