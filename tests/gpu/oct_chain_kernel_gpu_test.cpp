// SPDX-License-Identifier: GPL-3.0-or-later
// The fused OCT kernel alone, with random tables and codes of the whole range of each type, against
// its sums written out in double precision; and as it runs on cards with less shared memory.
#include "gpu/core/code_to_float.hpp"
#include "gpu/core/frame_spec.hpp"
#include "gpu/fused/oct_chain_run.hpp"
#include "gpu/memory/transfer.hpp"
#include "gpu/oct/oct_formula.hpp"
#include "gpu/oct/oct_limits.hpp"
#include "tests/support/gpu.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <numbers>
#include <random>

namespace echolux::fused {
namespace {

constexpr std::size_t kKiB = 1024;

std::complex<double> turned(double turns) {
    return std::polar(1.0, 2.0 * std::numbers::pi * turns);
}

Complex single(std::complex<double> z) {
    return {static_cast<float>(z.real()), static_cast<float>(z.imag())};
}

/// A kernel's input: the first raw sample and the weights of each grid point's taps, a factor for
/// each point or, where samples are turned, for each sample, and lines of codes.
class Problem {
public:
    Problem(const OctChainShape& shape, int lines, unsigned seed)
        : m_shape(shape), m_lines(lines), m_random(seed) {
        std::uniform_real_distribution<double> anywhere(-1.0, 1.0);
        const int slots = shape.tapGroups * kTapsPerGroup;
        const double last = shape.samples - 1;
        for (int m = 0; m < shape.grid; ++m) {
            const double u = static_cast<double>(m) / (shape.grid - 1);
            const auto near = static_cast<int>((u + 0.2 * u * (1.0 - u)) * last);
            m_first.push_back(std::clamp(near - slots / 2, 0, shape.samples - slots));
            for (int t = 0; t < slots; ++t)
                m_weights.push_back(static_cast<float>(anywhere(m_random)));
            m_factors.push_back(single(turned(5.0 * u * u) * (0.5 + 0.5 * anywhere(m_random))));
        }
        for (int d = 0; d < depthPlaces(shape); ++d) {
            m_subtract.push_back({static_cast<float>(anywhere(m_random)), 0.5F});
            m_offsetDb.push_back(static_cast<float>(anywhere(m_random)));
        }
        makeCodes();
    }

    /// Complex lines with nothing subtracted, or pixels.
    std::vector<Complex> complexOn(const OctChainDevice& device) const {
        return run<Complex>(device, [](OctChainPixels& to, Complex* at) { to.complex = at; });
    }
    std::vector<float> pixelsOn(const OctChainDevice& device) const {
        return run<float>(device, [](OctChainPixels& to, float* at) { to.pixels = at; });
    }

    /// Of one pixel; the strongest that any could be.
    std::complex<double> expected(int line, int depth) const {
        std::complex<double> sum;
        const int slots = m_shape.tapGroups * kTapsPerGroup;
        const std::vector<double>& x = m_samples[static_cast<std::size_t>(line)];
        for (int m = 0; m < m_shape.grid; ++m) {
            const auto point = static_cast<std::size_t>(m);
            std::complex<double> value;
            for (int t = 0; t < slots; ++t) {
                const auto sample = static_cast<std::size_t>(m_first[point] + t);
                const Complex f = m_factors[m_shape.turned ? sample : point];
                value += m_weights[static_cast<std::size_t>(m * slots + t)] * x[sample] *
                         std::complex<double>(f.re, f.im);
            }
            const std::int64_t bin = depth - (m_shape.fullRange ? m_shape.depths / 2 : 0);
            const std::int64_t turn = m * bin % m_shape.grid;
            sum += value * turned(static_cast<double>(turn) / m_shape.grid);
        }
        return sum;
    }

    Complex subtracted(int depth) const { return m_subtract[static_cast<std::size_t>(depth)]; }
    float offsetDb(int depth) const { return m_offsetDb[static_cast<std::size_t>(depth)]; }
    const OctChainShape& shape() const { return m_shape; }
    int lines() const { return m_lines; }

private:
    void makeCodes() {
        std::uniform_int_distribution<unsigned> byte(0, 255);
        const auto samples = static_cast<std::size_t>(m_shape.samples);
        FrameSpec spec;
        spec.dtype = m_shape.type;
        spec.axes = {{AxisName::Lateral, m_lines, 1.0, 0.0, ""},
                     {AxisName::Sample, m_shape.samples, 1.0, 0.0, ""}};
        for (std::size_t i = 0; i < spec.bytes(); ++i)
            m_raw.push_back(static_cast<std::uint8_t>(byte(m_random)));
        const auto code = [&](std::int64_t i) -> int {
            switch (m_shape.type) {
            case DType::U8: return m_raw[static_cast<std::size_t>(i)];
            case DType::I16: return reinterpret_cast<const std::int16_t*>(m_raw.data())[i];
            case DType::U16: return reinterpret_cast<const std::uint16_t*>(m_raw.data())[i];
            default: return packed12At(m_raw.data(), i);
            }
        };
        for (int line = 0; line < m_lines; ++line) {
            std::vector<double> x;
            for (std::size_t n = 0; n < samples; ++n) {
                const auto at =
                    static_cast<std::int64_t>(static_cast<std::size_t>(line) * samples + n);
                x.push_back(code(at) >> m_shape.shift);
            }
            m_samples.push_back(withoutMovingAverage(x));
        }
    }

