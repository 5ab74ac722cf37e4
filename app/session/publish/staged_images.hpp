// SPDX-License-Identifier: GPL-3.0-or-later
// Copies the images of a view to places in host memory, for a thread that takes its time.
#pragma once

#include "app/session/stream/image_sink.hpp"
#include "gpu/memory/buffer.hpp"

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <deque>
#include <memory>
#include <mutex>
#include <stop_token>
#include <vector>

namespace echolux {

/// The pipeline never waits for a place: where all are taken, an image is left out.
class StagedImages : public ImageSink {
public:
    StagedImages(Backend backend, std::size_t places);

    /// Any thread. Images for which there was no place.
    std::uint64_t leftOut() const { return m_leftOut; }

    /// Without an image it waits until the thread has given all places back.
    void configure(const ImageFormat& format) override;
    void take(const Exec& exec, const FrameRun& frames, const RunImages& images) override;
    void done(const FrameRun& frames, std::uint64_t serial, Clock::time_point arrived) override;
    void abandon() override;

protected:
    struct Image {
        Buffer memory; ///< pinned on CUDA
        std::shared_ptr<const FrameSpec> spec;
        std::int64_t frame = 0;  ///< the last one of its run
        std::int64_t timeNs = 0; ///< since 1970

        std::span<const float> values() const {
            return {static_cast<const float*>(memory.data()),
                    static_cast<std::size_t>(spec->count())};
        }
    };
    /// Pipeline thread: whether a copy of these images is wanted.
    virtual bool wants(const FrameRun& frames) = 0;
    /// Pipeline thread: what the images are; null: none is wanted in this format.
    virtual std::shared_ptr<const FrameSpec> specOf(const ImageFormat& format) const;

    // The other thread.
    /// The oldest image that waits. Null after `patience`, or once `stop` is requested.
    Image* next(const std::stop_token& stop, std::chrono::milliseconds patience);
    void giveBack(Image* image);

private:
    Image* freePlace();

    Backend m_backend;
    std::shared_ptr<const FrameSpec> m_spec; ///< of one image; null: there are none
    std::vector<Image> m_places;
    std::deque<Image*> m_begun; ///< taken and not done, in order; null: not copied
    std::atomic<std::uint64_t> m_leftOut = 0;

    std::mutex m_mutex; ///< guards what follows
    std::condition_variable_any m_changed;
    std::vector<Image*> m_free;
    std::deque<Image*> m_ready;
};

} // namespace echolux
