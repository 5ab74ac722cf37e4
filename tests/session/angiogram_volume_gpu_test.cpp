// SPDX-License-Identifier: GPL-3.0-or-later
// En face angiograms on CUDA: as on the CPU, and without a copy to the host.
#include "tests/session/scanned_plexus.hpp"
#include "tests/support/gpu.hpp"

namespace echolux {
namespace {

using test::PlexusVolume;

TEST(AngiogramVolumeGpu, MakesTheEnFaceImagesThatTheCpuMakes) {
    ECHOLUX_NEED_GPU();
    PlexusVolume onHost(Backend::Cpu);
    PlexusVolume onCard(Backend::Cuda);
    for (const bool withoutTails : {false, true}) {
        const std::vector<float> expected = onHost.slab(195e-6, 265e-6, withoutTails);
        const std::vector<float> got = onCard.slab(195e-6, 265e-6, withoutTails);
        ASSERT_EQ(got.size(), expected.size());
        std::size_t apart = 0;
        for (std::size_t i = 0; i < got.size(); ++i)
            apart += std::abs(got[i] - expected[i]) > 2e-3F ? 1 : 0; // of 0.21
        EXPECT_LT(apart, got.size() / 50) << "a surface may lie a pixel higher";
    }
    EXPECT_EQ(onCard.live.sweeps.copies(), 0U);
    EXPECT_EQ(onCard.live.failures, 0);
}

} // namespace
} // namespace echolux
