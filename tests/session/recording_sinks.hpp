// SPDX-License-Identifier: GPL-3.0-or-later
// Sinks that write down what they are given, and an engine that they are given to.
#pragma once

#include "app/session/session.hpp"
#include "tests/session/fake_recording.hpp"

#include <gtest/gtest.h>

#include <array>
#include <functional>
#include <mutex>

namespace echolux::test {

/// On the CPU, where images are there when they are taken.
class ImageLog final : public ImageSink {
public:
    struct Entry {
        FrameRun frames;
        std::uint64_t serial = 0;
        std::vector<std::vector<float>> images = {};
    };

    void configure(const ImageFormat& format) override {
        if (refuses && refuses(format)) throw OutOfMemory("The log takes no such images.");
        const std::lock_guard lock(m_mutex);
        EXPECT_TRUE(m_begun.empty() && m_beginnings == 0) << "while frames are on their way";
        m_formats.push_back(format);
    }
    ViewTarget begin() override {
        ++m_beginnings;
        return {};
    }
    void take(const Exec&, const FrameRun& frames, const RunImages& images) override {
        Entry entry{frames};
        for (std::int64_t i = 0; i < frames.count; ++i)
            entry.images.emplace_back(images.image(i), images.image(i) + images.each);
        if (m_beginnings > 0) --m_beginnings;
        m_begun.push_back(std::move(entry));
        if (failAt == frames.first) throw Error("The log is full; empty it.");
    }
    void done(const FrameRun& frames, std::uint64_t serial, Clock::time_point) override {
        const std::lock_guard lock(m_mutex);
        ASSERT_FALSE(m_begun.empty());
        EXPECT_EQ(m_begun.front().frames.first, frames.first) << "in the order of begin()";
        m_done.push_back(std::move(m_begun.front()));
        m_done.back().serial = serial;
        m_begun.erase(m_begun.begin());
    }
    void abandon() override {
        const std::lock_guard lock(m_mutex);
        m_beginnings = 0;
        m_abandoned += m_begun.size();
        m_begun.clear();
    }

    std::vector<Entry> done() const {
        const std::lock_guard lock(m_mutex);
        return m_done;
    }
    std::size_t count() const { return done().size(); }
    std::size_t abandoned() const {
        const std::lock_guard lock(m_mutex);
        return m_abandoned;
    }
    std::vector<ImageFormat> formats() const {
        const std::lock_guard lock(m_mutex);
        return m_formats;
    }
    std::atomic<std::int64_t> failAt{-1};
    std::function<bool(const ImageFormat&)> refuses;

private:
    mutable std::mutex m_mutex;
    std::vector<ImageFormat> m_formats;
    std::vector<Entry> m_done;
    std::size_t m_abandoned = 0;
    int m_beginnings = 0; ///< not taken
    std::vector<Entry> m_begun;
};

/// Keeps the latest frames as long as it is told to.
class RawLog final : public RawSink {
public:
    explicit RawLog(std::size_t keeps = 0) : m_keeps(keeps) {}

    void take(RawRef frames) override {
        const std::lock_guard lock(m_mutex);
        for (std::int64_t i = 0; i < frames->count; ++i) m_frames.push_back(frames->index + i);
        m_runs.push_back(frames->count);
        m_kept.push_back(std::move(frames));
        if (m_kept.size() > m_keeps) m_kept.erase(m_kept.begin());
    }
    void end() override {
        letGo();
        m_ended = true;
    }
    void letGo() {
        std::vector<RawRef> kept;
        const std::lock_guard lock(m_mutex);
        m_kept.swap(kept);
    }
    std::vector<std::int64_t> frames() const {
        const std::lock_guard lock(m_mutex);
        return m_frames;
    }
    std::int64_t longestRun() const {
        const std::lock_guard lock(m_mutex);
        return m_runs.empty() ? 0 : std::ranges::max(m_runs);
    }
    /// First number of each that is kept, by what stands in its memory.
    std::vector<float> kept() const {
        const std::lock_guard lock(m_mutex);
        std::vector<float> numbers;
        for (const RawRef& frames : m_kept)
            numbers.push_back(*reinterpret_cast<const float*>(frames->samples));
        return numbers;
    }
    bool ended() const { return m_ended; }

private:
    std::size_t m_keeps;
    mutable std::mutex m_mutex;
    std::vector<std::int64_t> m_frames;
    std::vector<std::int64_t> m_runs;
    std::vector<RawRef> m_kept;
    std::atomic<bool> m_ended{false};
};

/// Two images of one frame, the other one twice as bright.
inline PipelineConfig twoViews() {
    return parsePipeline(R"(version = 2
name = "two views"
[[stage]]
type = "to_float"
[[stage]]
type = "to_float"
id = "doubled"
set = { scale = 2.0 }
[[view]]
id = "a"
input = "to_float"
[[view]]
id = "b"
input = "doubled"
)",
                         "two.toml");
}

