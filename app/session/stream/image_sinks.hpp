// SPDX-License-Identifier: GPL-3.0-or-later
// The list of the sinks of all views of an engine. Calls them one after the other for each frame.
#pragma once

#include "app/session/stream/image_sink.hpp"

#include <array>
#include <cstddef>
#include <vector>

namespace echolux {

/// Used by the pipeline thread. Does not own the sinks; it calls them until they are removed.
class ImageSinks {
public:
    /// `last` is a sink of the first view. It is configured after all others, because it takes a
    /// share of the memory that is left.
    explicit ImageSinks(ImageSink& last) : m_entries{{&last, 0}} {}

    // No frame is between begin() and done() while these are called.
    void add(ImageSink& sink, std::size_t view); ///< `sink` has been configured
    void remove(const ImageSink& sink);
    std::size_t bytesFor(const SnapshotPtr& snapshot) const;
    void configure(const SnapshotPtr& snapshot); ///< null: the sinks give their memory back

    /// Calls begin() of the sinks of the first `views` views. Per view, the target is the memory
    /// that the first lending sink lends; null where no sink lends memory.
    ViewTargets begin(std::size_t views);
    void take(std::size_t view, const Exec& exec, const FrameRun& frames, const RunImages& images);
    void done(std::size_t views, const FrameRun& frames, std::uint64_t serial,
              Clock::time_point arrived);
    void abandon();

    bool hasWork() const;
    bool catchUp(); ///< false where no sink had work

private:
    struct Entry {
        ImageSink* sink;
        std::size_t view;
    };
    std::vector<Entry> m_entries;
};

} // namespace echolux
