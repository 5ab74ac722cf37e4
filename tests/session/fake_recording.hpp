// SPDX-License-Identifier: GPL-3.0-or-later
// A recording of small f32 images whose every pixel is the frame's number plus one over the
// pixel's.
#pragma once

#include "app/dataset/recording.hpp"
#include "gpu/core/error.hpp"
#include "tests/pipeline/test_frames.hpp"

#include <atomic>
#include <chrono>
#include <thread>

namespace echolux::test {

class FakeRecording final : public Recording {
public:
    FakeRecording(std::int64_t frames, double rateHz) {
        m_info.path = "fake.h5";
        m_info.format = "fake";
        m_info.frame = imageSpec(6, 5);
        // Geometry, so that a picked column finds its channel.
        m_info.frame.acquisition = channelSpec(1, 5, 4).acquisition;
        m_info.frameCount = frames;
        m_info.frameRateHz = rateHz;
    }
    void readFrame(std::int64_t index, std::span<std::byte> out) override {
        if (index == failAt) throw Error("fake.h5: frame 2 is damaged; choose another recording.");
        auto* pixels = reinterpret_cast<float*>(out.data());
        for (std::size_t i = 0; i < out.size() / sizeof(float); ++i) {
            pixels[i] = static_cast<float>(index) + (i == 0 ? 0.0F : 1.0F / static_cast<float>(i));
        }
    }
    std::atomic<std::int64_t> failAt{-1};
};

/// Polls for up to ten seconds; false where the condition never came true.
template <class Condition> bool waitUntil(Condition condition) {
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(10);
    while (std::chrono::steady_clock::now() < end) {
        if (condition()) return true;
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    return false;
}

} // namespace echolux::test
