// SPDX-License-Identifier: GPL-3.0-or-later
// The kernels are functors for host and device; only gridding by input needs blocks on CUDA.
#include "gpu/ladder/gridding.hpp"

#include "gpu/core/bessel.hpp"
#include "gpu/exec/for_each.hpp"
#include "gpu/memory/transfer.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numbers>
#include <stdexcept>

namespace echolux::ladder {
namespace {

constexpr int kSpreadThreads = 256;

template <class T> Buffer inCompute(const Exec& exec, const std::vector<T>& values) {
    Buffer buffer(computeMemory(exec.backend), values.size() * sizeof(T));
    upload(exec, buffer.data(), values.data(), buffer.bytes());
    if (exec.backend == Backend::Cuda) device::synchronize(exec.stream);
    return buffer;
}

double kernelAt(double u, int width, double beta) {
    const double x = 2.0 * u / width;
    if (std::abs(x) > 1.0) return 0.0;
    return besselI0(beta * std::sqrt(1.0 - x * x)) / besselI0(beta);
}

/// I0(x) exp(-x) for x >= 0, to 2e-7 (Abramowitz and Stegun 9.8.1 and 9.8.2).
ECHOLUX_HD inline float scaledI0(float x) {
    if (x <= 3.75F) {
        const float t = x * x / (3.75F * 3.75F);
        const float sum =
            1.0F +
            t * (3.5156229F +
                 t * (3.0899424F +
                      t * (1.2067492F + t * (0.2659732F + t * (0.0360768F + t * 0.0045813F)))));
        return sum * expf(-x);
    }
    const float t = 3.75F / x;
    const float sum =
        0.39894228F +
        t * (0.01328592F +
             t * (0.00225319F +
                  t * (-0.00157565F +
                       t * (0.00916281F +
                            t * (-0.02057706F +
                                 t * (0.02635537F + t * (-0.01647633F + t * 0.00392377F)))))));
    return sum / sqrtf(x);
}

/// Computes K; 0 outside of it.
struct ComputedKernel {
    float beta;
    float perHalf; ///< 2 / width
    float scale;   ///< 1 / scaledI0(beta)

    ECHOLUX_HD float at(float u) const {
        const float x = u * perHalf;
        const float inside = 1.0F - x * x;
        if (inside < 0.0F) return 0.0F;
        const float root = beta * sqrtf(inside);
        return scaledI0(root) * expf(root - beta) * scale;
    }
};

/// Where samples lie.
struct Places {
    const std::int32_t* whole;
    const float* part;
    const float* weight;
};

struct OutputFromTable {
    const std::int32_t* first;
    const float* factors;
    std::int64_t samples;
    std::int64_t points;
    int taps;
    const float* in;
    float* out;

    ECHOLUX_HD void operator()(std::int64_t line, std::int64_t g) const {
        const float* x = in + line * samples + first[g];
        float sum = 0.0F;
        for (int t = 0; t < taps; ++t) sum += factors[t * points + g] * x[t];
        out[line * points + g] = sum;
    }
};

struct OutputComputed {
    const std::int32_t* first;
    Places places;
    ComputedKernel kernel;
    std::int64_t samples;
    std::int64_t points;
    int taps;
    const float* in;
    float* out;

    ECHOLUX_HD void operator()(std::int64_t line, std::int64_t g) const {
        const float* x = in + line * samples;
        float sum = 0.0F;
        for (int t = 0; t < taps; ++t) {
            const std::int64_t p = first[g] + t;
            const float u = static_cast<float>(places.whole[p] - g) + places.part[p];
            sum += places.weight[p] * kernel.at(u) * x[p];
        }
        out[line * points + g] = sum;
    }
};

/// The lowest grid point that a sample may reach.
ECHOLUX_HD inline std::int64_t lowestOf(std::int64_t whole, int width) { return whole - width / 2; }

struct InputFromTable {
    const std::int32_t* whole;
    const float* factors;
    std::int64_t samples;
    std::int64_t points;
    int width;

    template <class Add> ECHOLUX_HD void operator()(std::int64_t p, float x, const Add& add) const {
        const std::int64_t lowest = lowestOf(whole[p], width);
        for (int t = 0; t <= width; ++t) {
            const std::int64_t g = lowest + t;
            if (g >= 0 && g < points) add(g, factors[t * samples + p] * x);
        }
    }
};

struct InputComputed {
    Places places;
    ComputedKernel kernel;
    std::int64_t points;
    int width;

