// SPDX-License-Identifier: GPL-3.0-or-later
// Copies are enqueued behind the image on its stream; the thread gets them when they are done.
#include "app/session/publish/staged_images.hpp"

#include "gpu/memory/transfer.hpp"

#include <utility>

namespace echolux {

StagedImages::StagedImages(Backend backend, std::size_t places)
    : m_backend(backend), m_places(places) {
    for (Image& place : m_places) m_free.push_back(&place);
}

std::shared_ptr<const FrameSpec> StagedImages::specOf(const ImageFormat& format) const {
    return format.image;
}

void StagedImages::configure(const ImageFormat& format) {
    m_spec = format.image == nullptr ? nullptr : specOf(format);
    if (m_spec != nullptr) return;
    std::unique_lock lock(m_mutex);
    m_changed.wait(lock, [this] { return m_free.size() == m_places.size(); });
    for (Image& place : m_places) place.memory = {};
}

StagedImages::Image* StagedImages::freePlace() {
    const std::scoped_lock lock(m_mutex);
    if (m_free.empty()) return nullptr;
    Image* place = m_free.back();
    m_free.pop_back();
    return place;
}

void StagedImages::giveBack(Image* image) {
    {
        const std::scoped_lock lock(m_mutex);
        m_free.push_back(image);
    }
    m_changed.notify_all();
}

void StagedImages::take(const Exec& exec, const FrameRun& frames, const RunImages& images) {
    const bool wanted = wants(frames);
    Image* place = wanted && m_spec != nullptr ? freePlace() : nullptr;
    m_begun.push_back(place);
    if (place == nullptr) {
        if (wanted && m_spec != nullptr) ++m_leftOut;
        return;
    }
    const std::size_t bytes = m_spec->bytes();
    if (place->memory.bytes() != bytes) place->memory = Buffer(stagingMemory(m_backend), bytes);
    place->spec = m_spec;
    place->frame = frames.last();
    // Counted as a line, not as an image: no picture on screen waits for it.
    downloadLine(exec, place->memory.data(), images.image(frames.count - 1), bytes, 1, bytes);
}

void StagedImages::done(const FrameRun& /*frames*/, std::uint64_t /*serial*/,
                        Clock::time_point /*arrived*/) {
    Image* place = m_begun.front();
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

void StagedImages::abandon() {
    for (Image* place : std::exchange(m_begun, {}))
        if (place != nullptr) giveBack(place);
}

StagedImages::Image* StagedImages::next(const std::stop_token& stop,
                                        std::chrono::milliseconds patience) {
    std::unique_lock lock(m_mutex);
    m_changed.wait_for(lock, stop, patience, [this] { return !m_ready.empty(); });
    if (m_ready.empty()) return nullptr;
    Image* image = m_ready.front();
    m_ready.pop_front();
    return image;
}

} // namespace echolux
