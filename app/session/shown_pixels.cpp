// SPDX-License-Identifier: GPL-3.0-or-later
// One copy of a plane per request.
#include "app/session/shown_pixels.hpp"

#include "gpu/memory/transfer.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

namespace echolux {

ShownPixels::ShownPixels(Backend backend) : m_backend(backend), m_stream(backend, "pixels") {}

void ShownPixels::want(std::optional<std::size_t> view) {
    const std::lock_guard lock(m_mutex);
    m_wanted = view;
}

bool ShownPixels::isWanted() const {
    const std::lock_guard lock(m_mutex);
    return m_wanted.has_value();
}

std::shared_ptr<const ImagePixels> ShownPixels::latest() const {
    const std::lock_guard lock(m_mutex);
    return m_latest;
}

void ShownPixels::copy(const ShownImage& shown) {
    std::optional<std::size_t> wanted;
    {
        const std::lock_guard lock(m_mutex);
        wanted = std::exchange(m_wanted, std::nullopt);
        const bool same = m_latest && wanted && m_latest->view == *wanted;
        if (same && !m_stale && m_bscan == shown.bscan) return;
    }
    if (!wanted || *wanted >= shown.images.size()) return;
    const ConstTensorView& image = shown.images[*wanted];
    if (image.data == nullptr || image.spec->dtype != DType::F32) return;
    m_stale = false;
    m_bscan = shown.bscan;
    auto copied = std::make_shared<ImagePixels>();
    copied->view = *wanted;
    copied->frame = shown.raw ? shown.raw.index() : 0;
    copied->spec = bscanSpec(*image.spec);
    const std::int64_t pixels = copied->spec.count();
    const std::int64_t bscan = std::clamp<std::int64_t>(shown.bscan, 0, bscansIn(*image.spec) - 1);
    const std::size_t bytes = copied->spec.bytes();
    if (m_staging.bytes() != bytes) m_staging = Buffer(stagingMemory(m_backend), bytes);
    // Counted as a line, not as an image: no picture on screen waits for it.
    downloadLine({m_backend, m_stream.get()}, m_staging.data(),
                 static_cast<const float*>(image.data) + bscan * pixels, bytes, 1, bytes);
    m_stream.synchronize();
    copied->values.resize(static_cast<std::size_t>(pixels));
    std::memcpy(copied->values.data(), m_staging.data(), bytes);
    const std::lock_guard lock(m_mutex);
    m_latest = std::move(copied);
}

} // namespace echolux
