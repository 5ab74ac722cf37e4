// SPDX-License-Identifier: GPL-3.0-or-later
// The kernels, and the CPU's loops over the same functor.
#include "gpu/ladder/scan_lines.hpp"

#include "gpu/exec/for_each.hpp"

#include <cmath>
#include <stdexcept>

namespace echolux::ladder {
namespace {

#if defined(__CUDACC__)
__constant__ float deviceConstants[kMostScanConstants];
#endif

/// The data of a problem that a functor holds.
struct Scan {
    std::int32_t channels, samples, beams, lines, factor;
    ScanInput input;

    ECHOLUX_HD float constant(int i) const {
#if defined(__CUDA_ARCH__)
        return deviceConstants[i];
#else
        return input.constants[i];
#endif
    }
};

/// Reads the record `row` at a fractional index.
template <bool kCodes> ECHOLUX_HD inline float readRecord(const Scan& k, int row, float index) {
#if defined(__CUDA_ARCH__)
    return tex2D<float>(k.input.recordTexture, index + 0.5F, static_cast<float>(row) + 0.5F);
#else
    constexpr float kFractions = 256.0F;
    const std::int64_t samples = std::int64_t{k.samples} * k.factor;
    const auto last = static_cast<float>(samples - 1);
    const float within = index < 0.0F ? 0.0F : index < last ? index : last;
    const float at = std::floor(within * kFractions + 0.5F) / kFractions;
    const auto n = static_cast<std::int64_t>(at);
    const std::int64_t next = n + 1 < samples ? n + 1 : n;
    const float fraction = at - static_cast<float>(n);
    const std::int64_t first = row * samples;
    float here = 0.0F;
    float there = 0.0F;
    if constexpr (kCodes) {
        const auto* codes = static_cast<const std::int16_t*>(k.input.records) + first;
        here = static_cast<float>(codes[n]) / kCodePeak;
        there = static_cast<float>(codes[next]) / kCodePeak;
    } else {
        const auto* values = static_cast<const float*>(k.input.records) + first;
        here = values[n];
        there = values[next];
    }
    return (1.0F - fraction) * here + fraction * there;
#endif
}

ECHOLUX_HD inline float readWeight(const Scan& k, int channel, int i) {
#if defined(__CUDA_ARCH__)
    return tex2D<float>(k.input.weightTexture, static_cast<float>(i) + 0.5F,
                        static_cast<float>(channel) + 0.5F);
#else
    return static_cast<float>(k.input.weights[std::int64_t{channel} * k.samples + i]) / kCodePeak;
#endif
}

/// Computes one sample of one line.
template <bool kCodes, bool kApodized, ScanConstants kConstants> struct LineSample {
    Scan k;
    float* out;

    ECHOLUX_HD void operator()(int beam, int line, int sample) const {
        const auto i = static_cast<float>(sample * k.factor);
        const float half = 0.5F * i;
        float sum = 0.0F;
        for (int n = 0; n < k.channels; ++n) {
            float c1 = 0.0F;
            float steering = 0.0F;
            if constexpr (kConstants == ScanConstants::PerBeamAndChannel) {
                c1 = k.constant(2 * beam * k.channels + n);
                steering = k.constant((2 * beam + 1) * k.channels + n);
            } else {
                c1 = k.constant(n);
                steering =
                    k.constant(k.channels + n) * k.constant(2 * k.channels + beam * k.lines + line);
            }
            const float index = half + std::sqrt(half * half + c1 - i * steering);
            const float value = readRecord<kCodes>(k, beam * k.channels + n, index);
            sum += kApodized ? readWeight(k, n, sample) * value : value;
        }
        out[(std::int64_t{beam} * k.lines + line) * k.samples + sample] = sum;
    }
};

/// Index: [beam][sample]. It computes the lines one after the other.
template <class Line> struct LinesInTurn {
    Line line;
    ECHOLUX_HD void operator()(std::int64_t i) const {
        const auto beam = static_cast<int>(i / line.k.samples);
        const auto sample = static_cast<int>(i % line.k.samples);
        for (int l = 0; l < line.k.lines; ++l) line(beam, l, sample);
    }
};

/// Index: [beam][sample][line].
template <class Line> struct LinesTogether {
    Line line;
    ECHOLUX_HD void operator()(std::int64_t i) const {
        const std::int64_t place = i / line.k.lines;
        line(static_cast<int>(place / line.k.samples), static_cast<int>(i % line.k.lines),
             static_cast<int>(place % line.k.samples));
    }
};

#if defined(__CUDACC__)
constexpr int kLinesOfBlock = 8;
constexpr int kSamplesOfBlock = 32;

template <class Line> __global__ void loopKernel(Line line) {
    const auto sample = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    if (sample >= line.k.samples) return;
    for (int l = 0; l < line.k.lines; ++l) line(static_cast<int>(blockIdx.y), l, sample);
}

template <class Line> __global__ void parallelKernel(Line line) {
    const auto sample = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    const auto l = static_cast<int>(blockIdx.z * blockDim.y + threadIdx.y);
    if (sample >= line.k.samples || l >= line.k.lines) return;
    line(static_cast<int>(blockIdx.y), l, sample);
}

template <class Line> void launch(const Exec& exec, const ScanProblem& problem, const Line& line) {
    const auto stream = static_cast<cudaStream_t>(exec.stream);
    const auto blocks = [](int count, int size) {
        return static_cast<unsigned>((count + size - 1) / size);
    };
    const auto beams = static_cast<unsigned>(problem.beams);
    if (problem.order == LineOrder::Loop) {
        loopKernel<<<dim3(blocks(problem.samples, problem.block), beams),
                     static_cast<unsigned>(problem.block), 0, stream>>>(line);
    } else {
        const int together = problem.lines < kLinesOfBlock ? problem.lines : kLinesOfBlock;
        parallelKernel<<<dim3(blocks(problem.samples, kSamplesOfBlock), beams,
                              blocks(problem.lines, together)),
                         dim3(kSamplesOfBlock, static_cast<unsigned>(together)), 0, stream>>>(line);
    }
    device::checkLaunch("ladder scan lines");
}
#endif

template <class Line> void run(const Exec& exec, const ScanProblem& problem, const Line& line) {
#if defined(__CUDACC__)
    if (exec.backend == Backend::Cuda) return launch(exec, problem, line);
#endif
    const std::int64_t places = std::int64_t{problem.beams} * problem.samples;
    if (problem.order == LineOrder::Loop) {
        forEach(exec, "ladder scan lines", places, LinesInTurn<Line>{line});
    } else {
        forEach(exec, "ladder scan lines", places * problem.lines, LinesTogether<Line>{line});
    }
}

template <bool kCodes>
void choose(const Exec& exec, const ScanProblem& problem, const Scan& k, float* out) {
    constexpr auto kTogether = ScanConstants::PerBeamAndChannel;
    constexpr auto kSeparate = ScanConstants::Separate;
    if (problem.constants == kTogether)
        return run(exec, problem, LineSample<kCodes, false, kTogether>{k, out});
    if (problem.apodized) return run(exec, problem, LineSample<kCodes, true, kSeparate>{k, out});
    run(exec, problem, LineSample<kCodes, false, kSeparate>{k, out});
}

} // namespace

void loadScanConstants(const Exec& exec, const std::vector<float>& constants) {
    if (constants.size() > kMostScanConstants)
        throw std::logic_error("ladder: the constants are too many for constant memory");
    if (exec.backend == Backend::Cpu) return;
#if defined(__CUDACC__)
    void* place = nullptr;
    if (cudaGetSymbolAddress(&place, deviceConstants) != cudaSuccess)
        device::checkLaunch("ladder scan lines");
    device::copy(place, constants.data(), constants.size() * sizeof(float),
                 device::Direction::HostToDevice, exec.stream);
    device::synchronize(exec.stream);
#endif
}

void sumScanLines(const Exec& exec, const ScanProblem& problem, const ScanInput& input,
                  float* out) {
    const bool together = problem.constants == ScanConstants::PerBeamAndChannel;
    if (together && (problem.lines != 1 || problem.apodized))
        throw std::logic_error("ladder: constants per beam and channel serve one plain line");
    if (problem.block < 1 || problem.block > 1024)
        throw std::logic_error("ladder: a block has 1 to 1024 threads");
    const Scan k{problem.channels, problem.samples, problem.beams,
                 problem.lines,    problem.factor,  input};
    problem.factor == 1 ? choose<true>(exec, problem, k, out)
                        : choose<false>(exec, problem, k, out);
}

} // namespace echolux::ladder
