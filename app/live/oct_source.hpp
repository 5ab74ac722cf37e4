// SPDX-License-Identifier: GPL-3.0-or-later
// A simulated OCT device: raw spectra of a sample that moves.
#pragma once

#include "app/live/live_parameters.hpp"
#include "app/live/source_clock.hpp"
#include "app/source/oct_simulator.hpp"

#include <atomic>
#include <string>
#include <vector>

namespace echolux {

struct OctSourceSetup {
    std::string preset = "spectrometer";
    std::string sample = "retina";
    std::int64_t lines = 128;
    double frameRateHz = 25.0; ///< B-scans per second; 0: as fast as possible
    std::int64_t places = 1;   ///< of a volume that is scanned again and again; 1: no volume
    std::int64_t repeats = 1;  ///< B-scans at each place
};

/// Frames are made by OctSimulator on the CPU's threads.
class OctSource final : public LiveSource {
public:
    /// Throws Error for a set-up that cannot be simulated. `name`: the address.
    OctSource(const OctSourceSetup& setup, const std::string& name);

    const RecordingInfo& info() const override { return m_info; }
    Outcome next(std::span<std::byte> out, FrameStamp& stamp, const std::stop_token& stop) override;
    std::vector<LiveParameter> parameters() const override { return m_parameters.list(); }
    void setParameter(const std::string& key, double value) override;

private:
    OctSetup setUp() const;
    void renew();

    OctSourceSetup m_asked;
    OctSetup m_setup;
    OctSample m_sample;
    RecordingInfo m_info;
    SourceClock m_clock;

    LiveParameters m_parameters;
    std::atomic<bool> m_changed{true};

    // The thread of next() alone.
    std::unique_ptr<OctSimulator> m_simulator;
    std::int64_t m_number = 0;
};

} // namespace echolux
