// SPDX-License-Identifier: GPL-3.0-or-later
// The sinks of all views of an engine, told of each frame one after the other.
#pragma once

#include "app/session/stream/image_sink.hpp"

#include <array>
#include <cstddef>
#include <vector>

namespace echolux {

/// Memory for the images of one frame, one per view.
using ViewTargets = std::array<ViewTarget, kMostViews>;

/// Of the pipeline thread. Sinks stay whoever's they are and are called until they are removed.
class ImageSinks {
public:
    /// `last`, of the first view, is configured after all others: it takes a share of the memory
    /// that is left.
    explicit ImageSinks(ImageSink& last) : m_entries{{&last, 0}} {}

    // Nothing on its way.
    void add(ImageSink& sink, std::size_t view); ///< configured already
    void remove(const ImageSink& sink);
    std::size_t bytesFor(const SnapshotPtr& snapshot) const;
    void configure(const SnapshotPtr& snapshot); ///< null: memory is given back

    /// Of the first `views` views. The first sink of a view that lends memory is where its image
    /// is made; null where nobody does.
    ViewTargets begin(std::size_t views);
    void take(std::size_t view, const Exec& exec, const FrameRun& frames, const RunImages& images);
    void done(std::size_t views, const FrameRun& frames, std::uint64_t serial,
              Clock::time_point arrived);
    void abandon();

    bool hasWork() const;
    bool catchUp(); ///< false where no sink had anything to do

private:
    struct Entry {
        ImageSink* sink;
        std::size_t view;
    };
    std::vector<Entry> m_entries;
};

} // namespace echolux
