// SPDX-License-Identifier: GPL-3.0-or-later
// A live source that a test drives: it makes a frame, or something else, when it is told to.
#pragma once

#include "app/live/live_source.hpp"
#include "gpu/core/error.hpp"
#include "tests/pipeline/test_frames.hpp"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <memory>
#include <mutex>
#include <string>

namespace echolux::test {

/// Each sample of a frame, an integer of 16 bits or a float, is its number.
class FakeSource final : public LiveSource {
public:
    struct Step {
        Outcome outcome = Outcome::Frame;
        std::int64_t number = 0; ///< the source's own
        std::int64_t deviceNs = -1;
        std::shared_ptr<const Pose> pose = {};
    };

    explicit FakeSource(double rateHz = 100.0, const FrameSpec& frame = codesSpec(1, 5, 4)) {
        m_info.path = "fake:scanner";
        m_info.format = "fake";
        m_info.frame = frame;
        m_info.frameRateHz = rateHz;
    }
    const RecordingInfo& info() const override { return m_info; }
    std::string reason() const override { return "The test said so."; }
    Outcome next(std::span<std::byte> out, FrameStamp& stamp,
                 const std::stop_token& stop) override {
        std::unique_lock lock(m_mutex);
        m_came.wait_for(lock, stop, std::chrono::milliseconds(50),
                        [this] { return !m_steps.empty(); });
        if (m_steps.empty()) return Outcome::Nothing;
        const Step step = m_steps.front();
        m_steps.pop_front();
        if (step.number == kFails) throw Error("The cable was pulled.");
        if (m_info.frame.dtype == DType::F32)
            fill<float>(out, step.number);
        else
            fill<std::int16_t>(out, step.number);
        stamp.number = step.number;
        stamp.deviceNs = step.deviceNs;
        stamp.pose = step.pose;
        return step.outcome;
    }
    static constexpr std::int64_t kFails = -7;

    void make(const Step& step) {
        const std::lock_guard lock(m_mutex);
        m_steps.push_back(step);
        m_came.notify_all();
    }
    void makeFrames(std::int64_t first, std::int64_t last) {
        for (std::int64_t n = first; n <= last; ++n) make({Outcome::Frame, n});
    }

private:
    template <class T> static void fill(std::span<std::byte> out, std::int64_t number) {
        auto* samples = reinterpret_cast<T*>(out.data());
        std::fill(samples, samples + out.size() / sizeof(T), static_cast<T>(number));
    }

    RecordingInfo m_info;
    std::mutex m_mutex;
    std::condition_variable_any m_came;
    std::deque<Step> m_steps;
};

inline std::int16_t firstSample(const std::byte* frame) {
    return *reinterpret_cast<const std::int16_t*>(frame);
}

} // namespace echolux::test
