// SPDX-License-Identifier: GPL-3.0-or-later
// The kernels, and the CPU's loops over the same functor.
#include "gpu/ladder/scan_lines.hpp"

#include "gpu/exec/for_each.hpp"
#include "gpu/memory/transfer.hpp"

#include <atomic>
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

/// Computes samples of lines, whole or in parts.
template <bool kCodes, bool kApodized, ScanConstants kConstants> struct LineSample {
    Scan k;
    float* out;

    /// The sum over the channels `first`, `first` + `step` ... before `end`.
    ECHOLUX_HD float part(int beam, int line, int sample, int first, int end, int step) const {
        const auto i = static_cast<float>(sample * k.factor);
        const float half = 0.5F * i;
        float sum = 0.0F;
        for (int n = first; n < end; n += step) {
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
        return sum;
    }
    ECHOLUX_HD float* place(int beam, int line, int sample) const {
        return out + (std::int64_t{beam} * k.lines + line) * k.samples + sample;
    }
    ECHOLUX_HD void operator()(int beam, int line, int sample) const {
        *place(beam, line, sample) = part(beam, line, sample, 0, k.channels, 1);
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

constexpr int kSharingThreads = 128; ///< of a block that shares the channels of a sample

/// A step of a tree over sums: thread t < s adds sum t + s.
ECHOLUX_HD inline void addInTree(float* sums, int t, int s) {
    if (t < s) sums[t] += sums[t + s];
}

/// Index: [beam][sample][line]. It adds the sums of a block's threads in the same order.
template <class Line> struct SharedChannels {
    Line line;
    void operator()(std::int64_t i) const {
        const std::int64_t at = i / line.k.lines;
        const auto beam = static_cast<int>(at / line.k.samples);
        const auto l = static_cast<int>(i % line.k.lines);
        const auto sample = static_cast<int>(at % line.k.samples);
        float sums[kSharingThreads];
        for (int t = 0; t < kSharingThreads; ++t)
            sums[t] = line.part(beam, l, sample, t, line.k.channels, kSharingThreads);
        for (int s = kSharingThreads / 2; s > 0; s /= 2)
            for (int t = 0; t < s; ++t) addInTree(sums, t, s);
        *line.place(beam, l, sample) = sums[0];
    }
};

constexpr int kAddedChannels = 16; ///< whose sum is added to the output at once

/// Adds the sum of one group of channels to a sample.
template <class Line> struct AddedChannels {
    Line line;
    ECHOLUX_HD void add(int group, int beam, int l, int sample) const {
        const int first = group * kAddedChannels;
        const int behind = first + kAddedChannels;
        const int end = behind < line.k.channels ? behind : line.k.channels;
        const float sum = line.part(beam, l, sample, first, end, 1);
        float* place = line.place(beam, l, sample);
#if defined(__CUDA_ARCH__)
        atomicAdd(place, sum);
#else
        std::atomic_ref<float>(*place).fetch_add(sum, std::memory_order_relaxed);
#endif
    }
    /// Index: [group][beam][line][sample].
    void operator()(std::int64_t i) const {
        const auto sample = static_cast<int>(i % line.k.samples);
        const std::int64_t ofLine = i / line.k.samples;
        const auto l = static_cast<int>(ofLine % line.k.lines);
        const std::int64_t ofBeam = ofLine / line.k.lines;
        add(static_cast<int>(ofBeam / line.k.beams), static_cast<int>(ofBeam % line.k.beams), l,
            sample);
    }
};

int channelGroups(const ScanProblem& problem) {
    return (problem.channels + kAddedChannels - 1) / kAddedChannels;
}

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

/// Grid: [line][beam][sample].
template <class Line> __global__ void cooperativeKernel(Line line) {
    __shared__ float sums[kSharingThreads];
    const auto t = static_cast<int>(threadIdx.x);
    const auto sample = static_cast<int>(blockIdx.x);
    const auto beam = static_cast<int>(blockIdx.y);
    const auto l = static_cast<int>(blockIdx.z);
    sums[t] = line.part(beam, l, sample, t, line.k.channels, kSharingThreads);
    for (int s = kSharingThreads / 2; s > 0; s /= 2) {
        __syncthreads();
        addInTree(sums, t, s);
    }
    if (t == 0) *line.place(beam, l, sample) = sums[0];
}

/// Grid: [group and line][beam][block of samples].
template <class Line> __global__ void atomicKernel(Line line) {
    const auto sample = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    if (sample >= line.k.samples) return;
    const auto z = static_cast<int>(blockIdx.z);
    AddedChannels<Line>{line}.add(z / line.k.lines, static_cast<int>(blockIdx.y), z % line.k.lines,
                                  sample);
}

/// How the kernel of a problem is launched.
template <class Line> struct Launch {
    void (*kernel)(Line) = nullptr;
    dim3 grid;
    dim3 block;

    explicit Launch(const ScanProblem& problem) {
        const auto number = [](int value) { return static_cast<unsigned>(value); };
        const auto blocks = [&](int count, int size) { return number((count + size - 1) / size); };
        const unsigned beams = number(problem.beams);
        const int together = problem.lines < kLinesOfBlock ? problem.lines : kLinesOfBlock;
        block = dim3(number(problem.block));
        grid = dim3(blocks(problem.samples, problem.block), beams);
        switch (problem.order) {
        case LineOrder::Loop: kernel = loopKernel<Line>; break;
        case LineOrder::Parallel:
            kernel = parallelKernel<Line>;
            block = dim3(kSamplesOfBlock, number(together));
            grid = dim3(blocks(problem.samples, kSamplesOfBlock), beams,
                        blocks(problem.lines, together));
            break;
        case LineOrder::Cooperative:
            kernel = cooperativeKernel<Line>;
            block = dim3(kSharingThreads);
            grid = dim3(number(problem.samples), beams, number(problem.lines));
            break;
        case LineOrder::Atomic:
            kernel = atomicKernel<Line>;
            grid.z = number(channelGroups(problem) * problem.lines);
            break;
        }
    }
};

template <class Line> KernelUse useOf(const ScanProblem& problem) {
    const Launch<Line> of(problem);
    cudaFuncAttributes attributes{};
    cudaFuncGetAttributes(&attributes, of.kernel);
    const auto threads = static_cast<int>(of.block.x * of.block.y);
    int blocks = 0;
    cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, of.kernel, threads, 0);
    device::checkLaunch("ladder scan lines");
    return {attributes.numRegs, blocks * threads};
}
#endif

template <class Line> void run(const Exec& exec, const ScanProblem& problem, const Line& line) {
    const std::int64_t outputs = problem.outputs();
    if (problem.order == LineOrder::Atomic)
        fillBytes(exec, line.out, 0, static_cast<std::size_t>(outputs) * sizeof(float));
#if defined(__CUDACC__)
    if (exec.backend == Backend::Cuda) {
        const Launch<Line> of(problem);
        of.kernel<<<of.grid, of.block, 0, static_cast<cudaStream_t>(exec.stream)>>>(line);
        device::checkLaunch("ladder scan lines");
        return;
    }
#endif
    switch (problem.order) {
    case LineOrder::Loop: return host::eachIndex(outputs / problem.lines, LinesInTurn<Line>{line});
    case LineOrder::Parallel: return host::eachIndex(outputs, LinesTogether<Line>{line});
    case LineOrder::Cooperative: return host::eachIndex(outputs, SharedChannels<Line>{line});
    case LineOrder::Atomic:
        return host::eachIndex(outputs * channelGroups(problem), AddedChannels<Line>{line});
    }
}

/// Calls `act` with the functor of the problem.
template <bool kCodes, class Act>
void choose(const ScanProblem& problem, const Scan& k, float* out, const Act& act) {
    constexpr auto kTogether = ScanConstants::PerBeamAndChannel;
    constexpr auto kSeparate = ScanConstants::Separate;
    if (problem.constants == kTogether) return act(LineSample<kCodes, false, kTogether>{k, out});
    if (problem.apodized) return act(LineSample<kCodes, true, kSeparate>{k, out});
    act(LineSample<kCodes, false, kSeparate>{k, out});
}

template <class Act>
void withFunctor(const ScanProblem& problem, const ScanInput& input, float* out, const Act& act) {
    const bool together = problem.constants == ScanConstants::PerBeamAndChannel;
    if (together && (problem.lines != 1 || problem.apodized))
        throw std::logic_error("ladder: constants per beam and channel serve one plain line");
    if (problem.block < 1 || problem.block > 1024)
        throw std::logic_error("ladder: a block has 1 to 1024 threads");
    const Scan k{problem.channels, problem.samples, problem.beams,
                 problem.lines,    problem.factor,  input};
    problem.numbers == device::TextureNumbers::Int16 ? choose<true>(problem, k, out, act)
                                                     : choose<false>(problem, k, out, act);
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

std::optional<KernelUse> scanKernelUse(const Exec& exec, const ScanProblem& problem) {
    std::optional<KernelUse> use;
#if defined(__CUDACC__)
    if (exec.backend == Backend::Cuda)
        withFunctor(problem, {}, nullptr,
                    [&]<class Line>(const Line&) { use = useOf<Line>(problem); });
#endif
    (void)exec;
    (void)problem;
    return use;
}

void sumScanLines(const Exec& exec, const ScanProblem& problem, const ScanInput& input,
                  float* out) {
    withFunctor(problem, input, out, [&](const auto& line) { run(exec, problem, line); });
}

} // namespace echolux::ladder
