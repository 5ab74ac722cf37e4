// SPDX-License-Identifier: GPL-3.0-or-later
// The update is one functor of "the spectrum and the filter at an offset from the own element".
#include "gpu/ladder/apron_tile.hpp"

#include "gpu/exec/for_each.hpp"

#include <cmath>
#include <stdexcept>

namespace echolux::ladder {
namespace {

constexpr const char* kApronName = "ladder apron";
constexpr float kFloor = 1e-5F;
constexpr int kKernelSide = 2 * kApronRadius + 1;
constexpr std::size_t kMostTileBytes = 48 * 1024;
constexpr std::int32_t kPadding = 4; ///< complex values in the 32 bytes that a row must fill

/// `at.spectrum(row, column, bin)` and `at.filter(row, column)` take offsets.
template <class At> ECHOLUX_HD Complex updated(const ApronProblem& p, const At& at) {
    const float share = 1.0F / static_cast<float>(p.bins);
    float own = 0.0F;
    for (int b = 0; b < p.bins; ++b) own += norm(at.spectrum(0, 0, b));
    const float root = sqrtf(share * own);
    Complex sum{};
    for (int row = -kApronRadius; row <= kApronRadius; ++row) {
        for (int column = -kApronRadius; column <= kApronRadius; ++column) {
            Complex cross{};
            float power = 0.0F;
            for (int b = 0; b < p.bins; ++b) {
                const Complex other = at.spectrum(row, column, b);
                cross = cross + at.spectrum(0, 0, b) * conj(other);
                power += norm(other);
            }
            cross = share * cross;
            const float coherence = sqrtf(norm(cross)) / (root * sqrtf(share * power) + kFloor);
            const Complex filter = at.filter(row, column);
            sum = sum + (coherence / (norm(filter) + kFloor)) * (cross * conj(filter));
        }
    }
    return (1.0F / (kKernelSide * kKernelSide)) * ((1.0F - p.mu) * at.filter(0, 0) + p.mu * sum);
}

/// Values in memory, 0 outside the array.
struct InMemory {
    ApronProblem p;
    const Complex* spectra;
    const Complex* from;
    std::int32_t ownRow;
    std::int32_t ownColumn;

