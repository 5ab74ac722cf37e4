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
    if (view && *view < m_views.size()) return m_views[*view].want(view);
    for (OfView& each : m_views) each.want(std::nullopt);
}

bool ShownPixels::isWanted() const { return std::ranges::any_of(m_views, &OfView::isWanted); }

std::shared_ptr<const ImagePixels> ShownPixels::latest(std::size_t view) const {
    return view < m_views.size() ? m_views[view].latest() : nullptr;
}

void ShownPixels::imageCame() {
    for (OfView& each : m_views) each.imageCame();
}

void ShownPixels::copy(const ShownImage& shown) {
    for (OfView& each : m_views) copy(shown, each);
}

void ShownPixels::copy(const ShownImage& shown, OfView& view) {
    const auto wanted = view.take(shown.bscan);
    if (!wanted || *wanted >= shown.images.size()) return;
    const ConstTensorView& image = shown.images[*wanted];
    const ShownPlane plane = ShownPlane::of(image, shown.bscan);
    if (plane.pixels == nullptr) return;
    auto copied = std::make_shared<ImagePixels>();
    copied->asked = *wanted;
    copied->spec = bscanSpec(*image.spec);
    copied->values.resize(static_cast<std::size_t>(plane.count));
    const std::size_t bytes = copied->spec.bytes();
    if (view.staging.bytes() != bytes) view.staging = Buffer(stagingMemory(m_backend), bytes);
    // Counted as a line, not as an image: no picture on screen waits for it.
    downloadLine({m_backend, m_stream.get()}, view.staging.data(), plane.pixels, bytes, 1, bytes);
    m_stream.synchronize();
    std::memcpy(copied->values.data(), view.staging.data(), bytes);
    view.answer(shown.bscan, std::move(copied));
}

} // namespace echolux
