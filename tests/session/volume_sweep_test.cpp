// SPDX-License-Identifier: GPL-3.0-or-later
// While frozen, the volume becomes that of the shown B-scan with the pipeline in force, and nothing
// else changes: the shown image, the position, the counters, the past of averaging stages.
#include "app/session/engine.hpp"
#include "gpu/core/decibels.hpp"
#include "tests/session/fake_recording.hpp"

#include <gmock/gmock.h>

#include <cmath>

namespace echolux {
namespace {

using test::FakeOct;
using test::waitUntil;
using testing_support::LayeredOct;

constexpr std::int64_t kBscans = 6;
const LayeredOct kSweptSample{.bscans = kBscans, .lines = 9, .bins = 20};

/// A recording opened and frozen on its first frame.
struct Frozen {
    std::mutex mutex;
    std::string failure;
    FakeOct* recording = nullptr;
    std::unique_ptr<Engine> engine;

    explicit Frozen(const std::vector<std::string>& chain = {"to_float"}, std::int64_t perFrame = 1,
                    std::int64_t frames = 0, std::int64_t readable = 1000)
        : Frozen(test::chainOf(chain), std::make_unique<FakeOct>(kSweptSample, perFrame, frames),
                 readable) {}
    Frozen(const PipelineConfig& pipeline, std::unique_ptr<FakeOct> fake,
           std::int64_t readable = 1000) {
        recording = fake.get();
        recording->letRead(readable);
        const SnapshotPtr snapshot = instantiate(pipeline, fake->info().frame);
        engine = std::make_unique<Engine>(std::move(fake), snapshot, Backend::Cpu,
                                          Engine::Callbacks{[](std::size_t) {},
                                                            [this](const std::string& text) {
                                                                const std::lock_guard lock(mutex);
                                                                failure = text;
                                                            },
                                                            [] {}});
    }
    ~Frozen() { recording->letRead(1000); }

