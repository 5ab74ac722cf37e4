// SPDX-License-Identifier: GPL-3.0-or-later
// Recordings of small f32 images: pixels that are the frame's number plus one over the pixel's, and
// B-scans of a volume.
#pragma once

#include "app/dataset/recording/recording.hpp"
#include "gpu/core/error.hpp"
#include "tests/pipeline/test_frames.hpp"
#include "tests/support/oct_frames.hpp"
#include "tests/support/wait_until.hpp"

#include <algorithm>
#include <atomic>
#include <limits>

namespace echolux::test {

class FakeRecording final : public Recording {
public:
    FakeRecording(std::int64_t frames, double rateHz) {
        m_info.path = "fake.h5";
        m_info.format = "fake";
        m_info.frame = imageSpec(6, 5);
        // Geometry, so that a picked column finds its channel.
        m_info.frame.acquisition = codesSpec(1, 5, 4).acquisition;
        m_info.frameCount = frames;
        m_info.frameRateHz = rateHz;
    }
    void readFrame(std::int64_t index, std::span<std::byte> out) override {
        if (index == failAt) throw Error("fake.h5: frame 2 is damaged; choose another recording.");
        auto* pixels = reinterpret_cast<float*>(out.data());
        for (std::size_t i = 0; i < out.size() / sizeof(float); ++i) {
            pixels[i] = static_cast<float>(index) + (i == 0 ? 0.0F : 1.0F / static_cast<float>(i));
        }
        if (index >= nanFrom) pixels[3] = std::numeric_limits<float>::quiet_NaN();
    }
    std::int64_t nanFrom = std::numeric_limits<std::int64_t>::max();
    std::atomic<std::int64_t> failAt{-1};
};

/// Finished B-scans of volumes one after the other, some in each frame.
class FakeOct final : public Recording {
public:
    FakeOct(const testing_support::LayeredOct& sample, std::int64_t bscansPerFrame,
            std::int64_t frames = 0, std::int64_t repeats = 1)
        : m_sample(sample), m_perFrame(bscansPerFrame) {
        m_info.path = "fake_oct.h5";
        m_info.format = "fake";
        m_info.frame = bscansPerFrame == 1 ? sample.bscanSpec() : sample.bufferSpec(bscansPerFrame);
        m_info.frame.spectrometer = std::make_shared<Spectrometer>();
        m_info.frame.stack = {.bscansPerVolume = sample.bscans, .repeats = repeats};
        m_info.frameCount = frames > 0 ? frames : sample.bscans / bscansPerFrame;
        m_info.frameRateHz = 50.0;
    }
    void readFrame(std::int64_t index, std::span<std::byte> out) override {
        for (std::int64_t now = readable; index >= now; now = readable) readable.wait(now);
        if (index == failAt) throw Error("fake_oct.h5: a frame is damaged; choose another file.");
        for (std::int64_t i = 0; i < m_perFrame; ++i) {
            const std::vector<float> pixels = m_sample.bscan(index * m_perFrame + i);
            const auto bytes = std::as_bytes(std::span(pixels));
            std::ranges::copy(bytes, out.begin() + i * static_cast<std::ptrdiff_t>(bytes.size()));
        }
    }
    /// Reading waits for frames from this one on.
    void letRead(std::int64_t frames) {
        readable = frames;
        readable.notify_all();
    }
    std::atomic<std::int64_t> readable{std::numeric_limits<std::int64_t>::max()};
    std::atomic<std::int64_t> failAt{-1};

private:
    testing_support::LayeredOct m_sample;
    std::int64_t m_perFrame;
};

/// Images of echoes in dB: a whole volume [elevation][depth][lateral] in each frame, or its slices
/// one after the other.
class FakeEchoes final : public Recording {
public:
    static constexpr std::int64_t kSlices = 5;
    static constexpr std::int64_t kDepths = 7;
    static constexpr std::int64_t kLaterals = 4;

    explicit FakeEchoes(bool swept, std::int64_t frames = 10) : m_swept(swept) {
        m_info.path = "fake_echoes.h5";
        m_info.format = "fake";
        m_info.frame = imageSpec(kDepths, kLaterals);
        m_info.frame.valueRange = ValueRange{-60.0, 0.0, "dB", "running maximum"};
        if (swept) {
            m_info.frame.stack = {kSlices, 0.5e-3};
        } else {
            m_info.frame.axes.insert(m_info.frame.axes.begin(),
                                     {AxisName::Elevation, kSlices, 0.5e-3, -1e-3, "m"});
        }
        m_info.frameCount = frames;
        m_info.frameRateHz = 50.0;
    }
    /// Of volume number `volume`.
    static float at(std::int64_t volume, std::int64_t slice, std::int64_t depth,
                    std::int64_t lateral) {
        return -static_cast<float>((volume * 11 + slice * 17 + depth * 5 + lateral) % 60);
    }
    static std::vector<float> slice(std::int64_t volume, std::int64_t number) {
        std::vector<float> pixels;
        for (std::int64_t depth = 0; depth < kDepths; ++depth) {
            for (std::int64_t lateral = 0; lateral < kLaterals; ++lateral)
                pixels.push_back(at(volume, number, depth, lateral));
        }
        return pixels;
    }
    /// As a volume store keeps it, [elevation][lateral][depth].
    static std::vector<float> voxels(std::int64_t volume) {
        std::vector<float> all;
        for (std::int64_t number = 0; number < kSlices; ++number) {
            for (std::int64_t lateral = 0; lateral < kLaterals; ++lateral) {
                for (std::int64_t depth = 0; depth < kDepths; ++depth)
                    all.push_back(at(volume, number, depth, lateral));
            }
        }
        return all;
    }
    void readFrame(std::int64_t index, std::span<std::byte> out) override {
        auto* pixels = reinterpret_cast<float*>(out.data());
        if (m_swept) {
            std::ranges::copy(slice(index / kSlices, index % kSlices), pixels);
            return;
        }
        for (std::int64_t number = 0; number < kSlices; ++number)
            pixels = std::ranges::copy(slice(index, number), pixels).out;
    }

private:
    bool m_swept;
};

} // namespace echolux::test
