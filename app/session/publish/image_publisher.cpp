// SPDX-License-Identifier: GPL-3.0-or-later
// The thread between places in memory and a target.
#include "app/session/publish/image_publisher.hpp"

#include <utility>

namespace echolux {

namespace {

constexpr std::size_t kPlaces = 4;

} // namespace

ImagePublisher::ImagePublisher(Backend backend, std::shared_ptr<PublishTarget> target)
    : StagedImages(backend, kPlaces), m_target(std::move(target)),
      m_thread([this](const std::stop_token& stop) { work(stop); }) {}

ImagePublisher::~ImagePublisher() = default;

PublishCounters ImagePublisher::counters() const {
    const std::scoped_lock lock(m_mutex);
    return m_counters;
}

void ImagePublisher::work(const std::stop_token& stop) {
    constexpr std::chrono::milliseconds kLook{50}; // for receivers that come and go
    while (!stop.stop_requested()) {
        m_wanted = m_target->isWanted();
        {
            const std::scoped_lock lock(m_mutex);
            m_counters = m_target->counters();
        }
        Image* image = next(stop, kLook);
        if (image == nullptr) continue;
        m_target->send({image->spec.get(), image->values(), image->frame, image->timeNs});
        giveBack(image);
    }
}

} // namespace echolux
