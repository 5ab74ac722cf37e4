// SPDX-License-Identifier: GPL-3.0-or-later
// Sets up the delay-and-sum problems, runs them, and compares with the pixel-by-pixel reference.
#include "app/commands/bench_das.hpp"

#include "gpu/beamform/beamform_kernels.hpp"
#include "gpu/memory/buffer.hpp"
#include "gpu/memory/transfer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <functional>
#include <memory>
#include <numbers>
#include <random>

namespace echolux {
namespace {

constexpr int kWarmUps = 3;
constexpr std::int64_t kComparedPixels = 1000;

struct Scan {
    int elements = 128;
    double pitchM = 0.3e-3;
    int samples = 1536;
    double fsHz = 20.832e6;
    double soundSpeedMps = 1540.0;
    double centreFrequencyHz = 5.208e6;
    int transmits = 1;
    double greatestAngleDeg = 0.0;
};

FrameSpec inputOf(const Scan& scan, DType dtype) {
    auto acquisition = std::make_shared<Acquisition>();
    for (int e = 0; e < scan.elements; ++e) {
        acquisition->probe.elements.push_back(
            {(e - 0.5 * (scan.elements - 1)) * scan.pitchM, 0.0, 0.0});
    }
    for (int t = 0; t < scan.transmits; ++t) {
        const double along = scan.transmits > 1 ? 2.0 * t / (scan.transmits - 1) - 1.0 : 0.0;
        Transmit transmit;
        transmit.angleRad = along * scan.greatestAngleDeg * std::numbers::pi / 180.0;
        acquisition->transmits.push_back(transmit);
    }
    acquisition->soundSpeedMps = scan.soundSpeedMps;
    FrameSpec spec;
    spec.dtype = dtype;
    spec.axes = {{AxisName::Transmit, scan.transmits, 1.0, 0.0, ""},
                 {AxisName::Channel, scan.elements, 1.0, 0.0, ""},
                 {AxisName::Sample, scan.samples, 1.0 / scan.fsHz, 0.0, "s"}};
    spec.centreFrequencyHz = scan.centreFrequencyHz;
    spec.demodulationFrequencyHz = isComplex(dtype) ? scan.centreFrequencyHz : 0.0;
    spec.acquisition = acquisition;
    return spec;
}

struct PixelGrid {
    int columns;
    int rows;
    double halfWidthM;
    double topM;
    double bottomM;
};

BeamformParams paramsOf(const PixelGrid& image, double fNumber, double soundSpeedMps) {
    BeamformParams params;
    params.soundSpeedMps = soundSpeedMps;
    params.fNumber = fNumber;
    params.lateralMinM = -image.halfWidthM;
    params.lateralMaxM = image.halfWidthM;
    params.depthMinM = image.topM;
    params.depthMaxM = image.bottomM;
    params.pixelLateralM = 2.0 * image.halfWidthM / (image.columns - 1);
    params.pixelDepthM = (image.bottomM - image.topM) / (image.rows - 1);
    return params;
}

double median(std::vector<double> values) {
    const auto middle = values.begin() + std::ssize(values) / 2;
    std::nth_element(values.begin(), middle, values.end());
    return *middle;
}

double magnitudeOf(float value) { return std::abs(value); }
double magnitudeOf(Complex value) { return std::hypot(value.re, value.im); }
float minus(float a, float b) { return a - b; }
Complex minus(Complex a, Complex b) { return {a.re - b.re, a.im - b.im}; }

/// Uniform in -1 to 1, in every number; seeded.
Buffer randomSamples(std::size_t bytes) {
    Buffer samples(MemoryKind::Host, bytes);
    std::minstd_rand random(1);
    std::uniform_real_distribution<float> uniform(-1.0F, 1.0F);
    std::generate_n(samples.as<float>(), bytes / sizeof(float), [&] { return uniform(random); });
    return samples;
}

template <class T> Buffer sent(const Exec& exec, const std::vector<T>& values) {
    Buffer buffer(computeMemory(exec.backend), values.size() * sizeof(T));
    upload(exec, buffer.data(), values.data(), buffer.bytes());
    return buffer;
}

/// Greatest difference over a spread of pixels of the first and the last frame.
template <class Sample> double deviationFrom(const das::Model& model, const Sample* samples,
                                             const Sample* images, int frames) {
    const das::Constants k = model.onHost();
    const std::int64_t pixels = k.grid.pixels();
    const std::int64_t stride = std::max<std::int64_t>(1, pixels / kComparedPixels) | 1;
    const std::int64_t count = (pixels + stride - 1) / stride;
    const std::int64_t frameSamples =
        static_cast<std::int64_t>(k.transmitsInFrame) * k.elements * k.samples;
    std::vector<Sample> expected(static_cast<std::size_t>(count));
    double greatest = 0.0;
    double worst = 0.0;
    for (const int frame : {0, frames - 1}) {
        das::beamformReference({}, k, samples + frame * frameSamples, expected.data(), 0, stride,
                               count);
        for (std::int64_t i = 0; i < count; ++i) {
            const Sample& reference = expected[static_cast<std::size_t>(i)];
            greatest = std::max(greatest, magnitudeOf(reference));
            worst =
                std::max(worst, magnitudeOf(minus(images[frame * pixels + i * stride], reference)));
        }
    }
    return greatest > 0.0 ? worst / greatest : worst;
}

std::string textOf(const das::TunedLayout& layout) {
    const das::TunedVariant& v = layout.variant;
    if (layout.frames > 1) return "ensemble";
    if (layout.chunk > 0) {
        return fmt::format("tile {} lanes {} windows {} x {}", layout.tile, v.lanesAcross,
                           layout.chunk, layout.pitch);
    }
    return fmt::format("tile {} lanes {} warps {} split {} {}", layout.tile, v.lanesAcross, v.warps,
                       v.split, v.exact ? "fraction" : "index");
}

double millisecondsOf(const std::function<void()>& work) {
    const auto start = std::chrono::steady_clock::now();
    work();
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start)
        .count();
}

} // namespace

