// SPDX-License-Identifier: GPL-3.0-or-later
// A simulated scanner: a linear array sends plane waves into a phantom that moves.
#pragma once

#include "app/live/live_parameters.hpp"
#include "app/live/source_clock.hpp"
#include "app/source/phantom.hpp"
#include "app/source/plane_wave_setup.hpp"
#include "gpu/echoes/point_echoes.hpp"

#include <atomic>
#include <optional>
#include <string>
#include <vector>

namespace echolux {

struct EchoSourceSetup {
    std::int64_t elements = 64;
    std::int64_t waves = 3; ///< plane waves, spread evenly over +-10 degrees; 1: 0 degrees
    double depthM = 40e-3;
    double centreFrequencyHz = 5e6;
    double frameRateHz = 50.0; ///< 0: as fast as possible
    std::string phantom = "cine";
    double scatterersPerSquareWavelength = 4.0;
    std::uint64_t seed = 1;

    // Screens before the array: those of a wall, then others in even steps down to screenDepthM.
    std::string wall = {}; ///< name of a wall (see wallNames()); empty: none
    /// Number without those of the wall, with them at most ScreenSetup::kMost. Null: one if there
    /// is room.
    std::optional<std::int64_t> screens = {};
    double screenDelayS = 0.0; ///< rms of all these screens together
    double screenGainDb = 0.0; ///< likewise
    double screenDepthM = 0.0;
    double screenLengthM = 3e-3;
    bool screensOnSent = true; ///< sent waves pass the screens too; false: only echoes do
};

/// What PointEchoes needs for these waves and frames.
PointEchoSetup pointEchoes(const PlaneWaveSetup& waves, const FrameSpec& frame);

/// Frames are made by PointEchoes, on the GPU beside the imaging where there is one. The calling
/// thread of next() selects the GPU before.
class EchoSource final : public LiveSource {
public:
    /// Throws Error for a set-up that cannot be simulated. `name`: the address.
    EchoSource(const EchoSourceSetup& setup, const std::string& name, Backend backend);

    const RecordingInfo& info() const override { return m_info; }
    Outcome next(std::span<std::byte> out, FrameStamp& stamp, const std::stop_token& stop) override;
    std::vector<LiveParameter> parameters() const override { return m_parameters.list(); }
    void setParameter(const std::string& key, double value) override;

private:
    void start();
    void applyMedium();
    std::vector<ScreenDesign> screens() const;
    PointEchoMedium medium() const;

    EchoSourceSetup m_setup;
    PlaneWaveSetup m_waves;
    Backend m_backend;
    RecordingInfo m_info;
    Phantom m_phantom;
    SourceClock m_clock;

    LiveParameters m_parameters;
    std::atomic<bool> m_mediumChanged{true};

    // The thread of next() alone.
    std::unique_ptr<PointEchoes> m_echoes;
    std::vector<EchoedPoint> m_still;
    std::vector<Scatterer> m_moving;
    std::vector<EchoedPoint> m_movingPoints;
    double m_timeS = 0.0; ///< of the phantom
    std::int64_t m_number = 0;
    float m_gain = 1.0F;
    float m_rms = 0.0F; ///< of the first frame's echoes, in codes
};

} // namespace echolux