    std::vector<double> withoutMovingAverage(const std::vector<double>& x) const {
        if (m_shape.movingWindow == 0) return x;
        std::vector<double> y;
        for (int n = 0; n < m_shape.samples; ++n) {
            const oct::Span span = oct::movingSpan(n, m_shape.movingWindow, m_shape.samples);
            double sum = 0.0;
            for (auto k = span.first; k <= span.last; ++k) sum += x[static_cast<std::size_t>(k)];
            y.push_back(x[static_cast<std::size_t>(n)] -
                        sum / static_cast<double>(span.last - span.first + 1));
        }
        return y;
    }

    template <class T> Buffer uploaded(const Exec& exec, const std::vector<T>& values) const {
        Buffer made(MemoryKind::Device, std::max<std::size_t>(values.size(), 1) * sizeof(T));
        upload(exec, made.data(), values.data(), values.size() * sizeof(T));
        return made;
    }

    template <class Pixel, class Aim>
    std::vector<Pixel> run(const OctChainDevice& device, const Aim& aim) const {
        const Stream stream(Backend::Cuda, "test");
        const Exec exec{Backend::Cuda, stream.get()};
        const int grid = m_shape.grid;
        const int slots = m_shape.tapGroups * kTapsPerGroup;
        const int stride = rowStride(m_shape.tapGroups, m_shape.movingWindow > 0);
        std::vector<std::uint16_t> first(static_cast<std::size_t>(grid));
        std::vector<float> weights(
            static_cast<std::size_t>(grid * weightGroups(m_shape) * kTapsPerGroup));
        std::vector<Complex> factor(static_cast<std::size_t>(grid));
        for (int m = 0; m < grid; ++m) {
            const auto point = static_cast<std::size_t>(m);
            const int at = tableIndex(grid, m);
            first[static_cast<std::size_t>(at)] =
                static_cast<std::uint16_t>(samplePlace(stride, m_first[point]));
            const int factorAt = m_shape.turned ? m : pairedTableIndex(grid, m);
            factor[static_cast<std::size_t>(factorAt)] = m_factors[point];
            for (int t = 0; t < slots; ++t) {
                const auto put = [&](int group, float weight) {
                    weights[static_cast<std::size_t>((group * grid + at) * kTapsPerGroup +
                                                     t % kTapsPerGroup)] = weight;
                };
                const float weight = m_weights[static_cast<std::size_t>(m * slots + t)];
                const int group = t / kTapsPerGroup;
                if (!hasComplexWeights(m_shape)) {
                    put(group, weight);
                    continue;
                }
                const Complex whole =
                    weight * m_factors[static_cast<std::size_t>(m_first[point] + t)];
                put(group, whole.re);
                put(group + m_shape.tapGroups, whole.im);
            }
        }
        std::vector<Complex> pass(static_cast<std::size_t>(passTwiddles(grid)));
        for (int k = 1; k <= pointsPerThread(grid) / 2; ++k) {
            for (int lane = 0; lane < kLanes; ++lane) {
                pass[static_cast<std::size_t>(passTwiddleIndex(k, lane))] =
                    single(turned(static_cast<double>(k * lane) / pointsPerWarp(grid)));
            }
        }
        std::vector<Complex> combine;
        for (int i = 0; i < warpTwiddles(grid); ++i) {
            const int warp = 1 + i / pointsPerWarp(grid);
            combine.push_back(
                single(turned(static_cast<double>(warp * (i % pointsPerWarp(grid))) / grid)));
        }
        const int threads = warpsPerPair(grid) * kLanes;
        std::vector<float> scales(static_cast<std::size_t>(threads * kLanes));
        for (int n = 0; n < m_shape.samples && m_shape.movingWindow > 0; ++n) {
            const oct::Span span = oct::movingSpan(n, m_shape.movingWindow, m_shape.samples);
            scales[static_cast<std::size_t>(n % kLanes * threads + n / kLanes)] =
                1.0F / static_cast<float>(span.last - span.first + 1);
        }
        const Buffer held[] = {
            uploaded(exec, first),      uploaded(exec, weights),    uploaded(exec, factor),
            uploaded(exec, pass),       uploaded(exec, combine),    uploaded(exec, scales),
            uploaded(exec, m_subtract), uploaded(exec, m_offsetDb), uploaded(exec, m_raw)};
        const OctChainTables tables{held[0].as<std::uint16_t>(), held[1].as<float>(),
                                    held[2].as<Complex>(),       held[3].as<Complex>(),
                                    held[4].as<Complex>(),       held[5].as<float>(),
                                    held[6].as<Complex>(),       held[7].as<float>()};
        std::vector<Pixel> pixels(static_cast<std::size_t>(m_lines * m_shape.depths));
        const Buffer out(MemoryKind::Device, pixels.size() * sizeof(Pixel));
        OctChainPixels where;
        where.raw = held[8].data();
        where.lines = m_lines;
        aim(where, out.template as<Pixel>());
        allowOctChain(m_shape, device);
        runOctChain(exec, m_shape, tables, where, device);
        download(exec, pixels.data(), out.data(), out.bytes());
        stream.synchronize();
        return pixels;
    }

