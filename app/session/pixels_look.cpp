// SPDX-License-Identifier: GPL-3.0-or-later
// One copy of a plane per request.
#include "app/session/pixels_look.hpp"

#include "app/session/uncompressed.hpp"
#include "gpu/memory/transfer.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

namespace echolux {
namespace {

/// The amplitudes that the levels of a view are made of.
ShownPlane amplitudesBehind(const LookFrame& frame, std::size_t view) {
    const auto stage = stageBeforeLevels(*frame.snapshot, view);
    return stage ? ShownPlane::of(frame.kept(*stage), frame.bscan) : ShownPlane{};
}

} // namespace

std::vector<float> CopiedPlane::wholeRange() const {
    std::vector<float> whole = values;
    restoreLevels(whole, amplitudes);
    return whole;
}

PixelsLook::PixelsLook(const LookPlace& place)
    : m_wake(place.wake), m_backend(place.backend), m_stream(place.backend, "pixels") {}

std::vector<std::string> PixelsLook::outputs(const Snapshot& snapshot) {
    std::vector<std::string> kept;
    for (std::size_t view = 0; view < snapshot.views.size(); ++view) {
        if (auto stage = stageBeforeLevels(snapshot, view)) kept.push_back(std::move(*stage));
        const auto behind = linesBehind(snapshot, view);
        if (!behind) continue;
        kept.push_back(behind->lines);
        if (behind->amplitudes) kept.push_back(*behind->amplitudes);
    }
    return kept;
}

void PixelsLook::want(std::size_t view) {
    if (view >= m_views.size()) return;
    m_views[view].want(view);
    m_wake();
}

std::shared_ptr<const ImagePixels> PixelsLook::latest(std::size_t view) const {
    return view < m_views.size() ? m_views[view].latest() : nullptr;
}

void PixelsLook::imageCame(std::int64_t) {
    for (OfView& each : m_views) each.imageCame();
}

std::optional<Clock::time_point> PixelsLook::due() const {
    return std::ranges::any_of(m_views, &OfView::isWanted) ? std::optional(Clock::time_point())
                                                           : std::nullopt;
}

bool PixelsLook::isAnswered() const {
    return std::ranges::none_of(m_views, &OfView::isWanted) && !m_copies;
}

bool PixelsLook::run(const LookFrame& frame) {
    m_copies = true;
    for (OfView& each : m_views) copy(frame, each);
    m_copies = false;
    return false;
}

void PixelsLook::copy(const LookFrame& frame, OfView& view) {
    const auto wanted = view.take(frame.bscan);
    if (!wanted || *wanted >= frame.images.size()) return;
    const ConstTensorView& image = frame.images[*wanted];
    const ShownPlane plane = ShownPlane::of(image, frame.bscan);
    if (plane.pixels == nullptr) return;
    auto copied = std::make_shared<ImagePixels>();
    copied->asked = *wanted;
    copied->spec = bscanSpec(*image.spec);
    copied->values = hostCopy(plane, view.staging);
    const ShownPlane amplitudes = amplitudesBehind(frame, *wanted);
    if (amplitudes.count == plane.count) copied->amplitudes = hostCopy(amplitudes, view.staging);
    copied->lines = linesOf(frame, *wanted, view.staging);
    view.answer(frame.bscan, std::move(copied));
}

std::optional<CopiedPlane> PixelsLook::linesOf(const LookFrame& frame, std::size_t view,
                                               Buffer& staging) {
    const auto behind = linesBehind(*frame.snapshot, view);
    const ShownPlane samples = behind ? ShownPlane::of(frame.kept(behind->lines), 0) : ShownPlane{};
    if (samples.pixels == nullptr) return std::nullopt;
    CopiedPlane copied{behind->spec, hostCopy(samples, staging)};
    if (!behind->amplitudes) return copied;
    const ShownPlane amplitudes = ShownPlane::of(frame.kept(*behind->amplitudes), 0);
    if (amplitudes.count == samples.count) copied.amplitudes = hostCopy(amplitudes, staging);
    return copied;
}

std::vector<float> PixelsLook::hostCopy(const ShownPlane& plane, Buffer& staging) {
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
