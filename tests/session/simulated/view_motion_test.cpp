// SPDX-License-Identifier: GPL-3.0-or-later
// The motion that comes with the images of vector flow.
#include "app/pipeline/view_motion.hpp"
#include "tests/session/recording_sinks.hpp"

#include <cmath>
#include <vector>

namespace echolux {
namespace {

constexpr const char* kVessel = ECHOLUX_SOURCE_DIR "/testdata/vessel_flow.echolux.h5";

TEST(ViewMotion, OfTheSpeedIsItsTwoParts) {
    auto recording = openRecording(kVessel);
    const FrameSpec raw = recording->info().frame;
    const SnapshotPtr snapshot = instantiate(fittedPipeline("vector_flow", raw), raw);
    EXPECT_FALSE(motionOf(*snapshot, snapshot->views[0])) << "B-mode";
    EXPECT_TRUE(motionOf(*snapshot, snapshot->views[1])) << "speed";
    EXPECT_FALSE(motionOf(*snapshot, snapshot->views[2])) << "to the right";
    test::Watched live(std::move(recording), snapshot);
    ASSERT_TRUE(live.seeks(16));

    const DisplayFrame* image = live.engine->mailbox(0).acquire();
    ASSERT_NE(image, nullptr);
    EXPECT_EQ(image->motion, nullptr);
    live.engine->mailbox(0).release(nullptr);

    const DisplayFrame* speed = live.engine->mailbox(1).acquire();
    ASSERT_NE(speed, nullptr);
    ASSERT_NE(speed->motion, nullptr);
    EXPECT_GT(speed->spec->frameIntervalS, 0.0);
    const std::int64_t count = speed->spec->count();
    double fastest = 0.0;
    for (std::int64_t i = 0; i < count; ++i) {
        ASSERT_NEAR(std::hypot(speed->motion[i], speed->motion[count + i]), speed->pixels[i],
                    1e-4 * (1.0 + std::abs(speed->pixels[i])));
        fastest = std::max(fastest, static_cast<double>(speed->pixels[i]));
    }
    EXPECT_GT(fastest, 20.0) << "cm/s; the axis has 40";

    const DisplayFrame* right = live.engine->mailbox(2).acquire();
    ASSERT_NE(right, nullptr);
    for (std::int64_t i = 0; i < count; ++i) ASSERT_EQ(right->pixels[i], speed->motion[i]);
    live.engine->mailbox(2).release(nullptr);
    live.engine->mailbox(1).release(nullptr);
    EXPECT_EQ(live.told(), "");
}

TEST(ViewMotion, GoesWithTheView) {
    auto recording = openRecording(kVessel);
    const FrameSpec raw = recording->info().frame;
    PipelineConfig config = fittedPipeline("vector_flow", raw);
    config.views[1].from.port = "axial";
    test::Watched live(std::move(recording), instantiate(fittedPipeline("vector_flow", raw), raw));
    const auto comesWithMotion = [&](bool wanted) {
        return test::waitUntil([&] {
            const DisplayFrame* frame = live.engine->mailbox(1).acquire();
            const bool is = frame != nullptr && (frame->motion != nullptr) == wanted;
            if (frame != nullptr) live.engine->mailbox(1).release(nullptr);
            return is;
        });
    };
    EXPECT_TRUE(comesWithMotion(true));
    live.engine->post(instantiate(config, raw));
    EXPECT_TRUE(comesWithMotion(false));
    EXPECT_EQ(live.told(), "");
}

} // namespace
} // namespace echolux
