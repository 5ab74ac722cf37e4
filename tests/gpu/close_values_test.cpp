// SPDX-License-Identifier: GPL-3.0-or-later
// Singular values that are nearly equal are told apart, against NumPy.
#include "tests/gpu/close_values.hpp"
#include "tests/gpu/singular_run.hpp"

namespace echolux::test {
namespace {

TEST(CloseSingularValues, APartEndsBetweenThemAsInNumpy) { expectPartsOfNumpy(Backend::Cpu); }

TEST(CloseSingularValues, LongEnsemblesAreCutBetweenThemAsInNumpy) {
    expectLongCutsOfNumpy(Backend::Cpu, 160, 1);
    expectLongCutsOfNumpy(Backend::Cpu, 160, 2);
    expectLongCutsOfNumpy(Backend::Cpu, 300, 1);
}

TEST(CloseSingularValues, AreThoseOfNumpy) {
    const Vectors vectors("gpu/vectors/close_values.txt");
    const HostFrame ensemble = closeEnsemble(vectors, closeCases().front());
    const FoundParts found = findParts(Backend::Cpu, ensemble, {});
    const auto& values = vectors["values"];
    ASSERT_EQ(found.values.size(), values.size());
    for (std::size_t k = 0; k < values.size(); ++k)
        EXPECT_NEAR(found.values[k].value / values[k], 1.0F, 3e-7F) << k;
}

/// A constant part and noise whose values lie within a few per cent, as behind real tissue.
TEST(CloseSingularValues, WhatIsRemovedAndWhatIsKeptAreTheWhole) {
    const FrameSpec spec = ensembleSpec(64, 25, 24);
    HostFrame frame(spec);
    const std::vector<float> noisy = noise(frame.as<float>().size(), 11);
    for (std::size_t i = 0; i < noisy.size(); ++i) frame.as<float>()[i] = 300.0F + noisy[i];
    const auto part = [&](std::int64_t first, std::int64_t last) {
        return runStage("clutter_filter", frame,
                        {{"method", std::string("svd")}, {"first", first}, {"last", last}});
    };
    // Both ways to find the vectors cut at the same place.
    for (const std::int64_t removed : {1, 12, 40}) {
        const HostFrame kept = part(removed + 1, 1024);
        const HostFrame rest = part(1, removed);
        const auto a = kept.as<float>();
        const auto b = rest.as<float>();
        for (std::size_t i = 0; i < a.size(); ++i)
            ASSERT_NEAR(a[i] + b[i], frame.as<float>()[i], 2e-3) << removed << " " << i;
    }
}

} // namespace
} // namespace echolux::test
