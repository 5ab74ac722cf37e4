// SPDX-License-Identifier: GPL-3.0-or-later
// The FFT contract on cuFFT: against the defining sum, and one plan on several streams at once.
#include "tests/gpu/fft_run.hpp"
#include "tests/support/gpu.hpp"

namespace echolux {
namespace {

TEST(FftGpu, MatchesTheDefiningSum) {
    ECHOLUX_NEED_GPU();
    test::expectAllFftShapes(Backend::Cuda);
}

/// Four streams, one plan, many rounds enqueued without waiting: each frame must come out as if it
/// had been alone. A prime length makes cuFFT use its work area.
TEST(FftGpu, OnePlanServesFramesInFlight) {
    ECHOLUX_NEED_GPU();
    constexpr std::size_t kFrames = 4;
    constexpr int kRounds = 20;
    const FftShape shape{FftKind::ComplexForward, 1009, 256, {1, 1009}, {1, 1009}};
    const std::size_t bytes = 1009 * 256 * sizeof(Complex);
    const auto fft = makeFft(Backend::Cuda, shape);
    std::vector<Stream> streams;
    std::vector<Buffer> ins, outs, works;
    std::vector<std::vector<float>> inputs, results(kFrames, std::vector<float>(bytes / 4));
    for (std::size_t f = 0; f < kFrames; ++f) {
        streams.emplace_back(Backend::Cuda, "test");
        ins.emplace_back(MemoryKind::Device, bytes);
        outs.emplace_back(MemoryKind::Device, bytes);
        works.emplace_back(MemoryKind::Device, fftWorkspaceBytes(shape));
        inputs.push_back(test::fftInput(shape, static_cast<unsigned>(f)));
        upload({Backend::Cuda, streams[f].get()}, ins[f].data(), inputs[f].data(), bytes);
    }
    for (int round = 0; round < kRounds; ++round) {
        for (std::size_t f = 0; f < kFrames; ++f) {
            fft->run({Backend::Cuda, streams[f].get()}, ins[f].data(), outs[f].data(),
                     works[f].data());
        }
    }
    for (std::size_t f = 0; f < kFrames; ++f) {
        download({Backend::Cuda, streams[f].get()}, results[f].data(), outs[f].data(), bytes);
        streams[f].synchronize();
        for (const std::int64_t b : {std::int64_t{0}, std::int64_t{101}, std::int64_t{255}}) {
            const auto expected = test::directTransform(shape, inputs[f], b);
            for (std::size_t k = 0; k < expected.size(); ++k) {
                const std::size_t at = 2 * (static_cast<std::size_t>(b) * 1009 + k);
                ASSERT_NEAR(results[f][at], expected[k].real(), 1e-3) << "frame " << f;
                ASSERT_NEAR(results[f][at + 1], expected[k].imag(), 1e-3) << "frame " << f;
            }
        }
    }
}

} // namespace
} // namespace echolux
