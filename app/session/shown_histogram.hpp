// SPDX-License-Identifier: GPL-3.0-or-later
// The histogram of the shown image of one view, counted where the image lies.
#pragma once

#include "app/session/column/picked_column.hpp"
#include "gpu/image/histogram.hpp"

#include <cstddef>
#include <memory>
#include <mutex>
#include <optional>

namespace echolux {

struct HistogramRequest {
    std::size_t view = 0; ///< number of the view
    HistogramScale scale;

    bool operator==(const HistogramRequest&) const = default;
};

struct ImageHistogram {
    HistogramRequest asked;
    HistogramCounts counts;
};

/// Counts only when asked, each time once, on a stream of its own. The counts alone are copied to
/// the host.
class ShownHistogram {
public:
    explicit ShownHistogram(Backend backend);

    // Any thread.
    /// Asks for one count of the image that is shown by then. Null takes an unanswered request
    /// back.
    void want(const std::optional<HistogramRequest>& request);
    bool isWanted() const;
    /// The latest count; null before the first one. The same object until there is another.
    std::shared_ptr<const ImageHistogram> latest() const;

    // Pipeline thread.
    void imageCame() { m_stale = true; }
    /// Answers the request. An image that was counted in the same way is not counted again.
    void count(const ShownImage& shown);

private:
    Backend m_backend;
    Stream m_stream;
    Buffer m_counts;           ///< in compute memory
    Buffer m_staging;          ///< the same on the host
    bool m_stale = true;       ///< an image has come since the latest count
    std::int64_t m_bscan = -1; ///< that was counted

    mutable std::mutex m_mutex; ///< guards what follows
    std::optional<HistogramRequest> m_wanted;
    std::shared_ptr<const ImageHistogram> m_latest;
};

} // namespace echolux
