// SPDX-License-Identifier: GPL-3.0-or-later
// Sets up the delay-and-sum problems, runs them, and compares with the pixel-by-pixel reference.
#include "app/bench/das.hpp"

#include "app/bench/runs.hpp"
#include "app/prediction/timed_work.hpp"
#include "gpu/beamform/beamform_cuda.hpp"
#include "gpu/beamform/beamform_grid.hpp"
#include "gpu/beamform/beamform_kernels.hpp"
#include "gpu/beamform/beamform_model_copy.hpp"
#include "gpu/memory/buffer.hpp"
#include "gpu/memory/transfer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <functional>
#include <memory>

namespace echolux {
namespace {

constexpr std::int64_t kComparedPixels = 1000;

double magnitudeOf(float value) { return std::abs(value); }
double magnitudeOf(Complex value) { return std::hypot(value.re, value.im); }
float minus(float a, float b) { return a - b; }
Complex minus(Complex a, Complex b) { return {a.re - b.re, a.im - b.im}; }

/// Greatest difference over pixels spread evenly over the first and the last frame.
template <class Sample> double deviationFrom(const das::Model& model, const Sample* samples,
                                             const Sample* images, int frames) {
    const das::Constants k = model.onHost();
    const std::int64_t pixels = k.grid.pixels();
    const std::int64_t stride = std::max<std::int64_t>(1, pixels / kComparedPixels) | 1;
    const std::int64_t count = (pixels + stride - 1) / stride;
    const std::int64_t frameSamples =
        static_cast<std::int64_t>(k.transmitsInFrame) * k.channels * k.samples;
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

std::string textOf(const das::CudaSum& chosen) {
    if (chosen.tuned) return textOf(*chosen.tuned);
    if (chosen.ownLines)
        return fmt::format("own lines, {} across{}", chosen.ownLines->across,
                           chosen.ownLines->rows > 0
                               ? fmt::format(", windows of {} rows", chosen.ownLines->rows)
                               : "");
    if (!chosen.space) return "pixel by pixel";
    return fmt::format("space: {} x {} x {} tile {} windows {} x {}{}", chosen.space->across,
                       chosen.space->slices, chosen.space->rows, chosen.space->tile,
                       chosen.space->chunk, chosen.space->pitch,
                       chosen.space->weights == das::Weights::None ? "" : ", weighted");
}

std::vector<das::TunedVariant> variantsOf(const DasProblem& problem) {
    if (problem.frames > 1 || !das::tunedSuits(problem.model())) return {};
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

/// The sum that the stage would choose; in a sweep also what could stand in its place.
std::vector<das::CudaSum> sumsOf(const DasProblem& problem, const das::Model& model, bool sweep) {
    constexpr std::size_t kPlenty = std::size_t{1} << 40;
    const bool complex = isComplex(problem.input.dtype);
    const int pitch = das::tunedPitch(model);
    const auto chosen = [&](int frames) {
        return das::chooseCudaSum(model, complex, frames, pitch, kPlenty);
    };
    std::vector<das::CudaSum> sums{chosen(problem.frames)};
    if (!sweep) return sums;
    for (const das::TunedVariant& variant : variantsOf(problem))
        sums.push_back({.tuned = das::tunedLayout(model, complex, problem.frames, pitch, variant)});
    if (problem.frames > 1) sums.push_back(chosen(1));
    if (sums.front().ownLines && sums.front().ownLines->rows > 0) {
        sums.push_back(sums.front());
        sums.back().ownLines->rows = 0;
    }
    if (sums.front().isTuned()) sums.emplace_back();
    return sums;
}

/// Computes the images of all frames. A tuned layout of all frames reads `packed`, or `input` where
/// it has windows; one of fewer frames packs them itself. The other kernels read `input`.
template <class Sample> void sumOnly(const Exec& exec, const das::Constants& k,
                                     const das::CudaSum& chosen, const Buffer& input,
                                     const Buffer& packed, const Buffer& output) {
    const std::int64_t pixels = k.grid.pixels();
    const std::int64_t samples =
        static_cast<std::int64_t>(k.transmitsInFrame) * k.channels * k.samples;
    const auto frames = static_cast<std::int64_t>(output.bytes() / sizeof(Sample)) /
                        std::max<std::int64_t>(1, pixels);
    if (chosen.tuned && chosen.tuned->frames == frames)
        return das::tunedSum(exec, k, *chosen.tuned, input.data(), packed.data(), output.data());
    for (std::int64_t frame = 0; frame < frames; frame += chosen.frames()) {
        const Sample* from = input.as<Sample>() + frame * samples;
        Sample* to = output.as<Sample>() + frame * pixels;
        if (chosen.isTuned()) {
            das::sumOnCuda(exec, k, chosen, from, packed.data(), to);
        } else {
            das::beamformReference(exec, k, from, to, 0, 1, pixels);
        }
    }
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
    const bool own = params.transmitAperture == TransmitAperture::OwnLines;
    const std::int64_t transmits = own ? 1 : input.sizeOf(AxisName::Transmit);
    return static_cast<double>(image.count()) *
           static_cast<double>(input.sizeOf(AxisName::Channel)) * static_cast<double>(transmits) *
           frames;
}

std::vector<DasResult> DasBench::run(const DasProblem& problem, bool sweep) const {
    return isComplex(problem.input.dtype) ? runAs<Complex>(problem, sweep)
                                          : runAs<float>(problem, sweep);
}

template <class Sample>
std::vector<DasResult> DasBench::runAs(const DasProblem& problem, bool sweep) const {
    const das::Model model = problem.model();
    const auto pixels = static_cast<std::size_t>(model.constants.grid.pixels());
    const auto frames = static_cast<std::size_t>(problem.frames);
    const std::vector<float> numbers =
        randomNumbers(problem.input.bytes() * frames / sizeof(float));
    const auto* samples = reinterpret_cast<const Sample*>(numbers.data());
    Buffer image(MemoryKind::Host, pixels * frames * sizeof(Sample));

    DasResult result;
    result.problem = problem.id;
    const auto finish = [&](DasResult& r) {
        r.pointsPerSecond = problem.points() / (r.sumMs * 1e-3);
        r.deviation = deviationFrom(model, samples, image.as<Sample>(), problem.frames);
    };

    if (m_exec.backend == Backend::Cpu) {
        const das::Constants k = model.onHost();
        std::vector<double> times;
        for (int i = -1; i < m_repeat; ++i) {
            const double ms =
                millisecondsOf([&] { das::beamformOnHost(k, samples, image.as<Sample>()); });
            if (i >= 0) times.push_back(ms);
        }
        result.sumMs = medianOf(times);
        finish(result);
        return {result};
    }

    const das::ModelCopy copy(m_exec, model);
    const das::Constants& k = copy.constants();
    const Buffer input(MemoryKind::Device, problem.input.bytes() * frames);
    const Buffer output(MemoryKind::Device, image.bytes());
    upload(m_exec, input.data(), numbers.data(), input.bytes());

    std::vector<DasResult> results;
    for (const das::CudaSum& chosen : sumsOf(problem, model, sweep)) {
        const bool packs = chosen.tuned.has_value();
        const Buffer packed(MemoryKind::Device, packs ? chosen.tuned->bytes(k) : 0);
        const Event start(Backend::Cuda, true);
        const Event between(Backend::Cuda, true);
        const Event end(Backend::Cuda, true);
        std::vector<double> packTimes;
        std::vector<double> sumTimes;
        fillBytes(m_exec, output.data(), 0xFF, output.bytes());
        for (int i = -kWarmUps; i < m_repeat; ++i) {
            start.record(m_exec);
            if (packs) das::tunedPack(m_exec, k, *chosen.tuned, input.data(), packed.data());
            between.record(m_exec);
            sumOnly<Sample>(m_exec, k, chosen, input, packed, output);
            end.record(m_exec);
            end.synchronize();
            if (i < 0) continue;
            packTimes.push_back(device::elapsedMs(start.get(), between.get()));
            sumTimes.push_back(device::elapsedMs(between.get(), end.get()));
        }
        download(m_exec, image.data(), output.data(), output.bytes());
        device::synchronize(m_exec.stream);
        result.variant = textOf(chosen);
        result.packMs = medianOf(packTimes);
        result.sumMs = medianOf(sumTimes);
        finish(result);
        results.push_back(result);
    }
    return results;
}

} // namespace echolux
