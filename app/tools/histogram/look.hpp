// SPDX-License-Identifier: GPL-3.0-or-later
// The histogram of the shown image of one view, counted where the image lies.
#pragma once

#include "app/session/look/asked_look.hpp"
#include "gpu/image/histogram.hpp"
#include "gpu/memory/buffer.hpp"

#include <cstddef>
#include <memory>

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
class HistogramLook : public AskedLook<HistogramRequest, ImageHistogram> {
public:
    explicit HistogramLook(const LookPlace& place);

private:
    std::shared_ptr<const ImageHistogram> look(const HistogramRequest& wanted,
                                               const LookFrame& frame) override;

    Backend m_backend;
    Stream m_stream;
    Buffer m_counts;  ///< in compute memory
    Buffer m_staging; ///< the same on the host
};

} // namespace echolux
