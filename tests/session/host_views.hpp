// SPDX-License-Identifier: GPL-3.0-or-later
// The pictures of all views of a pipeline on the CPU, in host memory.
#pragma once

#include "app/pipeline/runner.hpp"

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace echolux::test {

/// Pixels of each view, those of the last frame. All views are F32.
using HostViews = std::vector<std::vector<float>>;

/// Images frames in order.
class ViewsImager {
public:
    explicit ViewsImager(const SnapshotPtr& snapshot) : m_runner(Backend::Cpu, 1) {
        for (std::size_t view = 0; view < snapshot->views.size(); ++view) {
            const FrameSpec& spec = snapshot->outputOf(snapshot->views[view].source);
            m_pixels.emplace_back(static_cast<std::size_t>(spec.count()));
            m_targets[view] = ViewTarget{m_pixels.back().data()};
        }
        m_runner.apply(snapshot);
    }
    ViewsImager(const ViewsImager&) = delete;
    ViewsImager& operator=(const ViewsImager&) = delete;

    /// A frame, or all frames of an ensemble one after the other.
    void add(const std::byte* raw, std::int64_t frame) {
        m_runner.enqueue({.raw = raw, .targets = m_targets, .frame = frame});
        m_runner.drain();
    }
    HostViews take() { return std::move(m_pixels); }

private:
    HostViews m_pixels;
    ViewTargets m_targets{};
    Runner m_runner;
};

/// The views behind `count` frames of a simulator, from `first` on.
template <class Simulator> HostViews viewsBehind(const SnapshotPtr& snapshot, Simulator& simulator,
                                                 std::int64_t first, std::int64_t count) {
    ViewsImager imager(snapshot);
    std::vector<std::int16_t> codes(static_cast<std::size_t>(simulator.frame().count()));
    for (std::int64_t frame = first; frame < first + count; ++frame) {
        simulator.render(frame, codes);
        imager.add(reinterpret_cast<const std::byte*>(codes.data()), frame);
    }
    return imager.take();
}

} // namespace echolux::test
