// SPDX-License-Identifier: GPL-3.0-or-later
// One kernel and one copy of a kilobyte per count.
#include "app/tools/histogram/look.hpp"

#include "gpu/memory/transfer.hpp"

namespace echolux {

HistogramLook::HistogramLook(const LookPlace& place)
    : AskedLook(place), m_backend(place.backend), m_stream(place.backend, "histogram"),
      m_counts(computeMemory(place.backend), sizeof(HistogramCounts)),
      m_staging(stagingMemory(place.backend), sizeof(HistogramCounts)) {}

std::shared_ptr<const ImageHistogram> HistogramLook::look(const HistogramRequest& wanted,
                                                          const LookFrame& frame) {
    if (wanted.view >= frame.images.size()) return nullptr;
    const ShownPlane plane = ShownPlane::of(frame.images[wanted.view], frame.bscan);
    if (plane.pixels == nullptr) return nullptr;
    const Exec exec{m_backend, m_stream.get()};
    countValues(exec, "histogram", plane.pixels, plane.count, wanted.scale,
                m_counts.as<HistogramCounts>());
    downloadLine(exec, m_staging.data(), m_counts.data(), sizeof(HistogramCounts), 1,
                 sizeof(HistogramCounts));
    m_stream.synchronize();
    return std::make_shared<ImageHistogram>(
        ImageHistogram{wanted, *m_staging.as<HistogramCounts>()});
}

} // namespace echolux
