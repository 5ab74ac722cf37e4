// SPDX-License-Identifier: GPL-3.0-or-later
// The histogram of the shown image of one view, counted where the image lies.
#pragma once

#include "app/session/column/picked_column.hpp"
#include "app/session/look_request.hpp"
#include "gpu/image/histogram.hpp"

#include <cstddef>

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

/// Counts only when asked, on a stream of its own. The counts alone are copied to the host.
class ShownHistogram : public LookRequest<HistogramRequest, ImageHistogram> {
public:
    explicit ShownHistogram(Backend backend);

    /// Pipeline thread. Answers the request. An image that was counted in the same way is not
    /// counted again.
    void count(const ShownImage& shown);

private:
    Backend m_backend;
    Stream m_stream;
    Buffer m_counts;  ///< in compute memory
    Buffer m_staging; ///< the same on the host
};

} // namespace echolux
