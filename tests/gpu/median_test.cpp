// SPDX-License-Identifier: GPL-3.0-or-later
// median, exactly, against scipy.ndimage.median_filter with mode "nearest".
#include "tests/support/near.hpp"
#include "tests/support/stage_run.hpp"
#include "tests/support/test_frames.hpp"
#include "tests/support/vectors.hpp"

namespace echolux::test {
namespace {

class MedianWindow : public testing::TestWithParam<std::int64_t> {};

TEST_P(MedianWindow, AgreesWithScipy) {
    const Vectors vectors("gpu/vectors/image_stages.txt");
    const HostFrame out = runStage("median", HostFrame(imageSpec(13, 11), vectors["image"]),
                                   {{"window", GetParam()}});
    expectNear(out.as<float>(), vectors["median_" + std::to_string(GetParam())], 0.0);
}

INSTANTIATE_TEST_SUITE_P(Odd, MedianWindow, testing::Values(3, 5, 7, 9),
                         testing::PrintToStringParamName());

TEST(Median, OfOneChangesNothing) {
    const auto image = Vectors("gpu/vectors/image_stages.txt")["image"];
    const HostFrame out =
        runStage("median", HostFrame(imageSpec(13, 11), image), {{"window", std::int64_t{1}}});
    expectNear(out.as<float>(), image, 0.0);
}

TEST(Median, WindowWiderThanTheImage) {
    const Vectors vectors("gpu/vectors/image_stages.txt");
    std::vector<float> narrow;
    for (std::size_t depth = 0; depth < 13; ++depth) {
        narrow.push_back(vectors["image"][depth * 11]);
        narrow.push_back(vectors["image"][depth * 11 + 1]);
    }
    const HostFrame out =
        runStage("median", HostFrame(imageSpec(13, 2), narrow), {{"window", std::int64_t{5}}});
    expectNear(out.as<float>(), vectors["median_narrow"], 0.0);
}

} // namespace
} // namespace echolux::test
