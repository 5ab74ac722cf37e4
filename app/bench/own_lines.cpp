// SPDX-License-Identifier: GPL-3.0-or-later
// Focused lines through a pipeline: from device memory, and streamed.
#include "app/bench/own_lines.hpp"

#include "app/bench/runs.hpp"
#include "app/prediction/timed_work.hpp"
#include "gpu/beamform/beamform_kernels.hpp"
#include "gpu/beamform/beamform_model.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstring>
#include <memory>
#include <utility>

namespace echolux {
namespace {

constexpr std::int64_t kLinesPerTransmit = 16;
constexpr double kFocusM = 0.06;
constexpr double kCentreHz = 5e6;
constexpr double kCodeMiddle = 2048.0; ///< middle of 12 bit codes
constexpr int kStreamSlots = 3;
constexpr std::int64_t kOwnCompared = 1500; ///< pixels

FrameSpec linesInput(const ladder::ScanProblem& shape, bool packed) {
    const ladder::ScanGeometry geometry;
    auto acquisition = std::make_shared<Acquisition>();
    acquisition->soundSpeedMps = geometry.soundSpeedMps;
    acquisition->probe.pitchM = geometry.pitchM;
    for (int n = 0; n < shape.channels; ++n) {
        const double x = geometry.place(shape, n) * geometry.soundSpeedMps / geometry.samplingHz;
        acquisition->probe.elements.push_back({x, 0.0, 0.0});
    }
    for (int beam = 0; beam < shape.beams; ++beam) {
        const double sine = geometry.sine(shape, beam, 0);
        Transmit transmit;
        transmit.wave = Wave::Focused;
        transmit.source = {kFocusM * sine, 0.0, kFocusM * std::sqrt(1.0 - sine * sine)};
        acquisition->transmits.push_back(transmit);
    }
    FrameSpec spec;
    spec.dtype = packed ? DType::Packed12 : DType::I16;
    spec.codeOffset = packed ? kCodeMiddle : 0.0;
    spec.axes = {{AxisName::Transmit, shape.beams, 1.0, 0.0, ""},
                 {AxisName::Channel, shape.channels, 1.0, 0.0, ""},
                 {AxisName::Sample, shape.samples, 1.0 / geometry.samplingHz, 0.0, "s"}};
    spec.centreFrequencyHz = kCentreHz;
    spec.acquisition = acquisition;
    return spec;
}

/// Deviation of the image from the pixel-by-pixel formula on the host, relative to its greatest
/// magnitude.
double linesDeviation(const StageState& stage, const std::vector<float>& samples,
                      const std::vector<float>& image) {
    const das::Model model = das::makeModel(stage.input(), stage.params.as<BeamformParams>());
    const std::int64_t stride = std::max<std::int64_t>(1, std::ssize(image) / kOwnCompared) | 1;
    std::vector<float> expected(
        static_cast<std::size_t>((std::ssize(image) + stride - 1) / stride));
    das::beamformReference({}, model.onHost(), samples.data(), expected.data(), 0, stride,
                           std::ssize(expected));
    Deviation deviation;
    for (std::size_t i = 0; i < expected.size(); ++i)
        deviation.add(
            std::abs(double{expected[i]}),
            std::abs(double{expected[i]} - double{image[i * static_cast<std::size_t>(stride)]}));
    return deviation.relative();
}

double deviationOfOwn(const DocumentBench& bench, const SnapshotPtr& snapshot,
                      const FrameJob& job) {
    const Buffer out(computeMemory(bench.exec.backend), snapshot->output().bytes());
    Runner runner(bench.exec.backend, 1);
    runner.apply(snapshot, {"upsample"});
    FrameJob kept = job;
    kept.targets[0] = {out.data()};
    const int slot = runner.enqueue(kept);
    runner.wait(slot);
    const StageState& beamform = snapshot->stage("beamform");
    std::vector<float> samples(static_cast<std::size_t>(beamform.input().count()));
    download(runner.exec(slot), samples.data(), runner.keptOutput(slot, "upsample").data,
             samples.size() * sizeof(float));
    runner.drain();
    return linesDeviation(beamform, samples, onHost(bench.exec, out));
}

} // namespace

SnapshotPtr ownLinesSnapshot(const ladder::ScanProblem& shape, bool packed) {
    const ladder::ScanGeometry geometry;
    const double row = geometry.soundSpeedMps / (2.0 * geometry.samplingHz);
    PipelineConfig config;
    config.name = "bench documents";
    addStage(config, "to_float");
    addStage(config, "upsample", {{"factor", std::int64_t{4}}, {"taps", std::int64_t{11}}});
    addStage(config, "beamform",
             {{"grid", std::string("beams")},
              {"transmit_aperture", std::string("lines")},
              {"lines_per_transmit", kLinesPerTransmit},
              {"blend_beams", false},
              {"f_number", 0.0},
              {"window", std::string("hann")},
              {"interpolation", std::string("linear")},
              {"depth_min", 0.0},
              {"depth_max", row * (shape.samples - 1)},
              {"pixel_depth", row}});
    return instantiate(config, linesInput(shape, packed));
}

OwnLinesResult benchOwnLines(const DocumentBench& bench, const ladder::ScanProblem& shape,
                             const std::vector<std::int16_t>& codes) {
    const Backend backend = bench.exec.backend;
    OwnLinesResult result;
    {
        const SnapshotPtr snapshot = ownLinesSnapshot(shape, false);
        const Buffer raw(stagingMemory(backend), snapshot->input.bytes());
        std::memcpy(raw.data(), codes.data(), raw.bytes());
        const FrameJob job{.raw = raw.as<std::byte>()};
        result.codeBytes = static_cast<double>(raw.bytes());
        result.deviation = deviationOfOwn(bench, snapshot, job);
        Runner runner(backend, 1);
        runner.apply(snapshot);
        result.deviceMs = medianProcessingMs(runner, job, bench.repeat);
    }
    const SnapshotPtr snapshot = ownLinesSnapshot(shape, true);
    const Buffer raw(stagingMemory(backend), snapshot->input.bytes());
    fillBytes({}, raw.data(), 0x5A, raw.bytes());
    result.packedBytes = static_cast<double>(raw.bytes());
    Runner runner(backend, kStreamSlots);
    runner.apply(snapshot);
    result.streamedMs = 1e3 * streamingSeconds(runner, {.raw = raw.as<std::byte>()}, bench.repeat);
    return result;
}

} // namespace echolux
