// SPDX-License-Identifier: GPL-3.0-or-later
// Surfaces of tissue against Dijkstra's algorithm, and against layers whose borders are known.
#include "tests/gpu/layered_tissue.hpp"
#include "tests/support/refusal.hpp"
#include "tests/support/vectors.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

namespace echolux::test {
namespace {

using testing::AllOf;
using testing::Each;
using testing::HasSubstr;
using testing_support::refusal;
using Pixels = std::vector<float>;

/// Depths count as pixels.
FrameSpec inBins(FrameSpec spec) {
    spec.axes.back().spacing = 1.0;
    spec.axes.back().unit = "";
    return spec;
}

/// Lengths of an image whose depths are bins.
Settings pixelSettings(double first, double last, double least, double most) {
    return {{"min_depth", 1e-6 * first},
            {"max_depth", 1e-6 * last},
            {"min_distance", 1e-6 * least},
            {"max_distance", 1e-6 * most}};
}

struct DijkstraCase {
    const char* name;
    std::int64_t depths;
    std::int64_t lines;
    std::int64_t step;
    double smoothness;
    double range[4]; ///< first, last, least, most
    bool turned = false;

    Settings settings() const {
        Settings all = pixelSettings(range[0], range[1], range[2], range[3]);
        all.emplace_back("depth_pixels", depths);
        all.emplace_back("lateral_pixels", lines);
        all.emplace_back("step", step);
        all.emplace_back("smoothness", smoothness);
        all.emplace_back("upper_edge", std::string(turned ? "bright_to_dark" : "dark_to_bright"));
        all.emplace_back("lower_edge", std::string(turned ? "dark_to_bright" : "bright_to_dark"));
        return all;
    }
};

/// As in make_surfaces.py.
const DijkstraCase kCases[] = {{"plain", 4, 3, 2, 0.02, {0, 60, 10, 40}},
                               {"steep", 1, 1, 7, 0.0, {0, 60, 5, 30}},
                               {"calm", 8, 5, 1, 0.1, {0, 60, 3, 50}},
                               {"part", 3, 3, 2, 0.02, {16, 40, 4, 12}},
                               {"turned", 4, 3, 3, 0.02, {0, 60, 0, 30}, true}};

/// What a path costs by the definition.
double costOf(const Pixels& path, const Pixels& edges, bool rises, double smoothness) {
    const std::size_t depths = edges.size() / path.size();
    const auto weight = [&](std::size_t line) {
        const double g = edges[line * depths + static_cast<std::size_t>(path[line])];
        return rises ? 1.0 - g : g;
    };
    double cost = 0.0;
    for (std::size_t line = 1; line < path.size(); ++line) {
        const double move = path[line] - path[line - 1];
        cost += weight(line - 1) + weight(line) + smoothness * move * move;
    }
    return cost;
}

TEST(Surfaces, AreThePathsThatDijkstraFinds) {
    const Vectors vectors("gpu/vectors/surfaces.txt");
    const HostFrame image(inBins(tissueSpec(0, 23, 61)), vectors["image"]);
    for (const DijkstraCase& each : kCases) {
        SCOPED_TRACE(each.name);
        const std::string name = each.name;
        const FoundSurfaces found = surfacesOf(image, each.settings());
        const auto compare = [&](const HostFrame& surface, const char* key, std::size_t number,
                                 bool rises) {
            SCOPED_TRACE(key);
            const Pixels path(surface.as<float>().begin(), surface.as<float>().end());
            const double least = vectors[name + "_costs"][number];
            const double cost = costOf(path, vectors[name + "_edges"], rises, each.smoothness);
            // Costs are rounded to 1 / 2047 of a node.
            EXPECT_GT(cost, least - 1e-4);
            EXPECT_LT(cost, least + 1e-3);
            EXPECT_THAT(path, testing::ElementsAreArray(vectors[name + "_" + key]));
        };
        compare(found.upper, "upper", 0, !each.turned);
        compare(found.lower, "lower", 1, each.turned);
    }
}

struct Deviations {
    double mean = 0.0;
    double worst = 0.0;
};

template <class Truth> Deviations deviations(const HostFrame& surface, const Truth& truth) {
    Deviations found;
    const auto depths = surface.as<float>();
    for (std::size_t line = 0; line < depths.size(); ++line) {
        const double off =
            std::abs(depths[line] / kTissueDepthM - truth(static_cast<double>(line)));
        found.mean += off / static_cast<double>(depths.size());
        found.worst = std::max(found.worst, off);
    }
    return found;
}

TEST(Surfaces, LieAtTheBordersOfTissueWithSpeckleAndNoise) {
    const LayeredTissue tissue;
    for (unsigned seed = 1; seed <= 4; ++seed) {
        const FoundSurfaces found = surfacesOf(tissue.image(seed), {{"max_distance", 500e-6}});
        const Deviations upper =
            deviations(found.upper, [&](double line) { return tissue.upperAt(line) + 0.5; });
        const Deviations lower =
            deviations(found.lower, [&](double line) { return tissue.lowerAt(line) + 0.5; });
        RecordProperty("upper_mean_pixels_" + std::to_string(seed), std::to_string(upper.mean));
        RecordProperty("lower_mean_pixels_" + std::to_string(seed), std::to_string(lower.mean));
        EXPECT_LT(upper.mean, 1.0) << seed;
        EXPECT_LT(upper.worst, 6.0) << seed;
        EXPECT_LT(lower.mean, 2.0) << seed;
        EXPECT_LT(lower.worst, 12.0) << seed;
    }
}

TEST(Surfaces, PixelsThatHoldNothingCountAsBlack) {
    const LayeredTissue tissue{.lines = 60};
    HostFrame dark = tissue.image(7);
    HostFrame nothing = dark;
    const auto lose = [](HostFrame& image, float first, float second) {
        auto values = image.as<float>();
        for (std::size_t i = 0; i < values.size(); ++i)
            if (i % 400 < 12 || i % 7 == 0) values[i] = i % 2 == 0 ? first : second;
    };
    const auto black = static_cast<float>(dark.spec.valueRange->min);
    lose(dark, black, black);
    lose(nothing, -200.0F, NAN);
    EXPECT_EQ(surfacesOf(nothing).upper.bytes, surfacesOf(dark).upper.bytes);
    EXPECT_EQ(surfacesOf(nothing).lower.bytes, surfacesOf(dark).lower.bytes);
}

TEST(Surfaces, DoNotDependOnTheShownRange) {
    const LayeredTissue tissue{.lines = 60};
    const HostFrame image = tissue.image(8);
    HostFrame other = image;
    other.spec.valueRange = {10.0, 12.0, "dB", ""};
    EXPECT_EQ(surfacesOf(other).upper.bytes, surfacesOf(image).upper.bytes);
    EXPECT_EQ(surfacesOf(other).lower.bytes, surfacesOf(image).lower.bytes);
}

TEST(Surfaces, AreStraightWhereNothingHasAnEdge) {
    for (const float level : {0.0F, 12.0F, NAN, std::numeric_limits<float>::infinity()}) {
        HostFrame image(tissueSpec(0, 9, 80));
        std::ranges::fill(image.as<float>(), level);
        const FoundSurfaces found =
            surfacesOf(image, {{"min_depth", 20e-6}, {"min_distance", 50e-6}});
        EXPECT_THAT(found.upper.as<float>(), Each(testing::FloatNear(20e-6F, 1e-10F)));
        EXPECT_THAT(found.lower.as<float>(), Each(testing::FloatNear(70e-6F, 1e-10F)));
    }
}

TEST(Surfaces, KeepTheirDistanceAndTheRangeOfDepths) {
    const LayeredTissue tissue{.lines = 80};
    const FoundSurfaces found = surfacesOf(tissue.image(3), {{"min_depth", 160e-6},
                                                             {"max_depth", 400e-6},
                                                             {"min_distance", 80e-6},
                                                             {"max_distance", 140e-6},
                                                             {"step", std::int64_t{7}}});
    const auto upper = found.upper.as<float>();
    const auto lower = found.lower.as<float>();
    constexpr float kRounding = 1e-9F;
    for (std::size_t line = 0; line < upper.size(); ++line) {
        EXPECT_GE(upper[line], 160e-6F - kRounding);
        EXPECT_LE(lower[line], 400e-6F + kRounding);
        EXPECT_GE(lower[line] - upper[line], std::min(80e-6F, 400e-6F - upper[line]) - kRounding);
        EXPECT_LE(lower[line] - upper[line], 140e-6F + kRounding);
    }
}

TEST(Surfaces, OneLineHasItsStrongestEdges) {
    HostFrame image(inBins(tissueSpec(0, 1, 50)));
    auto values = image.as<float>();
    for (std::size_t z = 0; z < 50; ++z) values[z] = z >= 17 && z < 30 ? 20.0F : 0.0F;
    Settings settings = pixelSettings(0, 49, 2, 40);
    settings.emplace_back("depth_pixels", std::int64_t{4});
    settings.emplace_back("thickness", std::int64_t{1});
    const FoundSurfaces found = surfacesOf(image, settings);
    EXPECT_EQ(found.upper.as<float>()[0], 17.0F);
    EXPECT_EQ(found.lower.as<float>()[0], 30.0F);
    for (std::size_t z = 0; z < 50; ++z)
        EXPECT_EQ(found.lines.as<float>()[z], z == 17 ? 1.0F : z == 30 ? -1.0F : 0.0F) << z;
    settings.back().second = std::int64_t{15};
    const FoundSurfaces thick = surfacesOf(image, settings);
    for (std::size_t z = 0; z < 50; ++z) {
        const float expected = z >= 10 && z <= 24 ? 1.0F : z >= 25 && z <= 37 ? -1.0F : 0.0F;
        EXPECT_EQ(thick.lines.as<float>()[z], expected) << z;
    }
}

TEST(Surfaces, EachBscanIsSearchedAlone) {
    constexpr std::int64_t kScans = 131; // more than are searched at once
    const LayeredTissue tissue{.lines = 12, .depths = 300};
    HostFrame volume(tissueSpec(kScans, tissue.lines, tissue.depths));
    const std::size_t each = volume.bytes.size() / kScans;
    for (std::int64_t i = 0; i < kScans; ++i)
        std::memcpy(volume.bytes.data() + static_cast<std::size_t>(i) * each,
                    tissue.image(static_cast<unsigned>(i)).bytes.data(), each);
    const FoundSurfaces all = surfacesOf(volume);
    EXPECT_EQ(all.upper.spec.axes.size(), 2U);
    EXPECT_EQ(all.upper.spec.axes[0].name, AxisName::Elevation);
    EXPECT_EQ(all.upper.spec.axes[1].name, AxisName::Lateral);
    for (const std::int64_t i : {0, 1, 127, 128, 130}) {
        const FoundSurfaces one = surfacesOf(tissue.image(static_cast<unsigned>(i)));
        const auto expectPart = [&](const HostFrame& whole, const HostFrame& part) {
            EXPECT_EQ(
                std::memcmp(whole.bytes.data() + static_cast<std::size_t>(i) * part.bytes.size(),
                            part.bytes.data(), part.bytes.size()),
                0)
                << i;
        };
        expectPart(all.lines, one.lines);
        expectPart(all.upper, one.upper);
        expectPart(all.lower, one.lower);
    }
}

/// True where each line has such pixels, in one piece, and touches those of the line before.
bool isConnected(const HostFrame& lines, float value) {
    const std::int64_t depths = lines.spec.axes.back().size;
    const auto pixels = lines.as<float>();
    std::int64_t first = 0;
    std::int64_t last = 0;
    for (std::int64_t line = 0; line < lines.spec.axes[0].size; ++line) {
        std::int64_t begin = depths;
        std::int64_t end = -1;
        std::int64_t count = 0;
        for (std::int64_t z = 0; z < depths; ++z) {
            if (pixels[static_cast<std::size_t>(line * depths + z)] != value) continue;
            begin = std::min(begin, z);
            end = z;
            ++count;
        }
        if (count == 0 || count != end - begin + 1) return false;
        if (line > 0 && (begin > last + 1 || end < first - 1)) return false;
        first = begin;
        last = end;
    }
    return true;
}

TEST(Surfaces, AreDrawnWithoutGaps) {
    for (const std::int64_t thickness : {1, 3, 8}) {
        const FoundSurfaces found =
            surfacesOf(LayeredTissue{}.image(5),
                       {{"step", std::int64_t{7}}, {"smoothness", 0.0}, {"thickness", thickness}});
        EXPECT_EQ(found.lines.spec.valueRange->min, -1.0);
        EXPECT_EQ(found.lines.spec.valueRange->max, 1.0);
        EXPECT_TRUE(isConnected(found.lines, 1.0F));
        EXPECT_TRUE(isConnected(found.lines, -1.0F));
    }
}

TEST(Surfaces, SayTheUnitOfTheirDepths) {
    const StageType& type = stageType("surfaces");
    const FrameSpec spec = tissueSpec(0, 4, 100);
    const StagePlan plan = type.plan(spec, paramsFor(type, spec, {}));
    EXPECT_EQ(plan.outputs[1].valueRange->unit, "m");
    EXPECT_NEAR(plan.outputs[2].valueRange->max, 99 * kTissueDepthM, 1e-12);
    ASSERT_EQ(plan.outputs[1].axes.size(), 1U);
    EXPECT_EQ(plan.outputs[1].axes[0], spec.axes[0]);
    EXPECT_EQ(
        type.plan(inBins(spec), paramsFor(type, inBins(spec), {})).outputs[1].valueRange->unit, "");
}

TEST(Surfaces, RefuseWhatTheyCannotSearch) {
    const FrameSpec spec = tissueSpec(0, 4, 50);
    const HostFrame image(spec);
    EXPECT_THAT(refusal([&] {
                    surfacesOf(image, {{"min_distance", 300e-6}, {"max_distance", 200e-6}});
                }),
                AllOf(HasSubstr("surfaces: 'min_distance' is 300 um"), HasSubstr("200 um")));
    EXPECT_THAT(refusal([&] {
                    surfacesOf(image, {{"min_depth", 90e-6}, {"max_depth", 50e-6}});
                }),
                HasSubstr("'min_depth' is 90 um"));
    EXPECT_THAT(refusal([&] { surfacesOf(HostFrame(ensembleOf(spec, 2))); }),
                HasSubstr("Stage 'surfaces' takes"));
    EXPECT_THAT(refusal([&] { surfacesOf(HostFrame(imageSpec(4, 50))); }),
                HasSubstr("takes frames with the axes lateral, depth"));
    FrameSpec complex = spec;
    complex.dtype = DType::ComplexF32;
    EXPECT_THAT(refusal([&] { surfacesOf(HostFrame(complex)); }), HasSubstr("takes f32 samples"));
}

} // namespace
} // namespace echolux::test
