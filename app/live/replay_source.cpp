// SPDX-License-Identifier: GPL-3.0-or-later
// Reads a recording frame by frame.
#include "app/live/replay_source.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace echolux {

ReplaySource::ReplaySource(std::unique_ptr<Recording> recording, const std::string& name)
    : m_recording(std::move(recording)), m_info(m_recording->info()),
      m_clock(m_info.frameRateHz > 0.0 ? m_info.frameRateHz : kUsualRateHz),
      m_fastest(std::max(1000.0, m_clock.rate())) {
    m_info.path = name;
    m_info.frameRateHz = m_clock.rate();
    m_info.tracks = {};
}

std::vector<LiveParameter> ReplaySource::parameters() const {
    return {{"rate", "Frame rate", "Hz", "Frames per second. 0: as fast as the file is read", 0.0,
             m_fastest, m_clock.rate(), 1}};
}

void ReplaySource::setParameter(const std::string& key, double value) {
    if (key == "rate" && std::isfinite(value)) m_clock.setRate(std::clamp(value, 0.0, m_fastest));
}

LiveSource::Outcome ReplaySource::next(std::span<std::byte> out, FrameStamp& stamp,
                                       const std::stop_token& stop) {
    const std::int64_t count = m_recording->info().frameCount;
    if (!m_clock.waitDue(stop)) return Outcome::Nothing;
    m_recording->readFrame(m_number % count, out);
    const std::vector<FrameStamp> recorded = stampsOf(*m_recording, m_number % count, 1);
    if (!recorded.empty()) stamp.pose = recorded.front().pose;
    stamp.number = m_number++;
    return Outcome::Frame;
}

} // namespace echolux