    void edit(const char* stage, const char* key, const ParamValue& value) const {
        engine->post(withValue(*engine->snapshot(), stage, key, value));
    }
    void scaleBy(double factor) const { edit("to_float", "scale", factor); }
    /// The next image of the B-scan view.
    std::vector<float> shown() const {
        const DisplayFrame* frame = nullptr;
        EXPECT_TRUE(waitUntil([&] { return (frame = engine->mailbox().acquire()) != nullptr; }));
        if (frame == nullptr) return {std::nanf("")};
        std::vector<float> pixels(frame->pixels, frame->pixels + frame->spec->count());
        engine->mailbox().release(nullptr);
        return pixels;
    }
    /// Each B-scan's first voxel.
    std::vector<float> rows() const {
        engine->volume().offerAgain();
        const DisplayVolume* volume = nullptr;
        EXPECT_TRUE(waitUntil([&] { return (volume = engine->volume().acquire()) != nullptr; }));
        std::vector<float> first;
        for (std::int64_t i = 0; volume != nullptr && i < volume->shape.bscans; ++i)
            first.push_back(fromHalf(volume->voxels[i * volume->shape.slice()]));
        engine->volume().release(nullptr);
        return first;
    }
    bool rowsBecome(const std::vector<float>& expected) const {
        std::vector<float> last;
        const bool became = waitUntil([&] {
            last = rows();
            return std::ranges::equal(last, expected,
                                      [](float a, float b) { return std::abs(a - b) < 0.3F; });
        });
        if (!became) ADD_FAILURE() << testing::PrintToString(last);
        return became;
    }
    bool fills(VolumeProgress progress) const {
        return waitUntil([&] { return engine->volumeProgress() == progress; });
    }
    bool hasFilled() const {
        return waitUntil([&] { return !engine->volumeProgress(); });
    }
};

/// First voxels of these B-scans of the recording.
std::vector<float> firstOf(const std::vector<std::int64_t>& bscans, float scale = 1.0F) {
    std::vector<float> first;
    for (const std::int64_t bscan : bscans)
        first.push_back(kSweptSample.bscan(bscan).front() * scale);
    return first;
}
const std::vector<std::int64_t> kFirstVolume{0, 1, 2, 3, 4, 5};

TEST(VolumeSweep, AnEditWhileFrozenReachesTheWholeVolume) {
    Frozen live;
    ASSERT_TRUE(live.rowsBecome(firstOf(kFirstVolume)));
    live.engine->player().seek(3);
    ASSERT_TRUE(waitUntil([&] { return live.shown() == kSweptSample.bscan(3); }));
    const Statistics before = live.engine->statistics();
    live.engine->resetCounters();
    live.scaleBy(2.0);
    EXPECT_NEAR(live.shown().front(), 2.0F * kSweptSample.bscan(3).front(), 1e-3F);
    EXPECT_TRUE(live.rowsBecome(firstOf(kFirstVolume, 2.0F)));
    EXPECT_TRUE(live.hasFilled());

    EXPECT_EQ(live.engine->mailbox().acquire(), nullptr) << "one new image";
    EXPECT_EQ(live.engine->player().state().position, 3);
    const Statistics after = live.engine->statistics();
    EXPECT_EQ(after.framesRead, before.framesRead);
    EXPECT_EQ(after.framesProcessed, before.framesProcessed + 1);
    EXPECT_EQ(after.framesDropped, 0U);
    EXPECT_EQ(after.framesLate, before.framesLate);
    EXPECT_EQ(after.allocations, 0U);
    EXPECT_EQ(after.deviceToHostCopies, 0U);
    live.engine->player().step(1);
    EXPECT_NEAR(live.shown().front(), 2.0F * kSweptSample.bscan(4).front(), 1e-3F);
}

TEST(VolumeSweep, TheShownBscanComesFirstAndRowsAsTheyCome) {
    Frozen live({"to_float"}, 1, 0, 3);
    EXPECT_EQ(live.shown(), kSweptSample.bscan(0));
    EXPECT_TRUE(live.fills({3, kBscans}));
    live.scaleBy(2.0); // the source waits for frame 3
    EXPECT_NEAR(live.shown().front(), 2.0F * kSweptSample.bscan(0).front(), 1e-3F);
    live.recording->letRead(4);
    EXPECT_TRUE(live.fills({4, kBscans}));
    std::vector<float> partly = firstOf({0, 1, 2, 3}, 2.0F);
    partly.resize(kBscans, kNothingDb);
    EXPECT_TRUE(live.rowsBecome(partly));
    live.recording->letRead(1000);
    EXPECT_TRUE(live.rowsBecome(firstOf(kFirstVolume, 2.0F)));
    EXPECT_TRUE(live.hasFilled());
}

TEST(VolumeSweep, AnotherEditBeginsAgain) {
    Frozen live({"to_float"}, 1, 0, 4);
    EXPECT_TRUE(live.fills({4, kBscans}));
    for (const double factor : {3.0, 5.0, 2.0}) {
        live.scaleBy(factor);
        live.shown();
    }
    live.recording->letRead(1000);
    EXPECT_TRUE(live.rowsBecome(firstOf(kFirstVolume, 2.0F)));
}

/// Twice each of kBscans places.
struct Repeated {
    static constexpr std::int64_t kRepeats = 2;
    LayeredOct sample = kSweptSample;
    PipelineConfig pipeline;

