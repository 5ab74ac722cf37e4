// SPDX-License-Identifier: GPL-3.0-or-later
// One copy of a plane per request.
#include "app/session/shown_pixels.hpp"

#include "app/session/uncompressed.hpp"
#include "gpu/memory/transfer.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

namespace echolux {
namespace {

/// The amplitudes of the envelope, where `image` shows levels on the same axes.
ShownPlane amplitudesBehind(const FrameSpec& image, const ShownImage& shown) {
    const bool isLevels = image.valueRange && image.valueRange->unit == "dB";
    if (!isLevels || shown.envelope.data == nullptr || shown.envelope.spec->axes != image.axes)
        return {};
    return ShownPlane::of(shown.envelope, shown.bscan);
}

} // namespace

std::vector<float> CopiedPlane::wholeRange() const {
    std::vector<float> whole = values;
    restoreLevels(whole, amplitudes);
    return whole;
}

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

void ShownPixels::copy(const ShownImage& shown, const KeptOutputs& kept) {
    for (OfView& each : m_views) copy(shown, kept, each);
}

void ShownPixels::copy(const ShownImage& shown, const KeptOutputs& kept, OfView& view) {
    const auto wanted = view.take(shown.bscan);
    if (!wanted || *wanted >= shown.images.size()) return;
    const ConstTensorView& image = shown.images[*wanted];
    const ShownPlane plane = ShownPlane::of(image, shown.bscan);
    if (plane.pixels == nullptr) return;
    auto copied = std::make_shared<ImagePixels>();
    copied->asked = *wanted;
    copied->spec = bscanSpec(*image.spec);
    copied->values = hostCopy(plane, view.staging);
    const ShownPlane amplitudes = amplitudesBehind(*image.spec, shown);
    if (amplitudes.count == plane.count) copied->amplitudes = hostCopy(amplitudes, view.staging);
    copied->lines = linesOf(*shown.snapshot, *wanted, kept, view.staging);
    view.answer(shown.bscan, std::move(copied));
}

std::optional<CopiedPlane> ShownPixels::linesOf(const Snapshot& snapshot, std::size_t view,
                                                const KeptOutputs& kept, Buffer& staging) {
    const auto behind = linesBehind(snapshot, view);
    const ShownPlane samples = behind ? ShownPlane::of(kept(behind->lines), 0) : ShownPlane{};
    if (samples.pixels == nullptr) return std::nullopt;
    CopiedPlane copied{behind->spec, hostCopy(samples, staging)};
    if (!behind->amplitudes) return copied;
    const ShownPlane amplitudes = ShownPlane::of(kept(*behind->amplitudes), 0);
    if (amplitudes.count == samples.count) copied.amplitudes = hostCopy(amplitudes, staging);
    return copied;
}

std::vector<float> ShownPixels::hostCopy(const ShownPlane& plane, Buffer& staging) {
    std::vector<float> values(static_cast<std::size_t>(plane.count));
    const std::size_t bytes = values.size() * sizeof(float);
    if (staging.bytes() != bytes) staging = Buffer(stagingMemory(m_backend), bytes);
    // Counted as a line, not as an image: no picture on screen waits for it.
    downloadLine({m_backend, m_stream.get()}, staging.data(), plane.pixels, bytes, 1, bytes);
    m_stream.synchronize();
    std::memcpy(values.data(), staging.data(), bytes);
    return values;
}

} // namespace echolux
