// SPDX-License-Identifier: GPL-3.0-or-later
// Hands the images of a view to a target, on a thread of its own.
#pragma once

#include "app/session/publish/publish_target.hpp"
#include "app/session/stream/image_sink.hpp"
#include "gpu/memory/buffer.hpp"

#include <array>
#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <deque>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

namespace echolux {

/// The pipeline never waits for it: where all places are taken, an image is left out.
class ImagePublisher final : public ImageSink {
public:
    ImagePublisher(Backend backend, std::shared_ptr<PublishTarget> target);
    ~ImagePublisher() override; ///< the engine has let it go

    // Any thread.
    PublishCounters counters() const;
    std::uint64_t leftOut() const { return m_leftOut; } ///< images for which there was no place

    void configure(const ImageFormat& format) override;
    void take(const Exec& exec, const FrameRun& frames, const RunImages& images) override;
    void done(const FrameRun& frames, std::uint64_t serial, Clock::time_point arrived) override;
    void abandon() override;

private:
    static constexpr std::size_t kPlaces = 4;
    struct Place {
        Buffer memory; ///< pinned on CUDA
        std::shared_ptr<const FrameSpec> spec;
        std::int64_t frame = 0;
        std::int64_t timeNs = 0;
    };
    void work(const std::stop_token& stop);
    Place* freePlace();
    void giveBack(Place* place);

    Backend m_backend;
    std::shared_ptr<PublishTarget> m_target;
    std::shared_ptr<const FrameSpec> m_spec; ///< of one image; null: there are none
    std::array<Place, kPlaces> m_places;
    std::deque<Place*> m_begun; ///< taken and not done, in order; null: left out
    std::atomic<bool> m_wanted = false;
    std::atomic<std::uint64_t> m_leftOut = 0;

    mutable std::mutex m_mutex; ///< guards what follows
    std::condition_variable_any m_changed;
    std::vector<Place*> m_free;
    std::deque<Place*> m_ready; ///< to be sent
    PublishCounters m_counters;
    std::jthread m_thread; ///< must stay the last member
};

} // namespace echolux
