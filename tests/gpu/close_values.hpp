// SPDX-License-Identifier: GPL-3.0-or-later
// Ensembles that are cut between singular values that are nearly equal, 60 dB below the largest,
// and what NumPy keeps of them.
#pragma once

#include "tests/gpu/clutter_blocks.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <cstdint>

namespace echolux::test {

struct CloseCase {
    const char* kept; ///< of close_values.txt
    bool isTwo;       ///< two ensembles side by side, a block each
    Settings settings;
};
inline std::vector<CloseCase> closeCases() {
    Settings range = svdFrom(6);
    range.push_back({"last", std::int64_t{7}});
    return {{"without_5", false, svdFrom(6)},
            {"without_6", false, svdFrom(7)},
            {"from_6_to_7", false, range},
            {"two_without_6", true, svdFrom(7, 0, 8, "none")}};
}

inline HostFrame closeEnsemble(const Vectors& vectors, const CloseCase& of) {
    return filled(ensembleSpec(16, 9, of.isTwo ? 16 : 8), vectors[of.isTwo ? "two" : "ensemble"]);
}

inline void expectPartsOfNumpy(Backend backend) {
    const Vectors vectors("gpu/vectors/close_values.txt");
    for (const CloseCase& each : closeCases()) {
        SCOPED_TRACE(each.kept);
        expectClose(
            runStage("clutter_filter", closeEnsemble(vectors, each), each.settings, backend),
            vectors[each.kept], 3e-4);
    }
}

/// Number `index` of the complex numbers without a pattern that make_singular_cuts.py has.
inline std::complex<double> scattered(std::uint64_t index) {
    const auto part = [](std::uint64_t i) {
        std::uint64_t x = (i * 2654435761U + 12345U) & 0xffffffffU;
        x = ((x ^ (x >> 16U)) * 0x85ebca6bU) & 0xffffffffU;
        x ^= x >> 13U;
        return static_cast<double>(x & 0xffffU) / 32768.0 - 1.0;
    };
    return {part(index), part(index + 1)};
}

constexpr std::uint64_t kCutSide = 20; ///< pixels of an image of theirs

/// An ensemble of theirs, `copies` times side by side.
inline HostFrame longEnsemble(std::uint64_t frames, std::uint64_t copies) {
    constexpr std::uint64_t kPixels = kCutSide * kCutSide;
    constexpr std::uint64_t kTissues = 6;
    const std::uint64_t width = copies * kCutSide;
    HostFrame frame(ensembleSpec(static_cast<std::int64_t>(frames), kCutSide,
                                 static_cast<std::int64_t>(width)));
    auto* samples = reinterpret_cast<std::complex<float>*>(frame.bytes.data());
    for (std::uint64_t f = 0; f < frames; ++f) {
        for (std::uint64_t i = 0; i < kCutSide * width; ++i) {
            const std::uint64_t p = i / width * kCutSide + i % kCutSide;
            std::complex<double> sum = scattered(2 * (f * kPixels + p));
            for (std::uint64_t k = 0; k < kTissues; ++k)
                sum += std::pow(0.5, static_cast<double>(k)) * 64.0 *
                       scattered(10'000'000 + 2 * (k * frames + f)) *
                       scattered(20'000'000 + 2 * (k * kPixels + p));
            samples[f * kCutSide * width + i] = std::complex<float>(sum);
        }
    }
    return frame;
}

/// Cuts out a range of noise behind tissue that is up to 60 dB stronger. Of so many frames the
/// strongest alone are left to an iteration, which mixes what is nearly as strong.
inline void expectLongCutsOfNumpy(Backend backend, std::uint64_t frames, std::uint64_t copies) {
    constexpr std::uint64_t kStep = 1009; ///< of the values that are compared
    const Vectors vectors("gpu/vectors/singular_cuts.txt");
    const HostFrame ensemble = longEnsemble(frames, copies);
    Settings settings = svdFrom(21, 0, copies > 1 ? std::int64_t{kCutSide} : 0, "none");
    settings.push_back({"last", std::int64_t{40}});
    const HostFrame kept = runStage("clutter_filter", ensemble, settings, backend);
    const std::vector<float>& expected = vectors[fmt::format("frames_{}_from_21", frames)];
    const std::uint64_t width = copies * kCutSide;
    for (std::uint64_t n = 0; 2 * n < expected.size(); ++n) {
        const std::uint64_t at = n * kStep % (frames * kCutSide * kCutSide);
        const std::uint64_t index = at / kCutSide * width + at % kCutSide;
        for (std::uint64_t part = 0; part < 2 * copies; ++part)
            ASSERT_NEAR(kept.as<float>()[2 * (index + part / 2 * kCutSide) + part % 2],
                        expected[2 * n + part % 2], 1e-3)
                << frames << " frames, value " << n;
    }
}

} // namespace echolux::test
