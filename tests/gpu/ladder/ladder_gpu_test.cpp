// SPDX-License-Identifier: GPL-3.0-or-later
// The ladders' kernels on CUDA, where they are others than on the CPU: blocks, shared and constant
// memory, atomics, textures. Each against double precision or a closed form.
#include "gpu/exec/point_texture.hpp"
#include "gpu/ladder/bandwidth.hpp"
#include "gpu/ladder/course_delay.hpp"
#include "gpu/memory/transfer.hpp"
#include "tests/gpu/ladder/four_times_up_cases.hpp"
#include "tests/gpu/ladder/line_echoes.hpp"
#include "tests/support/gpu.hpp"

#include <algorithm>
#include <numeric>

namespace echolux::ladder {
namespace {

/// A stream, and arrays in device memory.
struct Card {
    Stream stream{Backend::Cuda, "test"};
    Exec exec{Backend::Cuda, stream.get()};

    template <class T> Buffer hold(const std::vector<T>& values) const {
        Buffer held(MemoryKind::Device, values.size() * sizeof(T));
        upload(exec, held.data(), values.data(), held.bytes());
        device::synchronize(exec.stream);
        return held;
    }
    template <class T> std::vector<T> fetch(const Buffer& held) const {
        std::vector<T> values(held.bytes() / sizeof(T));
        download(exec, values.data(), held.data(), held.bytes());
        device::synchronize(exec.stream);
        return values;
    }
};

TEST(FourTimesUpGpu, EveryKernelAgreesWithDoublePrecision) {
    ECHOLUX_NEED_GPU();
    const Card card;
    const std::vector<std::int16_t> codes = noiseCodes(3 * 1030); // the last block is not full
    const Buffer in = card.hold(codes);
    const Buffer out(MemoryKind::Device, codes.size() * 4 * sizeof(float));
    const Buffer outCodes(MemoryKind::Device, codes.size() * 4 * sizeof(std::int16_t));
    const auto run = [&](const UpProblem& problem) {
        fillBytes(card.exec, out.data(), 0xFF, out.bytes());
        fourTimesUp(card.exec, problem, in.as<std::int16_t>(), out.as<float>());
        return card.fetch<float>(out);
    };
    for (const int taps : kEveryNumberOfTaps) {
        for (const int block : {32, 96, 128, 256, 384, 512}) {
            const UpProblem problem{.taps = taps, .lines = 3, .samples = 1030, .block = block};
            const std::vector<float> up = run(problem);
            fourTimesUp(card.exec, problem, in.as<std::int16_t>(), outCodes.as<std::int16_t>());
            const auto upCodes = card.fetch<std::int16_t>(outCodes);
            for (std::size_t i = 0; i < up.size(); ++i) {
                const double expected = upReference(problem, codes, i);
                ASSERT_NEAR(up[i], expected, 1e-5) << taps << " taps, block " << block << ", " << i;
                ASSERT_NEAR(upCodes[i] / 32767.0, std::clamp(expected, -1.0, 1.0),
                            0.51 / 32767.0 + 1e-5)
                    << taps << " taps, block " << block << ", " << i;
            }
        }
    }
    const std::vector<float> unloaded =
        run({.lines = 3, .samples = 1030, .variant = UpVariant::NoLoads});
    for (std::size_t i = 0; i < unloaded.size(); ++i)
        ASSERT_NEAR(unloaded[i], upOfUnloaded(11, i % 4), 1e-6) << i;
    // What comes out without barriers is not known; that something comes out everywhere is.
    const std::vector<float> raced =
        run({.lines = 3, .samples = 1030, .variant = UpVariant::NoBarrier});
    for (std::size_t i = 0; i < raced.size(); i += 4) ASSERT_FALSE(std::isnan(raced[i])) << i;
}

TEST(ScanLinesGpu, EveryFormAgreesWithDoublePrecision) {
    ECHOLUX_NEED_GPU();
    const Card card;
    for (const LineCase& of : everyForm()) {
        SCOPED_TRACE(of.text());
        const LineEchoes echoes(of);
        const ScanProblem& problem = echoes.problem;
        const std::vector<float> constants = scanConstants(problem, echoes.geometry);
        const bool floats = of.numbers == device::TextureNumbers::Float;
        const Buffer records = floats ? card.hold(echoes.values) : card.hold(echoes.codes);
        const Buffer weights = card.hold(echoes.weights);
        const Buffer out(MemoryKind::Device,
                         static_cast<std::size_t>(problem.outputs()) * sizeof(float));
        fillBytes(card.exec, out.data(), 0xFF, out.bytes());
        const auto rows = static_cast<std::size_t>(problem.records());
        const auto samples = static_cast<std::size_t>(problem.samples);
        ScanInput input;
        input.constants = constants.data();
        input.recordTexture = device::createClampedTexture(
            records.data(), of.numbers, static_cast<std::size_t>(problem.recordSamples()), rows,
            records.bytes() / rows);
        input.weightTexture = device::createClampedTexture(
            weights.data(), device::TextureNumbers::Int16, samples,
            static_cast<std::size_t>(problem.channels), samples * sizeof(std::int16_t));
        loadScanConstants(card.exec, constants);
        sumScanLines(card.exec, problem, input, out.as<float>());
        const std::vector<float> lines = card.fetch<float>(out);
        device::destroyTexture(input.recordTexture);
        device::destroyTexture(input.weightTexture);
        EXPECT_LT(echoes.deviation(lines), 1.5e-3);
        const auto use = scanKernelUse(card.exec, problem);
        ASSERT_TRUE(use);
        EXPECT_GT(use->registers, 8);
        EXPECT_GT(use->threads, 0);
    }
}

TEST(LadderMemoryGpu, AccessesLeaveWhatTheySay) {
    ECHOLUX_NEED_GPU();
    const Card card;
    std::vector<float> values(4096);
    std::iota(values.begin(), values.end(), 0.0F); // four of them sum to less than kMark
    const Buffer plain = card.hold(values);
    values[4093] = kMark;
    const Buffer marked = card.hold(values);
    const Buffer out(MemoryKind::Device, marked.bytes());
    for (const int width : {1, 2, 4}) {
        for (const bool inBlocks : {false, true}) {
            const auto touch = [&](MemoryAccess access, const Buffer& in) {
                const auto texture = device::createPointTexture(
                    in.data(), width, values.size() / static_cast<std::size_t>(width));
                const MemoryWork work{access, width, in.as<float>(), out.as<float>(), texture};
                fillBytes(card.exec, out.data(), 0, out.bytes());
                if (inBlocks) {
                    touchMemoryInBlocks(card.exec, work, 4096 / width / 64, 64);
                } else {
                    touchMemory(card.exec, work, 4096);
                }
                std::vector<float> left = card.fetch<float>(out);
                device::destroyTexture(texture);
                return left;
            };
            SCOPED_TRACE(testing::Message() << width << " floats, in blocks " << inBlocks);
            EXPECT_EQ(touch(MemoryAccess::ReadAndWrite, marked), values);
            EXPECT_EQ(touch(MemoryAccess::TextureReadAndWrite, marked), values);
            EXPECT_EQ(touch(MemoryAccess::Write, marked),
                      std::vector<float>(values.size(), kWritten));
            for (const auto reads : {MemoryAccess::Read, MemoryAccess::TextureRead}) {
                EXPECT_EQ(touch(reads, plain), std::vector<float>(values.size(), 0.0F));
                EXPECT_EQ(touch(reads, marked).front(), 1.0F);
            }
        }
    }
}

TEST(LadderDelayGpu, AnglesInConstantMemoryChangeNothing) {
    ECHOLUX_NEED_GPU();
    const Card card;
    Course k;
    k.transmits = 75;
    k.elements = 8;
    k.samples = 900;
    k.columns = 6;
    k.rows = 40;
    k.firstElementM = -1.05e-3F;
    k.firstColumnM = -1e-3F;
    k.columnStepM = 0.4e-3F;
    k.firstRowM = 1e-3F;
    k.rowStepM = 0.2e-3F;
    k.samplingHz = 40e6F;
    std::vector<float> angles;
    for (int t = 0; t < k.transmits; ++t)
        angles.push_back(-0.28F + 0.0075F * static_cast<float>(t));
    std::vector<float> samples(static_cast<std::size_t>(k.line(k.transmits, 0) * k.samples));
    for (std::size_t i = 0; i < samples.size(); ++i)
        samples[i] = static_cast<float>(std::sin(0.3 * static_cast<double>(i)));
    const Buffer heldAngles = card.hold(angles);
    const Buffer in = card.hold(samples);
    const auto outputs = static_cast<std::size_t>(k.points() * k.transmits);
    const Buffer out(MemoryKind::Device, outputs * sizeof(float));
    k.angles = heldAngles.as<float>();
    loadConstantAngles(card.exec, angles);
    for (const AngleMemory memory : {AngleMemory::Global, AngleMemory::Constant}) {
        fillBytes(card.exec, out.data(), 0xFF, out.bytes());
        delayAndSum(card.exec, k, memory, in.as<float>(), out.as<float>());
        const std::vector<float> got = card.fetch<float>(out);
        for (std::size_t i = 0; i < outputs; ++i) {
            const auto t = static_cast<int>(static_cast<std::int64_t>(i) / k.points());
            const std::int64_t p = static_cast<std::int64_t>(i) % k.points();
            double sum = 0.0;
            for (int e = 0; e < k.elements; ++e)
                sum +=
                    readLinear(samples.data() + k.line(t, e) * k.samples, k.samples,
                               delayedIndex(k, double{angles[static_cast<std::size_t>(t)]}, e, p));
            ASSERT_NEAR(got[i], sum, 2e-3) << "wave " << t << ", point " << p;
        }
    }
}

} // namespace
} // namespace echolux::ladder
