// SPDX-License-Identifier: GPL-3.0-or-later
// The fused front end, its threads run one after the other on the host, against the stages.
#include "app/pipeline/runner.hpp"
#include "gpu/fused/front_end.hpp"
#include "gpu/fused/front_end_block.hpp"
#include "tests/support/front_end_chains.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>

namespace echolux {
namespace {

using namespace fused;
using testing_support::Chooser;
using testing_support::echoCodes;
using testing_support::randomFrontEnd;

/// Each step of the kernel for all threads, then the next.
class Emulated {
public:
    explicit Emulated(const FrontArguments& arguments) : m_args(arguments) {
        const std::size_t bytes = frontSharedBytes(m_args.shape);
        m_memory.assign(bytes / sizeof(float) + 64, std::nanf(""));
        m_shared = m_memory.data();
        while (reinterpret_cast<std::uintptr_t>(m_shared) % 128 != 0) ++m_shared;
        m_end = m_shared + bytes / sizeof(float);
    }
    void run() {
        for (std::int64_t pair = 0; 2 * pair < m_args.lines.lines; ++pair) {
            const FrontBlock block(m_args, m_shared, pair);
            ASSERT_LE(static_cast<const void*>(block.mixTaps + m_args.shape.mixTaps()),
                      static_cast<const void*>(m_end));
            load(block);
            if (m_args.shape.filters) {
                filter(block);
            } else {
                each([&](int thread) { scaleLines(m_args, block, thread, threads()); });
            }
            finish(block);
        }
    }

private:
    int threads() const { return m_args.shape.warps() * kLanes; }
    template <class Step> void each(const Step& step) const {
        for (int thread = 0; thread < threads(); ++thread) step(thread);
    }
    void load(const FrontBlock& block) const {
        for (int warp = 0; warp < m_args.shape.warps(); ++warp) {
            LineSums all;
            for (int lane = 0; lane < kLanes; ++lane) {
                const LineSums one = loadLines(m_args, block, warp * kLanes + lane, threads());
                all = {all.a + one.a, all.b + one.b};
            }
            block.sums[warp] = all;
        }
    }
    void filter(const FrontBlock& block) const {
        using Points = Complex[kFilterPerThread];
        struct Registers {
            Points v;
        };
        std::vector<Registers> of(static_cast<std::size_t>(threads()));
        const auto lanes = [&](const auto& step) {
            each([&](int thread) {
                const int warp = thread / kLanes;
                step(warp, block.exchangeOf(m_args.shape, warp), thread % kLanes,
                     of[static_cast<std::size_t>(thread)].v);
            });
        };
        const LineMeans means = lineMeans(m_args, block);
        const auto fill = [&](float value) {
            if (!anyLost(means)) return;
            each([&](int thread) { fillLost(m_args, block, means, value, thread, threads()); });
        };
        fill(0.0F);
        const FrontTables& tables = m_args.tables;
        lanes([&](int warp, float*, int lane, Points& v) {
            readPiece(m_args, block, means, warp, lane, v);
        });
        const auto transform = [&](const Complex* twiddle) {
            lanes([&](int, float*, int lane, Points& v) {
                turnedPass(v, twiddle, lane, [&](int k, Complex value) { v[k] = value; });
            });
            lanes([&](int, float* exchange, int lane, Points& v) {
                writePart<&Complex::re>(v, exchange, lane);
            });
            lanes([&](int, float* exchange, int lane, Points& v) {
                readPart<&Complex::re>(v, exchange, lane);
            });
            lanes([&](int, float* exchange, int lane, Points& v) {
                writePart<&Complex::im>(v, exchange, lane);
            });
            lanes([&](int, float* exchange, int lane, Points& v) {
                readPart<&Complex::im>(v, exchange, lane);
                RegisterFft<kFilterPerThread>::run(v);
            });
        };
        transform(tables.passTwiddle);
        lanes([&](int, float*, int lane, Points& v) { filterPoints(tables.spectrum, lane, v); });
        transform(tables.returnTwiddle);
        lanes([&](int warp, float*, int lane, Points& v) {
            writePiece(m_args, block, warp, lane, v);
        });
        fill(std::nanf(""));
    }
    template <class Compute, class Write> void
    items(const FrontBlock& block, int atOnce, const Compute& compute, const Write& write) const {
        const FrontItems all(m_args.shape.outputs, atOnce, block);
        for (int item = 0; item < all.count; ++item) {
            float* staged = block.exchangeOf(m_args.shape, item % m_args.shape.warps());
            const int which = all.line(item);
            for (int lane = 0; lane < kLanes; ++lane)
                compute(block.line(which), staged, all.run(item), lane);
            for (int lane = 0; lane < kLanes; ++lane)
                write(block.line(which), staged, block.first + which, all.run(item), lane);
        }
    }
    void finish(const FrontBlock& block) const {
        const FrontShape& shape = m_args.shape;
        if (shape.tail == FrontTail::None) {
            each([&](int thread) { writeReal(m_args, block, thread, threads()); });
        } else if (shape.tail == FrontTail::Analytic) {
            items(
                block, kAnalyticAtOnce,
                [&](const float* line, float* staged, int run, int lane) {
                    transformEight(m_args, line, staged, run, lane);
                },
                [&](const float* line, const float* staged, std::int64_t index, int run, int lane) {
                    writeAnalytic(m_args, line, staged, index, run, lane);
                });
        } else {
            const auto mix = [&]<int kDecimation>() {
                items(
                    block, kMixedAtOnce,
                    [&](const float* line, float* staged, int run, int lane) {
                        mixFour<kDecimation>(m_args, block, line, staged, run, lane);
                    },
                    [&](const float*, const float* staged, std::int64_t index, int run, int lane) {
                        writeMixed(m_args, staged, index, run, lane);
                    });
            };
            switch (shape.decimation) {
            case 1: mix.operator()<1>(); break;
            case 2: mix.operator()<2>(); break;
            case 3: mix.operator()<3>(); break;
            default: mix.operator()<4>();
            }
        }
    }

