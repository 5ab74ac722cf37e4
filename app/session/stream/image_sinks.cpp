// SPDX-License-Identifier: GPL-3.0-or-later
// Calls each sink, one after the other.
#include "app/session/stream/image_sinks.hpp"

#include "app/pipeline/view_motion.hpp"

#include <algorithm>

namespace echolux {

ImageFormat ImageFormat::of(const SnapshotPtr& snapshot, std::size_t view) {
    if (snapshot == nullptr || view >= snapshot->views.size()) return {snapshot, nullptr};
    const auto specOf = [&](std::size_t number) -> std::shared_ptr<const FrameSpec> {
        return {snapshot, &snapshot->outputOf(snapshot->views[number].source)};
    };
    const std::optional<std::size_t> over = snapshot->views[view].over;
    return {snapshot, specOf(view), over ? specOf(*over) : nullptr,
            motionOf(*snapshot, snapshot->views[view]).has_value()};
}

std::size_t ImageSink::bytesFor(const ImageFormat&) const { return 0; }

void ImageSinks::add(ImageSink& sink, std::size_t view) {
    m_entries.insert(m_entries.end() - 1, {&sink, view});
}

void ImageSinks::remove(const ImageSink& sink) {
    std::erase_if(m_entries, [&](const Entry& entry) { return entry.sink == &sink; });
}

std::size_t ImageSinks::bytesFor(const SnapshotPtr& snapshot) const {
    std::size_t bytes = 0;
    for (const Entry& entry : m_entries)
        bytes += entry.sink->bytesFor(ImageFormat::of(snapshot, entry.view));
    return bytes;
}

void ImageSinks::configure(const SnapshotPtr& snapshot) {
    for (const Entry& entry : m_entries)
        entry.sink->configure(ImageFormat::of(snapshot, entry.view));
}

ViewTargets ImageSinks::begin(std::size_t views) {
    ViewTargets targets;
    for (const Entry& entry : m_entries) {
        if (entry.view >= views) continue;
        const ViewTarget lent = entry.sink->begin();
        if (targets[entry.view].pixels == nullptr) targets[entry.view] = lent;
    }
    return targets;
}

void ImageSinks::take(std::size_t view, const Exec& exec, const FrameRun& frames,
                      const RunImages& images) {
    for (const Entry& entry : m_entries) {
        if (entry.view == view) entry.sink->take(exec, frames, images);
    }
}

void ImageSinks::done(std::size_t views, const FrameRun& frames, std::uint64_t serial,
                      Clock::time_point arrived) {
    for (const Entry& entry : m_entries) {
        if (entry.view < views) entry.sink->done(frames, serial, arrived);
    }
}

void ImageSinks::abandon() {
    for (const Entry& entry : m_entries) entry.sink->abandon();
}

bool ImageSinks::hasWork() const {
    return std::ranges::any_of(m_entries, [](const Entry& entry) { return entry.sink->hasWork(); });
}

bool ImageSinks::catchUp() {
    bool any = false;
    for (const Entry& entry : m_entries) any = entry.sink->catchUp() || any;
    return any;
}

} // namespace echolux
