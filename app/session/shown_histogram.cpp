// SPDX-License-Identifier: GPL-3.0-or-later
// One kernel and one copy of a kilobyte per count.
#include "app/session/shown_histogram.hpp"

#include "gpu/memory/transfer.hpp"

#include <algorithm>
#include <utility>

namespace echolux {

ShownHistogram::ShownHistogram(Backend backend)
    : m_backend(backend), m_stream(backend, "histogram"),
      m_counts(computeMemory(backend), sizeof(HistogramCounts)),
      m_staging(stagingMemory(backend), sizeof(HistogramCounts)) {}

void ShownHistogram::want(const std::optional<HistogramRequest>& request) {
    const std::lock_guard lock(m_mutex);
    m_wanted = request;
}

bool ShownHistogram::isWanted() const {
    const std::lock_guard lock(m_mutex);
    return m_wanted.has_value();
}

std::shared_ptr<const ImageHistogram> ShownHistogram::latest() const {
    const std::lock_guard lock(m_mutex);
    return m_latest;
}

void ShownHistogram::count(const ShownImage& shown) {
    std::optional<HistogramRequest> wanted;
    {
        const std::lock_guard lock(m_mutex);
        wanted = std::exchange(m_wanted, std::nullopt);
        const bool same = m_latest && wanted && m_latest->asked == *wanted;
        if (same && !m_stale && m_bscan == shown.bscan) return;
    }
    if (!wanted || wanted->view >= shown.images.size()) return;
    const ConstTensorView& image = shown.images[wanted->view];
    if (image.data == nullptr || image.spec->dtype != DType::F32) return;
    m_stale = false;
    m_bscan = shown.bscan;
    const std::int64_t bscans = bscansIn(*image.spec);
    const std::int64_t pixels = image.spec->count() / bscans;
    const std::int64_t bscan = std::clamp<std::int64_t>(shown.bscan, 0, bscans - 1);
    const Exec exec{m_backend, m_stream.get()};
    countValues(exec, "histogram", static_cast<const float*>(image.data) + bscan * pixels, pixels,
                wanted->scale, m_counts.as<HistogramCounts>());
    downloadLine(exec, m_staging.data(), m_counts.data(), sizeof(HistogramCounts), 1,
                 sizeof(HistogramCounts));
    m_stream.synchronize();
    auto counted =
        std::make_shared<ImageHistogram>(ImageHistogram{*wanted, *m_staging.as<HistogramCounts>()});
    const std::lock_guard lock(m_mutex);
    m_latest = std::move(counted);
}

} // namespace echolux