double DasProblem::points() const {
    const FrameSpec image = das::imageSpec(input, params);
    return static_cast<double>(image.count()) *
           static_cast<double>(input.sizeOf(AxisName::Channel)) *
           static_cast<double>(input.sizeOf(AxisName::Transmit)) * frames;
}

std::vector<DasProblem> dasProblems(bool reduced) {
    // D1, D2: the array, sampling and grid of the PICMUS recordings. D3: the course's sizes,
    // sampled at 65 MHz so that 8192 samples cover the image. D4: a Doppler ensemble of a small
    // disk.
    const PixelGrid picmus{387, 609, 19.05e-3, 5e-3, 50e-3};
    const PixelGrid course{256, 1024, 19.05e-3, 5e-3, 95e-3};
    // An analytic signal takes half the rows, and less.
    const PixelGrid picmusHalf{387, 305, 19.05e-3, 5e-3, 50e-3};
    const PixelGrid cine{253, 418, 9.45e-3, 2.3e-3, 34.4e-3};
    const PixelGrid disk{251, 251, 12.5e-3, 10e-3, 35e-3};
    Scan many;
    many.transmits = reduced ? 5 : 75;
    many.greatestAngleDeg = 16.0;
    Scan three;
    three.samples = 8192;
    three.fsHz = 65e6;
    three.transmits = 3;
    three.greatestAngleDeg = 10.0;
    Scan bundled; // the cine that the program comes with
    bundled.elements = 64;
    bundled.samples = 899;
    bundled.fsHz = 20e6;
    bundled.centreFrequencyHz = 5e6;
    bundled.greatestAngleDeg = 8.0;
    Scan bundledThree = bundled;
    bundledThree.transmits = 3;
    Scan doppler;
    doppler.pitchM = 0.298e-3;
    doppler.samples = 960;
    doppler.fsHz = 20e6;
    doppler.soundSpeedMps = 1480.0;
    doppler.centreFrequencyHz = 5e6;
    const int frames = reduced ? 1 : das::kEnsembleFrames;
    const std::string waves = fmt::format("{} plane waves", many.transmits);
    const std::string ensemble = fmt::format("{} frame{}", frames, frames == 1 ? "" : "s");
    return {
        {"D1", "live frame, RF, 1 plane wave, f-number 1.4", inputOf({}, DType::F32),
         paramsOf(picmus, 1.4, 1540.0), 1},
        {"D2", "RF, " + waves + ", f-number 1.4", inputOf(many, DType::F32),
         paramsOf(picmus, 1.4, 1540.0), 1},
        {"D2a", "RF, " + waves + ", full aperture", inputOf(many, DType::F32),
         paramsOf(picmus, 0.0, 1540.0), 1},
        {"D3", "RF, 3 plane waves of 8192 samples, full aperture", inputOf(three, DType::F32),
         paramsOf(course, 0.0, 1540.0), 1},
        {"D4", "IQ, " + ensemble + ", f-number 1", inputOf(doppler, DType::ComplexF32),
         paramsOf(disk, 1.0, 1480.0), frames},
        {"D4r", "RF, " + ensemble + ", f-number 1", inputOf(doppler, DType::F32),
         paramsOf(disk, 1.0, 1480.0), frames},
        {"A1", "D1 by analytic signals, half the rows", inputOf({}, DType::ComplexF32),
         paramsOf(picmusHalf, 1.4, 1540.0), 1},
        {"A2", "D2 by analytic signals, half the rows", inputOf(many, DType::ComplexF32),
         paramsOf(picmusHalf, 1.4, 1540.0), 1},
        {"A2a", "D2a by analytic signals, half the rows", inputOf(many, DType::ComplexF32),
         paramsOf(picmusHalf, 0.0, 1540.0), 1},
        {"C1", "small live frame, analytic, 1 plane wave, f-number 1.4",
         inputOf(bundled, DType::ComplexF32), paramsOf(cine, 1.4, 1540.0), 1},
        {"C3", "the same, 3 plane waves", inputOf(bundledThree, DType::ComplexF32),
         paramsOf(cine, 1.4, 1540.0), 1},
    };
}

