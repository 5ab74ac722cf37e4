// SPDX-License-Identifier: GPL-3.0-or-later
// Searches that follow each other while the former one cannot be interrupted.
#include "app/desktop/dispersion_finder.hpp"
#include "app/session/checked_image.hpp"
#include "app/session/session.hpp"
#include "tests/desktop/open_window.hpp"

#include <gtest/gtest.h>

#include <semaphore>
#include <thread>

namespace echolux {
namespace {

using testing_support::comesTrue;
using testing_support::kPatienceMs;
using testing_support::settle;

const std::string kRetinaRecording = ECHOLUX_SOURCE_DIR "/testdata/retina_cine.echolux.h5";

/// An engine that stands still at its first image until it is let go; asked for its raw frame, it
/// answers no sooner.
struct StuckEngine {
    std::binary_semaphore reached{0};
    std::binary_semaphore letGo{0};
    std::atomic<bool> held{true};
    std::shared_ptr<Engine> engine;

    StuckEngine() {
        auto recording = openRecording(kRetinaRecording);
        const SnapshotPtr chain = imagingSnapshot(recording->info().frame, std::nullopt);
        engine = std::make_shared<Engine>(
            std::move(recording), chain, Backend::Cpu,
            Engine::Callbacks{[this](std::size_t) { stick(); }, {}, {}, {}});
        reached.acquire();
    }
    void stick() {
        if (!held.exchange(false)) return;
        reached.release();
        letGo.acquire();
    }
};

DispersionFinder::Task taskOn(const std::shared_ptr<Engine>& engine) {
    DispersionFinder::Task task;
    task.engine = engine;
    task.recording.file = kRetinaRecording;
    task.chain = engine->snapshot();
    task.region.lastLine = 32;
    return task;
}

TEST(DispersionFinder, ANewSearchDoesNotWaitForTheFormerOne) {
    testing_support::application();
    StuckEngine stuck;
    const auto prepared = prepareEngine(OpenRequest{kRetinaRecording}, Backend::Cpu);
    {
        DispersionFinder finder;
        QSignalSpy found(&finder, &DispersionFinder::found);
        QSignalSpy tried(&finder, &DispersionFinder::tried);
        QSignalSpy failed(&finder, &DispersionFinder::failed);
        std::atomic<bool> inTime{true};
        // Lets a window that waits go on, and fails the test.
        std::jthread watch([&](const std::stop_token& stop) {
            for (int i = 0; i < kPatienceMs / 10 && !stop.stop_requested(); ++i) QTest::qSleep(10);
            if (stop.stop_requested()) return;
            inTime = false;
            stuck.letGo.release();
        });
        finder.start(taskOn(stuck.engine));
        EXPECT_TRUE(finder.isBusy());
        finder.start(taskOn(prepared.engine));
        EXPECT_TRUE(comesTrue([&] { return found.count() > 0; }));
        EXPECT_TRUE(inTime) << "the former search was waited for";
        EXPECT_FALSE(finder.isBusy());
        EXPECT_GT(tried.count(), 0);
        EXPECT_EQ(failed.count(), 0);
        watch.request_stop();
        watch.join();
        if (inTime) stuck.letGo.release();
        // A search lets its engine go at its end.
        ASSERT_TRUE(comesTrue([&] { return stuck.engine.use_count() == 1; }));
        settle();
        EXPECT_EQ(found.count(), 1) << "the former search says nothing";
    }
}

} // namespace
} // namespace echolux
