// SPDX-License-Identifier: GPL-3.0-or-later
// The small plots beside the sliders.
#include "app/pipeline/snapshot.hpp"
#include "tests/support/oct_frames.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>

namespace echolux {
namespace {

TEST(Curves, TheAxisSaysTheGridAndWhichOversamplingsShareIt) {
    const auto label = [](std::int64_t samples, double oversampling) {
        const SnapshotPtr chain = instantiate(shippedPipeline("oct"),
                                              testing_support::spectraSpec(DType::U16, 4, samples));
        const SnapshotPtr set = withValue(*chain, "k_linearize", "oversampling", oversampling);
        return set->stage("k_linearize").curves().front().xLabel;
    };
    EXPECT_EQ(label(1024, 1.25), "sample; grid of 1536 (1.125 to 1.5\u00d7)");
    EXPECT_EQ(label(1024, 1.0), "sample; grid of 1024 (1\u00d7)");
    EXPECT_EQ(label(512, 1.125), "sample; grid of 1024 (1.125 to 2\u00d7)");
    EXPECT_EQ(label(2048, 1.375), "sample; grid of 3072 (1.375 to 1.5\u00d7)");
}

TEST(Curves, OnlyNufftHasAGrid) {
    const SnapshotPtr chain =
        instantiate(shippedPipeline("oct"), testing_support::spectraSpec(DType::U16, 4, 512));
    const SnapshotPtr cubic = withValue(*chain, "k_linearize", "method", std::string("cubic"));
    EXPECT_EQ(cubic->stage("k_linearize").curves().front().xLabel, "sample, in wavenumber");
}

} // namespace
} // namespace echolux
