// SPDX-License-Identifier: GPL-3.0-or-later
// A file as if it were live: its frames come at the recorded rate, again and again.
#pragma once

#include "app/live/live_source.hpp"
#include "app/live/source_clock.hpp"

#include <memory>
#include <string>

namespace echolux {

class ReplaySource final : public LiveSource {
public:
    /// The rate of recordings that state none.
    static constexpr double kUsualRateHz = 20.0;

    /// `name`: the address.
    ReplaySource(std::unique_ptr<Recording> recording, const std::string& name);

    const RecordingInfo& info() const override { return m_info; }
    Outcome next(std::span<std::byte> out, FrameStamp& stamp, const std::stop_token& stop) override;
    std::vector<LiveParameter> parameters() const override;
    void setParameter(const std::string& key, double value) override;

private:
    std::unique_ptr<Recording> m_recording;
    RecordingInfo m_info;
    SourceClock m_clock;
    double m_fastest;
    std::int64_t m_number = 0;
};

} // namespace echolux