/// B-scans of a volume, of which the first can be read at first.
inline std::unique_ptr<FakeOct> firstOfTwelve() {
    auto oct = std::make_unique<FakeOct>(
        testing_support::LayeredOct{.bscans = 12, .lines = 9, .bins = 20}, 1);
    oct->letRead(1);
    return oct;
}

/// An engine frozen on the first frame of its recording, on the CPU, and what it told.
struct Watched {
    std::mutex mutex;
    std::string failure;
    std::array<std::atomic<int>, kMostViews> images{}; ///< told of, per view
    std::atomic<int> volumes{0};                       ///< the same
    std::unique_ptr<Engine> engine;

    Watched(std::unique_ptr<Recording> recording, SnapshotPtr snapshot, std::size_t runBytes = 0,
            std::size_t keptBytes = std::size_t{1} << 30) {
        engine =
            std::make_unique<Engine>(std::move(recording), std::move(snapshot), Backend::Cpu,
                                     Engine::Callbacks{[this](std::size_t view) { ++images[view]; },
                                                       [this](const std::string& text) {
                                                           const std::lock_guard lock(mutex);
                                                           failure = text;
                                                       },
                                                       [] {},
                                                       {},
                                                       [this] { ++volumes; }},
                                     EngineLimits{keptBytes, runBytes});
        EXPECT_TRUE(processes(1));
    }
    /// Of FakeRecording's frames.
    explicit Watched(std::int64_t frames, const PipelineConfig& pipeline = chainOf({"to_float"}))
        : Watched(std::make_unique<FakeRecording>(frames, 1000.0),
                  instantiate(pipeline, FakeRecording(frames, 1.0).info().frame)) {}

    std::string told() {
        const std::lock_guard lock(mutex);
        return failure;
    }
    std::uint64_t processed() const { return engine->statistics().framesProcessed; }
    bool processes(std::uint64_t frames) const {
        return waitUntil([&] { return processed() >= frames; });
    }
    bool seeks(std::int64_t frame) const {
        const std::uint64_t before = processed();
        engine->player().seek(frame);
        return processes(before + 1);
    }
    void playOnce() const { ///< as fast as possible
        engine->player().setLoop(false);
        engine->player().setSpeed(0.0);
        engine->player().play();
    }
    std::vector<float> shown(std::size_t view = 0) const {
        const DisplayFrame* frame = nullptr;
        EXPECT_TRUE(
            waitUntil([&] { return (frame = engine->mailbox(view).acquire()) != nullptr; }));
        if (frame == nullptr) return {};
        std::vector<float> pixels(frame->pixels, frame->pixels + frame->spec->count());
        engine->mailbox(view).release(nullptr);
        return pixels;
    }
};

/// The first of a volume's twelve B-scans, frozen; the log came before the others were filled in.
template <class Log> std::unique_ptr<Watched> sweptBefore(Log& log) {
    auto fake = firstOfTwelve();
    FakeOct& recording = *fake;
    SnapshotPtr snapshot = instantiate(chainOf({"to_float"}), fake->info().frame);
    auto live = std::make_unique<Watched>(std::move(fake), std::move(snapshot));
    live->engine->addSink(log);
    EXPECT_TRUE(waitUntil([&] { return live->engine->volumeProgress().has_value(); }));
    recording.letRead(12);
    EXPECT_TRUE(waitUntil([&] { return !live->engine->volumeProgress(); }));
    return live;
}

} // namespace echolux::test
