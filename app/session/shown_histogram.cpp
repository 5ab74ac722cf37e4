// SPDX-License-Identifier: GPL-3.0-or-later
// One kernel and one copy of a kilobyte per count.
#include "app/session/shown_histogram.hpp"

#include "gpu/memory/transfer.hpp"

#include <memory>

namespace echolux {

ShownHistogram::ShownHistogram(Backend backend)
    : m_backend(backend), m_stream(backend, "histogram"),
      m_counts(computeMemory(backend), sizeof(HistogramCounts)),
      m_staging(stagingMemory(backend), sizeof(HistogramCounts)) {}

void ShownHistogram::count(const ShownImage& shown) {
    const auto wanted = take(shown.bscan);
    if (!wanted || wanted->view >= shown.images.size()) return;
    const ShownPlane plane = ShownPlane::of(shown.images[wanted->view], shown.bscan);
    if (plane.pixels == nullptr) return;
    const Exec exec{m_backend, m_stream.get()};
    countValues(exec, "histogram", plane.pixels, plane.count, wanted->scale,
                m_counts.as<HistogramCounts>());
    downloadLine(exec, m_staging.data(), m_counts.data(), sizeof(HistogramCounts), 1,
                 sizeof(HistogramCounts));
    m_stream.synchronize();
    answer(shown.bscan, std::make_shared<ImageHistogram>(
                            ImageHistogram{*wanted, *m_staging.as<HistogramCounts>()}));
}

} // namespace echolux
