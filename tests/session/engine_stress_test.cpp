// SPDX-License-Identifier: GPL-3.0-or-later
// A branched pipeline of two views plays as fast as it can while one thread edits it without rest
// and another draws: nothing is lost, and what is shown last is right.
#include "app/pipeline/graph_edits.hpp"
#include "app/session/checked_image.hpp"
#include "app/session/session.hpp"
#include "tests/session/fake_recording.hpp"

#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <cstring>
#include <mutex>
#include <random>
#include <thread>
#include <vector>

namespace echolux {
namespace {

using test::waitUntil;

constexpr int kEdits = 150;

/// Two images of the cine from its channel data, small enough for a sanitizer.
SnapshotPtr twoImages(const FrameSpec& raw) {
    return imagingSnapshot(raw, parsePipeline(R"(version = 2
name = "two images"
[[stage]]
type = "to_float"
[[stage]]
type = "dc_removal"
[[stage]]
type = "bandpass"
set = { taps = 15 }
[[stage]]
type = "analytic"
[[stage]]
type = "beamform"
set = { pixel_lateral = 1e-3, pixel_depth = 1e-3 }
[[stage]]
type = "envelope"
[[stage]]
type = "beamform"
id = "beamform_b"
input = "analytic"
set = { pixel_lateral = 1e-3, pixel_depth = 1e-3 }
[[stage]]
type = "envelope"
id = "envelope_b"
[[view]]
id = "a"
input = "envelope"
[[view]]
id = "b"
input = "envelope_b"
)",
                                              "two.toml"));
}

/// Bypasses, links, a third view, values that are live and values that change an image's size.
SnapshotPtr edited(const Snapshot& now, int number, std::mt19937& random) {
    const auto below = [&](std::size_t count) {
        return std::uniform_int_distribution<std::size_t>(0, count - 1)(random);
    };
    const auto link = [&](const char* from, const PortName& to) {
        return instantiate(withLink(now, {kOutputPort, from}, to), now.input);
    };
    switch (number % 7) {
    case 0: return withBypass(now, "dc_removal", !now.stage("dc_removal").bypass);
    case 1: return withBypass(now, "bandpass", !now.stage("bandpass").bypass);
    case 2: {
        constexpr std::array kBefore{"to_float", "dc_removal", "bandpass"};
        return link(kBefore[below(3)], {"in", "analytic"});
    }
    case 3: return link(below(2) == 0 ? "beamform" : "beamform_b", {"in", "envelope_b"});
    case 4: return withValue(now, "beamform", "f_number", 0.25 * static_cast<double>(below(8)));
    case 5:
        return withValue(now, "beamform_b", "pixel_lateral",
                         1e-3 + 1e-4 * static_cast<double>(below(5)));
    default:
        return instantiate(now.views.size() == 2 ? withView(now, "envelope")
                                                 : withoutView(now, "envelope"),
                           now.input);
    }
}

/// What the GL threads do, one after the other: fetches what is new and looks at it.
class Viewer {
public:
    explicit Viewer(Engine& engine) : m_engine(engine) {}

    void look() {
        for (std::size_t view = 0; view < kMostViews; ++view) {
            const DisplayFrame* frame = m_engine.mailbox(view).acquire();
            if (frame == nullptr) continue;
            const std::uint64_t serial = frame->serial;
            EXPECT_GT(serial, m_serials[view]) << "never an older one";
            m_serials[view] = serial;
            m_images[view].assign(frame->pixels, frame->pixels + frame->spec->count());
            m_engine.mailbox(view).release(nullptr);
            m_engine.mailbox(view).presented(serial);
        }
    }
    std::uint64_t serial(std::size_t view) const { return m_serials[view]; }
    const std::vector<float>& image(std::size_t view) const { return m_images[view]; }

private:
    Engine& m_engine;
    std::array<std::uint64_t, kMostViews> m_serials{};
    std::array<std::vector<float>, kMostViews> m_images;
};

TEST(EngineStress, EditsWithoutRestLoseNothing) {
    const std::string cine = ECHOLUX_SOURCE_DIR "/testdata/phantom_cine.echolux.h5";
    std::unique_ptr<Recording> recording = openRecording(cine, {});
    const std::int64_t frames = recording->info().frameCount;
    std::mutex mutex;
    std::string failure;
    Engine engine(std::move(recording), twoImages(openRecording(cine, {})->info().frame),
                  Backend::Cpu,
                  {[](std::size_t) {},
                   [&](const std::string& text) {
                       const std::lock_guard lock(mutex);
                       failure = text;
                   },
                   [] {}});
    engine.player().setSpeed(0.0);
    engine.player().play();

    std::atomic<bool> done{false};
    std::string refusal;
    std::thread editor([&] {
        std::mt19937 random(1);
        try {
            for (int number = 0; number < kEdits; ++number) {
                engine.post(edited(*engine.snapshot(), number, random));
                if (number % 10 != 9) continue; // now and then it comes through
                const auto before = engine.statistics().framesProcessed;
                waitUntil([&] { return engine.statistics().framesProcessed > before; });
            }
            if (engine.snapshot()->views.size() > 2)
                engine.post(instantiate(withoutView(*engine.snapshot(), "envelope"),
                                        engine.snapshot()->input));
        } catch (const std::exception& error) {
            refusal = error.what();
        }
        done = true;
    });
    Viewer viewer(engine);
    while (!done) {
        viewer.look();
        std::this_thread::yield();
    }
    editor.join();
    EXPECT_EQ(refusal, "");

    engine.player().freeze();
    std::uint64_t newest = 0;
    const auto settled = [&] { // the image of the last frame and of the last edit is the newest
        viewer.look();
        newest = engine.statistics().framesProcessed;
        return engine.mailbox(0).shownEdit() == engine.edits() &&
               engine.mailbox(0).shownFrame() == engine.player().state().position &&
               viewer.serial(0) == newest && viewer.serial(1) == newest;
    };
    EXPECT_TRUE(waitUntil(settled)) << "of " << newest << " images, views show number "
                                    << viewer.serial(0) << " and " << viewer.serial(1);
    const Statistics end = engine.statistics();
    EXPECT_EQ(end.framesDropped, 0U);
    EXPECT_GE(end.framesProcessed, end.framesRead);
    EXPECT_LE(end.framesProcessed, end.framesRead + kEdits + 1) << "again once per edit at most";
    const std::int64_t last = (static_cast<std::int64_t>(end.framesRead) - 1) % frames;
    EXPECT_EQ(engine.mailbox(0).shownFrame(), last) << "the frame that was read last";
    EXPECT_EQ(engine.mailbox(1).shownFrame(), last);
    {
        const std::lock_guard lock(mutex);
        EXPECT_EQ(failure, "");
    }

    const Engine::RawCopy raw = engine.copyShownRaw();
    ASSERT_EQ(raw.frame, last);
    Runner alone(Backend::Cpu, 1);
    alone.apply(engine.snapshot());
    const int slot = alone.enqueue({.raw = raw.bytes.data(), .frame = raw.frame});
    ASSERT_EQ(engine.snapshot()->views.size(), 2U);
    for (std::size_t view = 0; view < 2; ++view) {
        const ConstTensorView expected = alone.viewOutput(slot, view);
        ASSERT_EQ(viewer.image(view).size(), static_cast<std::size_t>(expected.spec->count()));
        EXPECT_EQ(std::memcmp(viewer.image(view).data(), expected.data, expected.spec->bytes()), 0)
            << "view " << view << " is what the last pipeline makes of it";
    }
}

} // namespace
} // namespace echolux
