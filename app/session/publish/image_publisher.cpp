// SPDX-License-Identifier: GPL-3.0-or-later
// Copies are enqueued behind the image on its stream; the thread gets them when they are done.
#include "app/session/publish/image_publisher.hpp"

#include "gpu/core/error.hpp"
#include "gpu/core/volume_image.hpp"
#include "gpu/memory/transfer.hpp"

#include <spdlog/spdlog.h>

#include <chrono>
#include <utility>

namespace echolux {

ImagePublisher::ImagePublisher(Backend backend, std::shared_ptr<PublishTarget> target)
    : m_backend(backend), m_target(std::move(target)),
      m_thread([this](const std::stop_token& stop) { work(stop); }) {
    for (Place& place : m_places) m_free.push_back(&place);
}

ImagePublisher::~ImagePublisher() = default;

void ImagePublisher::configure(const ImageFormat& format) {
    m_spec = format.image;
    if (m_spec != nullptr) return;
    std::unique_lock lock(m_mutex);
    m_changed.wait(lock, [this] { return m_free.size() == kPlaces; });
    for (Place& place : m_places) place.memory = {};
}

ImagePublisher::Place* ImagePublisher::freePlace() {
    const std::scoped_lock lock(m_mutex);
    if (m_free.empty()) return nullptr;
    Place* place = m_free.back();
    m_free.pop_back();
    return place;
}

void ImagePublisher::giveBack(Place* place) {
    {
        const std::scoped_lock lock(m_mutex);
        m_free.push_back(place);
    }
    m_changed.notify_all();
}

void ImagePublisher::take(const Exec& exec, const FrameRun& frames, const RunImages& images) {
    Place* place = m_wanted && m_spec != nullptr ? freePlace() : nullptr;
    if (place == nullptr) {
        if (m_wanted) ++m_leftOut;
        m_begun.push_back(nullptr);
        return;
    }
    const std::size_t bytes = m_spec->bytes();
    if (place->memory.bytes() != bytes) place->memory = Buffer(stagingMemory(m_backend), bytes);
    place->spec = m_spec;
    place->frame = frames.last();
    m_begun.push_back(place);
    // Counted as a line, not as an image: no picture on screen waits for it.
    downloadLine(exec, place->memory.data(), images.image(frames.count - 1), bytes, 1, bytes);
}

void ImagePublisher::done(const FrameRun& /*frames*/, std::uint64_t /*serial*/,
                          Clock::time_point /*arrived*/) {
    Place* place = m_begun.front();
    m_begun.pop_front();
    if (place == nullptr) return;
    const auto now = std::chrono::system_clock::now().time_since_epoch();
    place->timeNs = std::chrono::duration_cast<std::chrono::nanoseconds>(now).count();
    {
        const std::scoped_lock lock(m_mutex);
        m_ready.push_back(place);
    }
    m_changed.notify_all();
}

void ImagePublisher::abandon() {
    for (Place* place : std::exchange(m_begun, {}))
        if (place != nullptr) giveBack(place);
}

PublishCounters ImagePublisher::counters() const {
    const std::scoped_lock lock(m_mutex);
    return m_counters;
}

void ImagePublisher::work(const std::stop_token& stop) {
    constexpr std::chrono::milliseconds kLook{50}; // for receivers that come and go
    while (!stop.stop_requested()) {
        m_wanted = m_target->isWanted();
        Place* place = nullptr;
        {
            std::unique_lock lock(m_mutex);
            m_counters = m_target->counters();
            m_changed.wait_for(lock, stop, kLook, [this] { return !m_ready.empty(); });
            if (m_ready.empty()) continue;
            place = m_ready.front();
            m_ready.pop_front();
        }
        const auto* values = static_cast<const float*>(place->memory.data());
        m_target->send({place->spec.get(),
                        {values, static_cast<std::size_t>(place->spec->count())},
                        place->frame,
                        place->timeNs});
        giveBack(place);
    }
}

} // namespace echolux
