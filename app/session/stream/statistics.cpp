// SPDX-License-Identifier: GPL-3.0-or-later
// Sliding windows of rates and latencies.
#include "app/session/stream/statistics.hpp"

#include "gpu/core/volume_image.hpp"

#include <algorithm>
#include <cmath>

namespace echolux {

void addOctRates(Statistics& statistics, const FrameSpec& raw) {
    const auto bscans = static_cast<double>(raw.sizeOf(AxisName::Elevation));
    statistics.bscansPerS = statistics.processedPerS * bscans;
    statistics.ascansPerS =
        statistics.bscansPerS * static_cast<double>(raw.sizeOf(AxisName::Lateral));
    const std::int64_t perVolume = raw.stack.bscansPerVolume;
    statistics.volumesPerS =
        perVolume > 1 ? statistics.bscansPerS / static_cast<double>(perVolume) : 0.0;
}

void addVolumeRate(Statistics& statistics, const Snapshot& snapshot) {
    const bool whole = isWholeVolume(snapshot.output());
    const std::int64_t images = whole ? 1 : snapshot.imageStack().bscansPerVolume;
    if (!whole && images < 2) return;
    statistics.volumesPerS =
        statistics.processedPerS / static_cast<double>(images * snapshot.ensemble());
}

double percentileOf(std::span<double> values, double fraction) {
    if (values.empty()) return 0.0;
    const auto rank =
        static_cast<std::size_t>(std::ceil(fraction * static_cast<double>(values.size())));
    const auto at = values.begin() + static_cast<std::ptrdiff_t>(
                                         std::clamp<std::size_t>(rank, 1, values.size()) - 1);
    std::nth_element(values.begin(), at, values.end());
    return *at;
}

double RateMeter::update(std::uint64_t total, Clock::time_point now) {
    constexpr auto kWindow = std::chrono::milliseconds(1000);
    m_samples.push_back({now, total});
    while (m_samples.size() > 2 && now - m_samples[1].at >= kWindow)
        m_samples.erase(m_samples.begin());
    const double seconds = std::chrono::duration<double>(now - m_samples.front().at).count();
    return seconds > 0.0 ? static_cast<double>(total - m_samples.front().total) / seconds : 0.0;
}

} // namespace echolux
