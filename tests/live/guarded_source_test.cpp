// SPDX-License-Identifier: GPL-3.0-or-later
// Sources that throw, stall, lie or change their frames, behind the guard of plugins.
#include "app/live/guarded_source.hpp"

#include "app/live/live_recording.hpp"
#include "gpu/core/error.hpp"
#include "tests/support/refusal.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace echolux {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing_support::refusal;
using Outcome = LiveSource::Outcome;

std::atomic<int> liveSources{0};
std::atomic<bool> stalls{false};

void stall() {
    while (stalls) std::this_thread::sleep_for(std::chrono::milliseconds(1));
}

/// Frames of 2 x 3 bytes, each with its number. The options say what goes wrong.
class OddSource final : public LiveSource {
public:
    explicit OddSource(std::string what) : m_what(std::move(what)) {
        ++liveSources;
        m_info.frame.dtype = DType::U8;
        m_info.frame.recordedForm = RecordedForm::Picture;
        m_info.frame.axes = {{.name = AxisName::Depth, .size = 2, .unit = {}},
                             {.name = AxisName::Lateral, .size = 3, .unit = {}}};
        if (m_what == "empty") m_info.frame.axes[1].size = 0;
    }
    ~OddSource() override { --liveSources; }
    const RecordingInfo& info() const override { return m_info; }
    std::string reason() const override { return "Because."; }
    Outcome next(std::span<std::byte> out, FrameStamp& stamp, const std::stop_token&) override {
        if (m_number == 2) {
            if (m_what == "throws") throw std::out_of_range("no cable");
            if (m_what == "throws a number") throw 7; // NOLINT: not even an exception
            if (m_what == "stalls") stall();
            if (m_what == "grows") m_info.frame.axes[1].size = 4;
            if (m_what == "changes") return Outcome::Changed;
            if (m_what == "invents") return static_cast<Outcome>(17);
        }
        std::ranges::fill(out, static_cast<std::byte>(m_number + m_gain));
        stamp.number = m_number++;
        return Outcome::Frame;
    }
    std::vector<LiveParameter> parameters() const override {
        return {{"gain", "Gain", "", "Is added.", 0.0, 9.0, static_cast<double>(m_gain), 0}};
    }
    void setParameter(const std::string& key, double value) override {
        if (key == "gain") m_gain = static_cast<int>(value);
    }

private:
    std::string m_what;
    RecordingInfo m_info;
    int m_number = 0;
    int m_gain = 0;
};

std::unique_ptr<LiveSource> open(const std::string& options) {
    if (options == "no device") throw Error("The device is switched off.");
    if (options == "nothing") return nullptr;
    if (options == "stalls at once") stall();
    return std::make_unique<OddSource>(options);
}

constexpr GuardedSource::Patience kShort{std::chrono::milliseconds(100),
                                         std::chrono::milliseconds(100)};
constexpr GuardedSource::Patience kLong{std::chrono::minutes(5), std::chrono::minutes(5)};

std::unique_ptr<GuardedSource> source(const std::string& options,
                                      const GuardedSource::Patience& patience = kLong) {
    return std::make_unique<GuardedSource>(open, "odd:" + options, "the source 'odd'", patience);
}

/// The next frame or other answer.
Outcome answer(LiveSource& from, std::vector<std::byte>& out, FrameStamp& stamp) {
    for (;;) {
        const Outcome outcome = from.next(out, stamp, {});
        if (outcome != Outcome::Nothing) return outcome;
    }
}

void expectAllGone() {
    while (liveSources > 0) std::this_thread::sleep_for(std::chrono::milliseconds(1));
}

/// The state of a recording of this source after its first two frames.
LiveCounters endOf(const std::string& options) {
    LiveRecording recording(source(options), {.mostBytes = 1000});
    recording.waitFor(1 << 20, 3600.0); // until the source ends
    return recording.counters();
}

TEST(GuardedSource, DeliversFramesWithTheirNumbersAndTakesValues) {
    const auto odd = source("fine");
    EXPECT_EQ(odd->info().path, "odd:fine");
    std::vector<std::byte> out(odd->info().frame.bytes());
    FrameStamp stamp;
    for (int i = 0; i < 4; ++i) {
        ASSERT_EQ(answer(*odd, out, stamp), Outcome::Frame);
        EXPECT_EQ(stamp.number, i);
        EXPECT_THAT(out, testing::Each(static_cast<std::byte>(i)));
    }
    odd->setParameter("gain", 100.0);
    odd->setParameter("none", 1.0);
    odd->setParameter("gain", std::numeric_limits<double>::quiet_NaN());
    EXPECT_EQ(odd->parameters().at(0).value, 9.0);
    ASSERT_EQ(answer(*odd, out, stamp), Outcome::Frame);
    EXPECT_EQ(out[0], static_cast<std::byte>(4 + 9));
}

TEST(GuardedSource, WhatCannotBeOpenedIsOneSentence) {
    EXPECT_THAT(refusal([] { source("no device"); }),
                AllOf(HasSubstr("odd:no device"), HasSubstr("the source 'odd'"),
                      HasSubstr("switched off")));
    EXPECT_THAT(refusal([] { source("nothing"); }), HasSubstr("gave no source"));
    EXPECT_THAT(refusal([] { source("empty"); }), HasSubstr("lateral axis has 0"));
    expectAllGone();
}

TEST(GuardedSource, AFailureEndsTheRecordingAndNamesTheSource) {
    for (const char* options : {"throws", "throws a number", "invents"}) {
        const LiveCounters end = endOf(options);
        EXPECT_EQ(end.state, LiveState::Ended) << options;
        EXPECT_EQ(end.kept, 2U);
        EXPECT_THAT(end.reason, HasSubstr("The source 'odd' failed: ")) << options;
    }
    EXPECT_THAT(endOf("throws").reason, HasSubstr("no cable"));
    expectAllGone();
}

TEST(GuardedSource, OtherFramesAreAChange) {
    EXPECT_EQ(endOf("changes").state, LiveState::Changed);
    const LiveCounters grown = endOf("grows");
    EXPECT_EQ(grown.state, LiveState::Changed);
    EXPECT_THAT(grown.reason, AllOf(HasSubstr("lateral 4"), HasSubstr("lateral 3")));
}

TEST(GuardedSource, OneThatNeverReturnsIsSilentAndLeftBehind) {
    stalls = true;
    {
        LiveRecording recording(source("stalls", kShort), {.mostBytes = 1000});
        EXPECT_TRUE(recording.waitFor(1, 3600.0));
        EXPECT_FALSE(recording.waitFor(2, 0.3));
        EXPECT_EQ(recording.kept().last, 1);
        recording.source().setParameter("gain", 1.0); // does not wait
    }
    EXPECT_EQ(liveSources, 1);
    EXPECT_THAT(refusal([] { source("stalls at once", kShort); }),
                HasSubstr("did not open within 0.1 s"));
    stalls = false;
    expectAllGone();
}

} // namespace
} // namespace echolux
