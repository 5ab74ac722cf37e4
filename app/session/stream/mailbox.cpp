// SPDX-License-Identifier: GPL-3.0-or-later
// Exchange of images between the pipeline thread and the GL thread.
#include "app/session/stream/mailbox.hpp"

#include "gpu/core/error.hpp"

#include <algorithm>
#include <array>
#include <stdexcept>
#include <utility>

namespace echolux {

std::int64_t bscansIn(const FrameSpec& image) { return image.sizeOf(AxisName::Elevation); }

FrameSpec bscanSpec(const FrameSpec& image) {
    FrameSpec one = image;
    std::erase_if(one.axes, [](const Axis& axis) { return axis.name == AxisName::Elevation; });
    return one;
}

Mailbox::Mailbox(Backend backend, int images, Presented presented)
    : m_backend(backend), m_presented(std::move(presented)) {
    m_images.resize(static_cast<std::size_t>(images));
    for (Image& image : m_images) {
        image.ready = Event(backend, false);
        image.consumed = Event(backend, false);
        m_free.push_back(&image);
    }
}

Mailbox::~Mailbox() {
    try {
        for (const Image& image : m_images) image.consumed.synchronize();
    } catch (const Error&) { // a broken device has no reads left
    }
}

ImageBytes Mailbox::imageBytes() const {
    const Image& image = m_images.front();
    return {image.pixels.bytes(), image.beneath.bytes(), image.motion.bytes()};
}

void Mailbox::resize(const ImageBytes& bytes) {
    // Made first, so that after an error everything is as before.
    std::vector<std::array<Buffer, 3>> fresh(m_images.size());
    const MemoryKind kind = computeMemory(m_backend);
    for (auto& [pixels, beneath, motion] : fresh) {
        pixels = Buffer(kind, bytes.pixels);
        beneath = Buffer(kind, bytes.beneath);
        motion = Buffer(kind, bytes.motion);
    }
    std::unique_lock lock(m_mutex);
    m_readDone.wait(lock, [this] { return !m_reading; });
    m_published = m_shown = nullptr;
    m_free.clear();
    for (std::size_t i = 0; i < m_images.size(); ++i) {
        m_images[i].consumed.synchronize();
        m_images[i].pixels = std::move(fresh[i][0]);
        m_images[i].beneath = std::move(fresh[i][1]);
        m_images[i].beneathSpec = nullptr;
        m_images[i].motion = std::move(fresh[i][2]);
        m_images[i].moves = false;
        m_free.push_back(&m_images[i]);
    }
}

std::int64_t Mailbox::shownFrame() {
    const std::lock_guard lock(m_mutex);
    return m_display.frame;
}

std::int64_t Mailbox::shownBscan() {
    const std::lock_guard lock(m_mutex);
    return m_display.bscan;
}

std::uint64_t Mailbox::shownEdit() {
    const std::lock_guard lock(m_mutex);
    return m_acquired.edit;
}

std::uint64_t Mailbox::shownImage() {
    const std::lock_guard lock(m_mutex);
    return m_acquired.serial;
}

Image* Mailbox::beginWrite() {
    const std::lock_guard lock(m_mutex);
    if (m_free.empty()) throw std::logic_error("mailbox: more images in flight than were made");
    Image* image = m_free.back();
    m_free.pop_back();
    return image;
}

void Mailbox::publish(Image* image) {
    const std::lock_guard lock(m_mutex);
    image->origin.processed = Clock::now();
    if (m_published != nullptr) m_free.push_back(m_published);
    m_published = image;
}

void Mailbox::abandon(Image* image) {
    const std::lock_guard lock(m_mutex);
    m_free.push_back(image);
}

const DisplayFrame* Mailbox::acquire() {
    const std::lock_guard lock(m_mutex);
    if (m_published == nullptr) return nullptr;
    if (m_shown != nullptr) m_free.push_back(m_shown);
    m_shown = std::exchange(m_published, nullptr);
    m_reading = true;
    m_shown->origin.fetched = Clock::now();
    m_acquired = m_shown->origin;
    const std::int64_t bscan = std::clamp<std::int64_t>(m_bscan, 0, m_shown->bscans - 1);
    m_display.spec = m_shown->spec;
    m_display.pixels = m_shown->pixels.as<const float>() + bscan * m_shown->spec->count();
    m_display.backend = m_backend;
    m_display.ready = m_shown->ready.get();
    m_display.serial = m_acquired.serial;
    m_display.frame = m_acquired.frame;
    m_display.bscan = m_acquired.frame * m_shown->bscans + bscan;
    m_display.exposure = m_shown->exposure;
    m_display.beneathSpec = m_shown->beneathSpec;
    m_display.beneath = nullptr;
    if (m_shown->beneathSpec != nullptr) {
        const std::int64_t each = m_shown->beneathSpec->count();
        const auto held = static_cast<std::int64_t>(m_shown->beneath.bytes() / sizeof(float));
        const std::int64_t number = std::min(bscan, std::max<std::int64_t>(held / each - 1, 0));
        m_display.beneath = m_shown->beneath.as<const float>() + number * each;
    }
    m_display.motion = m_shown->moves ? m_shown->motion.as<const float>() : nullptr;
    return &m_display;
}

void Mailbox::release(device::Stream stream) {
    {
        const std::lock_guard lock(m_mutex);
        m_reading = false;
        try {
            if (m_shown != nullptr) m_shown->consumed.record({m_backend, stream});
        } catch (const Error&) { // the device has failed; the pipeline's next call reports it
        }
    }
    m_readDone.notify_all();
}

void Mailbox::presented(std::uint64_t serial) {
    ImageOrigin origin;
    {
        const std::lock_guard lock(m_mutex);
        if (m_acquired.serial != serial) return;
        origin = m_acquired;
    }
    m_presented(origin);
}

std::int64_t Mailbox::chosenBscan() {
    const std::lock_guard lock(m_mutex);
    return m_bscan;
}

void Mailbox::showBscan(std::int64_t bscan) {
    const std::lock_guard lock(m_mutex);
    if (bscan == m_bscan) return;
    m_bscan = bscan;
    if (m_published == nullptr && !m_reading) m_published = std::exchange(m_shown, nullptr);
}

void Mailbox::restartLatency() {
    const std::lock_guard lock(m_mutex);
    if (m_published == nullptr) return;
    m_published->origin.arrived = m_published->origin.processed = Clock::now();
}

} // namespace echolux
