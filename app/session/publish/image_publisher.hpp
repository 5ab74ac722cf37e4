// SPDX-License-Identifier: GPL-3.0-or-later
// Hands the images of a view to a target, on a thread of its own.
#pragma once

#include "app/session/publish/publish_target.hpp"
#include "app/session/publish/staged_images.hpp"

#include <atomic>
#include <memory>
#include <mutex>
#include <thread>

namespace echolux {

class ImagePublisher final : public StagedImages {
public:
    ImagePublisher(Backend backend, std::shared_ptr<PublishTarget> target);
    ~ImagePublisher() override; ///< the engine has let it go

    PublishCounters counters() const; ///< any thread

private:
    bool wants(const FrameRun& /*frames*/) override { return m_wanted; }
    void work(const std::stop_token& stop);

    std::shared_ptr<PublishTarget> m_target;
    std::atomic<bool> m_wanted = false;
    mutable std::mutex m_mutex; ///< guards what follows
    PublishCounters m_counters;
    std::jthread m_thread; ///< must stay the last member
};

} // namespace echolux