    ECHOLUX_HD std::int64_t place(int row, int column) const {
        const std::int32_t r = ownRow + row;
        const std::int32_t c = ownColumn + column;
        const bool inside = r >= 0 && r < p.rows && c >= 0 && c < p.columns;
        return inside ? std::int64_t{r} * p.columns + c : -1;
    }
    ECHOLUX_HD Complex spectrum(int row, int column, int bin) const {
        const std::int64_t k = place(row, column);
        return k < 0 ? Complex{} : spectra[k * p.bins + bin];
    }
    ECHOLUX_HD Complex filter(int row, int column) const {
        const std::int64_t k = place(row, column);
        return k < 0 ? Complex{} : from[k];
    }
};

struct OnePlace {
    ApronProblem p;
    const Complex* spectra;
    const Complex* from;
    Complex* to;
    ECHOLUX_HD void operator()(std::int64_t k) const {
        const auto row = static_cast<std::int32_t>(k / p.columns);
        const auto column = static_cast<std::int32_t>(k % p.columns);
        to[k] = updated(p, InMemory{p, spectra, from, row, column});
    }
};

/// One value of the planes. Index: that of the value there.
struct FillPlanes {
    ApronProblem p;
    std::int32_t padded; ///< columns
    const Complex* spectra;
    Complex* planes;
    ECHOLUX_HD void operator()(std::int64_t i) const {
        const std::int64_t line = i / padded;
        const auto column = static_cast<std::int32_t>(i % padded);
        const std::int64_t place = line % p.rows * p.columns + column;
        planes[i] = column < p.columns ? spectra[place * p.bins + line / p.rows] : Complex{};
    }
};

std::int32_t paddedColumns(const ApronProblem& p) {
    return (p.columns + kPadding - 1) / kPadding * kPadding;
}

#if defined(__CUDACC__)
/// The tile of a block, seen from one of its threads. A plane per bin, then the filter.
struct InTile {
    const Complex* own;
    int side;
    int bins;
    __device__ Complex spectrum(int row, int column, int bin) const {
        return own[bin * side * side + row * side + column];
    }
    __device__ Complex filter(int row, int column) const { return spectrum(row, column, bins); }
};

__global__ void apronKernel(ApronProblem p, const Complex* spectra, const Complex* from,
                            Complex* to) {
    extern __shared__ Complex tile[];
    const auto side = static_cast<int>(blockDim.x);
    const auto x = static_cast<int>(threadIdx.x);
    const auto y = static_cast<int>(threadIdx.y);
    const int outputs = side - 2 * kApronRadius;
    const auto row = static_cast<std::int32_t>(blockIdx.y) * outputs + y - kApronRadius;
    const auto column = static_cast<std::int32_t>(blockIdx.x) * outputs + x - kApronRadius;
    const InMemory memory{p, spectra, from, row, column};
    Complex* own = tile + y * side + x;
    for (int b = 0; b < p.bins; ++b) own[b * side * side] = memory.spectrum(0, 0, b);
    own[p.bins * side * side] = memory.filter(0, 0);
    __syncthreads();
    const bool apron = x < kApronRadius || x >= side - kApronRadius || y < kApronRadius ||
                       y >= side - kApronRadius;
    if (apron || memory.place(0, 0) < 0) return;
    to[memory.place(0, 0)] = updated(p, InTile{own, side, p.bins});
}

struct FromPlanes {
    InMemory memory; ///< its filter
    device::Texture planes;
    __device__ Complex spectrum(int row, int column, int bin) const {
        if (memory.place(row, column) < 0) return {};
        const int line = bin * memory.p.rows + memory.ownRow + row;
        const float2 value =
            tex2D<float2>(planes, static_cast<float>(memory.ownColumn + column) + 0.5F,
                          static_cast<float>(line) + 0.5F);
        return {value.x, value.y};
    }
    __device__ Complex filter(int row, int column) const { return memory.filter(row, column); }
};

__global__ void textureKernel(ApronProblem p, device::Texture planes, const Complex* from,
                              Complex* to) {
    const auto row = static_cast<std::int32_t>(blockIdx.y * blockDim.y + threadIdx.y);
    const auto column = static_cast<std::int32_t>(blockIdx.x * blockDim.x + threadIdx.x);
    const InMemory memory{p, nullptr, from, row, column};
    if (memory.place(0, 0) < 0) return;
    to[memory.place(0, 0)] = updated(p, FromPlanes{memory, planes});
}

dim3 blocksOf(const ApronProblem& p, int outputs) {
    const auto over = [&](std::int32_t count) {
        return static_cast<unsigned>((count + outputs - 1) / outputs);
    };
    return {over(p.columns), over(p.rows), 1};
}
#endif

} // namespace

std::int64_t planeFloats(const ApronProblem& problem) {
    return std::int64_t{2} * problem.bins * problem.rows * paddedColumns(problem);
}

void fillPlanes(const Exec& exec, const ApronProblem& problem, const Complex* spectra,
                float* planes) {
    forEach(
        exec, kApronName, planeFloats(problem) / 2,
        FillPlanes{problem, paddedColumns(problem), spectra, reinterpret_cast<Complex*>(planes)});
}

device::Texture createPlaneTexture(const ApronProblem& problem, const float* planes) {
    return device::createLineTexture(
        planes, 2, static_cast<std::size_t>(problem.columns),
        static_cast<std::size_t>(problem.bins) * static_cast<std::size_t>(problem.rows),
        static_cast<std::size_t>(paddedColumns(problem)) * sizeof(Complex));
}

void apronIteration(const Exec& exec, NeighbourMemory memory, const ApronProblem& problem, int side,
                    const ApronSpectra& spectra, const Complex* from, Complex* to) {
    if (memory == NeighbourMemory::Global) {
        forEach(exec, kApronName, problem.places(), OnePlace{problem, spectra.values, from, to});
        return;
    }
    if (exec.backend == Backend::Cpu)
        throw std::logic_error("ladder: a CPU has neither shared memory nor textures");
#if defined(__CUDACC__)
    const dim3 threads(static_cast<unsigned>(side), static_cast<unsigned>(side));
    const auto stream = static_cast<cudaStream_t>(exec.stream);
    if (memory == NeighbourMemory::Texture) {
        textureKernel<<<blocksOf(problem, side), threads, 0, stream>>>(problem, spectra.planes,
                                                                       from, to);
    } else {
        const std::size_t bytes = apronTileBytes(side, problem.bins);
        if (side <= 2 * kApronRadius || bytes > kMostTileBytes)
            throw std::logic_error("ladder: no tile of this side fits");
        apronKernel<<<blocksOf(problem, side - 2 * kApronRadius), threads, bytes, stream>>>(
            problem, spectra.values, from, to);
    }
    device::checkLaunch(kApronName);
#else
    (void)side;
#endif
}

int apronWarpsAtOnce(const ApronProblem& problem, int side) {
#if defined(__CUDACC__)
    constexpr int kWarp = 32;
    int blocks = 0;
    const cudaError_t code = cudaOccupancyMaxActiveBlocksPerMultiprocessor(
        &blocks, apronKernel, side * side, apronTileBytes(side, problem.bins));
    return code == cudaSuccess ? blocks * ((side * side + kWarp - 1) / kWarp) : 0;
#else
    (void)problem;
    (void)side;
    return 0;
#endif
}

} // namespace echolux::ladder
