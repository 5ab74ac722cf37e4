// SPDX-License-Identifier: GPL-3.0-or-later
// What an engine tells: which view has a new image, and that the volume is another.
#include "tests/session/recording_sinks.hpp"

namespace echolux {
namespace {

using test::FakeOct;
using test::waitUntil;
using test::Watched;

TEST(EngineCallbacks, TellWhichViewHasANewImage) {
    Watched live(4, test::twoViews());
    ASSERT_TRUE(live.seeks(2));
    ASSERT_TRUE(waitUntil([&] { return live.images[1] == 2; }));
    EXPECT_EQ(live.images[0], 2);
    EXPECT_EQ(live.images[2], 0);
    EXPECT_EQ(live.volumes, 1) << "there is none, and no frame changes that";
}

TEST(EngineCallbacks, TellOfTheVolumeAloneWhileItIsFilledIn) {
    auto fake = test::firstOfTwelve();
    FakeOct& recording = *fake;
    const SnapshotPtr snapshot = instantiate(test::chainOf({"to_float"}), fake->info().frame);
    Watched live(std::move(fake), snapshot);
    ASSERT_TRUE(waitUntil([&] { return live.engine->volumeProgress().has_value(); }));
    EXPECT_GE(live.volumes, 1);
    recording.letRead(12);
    ASSERT_TRUE(waitUntil([&] { return live.volumes >= 12; })) << "with each B-scan";
    ASSERT_TRUE(waitUntil([&] { return !live.engine->volumeProgress(); }));
    EXPECT_EQ(live.images[0], 1);
    const int before = live.volumes;
    live.engine->volume().setEnFace({Projection::Mean, 0.0, -1.0});
    EXPECT_TRUE(waitUntil([&] { return live.volumes > before; })) << "another en face image";
    EXPECT_EQ(live.images[0], 1);
}

TEST(CallbackRelay, TellsWhatCameBeforeAnybodyWantedIt) {
    const auto relay = std::make_shared<CallbackRelay>();
    const Engine::Callbacks from = CallbackRelay::callbacksOf(relay);
    from.imageReady(0);
    from.imageReady(2);
    from.imageReady(2);
    from.volumeChanged();
    std::vector<std::size_t> views;
    int volumes = 0;
    relay->attach({[&](std::size_t view) { views.push_back(view); },
                   [](const std::string&) {},
                   [] {},
                   {},
                   [&] { ++volumes; }});
    EXPECT_EQ(views, (std::vector<std::size_t>{0, 2}));
    EXPECT_EQ(volumes, 1);
    from.imageReady(1);
    from.volumeChanged();
    relay->detach();
    from.imageReady(1);
    EXPECT_EQ(views, (std::vector<std::size_t>{0, 2, 1}));
    EXPECT_EQ(volumes, 2);
}

} // namespace
} // namespace echolux
