// SPDX-License-Identifier: GPL-3.0-or-later
// The bundled volume through the live engine on either backend, and what its reader finds.
#pragma once

#include "app/session/checked_image.hpp"
#include "app/session/session.hpp"
#include "gpu/core/decibels.hpp"
#include "gpu/memory/transfer.hpp"
#include "tests/session/fake_recording.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace echolux::test {

/// What the program copied to the host and allocated from a sweep's first frame to its last.
class SweepWatch {
public:
    void look(const Engine& engine) { ///< pipeline thread, whenever there is news
        const bool going = engine.volumeProgress().has_value();
        if (going == m_going) return;
        m_going = going;
        const MemoryCounters now = memoryCounters();
        if (going) {
            m_first = now;
            return;
        }
        m_copies = now.deviceToHost - m_first.deviceToHost;
        m_allocations = now.allocations - m_first.allocations;
        ++m_ended;
    }
    int ended() const { return m_ended; }
    std::uint64_t copies() const { return m_copies; }           ///< of the one that ended last
    std::uint64_t allocations() const { return m_allocations; } ///< of the same

private:
    bool m_going = false;
    MemoryCounters m_first;
    std::uint64_t m_copies = 0;
    std::uint64_t m_allocations = 0;
    std::atomic<int> m_ended{0};
};

struct LiveVolume {
    static constexpr std::uint64_t kBscans = 48;

    std::atomic<int> failures{0};
    SweepWatch sweeps;
    std::atomic<Engine*> watched{nullptr};
    Backend backend;
    Stream stream;
    std::unique_ptr<Engine> engine;

    explicit LiveVolume(Backend on)
        : LiveVolume(on, openRecording(ECHOLUX_SOURCE_DIR "/testdata/retina_volume.echolux.h5")) {}
    LiveVolume(Backend on, std::unique_ptr<Recording> recording,
               const std::optional<PipelineConfig>& pipeline = {})
        : backend(on), stream(on, "test") {
        SnapshotPtr snapshot = imagingSnapshot(recording->info().frame, pipeline);
        const auto look = [this] {
            if (const Engine* now = watched) sweeps.look(*now);
        };
        const auto failed = [this](const std::string&) { ++failures; };
        engine = std::make_unique<Engine>(
            std::move(recording), std::move(snapshot), on,
            Engine::Callbacks{[](std::size_t) {}, failed, [] {}, {}, look});
        watched = engine.get();
    }
    /// One whole volume, then frozen with nothing left to do.
    void playOnce() {
        engine->player().setLoop(false);
        engine->player().setSpeed(0.0);
        engine->player().play();
        EXPECT_TRUE(waitUntil([&] { return engine->statistics().framesProcessed >= kBscans; }));
        EXPECT_TRUE(waitUntil([&] { return !engine->volume().hasWork(); }));
    }
    void freezeOn(std::int64_t bscan) {
        const std::uint64_t before = engine->statistics().framesProcessed;
        engine->player().seek(bscan);
        EXPECT_TRUE(waitUntil([&] { return engine->statistics().framesProcessed > before; }));
    }
    /// As the GL thread, which then copies within the device.
    template <class Supplier> bool readBy(Supplier& supplier) {
        if (supplier.acquire() == nullptr) return false;
        supplier.release(stream.get());
        return true;
    }
    std::vector<float> voxels() {
        const DisplayVolume* volume = nullptr;
        engine->volume().offerAgain();
        EXPECT_TRUE(waitUntil([&] { return (volume = engine->volume().acquire()) != nullptr; }));
        if (volume == nullptr) return {};
        std::vector<Half> values(static_cast<std::size_t>(volume->shape.count()));
        fetch(values, volume->voxels, volume->ready, engine->volume());
        std::vector<float> wide;
        for (const Half value : values) wide.push_back(fromHalf(value));
        return wide;
    }
    /// The newest slice that has not been fetched; waits for one.
    std::vector<float> slice() {
        const DisplayFrame* image = nullptr;
        EXPECT_TRUE(waitUntil([&] { return (image = engine->mailbox().acquire()) != nullptr; }));
        if (image == nullptr) return {};
        std::vector<float> values(static_cast<std::size_t>(image->spec->count()));
        fetch(values, image->pixels, image->ready, engine->mailbox());
        return values;
    }
    /// The newest image that has not been fetched; none where there is none.
    std::vector<float> enFace() { return newestOf(engine->volume().enFace()); }
    std::vector<float> side() { return newestOf(engine->volume().side()); }

private:
    std::vector<float> newestOf(Mailbox& mailbox) {
        const DisplayFrame* image = mailbox.acquire();
        if (image == nullptr) return {};
        std::vector<float> values(static_cast<std::size_t>(image->spec->count()));
        fetch(values, image->pixels, image->ready, mailbox);
        return values;
    }
    template <class T, class Supplier>
    void fetch(std::vector<T>& values, const T* from, device::Event ready, Supplier& supplier) {
        if (backend == Backend::Cuda) device::wait(stream.get(), ready);
        download({backend, stream.get()}, values.data(), from, values.size() * sizeof(T));
        supplier.release(stream.get());
        stream.synchronize();
    }
};

/// How many of two backends' decibels differ by more than rounding makes of them.
inline std::size_t apart(const std::vector<float>& a, const std::vector<float>& b) {
    if (a.size() != b.size()) return std::max(a.size(), b.size());
    std::size_t count = 0;
    for (std::size_t i = 0; i < a.size(); ++i) count += std::abs(a[i] - b[i]) > 0.5F ? 1 : 0;
    return count;
}

} // namespace echolux::test
