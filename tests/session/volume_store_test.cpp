// SPDX-License-Identifier: GPL-3.0-or-later
// B-scans find their places in the volume and in the en face image; reader and writer take turns;
// nothing is allocated per frame.
#include "app/session/engine.hpp"
#include "gpu/core/decibels.hpp"
#include "tests/session/fake_recording.hpp"
#include "tests/support/oct_frames.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <numeric>

namespace echolux {
namespace {

using test::FakeOct;
using test::waitUntil;
using testing_support::LayeredOct;

const LayeredOct kSample{.bscans = 6, .lines = 9, .bins = 20};

/// What the en face image must be, from the B-scans themselves.
std::vector<float> enFaceOf(Projection projection, std::int64_t firstBin, std::int64_t lastBin) {
    std::vector<float> image;
    for (std::int64_t bscan = 0; bscan < kSample.bscans; ++bscan) {
        const std::vector<float> pixels = kSample.bscan(bscan);
        for (std::int64_t line = 0; line < kSample.lines; ++line) {
            const auto begin = pixels.begin() + line * kSample.bins;
            image.push_back(projection == Projection::Maximum
                                ? *std::max_element(begin + firstBin, begin + lastBin)
                                : std::accumulate(begin + firstBin, begin + lastBin, 0.0F) /
                                      static_cast<float>(lastBin - firstBin));
        }
    }
    return image;
}

std::vector<float> fetchEnFace(Mailbox& mailbox) {
    const DisplayFrame* frame = mailbox.acquire();
    if (frame == nullptr) return {};
    std::vector<float> pixels(frame->pixels, frame->pixels + frame->spec->count());
    mailbox.release(nullptr);
    return pixels;
}

void expectNear(const std::vector<float>& shown, const std::vector<float>& expected) {
    ASSERT_EQ(shown.size(), expected.size());
    for (std::size_t i = 0; i < shown.size(); ++i) ASSERT_NEAR(shown[i], expected[i], 0.05) << i;
}

class Store : public testing::Test {
protected:
    Store() { m_store.configure(kSample.bscanSpec(), m_recorded); }
    void writeFrame(std::int64_t frame) {
        const std::vector<float> pixels = kSample.bscan(frame % kSample.bscans);
        m_store.write({}, pixels.data(), frame);
    }
    std::vector<BscanRange> changedNow() {
        const DisplayVolume* volume = m_store.acquire();
        if (volume == nullptr) return {};
        std::vector<BscanRange> changed(volume->changed.begin(), volume->changed.end());
        m_store.release(nullptr);
        return changed;
    }