std::vector<das::TunedVariant> dasVariants(const DasProblem& problem) {
    if (problem.frames > 1) return {das::TunedVariant{}};
    const bool single = problem.input.sizeOf(AxisName::Transmit) == 1;
    const std::vector<int> windowTiles = isComplex(problem.input.dtype) ? std::vector<int>{5}
                                         : single                       ? std::vector<int>{1}
                                                                        : std::vector<int>{1, 3, 5};
    std::vector<das::TunedVariant> variants;
    for (const int lanes : {32, 16, 8}) {
        for (const int tile : windowTiles) {
            variants.push_back({.tile = tile, .lanesAcross = lanes, .windows = true});
        }
        for (const int warps : {2, 4, 8}) {
            for (const int split : {1, 2, 4}) {
                if (warps / split * lanes < 32) continue;
                for (const bool exact : {true, false}) {
                    variants.push_back({single ? 1 : 3, lanes, warps, split, exact});
                }
            }
        }
    }
    return variants;
}

std::vector<DasResult> DasBench::run(const DasProblem& problem,
                                     const std::vector<das::TunedVariant>& variants) const {
    return isComplex(problem.input.dtype) ? runAs<Complex>(problem, variants)
                                          : runAs<float>(problem, variants);
}

template <class Sample> std::vector<DasResult>
DasBench::runAs(const DasProblem& problem, const std::vector<das::TunedVariant>& variants) const {
    const das::Model model = problem.model();
    const auto pixels = static_cast<std::size_t>(model.constants.grid.pixels());
    const auto frames = static_cast<std::size_t>(problem.frames);
    const Buffer samples = randomSamples(problem.input.bytes() * frames);
    Buffer image(MemoryKind::Host, pixels * frames * sizeof(Sample));

    DasResult result;
    result.problem = problem.id;
    const auto finish = [&](DasResult& r) {
        r.pointsPerSecond = problem.points() / (r.sumMs * 1e-3);
        r.deviation =
            deviationFrom(model, samples.as<Sample>(), image.as<Sample>(), problem.frames);
    };

    if (m_exec.backend == Backend::Cpu) {
        const das::Constants k = model.onHost();
        std::vector<double> times;
        for (int i = -1; i < m_repeat; ++i) {
            const double ms = millisecondsOf(
                [&] { das::beamformOnHost(k, samples.as<Sample>(), image.as<Sample>()); });
            if (i >= 0) times.push_back(ms);
        }
        result.sumMs = median(times);
        finish(result);
        return {result};
    }

    const Buffer elements = sent(m_exec, model.elements);
    const Buffer transmits = sent(m_exec, model.transmits);
    das::Constants k = model.constants;
    k.element = elements.as<das::Element>();
    k.transmit = transmits.as<das::TransmitConstants>();
    const Buffer input(MemoryKind::Device, samples.bytes());
    const Buffer output(MemoryKind::Device, image.bytes());
    upload(m_exec, input.data(), samples.data(), samples.bytes());

    std::vector<DasResult> results;
    for (const das::TunedVariant& variant : variants) {
        const das::TunedLayout layout = das::tunedLayout(
            model, isComplex(problem.input.dtype), problem.frames, das::tunedPitch(model), variant);
        const Buffer packed(MemoryKind::Device, layout.bytes(k));
        const Event start(Backend::Cuda, true);
        const Event between(Backend::Cuda, true);
        const Event end(Backend::Cuda, true);
        std::vector<double> packTimes;
        std::vector<double> sumTimes;
        fillBytes(m_exec, output.data(), 0xFF, output.bytes());
        for (int i = -kWarmUps; i < m_repeat; ++i) {
            start.record(m_exec);
            das::tunedPack(m_exec, k, layout, input.data(), packed.data());
            between.record(m_exec);
            das::tunedSum(m_exec, k, layout, input.data(), packed.data(), output.data());
            end.record(m_exec);
            end.synchronize();
            if (i < 0) continue;
            packTimes.push_back(device::elapsedMs(start.get(), between.get()));
            sumTimes.push_back(device::elapsedMs(between.get(), end.get()));
        }
        download(m_exec, image.data(), output.data(), output.bytes());
        device::synchronize(m_exec.stream);
        result.variant = textOf(layout);
        result.packMs = median(packTimes);
        result.sumMs = median(sumTimes);
        finish(result);
        results.push_back(result);
    }
    return results;
}

} // namespace echolux