    explicit Repeated(const std::vector<std::string>& chain, std::int64_t ensemble)
        : pipeline(test::chainOf(chain)) {
        sample.bscans = kBscans * kRepeats;
        pipeline.recording.ensemble = ensemble;
    }
    std::unique_ptr<FakeOct> recording(std::int64_t repeats, std::int64_t frames = 0) const {
        return std::make_unique<FakeOct>(sample, 1, frames, repeats);
    }
    /// First voxels of all places, where the last B-scan of each place stays or all are averaged.
    std::vector<float> places(bool averaged, float scale = 1.0F) const {
        std::vector<float> first;
        for (std::int64_t place = 0; place < kBscans; ++place) {
            const float a = sample.bscan(2 * place).front();
            const float b = sample.bscan(2 * place + 1).front();
            first.push_back(scale * (averaged ? 0.5F * (a + b) : b));
        }
        return first;
    }
};

TEST(VolumeSweep, AnEnsembleIsOnePlaceOfTheVolume) {
    const Repeated repeated({"to_float", "ensemble_mean"}, 2);
    for (const std::int64_t known : {1, 2}) {
        SCOPED_TRACE(known);
        Frozen live(repeated.pipeline, repeated.recording(known));
        EXPECT_TRUE(live.rowsBecome(repeated.places(true)));
        live.engine->player().seek(7);
        ASSERT_TRUE(waitUntil([&] { return live.engine->player().state().position == 7; }));
        live.shown();
        live.scaleBy(2.0);
        EXPECT_TRUE(live.rowsBecome(repeated.places(true, 2.0F)));
        EXPECT_TRUE(live.hasFilled());
        EXPECT_EQ(live.engine->player().state().position, 7);
        EXPECT_EQ(live.engine->statistics().framesDropped, 0U);
    }
}

TEST(VolumeSweep, OfRepeatedBscansTheLastOneStays) {
    const Repeated repeated({"to_float"}, 1);
    Frozen live(repeated.pipeline, repeated.recording(2));
    std::vector<float> expected = repeated.places(false);
    expected[0] = repeated.sample.bscan(0).front(); // is shown
    EXPECT_TRUE(live.rowsBecome(expected));
    live.engine->player().setLoop(false);
    live.engine->player().setSpeed(0.0);
    live.engine->player().play();
    EXPECT_TRUE(live.rowsBecome(repeated.places(false)));
}

TEST(VolumeSweep, EnsemblesThatMixPlacesAreRefused) {
    for (const std::int64_t ensemble : {3, 4}) {
        const Repeated repeated({"to_float", "ensemble_mean"}, ensemble);
        try {
            Frozen live(repeated.pipeline, repeated.recording(2));
            ADD_FAILURE() << "accepted";
        } catch (const Error& error) {
            EXPECT_THAT(error.what(), testing::HasSubstr("2 B-scans at each place"));
            EXPECT_THAT(error.what(), testing::HasSubstr("ensemble = 2"));
        }
    }
}

TEST(VolumeSweep, EnsemblesThatDoNotDivideAVolumeMakeNone) {
    const Repeated repeated({"to_float", "ensemble_mean"}, 5); // of 12 B-scans
    Frozen live(repeated.pipeline, repeated.recording(1));
    live.shown();
    EXPECT_FALSE(live.engine->volume().active());
}

TEST(VolumeSweep, AStepToAnotherVolumeFillsThatOne) {
    Frozen live({"to_float"}, 1, 15);
    EXPECT_TRUE(live.rowsBecome(firstOf(kFirstVolume)));
    live.engine->player().seek(8);
    EXPECT_TRUE(live.rowsBecome(firstOf({6, 7, 8, 9, 10, 11})));
    live.engine->player().seek(14); // of an incomplete volume: rows 0 1 2 are 12 13 14
    EXPECT_TRUE(live.rowsBecome(firstOf({12, 13, 14, 9, 10, 11})));
    EXPECT_TRUE(live.hasFilled());
    EXPECT_EQ(live.engine->statistics().framesRead, 3U);
}

TEST(VolumeSweep, AStepWithinTheVolumeKeepsWhatIsThere) {
    Frozen live({"to_float"}, 1, 0, 4);
    EXPECT_TRUE(live.fills({4, kBscans}));
    live.engine->player().seek(1); // while the source waits for frame 4
    live.recording->failAt = 2;    // which is there, and is not read again
    live.recording->letRead(1000);
    EXPECT_TRUE(live.rowsBecome(firstOf(kFirstVolume)));
    EXPECT_TRUE(live.hasFilled());
    EXPECT_EQ(live.failure, "");
}

TEST(VolumeSweep, BuffersFillTheRowsThatBelongToTheVolume) {
    Frozen live({"to_float"}, 4, 3); // B-scans 0 to 3, 4 to 7, 8 to 11
    EXPECT_TRUE(live.rowsBecome(firstOf(kFirstVolume)));
    live.engine->player().seek(2);
    EXPECT_TRUE(live.rowsBecome(firstOf({6, 7, 8, 9, 10, 11})));
    live.engine->player().seek(1); // begins in the first volume, ends in the second
    EXPECT_TRUE(live.rowsBecome(firstOf(kFirstVolume)));
}

TEST(VolumeSweep, PlayingEndsItAndLosesNothing) {
    Frozen live({"to_float"}, 1, 12, 3);
    EXPECT_TRUE(live.fills({3, kBscans}));
    live.engine->player().setLoop(false);
    live.engine->player().setSpeed(0.0);
    live.engine->player().play();
    EXPECT_EQ(live.engine->volumeProgress(), std::nullopt);
    live.recording->letRead(1000);
    EXPECT_TRUE(waitUntil([&] { return live.engine->statistics().framesProcessed == 12; }));
    EXPECT_EQ(live.engine->statistics().framesRead, 12U);
    EXPECT_TRUE(live.rowsBecome(firstOf({6, 7, 8, 9, 10, 11})));
}

TEST(VolumeSweep, FreezingCompletesTheVolumeOfTheShownBscan) {
    Frozen live({"to_float"}, 1, 12, 9);
    live.engine->player().setSpeed(0.0);
    live.engine->player().play();
    EXPECT_TRUE(waitUntil([&] { return live.engine->statistics().framesProcessed == 9; }));
    live.engine->player().freeze(); // frame 8 is shown, or 9 will be
    live.recording->letRead(1000);
    EXPECT_TRUE(live.rowsBecome(firstOf({6, 7, 8, 9, 10, 11})));
    EXPECT_LE(live.engine->player().state().position, 9);
}

/// A pixel of B-scan `to`, averaged over two from B-scan `from` on.
float average(std::int64_t from, std::int64_t to, std::size_t pixel) {
    float mean = kSweptSample.bscan(from)[pixel];
    for (std::int64_t i = from + 1; i <= to; ++i)
        mean += (kSweptSample.bscan(i)[pixel] - mean) / 2.0F;
    return mean;
}

TEST(VolumeSweep, ThePastOfAveragesStaysAsItWas) {
    const auto lastLine = static_cast<std::size_t>((kSweptSample.lines - 1) * kSweptSample.bins);
    Frozen live({"to_float", "average", "scan_correction"});
    live.edit("average", "b_scans", std::int64_t{2});
    const auto swept = [](std::size_t pixel) { // played from the volume's first B-scan
        std::vector<float> rows;
        for (std::int64_t i = 0; i < kBscans; ++i) rows.push_back(average(0, i, pixel));
        return rows;
    };
    const auto shows = [&](float value) {
        return waitUntil([&] { return std::abs(live.shown().front() - value) < 1e-3F; });
    };
    EXPECT_TRUE(live.rowsBecome(swept(0)));
    live.engine->player().seek(2);
    std::size_t pixel = 0;
    for (std::int64_t bscan = 2; bscan < 5; ++bscan) {
        const float shownBefore = average(2, bscan, pixel); // follows none, or the one before
        EXPECT_TRUE(shows(shownBefore)) << bscan;
        pixel = lastLine - pixel;
        live.edit("scan_correction", "flip", std::string(pixel == 0 ? "none" : "all"));
        const float shown = average(2, bscan, pixel);
        EXPECT_TRUE(shows(shown)) << bscan;
        std::vector<float> rows = swept(pixel);
        rows[static_cast<std::size_t>(bscan)] = shown;
        EXPECT_TRUE(live.rowsBecome(rows)) << bscan;
        live.engine->player().step(1);
    }
}

TEST(VolumeSweep, EverySecondBscanIsFlippedByItsNumber) {
    Frozen live({"to_float", "scan_correction"});
    EXPECT_TRUE(live.rowsBecome(firstOf(kFirstVolume)));
    live.edit("scan_correction", "flip", std::string("odd"));
    std::vector<float> flipped = firstOf(kFirstVolume);
    for (const std::size_t odd : {1, 3, 5}) {
        const auto pixels = kSweptSample.bscan(static_cast<std::int64_t>(odd));
        flipped[odd] =
            pixels[static_cast<std::size_t>((kSweptSample.lines - 1) * kSweptSample.bins)];
    }
    EXPECT_TRUE(live.rowsBecome(flipped));
}

TEST(VolumeSweep, AFrameThatCannotBeReadEndsItWithASentence) {
    Frozen live({"to_float"}, 1, 0, 3);
    EXPECT_TRUE(live.fills({3, kBscans}));
    live.recording->failAt = 4;
    live.recording->letRead(1000);
    EXPECT_TRUE(waitUntil([&] {
        const std::lock_guard lock(live.mutex);
        return !live.failure.empty();
    }));
    EXPECT_TRUE(live.hasFilled());
    EXPECT_EQ(live.shown(), kSweptSample.bscan(0));
    live.recording->failAt = -1;
    live.engine->player().step(1);
    EXPECT_TRUE(live.rowsBecome(firstOf(kFirstVolume)));
}

TEST(VolumeSweep, ASuspendedEngineSweepsNothingAndGoesOnAfterwards) {
    Frozen live({"to_float"}, 1, 0, 3);
    EXPECT_TRUE(live.fills({3, kBscans}));
    live.engine->suspend();
    EXPECT_EQ(live.engine->volumeProgress(), std::nullopt);
    live.recording->letRead(1000);
    live.engine->resume();
    EXPECT_TRUE(live.rowsBecome(firstOf(kFirstVolume)));
}

TEST(VolumeSweep, ClosingInItsMiddleEndsWell) {
    for (std::int64_t rows = 1; rows < kBscans; ++rows) {
        Frozen live({"to_float"}, 1, 0, rows);
        EXPECT_TRUE(live.fills({rows, kBscans}));
        live.scaleBy(2.0);
    }
}

} // namespace
} // namespace echolux
