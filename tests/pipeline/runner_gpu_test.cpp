// SPDX-License-Identifier: GPL-3.0-or-later
// The runner on CUDA: frames in flight on several streams, and requests that do not fit.
#include "app/pipeline/runner.hpp"
#include "gpu/core/error.hpp"
#include "gpu/memory/transfer.hpp"
#include "tests/pipeline/test_frames.hpp"
#include "tests/support/gpu.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace echolux {
namespace {

using test::chainOf;
using test::channelSpec;

constexpr std::size_t kMiB = std::size_t{1} << 20;

/// Takes all GPU memory but about `left` bytes.
std::vector<Buffer> fillGpu(std::size_t left) {
    std::vector<Buffer> held;
    for (std::size_t piece = std::size_t{8} << 30; piece >= 16 * kMiB; piece /= 2) {
        while (device::freeBytes() > left + piece) held.emplace_back(MemoryKind::Device, piece);
    }
    return held;
}

TEST(RunnerGpu, FramesInFlightKeepApart) {
    ECHOLUX_NEED_GPU();
    constexpr int kSlots = 3;
    const FrameSpec spec = channelSpec(2, 16, 300);
    Runner runner(Backend::Cuda, kSlots);
    const SnapshotPtr snapshot = instantiate(chainOf({"to_float", "dc_removal"}), spec);
    runner.apply(snapshot);
    const auto count = static_cast<std::size_t>(spec.count());
    const Buffer raw(MemoryKind::Pinned, kSlots * spec.bytes());
    const Buffer out(MemoryKind::Device, kSlots * snapshot->output().bytes());
    std::vector<float> host(kSlots * count);
    for (std::int16_t round = 0; round < 20; ++round) {
        for (int s = 0; s < kSlots; ++s) {
            auto* codes = raw.as<std::int16_t>() + static_cast<std::size_t>(s) * count;
            // A ramp whose slope tells the frame; less its mean, its first sample is -149.5 slopes.
            for (std::size_t i = 0; i < count; ++i) {
                codes[i] = static_cast<std::int16_t>((round + s + 1) * static_cast<int>(i % 300));
            }
            runner.enqueue({reinterpret_cast<const std::byte*>(codes),
                            out.as<float>() + static_cast<std::size_t>(s) * count, nullptr});
        }
        runner.drain();
        download(runner.exec(0), host.data(), out.data(), out.bytes());
        runner.drain();
        for (int s = 0; s < kSlots; ++s) {
            ASSERT_NEAR(host[static_cast<std::size_t>(s) * count],
                        -149.5F * static_cast<float>(round + s + 1), 0.1F);
        }
    }
}

TEST(RunnerGpu, TooLargeARequestIsRefusedAndWhatRanGoesOn) {
    ECHOLUX_NEED_GPU();
    const FrameSpec small = channelSpec(1, 2, 8);
    const FrameSpec large = channelSpec(64, 128, 4096);
    Runner runner(Backend::Cuda, 3);
    runner.apply(instantiate(chainOf({"to_float"}), small));
    const std::vector<Buffer> held = fillGpu(64 * kMiB);
    try {
        runner.apply(instantiate(chainOf({"to_float", "dc_removal"}), large));
        FAIL() << "accepted";
    } catch (const Error& error) {
        EXPECT_THAT(error.what(),
                    testing::AllOf(testing::HasSubstr("GPU memory"), testing::HasSubstr("are free"),
                                   testing::HasSubstr("CPU backend")));
    }
    const std::vector<std::int16_t> codes(16, 7);
    const Buffer out(MemoryKind::Device, 16 * sizeof(float));
    const int slot =
        runner.enqueue({reinterpret_cast<const std::byte*>(codes.data()), out.data(), nullptr});
    runner.wait(slot);
    float first = 0.0F;
    download(runner.exec(slot), &first, out.data(), sizeof(first));
    runner.drain();
    EXPECT_FLOAT_EQ(first, 7.0F);
}

} // namespace
} // namespace echolux