    FrontArguments m_args;
    std::vector<float> m_memory;
    float* m_shared = nullptr;
    float* m_end = nullptr;
};

std::vector<float> emulated(const Snapshot& snapshot, const Step& step,
                            const std::vector<std::byte>& codes) {
    const std::vector<ChainStage> chain = step.chain(snapshot);
    const FrontEndParts parts(chain);
    FrontEndTables tables;
    tables.setStructural(parts);
    tables.setLive(parts);
    // As the device has them: vectors of 16 bytes are read at once.
    struct alignas(16) Sixteen {
        std::byte bytes[16];
    };
    std::vector<std::vector<Sixteen>> memory;
    const auto aligned = [&memory]<class T>(const std::vector<T>& values) {
        const std::size_t bytes = values.size() * sizeof(T);
        memory.emplace_back(bytes / 16 + 1);
        if (bytes > 0) std::memcpy(memory.back().data(), values.data(), bytes);
        return reinterpret_cast<T*>(memory.back().data());
    };
    FrontArguments args;
    args.shape = parts.shape();
    args.hilbert = tables.hilbert;
    args.perSample = 1.0 / args.shape.samples;
    args.tables = {aligned(tables.passTwiddle), aligned(tables.returnTwiddle),
                   aligned(tables.spectrum),    aligned(tables.mixTaps),
                   aligned(tables.mix),         aligned(tables.start)};
    args.lines.codes = aligned(codes);
    args.lines.lines = snapshot.input.count() / args.shape.samples;
    std::vector<float> output(snapshot.output().bytes() / sizeof(float), std::nanf(""));
    float* out = aligned(output);
    args.lines.complex = reinterpret_cast<Complex*>(out);
    args.lines.real = out;
    Emulated(args).run();
    output.assign(out, out + output.size());
    return output;
}

std::vector<float> separate(const SnapshotPtr& snapshot, const std::vector<std::byte>& codes) {
    Runner runner(Backend::Cpu, 1);
    runner.apply(snapshot);
    std::vector<float> output(snapshot->output().bytes() / sizeof(float));
    runner.enqueue({.raw = codes.data(), .targets = {ViewTarget{output.data()}}});
    runner.drain();
    return output;
}

std::vector<Step> steps(const Snapshot& snapshot) {
    return planSteps(snapshot, Backend::Cuda, {}, Fusing::Allowed);
}

TEST(FrontEnd, EqualsItsStages) {
    constexpr unsigned kCases = 120;
    unsigned fusedCases = 0;
    for (unsigned seed = 0; seed < kCases; ++seed) {
        Chooser choose(seed);
        const SnapshotPtr snapshot = randomFrontEnd(choose);
        const std::vector<Step> planned = steps(*snapshot);
        if (planned.size() != 1 || planned[0].fusion != &kFrontEnd) continue;
        ++fusedCases;
        SCOPED_TRACE("seed " + std::to_string(seed) + ", input " + snapshot->input.describe() +
                     "\n" + toToml(toFullConfig(*snapshot)));
        const std::vector<std::byte> codes = echoCodes(snapshot->input, seed);
        testing_support::expectSameLines(*snapshot, emulated(*snapshot, planned[0], codes),
                                         separate(snapshot, codes));
        if (testing::Test::HasFailure()) return;
    }
    EXPECT_GT(fusedCases, kCases * 3 / 5);
}

FrameSpec specOf(DType type, std::int64_t samples) {
    FrameSpec spec = test::channelSpec(3, 4, samples, 20.832e6, 5.208e6);
    spec.dtype = type;
    return spec;
}

TEST(FrontEnd, TakesWhatItFindsInFront) {
    const auto first = [](std::initializer_list<const char*> stages, const FrameSpec& spec,
                          const std::vector<std::string>& kept = {}) {
        const SnapshotPtr snapshot = instantiate(testing_support::frontEndOf(stages), spec);
        return planSteps(*snapshot, Backend::Cuda, kept, Fusing::Allowed)[0].label(*snapshot);
    };
    const auto band = {"to_float", "dc_removal", "bandpass", "beamform", "envelope"};
    EXPECT_EQ(first(band, specOf(DType::I16, 1666)), "to_float ... bandpass");
    EXPECT_EQ(first(band, specOf(DType::F32, 8192)), "to_float ... bandpass");
    EXPECT_EQ(first(band, specOf(DType::Packed12, 1666)), "to_float");
    EXPECT_EQ(first(band, specOf(DType::I16, 40000)), "to_float");
    EXPECT_EQ(first(band, specOf(DType::I16, 1666), {"dc_removal"}), "to_float ... dc_removal");
    EXPECT_EQ(first({"to_float", "iq_demod", "beamform"}, specOf(DType::U8, 1666)),
              "to_float ... iq_demod");
    EXPECT_EQ(first({"to_float", "bandpass", "analytic", "beamform"}, specOf(DType::U16, 1666)),
              "to_float ... analytic");
    EXPECT_EQ(first({"to_float", "beamform", "envelope"}, specOf(DType::U8, 1666)), "to_float");
}

TEST(FrontEnd, ASampleThatIsNoNumberCostsItsLineAlone) {
    FrameSpec spec = specOf(DType::F32, 1666);
    const SnapshotPtr snapshot =
        instantiate(testing_support::frontEndOf({"to_float", "dc_removal", "bandpass"}), spec);
    std::vector<std::byte> codes = echoCodes(spec, 1);
    const std::vector<float> whole = separate(snapshot, codes);
    const float nan = std::nanf("");
    std::memcpy(codes.data() + (2 * 1666 + 700) * sizeof(float), &nan, sizeof nan);
    const std::vector<float> damaged = emulated(*snapshot, steps(*snapshot)[0], codes);
    for (std::size_t i = 0; i < damaged.size(); ++i) {
        if (i / 1666 == 2) {
            ASSERT_TRUE(std::isnan(damaged[i])) << i;
        } else {
            ASSERT_NEAR(damaged[i], whole[i], 1e-5) << i;
        }
    }
}

} // namespace
} // namespace echolux
