// SPDX-License-Identifier: GPL-3.0-or-later
// The frozen volume after an edit, on CUDA: as on the CPU, and without a copy to the host or an
// allocation.
#include "tests/session/live_volume.hpp"
#include "tests/support/gpu.hpp"

#include <algorithm>

namespace echolux {
namespace {

using test::apart;
using test::LiveVolume;
using test::waitUntil;

constexpr std::int64_t kFrozenOn = 20;

struct Edit {
    const char* name;
    bool live; ///< needs no memory itself
    SnapshotPtr (*of)(const Snapshot&);
};

const Edit kEdits[] = {
    {"dispersion", true,
     [](const Snapshot& now) { return withValue(now, "dispersion", "c1", 25.0); }},
    {"window", true, [](const Snapshot& now) { return withValue(now, "window", "fill", 0.5); }},
    {"no dispersion", false,
     [](const Snapshot& now) { return withBypass(now, "dispersion", true); }},
    {"average, which follows the frames before", false,
     [](const Snapshot& now) {
         return withValue(*withBypass(now, "average", false), "average", "b_scans",
                          std::int64_t{3});
     }},
};

/// The highest value of each A-scan.
std::vector<float> maximaOf(const std::vector<float>& voxels, std::int64_t bins) {
    std::vector<float> maxima;
    for (auto line = voxels.begin(); line != voxels.end(); line += bins)
        maxima.push_back(*std::max_element(line, line + bins));
    return maxima;
}

/// What stands in the volume after an edit of the frozen one.
struct Volume {
    std::vector<float> voxels;
    std::vector<float> enFace;
};

Volume editedOn(Backend backend, const Edit& edit) {
    LiveVolume live(backend);
    live.playOnce();
    live.freezeOn(kFrozenOn);
    const std::vector<float> before = live.voxels();
    const Statistics frozen = live.engine->statistics();
    const int sweeps = live.sweeps.ended();
    live.engine->resetCounters();
    live.engine->post(edit.of(*live.engine->snapshot()));
    EXPECT_TRUE(waitUntil([&] {
        live.readBy(live.engine->mailbox());
        live.readBy(live.engine->volume());
        return live.sweeps.ended() > sweeps;
    }));
    const Statistics now = live.engine->statistics();
    EXPECT_EQ(now.framesProcessed, frozen.framesProcessed + 1);
    EXPECT_EQ(now.framesRead, frozen.framesRead);
    EXPECT_EQ(now.deviceToHostCopies, 0U);
    if (edit.live) {
        EXPECT_EQ(now.allocations, 0U);
    }
    EXPECT_EQ(live.sweeps.copies(), 0U);
    EXPECT_EQ(live.sweeps.allocations(), 0U);

    Volume edited{live.voxels(), {}};
    EXPECT_GT(apart(before, edited.voxels), before.size() / 4);
    const std::vector<float> expected =
        maximaOf(edited.voxels, live.engine->volume().spec()->axes[2].size);
    EXPECT_TRUE(waitUntil([&] { // published soon after the last row
        if (const std::vector<float> image = live.enFace(); !image.empty()) edited.enFace = image;
        return apart(edited.enFace, expected) == 0;
    }));
    EXPECT_EQ(live.failures, 0);
    return edited;
}

TEST(VolumeSweepGpu, AnEditWhileFrozenMakesTheVolumeThatTheCpuMakes) {
    ECHOLUX_NEED_GPU();
    for (const Edit& edit : kEdits) {
        SCOPED_TRACE(edit.name);
        const Volume expected = editedOn(Backend::Cpu, edit);
        const Volume got = editedOn(Backend::Cuda, edit);
        ASSERT_FALSE(expected.voxels.empty() || expected.enFace.empty());
        EXPECT_LT(apart(got.voxels, expected.voxels), expected.voxels.size() / 1000)
            << "dB of values close to zero may differ";
        EXPECT_LT(apart(got.enFace, expected.enFace), expected.enFace.size() / 1000);
    }
}

} // namespace
} // namespace echolux
