// SPDX-License-Identifier: GPL-3.0-or-later
// Singular values removed in blocks of the images, against NumPy and closed forms.
#include "gpu/flow/image_blocks.hpp"
#include "tests/gpu/clutter_blocks.hpp"
#include "tests/support/refusal.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>
#include <string>

namespace echolux::test {
namespace {

using testing::HasSubstr;
using testing_support::refusal;

HostFrame removed(const HostFrame& ensemble, const Settings& settings) {
    return runStage("clutter_filter", ensemble, settings);
}

TEST(ClutterBlocks, EachBlockLosesWhatNumpyTakesFromIt) {
    const Vectors vectors("gpu/vectors/singular_blocks.txt");
    const HostFrame ensemble = blockEnsemble(vectors);
    for (const BlockCase& each : blockCases()) {
        SCOPED_TRACE(each.vector);
        const HostFrame rest = removed(ensemble, each.settings);
        expectClose(rest, vectors[each.vector], each.tolerance);
        EXPECT_TRUE(rest.spec.sameLayout(ensemble.spec));
    }
}

TEST(ClutterBlocks, TissueThatMovesDifferentlyIsRemovedEverywhere) {
    // Eight strips that each turn at a rate of their own: eight parts of the whole image, and no
    // more than two of a block.
    const std::int64_t frames = 32;
    const std::int64_t side = 64;
    HostFrame ensemble(ensembleSpec(frames, side, side));
    const std::vector<float> random = noise(static_cast<std::size_t>(2 * side * side), 5);
    auto* samples = reinterpret_cast<std::complex<float>*>(ensemble.bytes.data());
    for (std::int64_t f = 0; f < frames; ++f) {
        for (std::int64_t p = 0; p < side * side; ++p) {
            const auto strip = static_cast<float>(p % side / 8);
            const auto at = static_cast<std::size_t>(2 * p);
            samples[f * side * side + p] = std::complex<float>(random[at], random[at + 1]) *
                                           std::polar(1.0F, 0.2F * strip * static_cast<float>(f));
        }
    }
    const auto energy = [](const HostFrame& frame) {
        double sum = 0.0;
        for (const float value : frame.as<float>()) sum += double{value} * value;
        return sum;
    };
    const double whole = energy(removed(ensemble, svdFrom(4)));
    for (const char* overlap : {"none", "half"}) {
        const HostFrame rest = removed(ensemble, svdFrom(4, 16, 16, overlap));
        EXPECT_LT(10.0 * std::log10(energy(rest) / whole), -10.0) << overlap;
    }
}

TEST(ClutterBlocks, WeightsOfOverlappingBlocksSumToOne) {
    for (const std::int64_t size : {1, 2, 3, 17, 64, 251}) {
        for (const std::int64_t most : {0, 1, 2, 5, 20, 32, 300}) {
            for (const bool overlap : {false, true}) {
                const auto axis = flow::BlockAxis::of(size, most, overlap);
                SCOPED_TRACE(testing::Message() << size << " " << most << " " << overlap);
                for (std::int64_t pixel = 0; pixel < size; ++pixel) {
                    const std::int64_t part = axis.partOf(pixel);
                    ASSERT_LE(axis.cut(part), pixel);
                    ASSERT_LT(pixel, axis.cut(part + 1));
                    float sum = 0.0F;
                    for (std::int64_t b = axis.firstWith(part); b <= axis.lastWith(part); ++b) {
                        ASSERT_LE(axis.begin(b), pixel);
                        ASSERT_LT(pixel, axis.end(b));
                        ASSERT_GE(axis.weight(b, part, pixel), 0.0F);
                        sum += axis.weight(b, part, pixel);
                    }
                    ASSERT_NEAR(sum, 1.0F, 1e-6F);
                }
                EXPECT_EQ(axis.begin(0), 0);
                EXPECT_EQ(axis.end(axis.blocks() - 1), size);
                const bool isWhole = most == 0 || most >= size;
                EXPECT_EQ(axis.blocks() == 1, isWhole || (overlap && size == 2));
                EXPECT_LE(axis.largest(), isWhole ? size : std::max<std::int64_t>(most, 2));
            }
        }
    }
}

TEST(ClutterBlocks, AnEnsembleOfWhichNothingIsRemovedPassesUnchanged) {
    const Vectors vectors("gpu/vectors/singular_blocks.txt");
    const HostFrame ensemble = blockEnsemble(vectors);
    for (const char* overlap : {"none", "half"})
        expectClose(removed(ensemble, svdFrom(1, 5, 4, overlap)), vectors["ensemble"], 0.0);
    // All parts together are the ensemble, and no seams are left where weights pass.
    Settings all = svdFrom(1, 5, 4, "half");
    all.insert(all.end(),
               {{"thresholds", std::string("limits")}, {"cut_hz", 0.0}, {"floor_db", 70.0}});
    expectClose(removed(ensemble, all), vectors["ensemble"], 1e-4);
}

TEST(ClutterBlocks, BlocksLargerThanTheImageAreTheWholeImage) {
    const Vectors vectors("gpu/vectors/singular_blocks.txt");
    const HostFrame ensemble = blockEnsemble(vectors);
    const HostFrame whole = removed(ensemble, svdFrom(3));
    for (const char* overlap : {"none", "half"}) {
        EXPECT_EQ(removed(ensemble, svdFrom(3, 17, 13, overlap)).bytes, whole.bytes);
        EXPECT_EQ(removed(ensemble, svdFrom(3, 1000, 0, overlap)).bytes, whole.bytes);
        EXPECT_EQ(removed(ensemble, svdFrom(3, 0, 14, overlap)).bytes, whole.bytes);
    }
}

TEST(ClutterBlocks, BlocksOfAVolumeLieWithinASlice) {
    // A slice alone gives what it gives in the volume.
    const std::int64_t slices = 3;
    const Vectors vectors("gpu/vectors/singular_blocks.txt");
    const HostFrame one = blockEnsemble(vectors);
    FrameSpec spec = one.spec;
    spec.axes.insert(spec.axes.begin() + 1, {AxisName::Elevation, slices, 0.3e-3, 0.0, "m"});
    HostFrame volume(spec);
    const auto slice = static_cast<std::size_t>(17 * 13);
    const auto* from = reinterpret_cast<const std::complex<float>*>(one.bytes.data());
    auto* to = reinterpret_cast<std::complex<float>*>(volume.bytes.data());
    for (std::size_t f = 0; f < 8; ++f)
        for (std::size_t s = 0; s < 3; ++s)
            for (std::size_t p = 0; p < slice; ++p)
                to[(f * 3 + s) * slice + p] = static_cast<float>(s + 1) * from[f * slice + p];
    for (const std::int64_t deep : {8, 17}) { // 17: a whole slice
        const Settings settings = svdFrom(3, deep, 13, "half");
        const HostFrame rest = removed(volume, settings);
        const HostFrame alone = removed(one, settings);
        const auto values = rest.as<float>();
        const auto expected = alone.as<float>();
        for (std::size_t f = 0; f < 8; ++f)
            for (std::size_t s = 0; s < 3; ++s)
                for (std::size_t p = 0; p < 2 * slice; ++p)
                    ASSERT_NEAR(values[(f * 3 + s) * 2 * slice + p],
                                static_cast<float>(s + 1) * expected[f * 2 * slice + p], 0.02F)
                        << f << " " << s << " " << p;
    }
}

TEST(ClutterBlocks, ConstantImagesAndSingleFramesVanish) {
    for (const float value : {0.0F, 3.0F}) {
        const HostFrame constant =
            filled(ensembleSpec(8, 9, 7), std::vector<float>(8 * 9 * 7 * 2, value));
        for (const char* overlap : {"none", "half"}) {
            const HostFrame rest = removed(constant, svdFrom(4, 4, 4, overlap));
            for (const float left : rest.as<float>()) ASSERT_NEAR(left, 0.0F, 1e-5F);
        }
        FrameSpec single = ensembleSpec(2, 9, 7);
        single.axes.front().size = 1;
        const HostFrame one = filled(single, std::vector<float>(9 * 7 * 2, value));
        const HostFrame nothing = removed(one, svdFrom(2, 4, 4, "half"));
        for (const float left : nothing.as<float>()) ASSERT_EQ(left, 0.0F);
    }
}

TEST(ClutterBlocks, NanStaysInTheBlocksThatHoldIt) {
    const Vectors vectors("gpu/vectors/singular_blocks.txt");
    const HostFrame ensemble = blockEnsemble(vectors);
    HostFrame damaged = ensemble;
    auto* samples = reinterpret_cast<float*>(damaged.bytes.data());
    samples[2 * (3 * 17 * 13 + 13 + 1)] = std::numeric_limits<float>::quiet_NaN();
    for (const char* overlap : {"none", "half"}) {
        for (const char* thresholds : {"numbers", "limits"}) {
            Settings settings = svdFrom(3, 6, 6, overlap);
            settings.push_back({"thresholds", std::string(thresholds)});
            const HostFrame rest = removed(damaged, settings);
            const HostFrame expected = removed(ensemble, settings);
            std::size_t same = 0;
            for (std::size_t i = 0; i < rest.as<float>().size(); ++i) {
                const std::size_t pixel = i / 2 % (17 * 13);
                if (pixel / 13 < 6 && pixel % 13 < 6) continue; // the block and its neighbours
                ASSERT_EQ(rest.as<float>()[i], expected.as<float>()[i]) << i;
                ++same;
            }
            EXPECT_GT(same, 0U);
        }
    }
}

TEST(ClutterBlocks, SaysWhatItCannotDo) {
    const StageType& type = stageType("clutter_filter");
    const FrameSpec spec = ensembleSpec(8, 20, 20);
    Settings automatic = svdFrom(2, 6, 0, "none");
    automatic.push_back({"thresholds", std::string("automatic")});
    EXPECT_THAT(refusal([&] { type.plan(spec, paramsFor(type, spec, automatic)); }),
                HasSubstr("'block_depth' = 6"));
    automatic[3].second = std::int64_t{20}; // one block
    EXPECT_THAT(type.plan(spec, paramsFor(type, spec, automatic)).warnings, testing::IsEmpty());
    EXPECT_THAT(type.plan(spec, paramsFor(type, spec, svdFrom(5, 2, 2, "none"))).warnings,
                testing::ElementsAre(HasSubstr("Blocks of 4 pixels")));
    EXPECT_THAT(type.plan(spec, paramsFor(type, spec, svdFrom(4, 2, 2, "none"))).warnings,
                testing::IsEmpty());
}

} // namespace
} // namespace echolux::test