    OctChainShape m_shape;
    int m_lines = 0;
    std::mt19937 m_random;
    std::vector<int> m_first;
    std::vector<float> m_weights; ///< [grid point][tap]
    std::vector<Complex> m_factors;
    std::vector<Complex> m_subtract;
    std::vector<float> m_offsetDb;
    std::vector<std::uint8_t> m_raw;
    std::vector<std::vector<double>> m_samples; ///< [line][sample]
};

OctChainDevice thisCard() {
    const device::Info info = device::probe().front();
    return {info.multiprocessors, info.sharedBytesPerBlock};
}

OctChainShape shapeOf(DType type, int samples, int grid, int depths, int groups, int moving,
                      int shift) {
    OctChainShape shape;
    shape.samples = samples;
    shape.grid = grid;
    shape.depths = depths;
    shape.tapGroups = groups;
    shape.movingWindow = moving;
    shape.type = type;
    shape.shift = shift;
    return shape;
}

OctChainShape bothSides(OctChainShape shape) {
    shape.fullRange = true;
    return shape;
}

OctChainShape amplitudes(OctChainShape shape) {
    shape.linear = true;
    return shape;
}

OctChainShape turning(OctChainShape shape) {
    shape.turned = true;
    return shape;
}

/// Sums of some thousand products of single precision, relative to the largest pixel.
constexpr double kTolerance = 3e-6;

void expectSums(const Problem& problem) {
    const OctChainShape& shape = problem.shape();
    const std::vector<Complex> lines = problem.complexOn(thisCard());
    const std::vector<float> image = problem.pixelsOn(thisCard());
    double strongest = 0.0;
    for (const Complex& z : lines)
        strongest = std::max(strongest, static_cast<double>(std::hypot(z.re, z.im)));
    for (int line = 0; line < problem.lines(); ++line) {
        for (int depth = 0; depth < shape.depths; depth += 7) {
            const auto at = static_cast<std::size_t>(line * shape.depths + depth);
            const std::complex<double> sum = problem.expected(line, depth);
            const std::complex<double> got(lines[at].re, lines[at].im);
            ASSERT_LE(std::abs(got - sum), kTolerance * strongest) << line << ' ' << depth;
            const Complex off = problem.subtracted(depth);
            const double amplitude = std::abs(sum - std::complex<double>(off.re, off.im));
            const double raised = std::pow(10.0, problem.offsetDb(depth) / 20.0);
            const double shown =
                (shape.linear ? image[at] : std::pow(10.0, image[at] / 20.0)) / raised;
            ASSERT_NEAR(shown, amplitude, kTolerance * strongest + 1e-5 * amplitude)
                << line << ' ' << depth;
        }
    }
}

TEST(OctChainKernelGpu, EqualsItsSumsForCodesOfTheWholeRange) {
    ECHOLUX_NEED_GPU();
    unsigned seed = 1;
    for (const OctChainShape& shape :
         {shapeOf(DType::U16, 1024, 1024, 512, 1, 0, 0),
          shapeOf(DType::U16, 2048, 2048, 1024, 1, 0, 0),
          shapeOf(DType::I16, 1000, 1024, 500, 1, 0, 0),
          shapeOf(DType::I16, 512, 512, 256, 2, 0, 5),
          shapeOf(DType::U8, 904, 1024, 452, 2, 0, 0),
          shapeOf(DType::U8, 488, 512, 244, 1, 0, 3),
          shapeOf(DType::Packed12, 2040, 2048, 1000, 1, 0, 0),
          shapeOf(DType::Packed12, 4096, 4096, 2048, 1, 0, 1),
          shapeOf(DType::U16, 1000, 1024, 300, 1, 31, 0),
          shapeOf(DType::I16, 2048, 2048, 1024, 2, 1024, 2),
          shapeOf(DType::U8, 488, 512, 200, 1, 4, 0),
          shapeOf(DType::Packed12, 4096, 4096, 2048, 1, 25, 0),
          shapeOf(DType::U16, 4096, 8192, 2048, 1, 0, 0),
          shapeOf(DType::I16, 8192, 8192, 4096, 2, 0, 1),
          shapeOf(DType::U16, 8000, 8192, 4000, 1, 31, 0),
          shapeOf(DType::U16, 1024, 1536, 512, 1, 0, 0),
          shapeOf(DType::I16, 1536, 1536, 768, 2, 25, 0),
          shapeOf(DType::Packed12, 2048, 2560, 1024, 2, 0, 0),
          shapeOf(DType::U16, 2048, 3072, 1024, 1, 25, 0),
          shapeOf(DType::U8, 4096, 5120, 2048, 2, 0, 0),
          shapeOf(DType::U16, 6144, 6144, 3072, 1, 0, 0),
          amplitudes(shapeOf(DType::U16, 1024, 1024, 512, 1, 0, 0)),
          amplitudes(shapeOf(DType::U16, 1024, 1536, 512, 1, 31, 0)),
          bothSides(shapeOf(DType::U16, 512, 512, 512, 1, 0, 0)),
          bothSides(shapeOf(DType::I16, 1000, 1024, 1000, 1, 25, 0)),
          bothSides(shapeOf(DType::U16, 1024, 1536, 1024, 1, 0, 0)),
          amplitudes(bothSides(shapeOf(DType::Packed12, 1024, 2048, 1024, 2, 0, 0))),
          bothSides(shapeOf(DType::U8, 2560, 2560, 2560, 1, 0, 0)),
          bothSides(shapeOf(DType::U16, 3072, 3072, 3072, 1, 25, 0)),
          bothSides(shapeOf(DType::U16, 4096, 4096, 3000, 1, 0, 0)),
          bothSides(shapeOf(DType::I16, 5120, 5120, 5120, 1, 0, 0)),
          bothSides(shapeOf(DType::U16, 6144, 6144, 6144, 1, 0, 0)),
          amplitudes(bothSides(shapeOf(DType::U16, 8192, 8192, 8192, 1, 0, 0))),
          turning(shapeOf(DType::U16, 512, 1024, 256, 1, 0, 0)),
          turning(shapeOf(DType::I16, 488, 512, 244, 2, 0, 3)),
          turning(shapeOf(DType::Packed12, 1024, 2048, 512, 1, 0, 0)),
          turning(shapeOf(DType::U16, 1000, 1536, 500, 2, 31, 0)),
          turning(shapeOf(DType::U8, 2040, 4096, 1020, 1, 1024, 0)),
          turning(shapeOf(DType::U16, 4096, 8192, 2048, 1, 25, 0)),
          amplitudes(turning(shapeOf(DType::U16, 2048, 2560, 1024, 1, 0, 0))),
          turning(bothSides(shapeOf(DType::U16, 1024, 2048, 1024, 2, 25, 0))),
          amplitudes(turning(bothSides(shapeOf(DType::I16, 1024, 1024, 1024, 1, 0, 0))))}) {
        SCOPED_TRACE(testing::Message()
                     << nameOf(shape.type) << ' ' << shape.samples << " to " << shape.grid
                     << " window " << shape.movingWindow << (shape.fullRange ? " full" : "")
                     << (shape.linear ? " linear" : "") << (shape.turned ? " turned" : ""));
        expectSums(Problem(shape, 5, seed++));
        if (testing::Test::HasFailure()) return;
    }
}

TEST(OctChainKernelGpu, CardsWithLessSharedMemoryGiveTheSame) {
    ECHOLUX_NEED_GPU();
    for (const int grid : oct::kKernelGrids) {
        for (const int window : {0, 25}) {
            const Problem problem(shapeOf(DType::U16, grid, grid, grid / 2, 2, window, 0), 67, 3);
            OctChainDevice card = thisCard();
            const std::vector<float> image = problem.pixelsOn(card);
            for (const std::size_t available : {227 * kKiB, 99 * kKiB, 64 * kKiB}) {
                if (warpsPerBlock(problem.shape(), available) == 0) continue;
                if (available > thisCard().sharedBytes) continue;
                card.sharedBytes = available;
                EXPECT_EQ(problem.pixelsOn(card), image) << grid << ' ' << available;
            }
        }
    }
}

} // namespace
} // namespace echolux::fused