    template <class Add> ECHOLUX_HD void operator()(std::int64_t p, float x, const Add& add) const {
        const std::int64_t lowest = lowestOf(places.whole[p], width);
        const float weighted = places.weight[p] * x;
        for (int t = 0; t <= width; ++t) {
            const std::int64_t g = lowest + t;
            if (g < 0 || g >= points) continue;
            const float u = static_cast<float>(places.whole[p] - g) + places.part[p];
            add(g, kernel.at(u) * weighted);
        }
    }
};

struct PlainAdd {
    float* grid;
    ECHOLUX_HD void operator()(std::int64_t g, float value) const { grid[g] += value; }
};

/// All samples of a line, by one thread of the CPU.
template <class Spread> struct SpreadLine {
    Spread spread;
    std::int64_t samples;
    std::int64_t points;
    const float* in;
    float* out;

    ECHOLUX_HD void operator()(std::int64_t line) const {
        float* grid = out + line * points;
        for (std::int64_t g = 0; g < points; ++g) grid[g] = 0.0F;
        for (std::int64_t p = 0; p < samples; ++p)
            spread(p, in[line * samples + p], PlainAdd{grid});
    }
};

#if defined(__CUDACC__)
struct AtomicAdd {
    float* grid;
    __device__ void operator()(std::int64_t g, float value) const { atomicAdd(grid + g, value); }
};

template <class Spread> __global__ void spreadKernel(Spread spread, std::int64_t samples,
                                                     std::int64_t points, const float* in,
                                                     float* out) {
    extern __shared__ float gridOfLine[];
    const std::int64_t line = blockIdx.x;
    for (std::int64_t g = threadIdx.x; g < points; g += blockDim.x) gridOfLine[g] = 0.0F;
    __syncthreads();
    for (std::int64_t p = threadIdx.x; p < samples; p += blockDim.x)
        spread(p, in[line * samples + p], AtomicAdd{gridOfLine});
    __syncthreads();
    for (std::int64_t g = threadIdx.x; g < points; g += blockDim.x)
        out[line * points + g] = gridOfLine[g];
}
#endif

template <class Spread> void spreadLines(const Exec& exec, const Spread& spread, std::int64_t lines,
                                         std::int64_t samples, std::int64_t points, const float* in,
                                         float* out) {
#if defined(__CUDACC__)
    if (exec.backend == Backend::Cuda) {
        spreadKernel<<<static_cast<unsigned>(lines), kSpreadThreads,
                       static_cast<std::size_t>(points) * sizeof(float),
                       static_cast<cudaStream_t>(exec.stream)>>>(spread, samples, points, in, out);
        device::checkLaunch("ladder gridding");
        return;
    }
#endif
    forEach(exec, "ladder gridding", lines, SpreadLine<Spread>{spread, samples, points, in, out});
}

struct WindowedFromTable {
    const float* window;
    const Complex* phasor;
    std::int64_t samples;
    const float* in;
    Complex* out;
    ECHOLUX_HD void operator()(std::int64_t line, std::int64_t k) const {
        const float x = in[line * samples + k] * window[k];
        out[line * samples + k] = {x * phasor[k].re, x * phasor[k].im};
    }
};

struct WindowedComputed {
    float c1, c2, c3;
    float perStep; ///< 1 / (n - 1)
    std::int64_t samples;
    const float* in;
    Complex* out;
    ECHOLUX_HD void operator()(std::int64_t line, std::int64_t k) const {
        constexpr float kTurn = 2.0F * std::numbers::pi_v<float>;
        const float u = static_cast<float>(k) * perStep;
        const float value = in[line * samples + k] * (0.5F - 0.5F * cosf(kTurn * u));
        const float x = -0.5F * u;
        const float phi = x * x * (c1 + x * (c2 + x * c3));
        out[line * samples + k] = {value * cosf(phi), value * sinf(phi)};
    }
};

} // namespace

Gridding::Gridding(const Exec& exec, const GridProblem& problem)
    : m_samples(static_cast<std::int64_t>(problem.places.size())), m_points(problem.points),
      m_width(problem.width), m_beta(static_cast<float>(problem.beta)), m_taps(1) {
    if (m_points > kMostGridPoints) throw std::logic_error("ladder: too many grid points");
    if (!std::ranges::is_sorted(problem.places)) throw std::logic_error("ladder: places must rise");
    const auto n = problem.places.size();
    const double half = 0.5 * m_width;
    std::vector<std::int32_t> whole(n);
    std::vector<float> part(n);
    std::vector<float> weights(n);
    std::vector<float> byInput(n * static_cast<std::size_t>(m_width + 1));
    for (std::size_t p = 0; p < n; ++p) {
        whole[p] = static_cast<std::int32_t>(std::floor(problem.places[p]));
        part[p] = static_cast<float>(problem.places[p] - whole[p]);
        weights[p] = static_cast<float>(problem.weights[p]);
        for (int t = 0; t <= m_width; ++t) {
            const auto g = static_cast<double>(lowestOf(whole[p], m_width) + t);
            byInput[static_cast<std::size_t>(t) * n + p] = static_cast<float>(
                problem.weights[p] * kernelAt(problem.places[p] - g, m_width, problem.beta));
        }
    }
    const auto points = static_cast<std::size_t>(m_points);
    std::vector<std::int64_t> first(points);
    for (std::size_t g = 0; g < points; ++g) {
        const auto at = static_cast<double>(g);
        const auto from = std::ranges::lower_bound(problem.places, at - half);
        const auto to = std::ranges::upper_bound(problem.places, at + half);
        first[g] = from - problem.places.begin();
        m_taps = std::max(m_taps, static_cast<int>(to - from));
    }
    std::vector<std::int32_t> firstSample(points);
    std::vector<float> byOutput(points * static_cast<std::size_t>(m_taps));
    for (std::size_t g = 0; g < points; ++g) {
        const std::int64_t from = std::min(first[g], m_samples - m_taps);
        firstSample[g] = static_cast<std::int32_t>(from);
        for (int t = 0; t < m_taps; ++t) {
            const auto p = static_cast<std::size_t>(from + t);
            byOutput[static_cast<std::size_t>(t) * points + g] = static_cast<float>(
                problem.weights[p] *
                kernelAt(problem.places[p] - static_cast<double>(g), m_width, problem.beta));
        }
    }
    m_whole = inCompute(exec, whole);
    m_part = inCompute(exec, part);
    m_weights = inCompute(exec, weights);
    m_firstSample = inCompute(exec, firstSample);
    m_byOutput = inCompute(exec, byOutput);
    m_byInput = inCompute(exec, byInput);
}

void Gridding::run(const Exec& exec, GridBy by, Factors factors, std::int64_t lines,
                   const float* in, float* out) const {
    const Places places{m_whole.as<std::int32_t>(), m_part.as<float>(), m_weights.as<float>()};
    const auto* first = m_firstSample.as<std::int32_t>();
    const ComputedKernel kernel{m_beta, 2.0F / static_cast<float>(m_width),
                                1.0F / scaledI0(m_beta)};
    const bool isFromTable = factors == Factors::Table;
    if (by == GridBy::Input && isFromTable)
        return spreadLines(
            exec, InputFromTable{places.whole, m_byInput.as<float>(), m_samples, m_points, m_width},
            lines, m_samples, m_points, in, out);
    if (by == GridBy::Input)
        return spreadLines(exec, InputComputed{places, kernel, m_points, m_width}, lines, m_samples,
                           m_points, in, out);
    if (isFromTable)
        return forEachInLines(
            exec, "ladder gridding", lines, m_points,
            OutputFromTable{first, m_byOutput.as<float>(), m_samples, m_points, m_taps, in, out});
    forEachInLines(exec, "ladder gridding", lines, m_points,
                   OutputComputed{first, places, kernel, m_samples, m_points, m_taps, in, out});
}

std::size_t Gridding::tableBytes(GridBy by, Factors factors) const {
    const std::size_t places = m_whole.bytes() + m_part.bytes() + m_weights.bytes();
    if (by == GridBy::Input)
        return factors == Factors::Table ? m_whole.bytes() + m_byInput.bytes() : places;
    return m_firstSample.bytes() + (factors == Factors::Table ? m_byOutput.bytes() : places);
}

WindowAndPhase::WindowAndPhase(const Exec& exec, std::int64_t samples,
                               const std::array<double, 3>& terms)
    : m_samples(samples), m_terms{static_cast<float>(terms[0]), static_cast<float>(terms[1]),
                                  static_cast<float>(terms[2])} {
    std::vector<float> window;
    std::vector<Complex> phasor;
    const auto last = static_cast<double>(std::max<std::int64_t>(samples - 1, 1));
    for (std::int64_t k = 0; k < samples; ++k) {
        const double u = static_cast<double>(k) / last;
        const double x = -0.5 * u;
        const double phi = x * x * (terms[0] + x * (terms[1] + x * terms[2]));
        window.push_back(static_cast<float>(0.5 - 0.5 * std::cos(2.0 * std::numbers::pi * u)));
        phasor.push_back({static_cast<float>(std::cos(phi)), static_cast<float>(std::sin(phi))});
    }
    m_window = inCompute(exec, window);
    m_phasor = inCompute(exec, phasor);
}

void WindowAndPhase::run(const Exec& exec, Factors factors, std::int64_t lines, const float* in,
                         Complex* out) const {
    constexpr const char* kName = "ladder window and phase";
    if (factors == Factors::Table)
        return forEachInLines(
            exec, kName, lines, m_samples,
            WindowedFromTable{m_window.as<float>(), m_phasor.as<Complex>(), m_samples, in, out});
    const float perStep = 1.0F / static_cast<float>(std::max<std::int64_t>(m_samples - 1, 1));
    forEachInLines(
        exec, kName, lines, m_samples,
        WindowedComputed{m_terms[0], m_terms[1], m_terms[2], perStep, m_samples, in, out});
}

} // namespace echolux::ladder