    const VolumeStack m_recorded{kSample.bscans, 50e-6};
    VolumeStore m_store{Backend::Cpu};
};

TEST_F(Store, CollectsBscansByTheirNumber) {
    ASSERT_TRUE(m_store.active());
    for (const std::int64_t frame : {0, 7, 2, 15, 4, 11}) writeFrame(frame); // 0 1 2 3 4 5
    EXPECT_EQ(m_store.newestBscan(), 5);
    const DisplayVolume* volume = m_store.acquire();
    ASSERT_NE(volume, nullptr);
    EXPECT_EQ(volume->shape, (VolumeShape{6, 9, 20}));
    EXPECT_EQ(volume->spec.axes[0], (Axis{AxisName::Elevation, 6, 50e-6, 0.0, "m"}));
    for (std::int64_t bscan = 0; bscan < 6; ++bscan) {
        const std::vector<float> pixels = kSample.bscan(bscan);
        for (std::size_t i = 0; i < pixels.size(); ++i) {
            const Half voxel = volume->voxels[static_cast<std::size_t>(bscan) * pixels.size() + i];
            ASSERT_NEAR(fromHalf(voxel), pixels[i], 0.04);
        }
    }
    m_store.release(nullptr);
}

TEST_F(Store, TellsWhatHasChanged) {
    EXPECT_THAT(changedNow(), testing::ElementsAre(BscanRange{0, 6})) << "all is new at first";
    EXPECT_EQ(m_store.acquire(), nullptr);
    for (const std::int64_t frame : {1, 2, 5}) writeFrame(frame);
    EXPECT_THAT(changedNow(), testing::ElementsAre(BscanRange{1, 2}, BscanRange{5, 1}));
    m_store.offerAgain();
    EXPECT_THAT(changedNow(), testing::ElementsAre(BscanRange{0, 6}));
}

TEST_F(Store, EnFaceFollowsTheBscansAndTheWindow) {
    for (std::int64_t frame = 0; frame < 6; ++frame) writeFrame(frame);
    m_store.catchUp();
    expectNear(fetchEnFace(m_store.enFace()), enFaceOf(Projection::Maximum, 0, 20));
    // Bins 4 to 11, given in metres.
    m_store.setEnFace({Projection::Mean, 4 * kSample.binM, 11.2 * kSample.binM});
    EXPECT_TRUE(m_store.hasWork());
    EXPECT_TRUE(m_store.catchUp());
    EXPECT_FALSE(m_store.catchUp());
    expectNear(fetchEnFace(m_store.enFace()), enFaceOf(Projection::Mean, 4, 12));
    m_store.setEnFace({Projection::Maximum, 4 * kSample.binM, 4 * kSample.binM});
    writeFrame(0); // while frames come, they take the new window along
    m_store.catchUp();
    expectNear(fetchEnFace(m_store.enFace()), enFaceOf(Projection::Maximum, 4, 5));
}

TEST_F(Store, LimitsAreFoundAgainWhileTheVolumeFillsAndForAnotherView) {
    const auto exposureNow = [this] {
        m_store.catchUp();
        const DisplayFrame* frame = m_store.enFace().acquire();
        if (frame == nullptr) return Exposure{};
        m_store.enFace().release(nullptr);
        return frame->exposure;
    };
    const auto volumeNow = [this] {
        const DisplayVolume* volume = m_store.acquire();
        if (volume == nullptr) return Exposure{};
        m_store.release(nullptr);
        return volume->exposure;
    };
    // Of six B-scans one, two, four and all of them; then none, played or edited.
    std::vector<bool> enFaceIsNew;
    std::vector<bool> volumeIsNew;
    Exposure enFace;
    Exposure volume;
    for (const std::int64_t frame : {0, 0, 1, 2, 3, 4, 5, 6, 7}) {
        if (frame == 7) m_store.outdate();
        writeFrame(frame);
        const Exposure image = exposureNow();
        const Exposure whole = volumeNow();
        enFaceIsNew.push_back(image != enFace);
        volumeIsNew.push_back(whole != volume);
        enFace = image;
        volume = whole;
    }
    EXPECT_THAT(enFaceIsNew, testing::ElementsAre(1, 0, 1, 0, 1, 0, 1, 0, 0));
    EXPECT_EQ(volumeIsNew, enFaceIsNew);

    const double deep = 9 * kSample.binM;
    m_store.setEnFace({Projection::Maximum, 0.0, deep});
    const Exposure other = exposureNow();
    EXPECT_NE(other, enFace);
    EXPECT_EQ(other.kind, enFace.kind) << "limits that were chosen stay";
    m_store.setEnFace({Projection::Mean, 0.0, deep});
    EXPECT_NE(exposureNow().kind, other.kind);
    writeFrame(8);
    EXPECT_EQ(volumeNow(), volume) << "which has no depth window";
}

TEST_F(Store, BscansThatHaveNotComeAreDark) {
    writeFrame(3);
    m_store.catchUp();
    const std::vector<float> image = fetchEnFace(m_store.enFace());
    const std::vector<float> all = enFaceOf(Projection::Maximum, 0, 20);
    for (std::size_t i = 0; i < image.size(); ++i)
        ASSERT_NEAR(image[i], i / 9 == 3 ? all[i] : kNothingDb, 0.05);
}

TEST_F(Store, AFrameOfSeveralBscansFillsSeveralPlaces) {
    const FrameSpec spec = kSample.bufferSpec(4);
    m_store.configure(spec, m_recorded);
    std::vector<float> pixels;
    for (const std::int64_t bscan : {4, 5, 0, 1}) { // frame 1: B-scans 4 to 7 of the recording
        const std::vector<float> one = kSample.bscan(bscan);
        pixels.insert(pixels.end(), one.begin(), one.end());
    }
    m_store.write({}, pixels.data(), 1);
    EXPECT_EQ(m_store.newestBscan(), 1);
    EXPECT_EQ(m_store.volumesDone(), 1U);
    m_store.catchUp();
    const std::vector<float> image = fetchEnFace(m_store.enFace());
    const std::vector<float> all = enFaceOf(Projection::Maximum, 0, 20);
    for (std::size_t i = 0; i < image.size(); ++i) {
        const bool came = i / 9 <= 1 || i / 9 >= 4;
        ASSERT_NEAR(image[i], came ? all[i] : kNothingDb, 0.05);
    }
}

TEST_F(Store, SteadyStateAllocatesNothing) {
    writeFrame(0);
    changedNow();
    const MemoryCounters before = memoryCounters();
    for (std::int64_t frame = 1; frame < 50; ++frame) {
        writeFrame(frame);
        if (frame % 7 == 0)
            m_store.setEnFace({Projection::Mean, 0.0, kSample.binM * double(frame)});
        m_store.catchUp();
        changedNow();
    }
    EXPECT_EQ(memoryCounters().allocations, before.allocations);
}

TEST_F(Store, ASinglePictureMakesNoVolume) {
    const VolumeStack alone{1};
    m_store.configure(kSample.bscanSpec(), alone);
    EXPECT_FALSE(m_store.active());
    EXPECT_EQ(m_store.problem(), "");
    writeFrame(0);
    EXPECT_FALSE(m_store.catchUp());
    EXPECT_EQ(m_store.acquire(), nullptr);
}

TEST_F(Store, WhatDoesNotFitIsSaidAndHarmsNothing) {
    const VolumeStack huge{std::int64_t{1} << 40U};
    m_store.configure(kSample.bscanSpec(), huge);
    EXPECT_FALSE(m_store.active());
    EXPECT_THAT(m_store.problem(), testing::HasSubstr("no en face image"));
    EXPECT_THAT(m_store.problem(), testing::ContainsRegex(" B-scans of [0-9]+ A-scans with "));
    writeFrame(0);
    m_store.configure(kSample.bscanSpec(), m_recorded);
    EXPECT_TRUE(m_store.active());
    EXPECT_EQ(m_store.problem(), "");
}

TEST(StoreMemory, ARefusalStandsUntilMemoryComesFreeOrLessIsAskedFor) {
    std::size_t limit = 100;
    int asked = 0;
    VolumeStore store(Backend::Cpu, {}, [&] {
        ++asked;
        return limit;
    });
    const VolumeStack recorded{kSample.bscans};
    const auto problemNow = [&] {
        store.configure(kSample.bscanSpec(), recorded);
        return store.problem();
    };
    const std::string refusal = problemNow();
    EXPECT_THAT(refusal, testing::HasSubstr("no en face image"));
    for (const std::size_t tooLittle : {99, 100, 101}) {
        limit = tooLittle;
        asked = 0;
        EXPECT_EQ(problemNow(), refusal);
        EXPECT_EQ(asked, 1) << "a look, not an attempt";
    }
    limit = std::size_t{1} << 20U;
    EXPECT_EQ(problemNow(), "");
    EXPECT_TRUE(store.active());
    const int before = asked;
    EXPECT_EQ(problemNow(), "");
    EXPECT_EQ(asked, before) << "what is there is not asked for";
    limit = 100;
    const VolumeStack longer{2 * kSample.bscans};
    store.configure(kSample.bscanSpec(), longer);
    EXPECT_FALSE(store.active());
    store.configure(kSample.bscanSpec(), {}); // a picture alone
    EXPECT_EQ(store.problem(), "");
}

TEST_F(Store, ReaderAndWriterTakeTurns) {
    std::atomic<bool> stop{false};
    std::thread reader([&] {
        while (!stop) {
            if (const DisplayVolume* volume = m_store.acquire()) {
                // A B-scan is whole: its first and last voxel belong to one frame.
                for (const BscanRange& range : volume->changed) {
                    const Half* slice = volume->voxels + range.first * volume->shape.slice();
                    EXPECT_EQ(slice[0], slice[volume->shape.slice() - 1]);
                }
                m_store.release(nullptr);
            }
            fetchEnFace(m_store.enFace());
        }
    });
    for (std::int64_t frame = 0; frame < 2000; ++frame) {
        const std::vector<float> pixels(static_cast<std::size_t>(9 * 20),
                                        static_cast<float>(frame % 60));
        m_store.write({}, pixels.data(), frame);
    }
    stop = true;
    reader.join();
}

/// A recording of finished B-scans through the live engine.
TEST(EngineVolume, CollectsWhatIsPlayedAndReprojectsWhileFrozen) {
    auto recording = std::make_unique<FakeOct>(kSample, 1);
    const SnapshotPtr snapshot = instantiate(test::chainOf({"to_float"}), recording->info().frame);
    Engine engine(std::move(recording), snapshot, Backend::Cpu,
                  {[](std::size_t) {}, [](const auto&) {}, [] {}});
    engine.player().setLoop(false);
    engine.player().setSpeed(0.0);
    engine.player().play();
    ASSERT_TRUE(waitUntil([&] { return engine.statistics().framesProcessed >= 6; }));
    const auto becomes = [&](const std::vector<float>& expected) {
        return waitUntil([&] {
            const std::vector<float> image = fetchEnFace(engine.volume().enFace());
            return std::ranges::equal(image, expected,
                                      [](float a, float b) { return std::abs(a - b) < 0.05F; });
        });
    };
    EXPECT_TRUE(becomes(enFaceOf(Projection::Maximum, 0, 20)));
    engine.volume().setEnFace({Projection::Mean, 0.0, 5 * kSample.binM});
    EXPECT_TRUE(becomes(enFaceOf(Projection::Mean, 0, 6)));
}

TEST(EngineVolume, ShowsOneBscanOfABuffer) {
    auto recording = std::make_unique<FakeOct>(kSample, 3);
    const SnapshotPtr snapshot = instantiate(test::chainOf({"to_float"}), recording->info().frame);
    Engine engine(std::move(recording), snapshot, Backend::Cpu,
                  {[](std::size_t) {}, [](const auto&) {}, [] {}});
    const auto shown = [&] {
        const DisplayFrame* frame = nullptr;
        EXPECT_TRUE(waitUntil([&] { return (frame = engine.mailbox().acquire()) != nullptr; }));
        if (frame == nullptr) return std::vector<float>{};
        EXPECT_EQ(frame->spec->axes, kSample.bscanSpec().axes);
        EXPECT_EQ(frame->bscan, engine.mailbox().shownBscan());
        std::vector<float> pixels(frame->pixels, frame->pixels + frame->spec->count());
        engine.mailbox().release(nullptr);
        return pixels;
    };
    EXPECT_EQ(shown(), kSample.bscan(0));
    engine.mailbox().showBscan(2); // of the image on screen: no frame is processed again
    EXPECT_EQ(engine.mailbox().shownBscan(), 0) << "not yet fetched";
    EXPECT_EQ(shown(), kSample.bscan(2));
    EXPECT_EQ(engine.mailbox().shownBscan(), 2);
    engine.mailbox().showBscan(99);
    EXPECT_EQ(shown(), kSample.bscan(2)) << "the last one";
    EXPECT_EQ(engine.statistics().framesProcessed, 1U);
    engine.player().step(1);
    EXPECT_EQ(shown(), kSample.bscan(5));
    EXPECT_EQ(engine.mailbox().shownBscan(), 5) << "counted through the recording";
}

} // namespace
} // namespace echolux
