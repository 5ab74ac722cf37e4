// SPDX-License-Identifier: GPL-3.0-or-later
// Echoes of points under plane waves, fast enough for a simulator that runs beside the imaging.
#pragma once

#include "gpu/echoes/screen_path.hpp"
#include "gpu/exec/exec.hpp"
#include "gpu/memory/buffer.hpp"
#include "gpu/stage/compute_table.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace echolux {

/// A point (m) in the plane of the array that scatters with `amplitude`.
struct EchoedPoint {
    float x = 0.0F;
    float z = 0.0F;
    float amplitude = 0.0F;
};

/// What stays the same from frame to frame.
struct PointEchoSetup {
    struct Wave {
        float sine = 0.0F; ///< of its angle
        float cosine = 1.0F;
        float firstSampleS = 0.0F; ///< time of the first sample; t = 0 when the wave crosses x = 0
    };
    std::vector<float> elementX; ///< m; one channel per element
    float elementWidthM = 0.0F;
    std::vector<Wave> waves;
    std::int64_t samples = 0; ///< per channel
    float samplingHz = 0.0F;
    float centreFrequencyHz = 0.0F;
    // The echo of one point: [phase][tap]; phase n lies n / phases samples later.
    std::vector<float> pulse;
    std::int64_t phases = 1; ///< the table has one more
    std::int64_t taps = 0;
    std::int64_t lead = 0; ///< the first tap belongs to sample floor(position) - lead
};

/// What a user may change while frames come.
struct PointEchoMedium {
    float soundSpeedMps = 1540.0F;
    float nepersPerM = 0.0F; ///< attenuation of the amplitude at the centre frequency
    echoes::ScreenTablesOf<float> screens = {}; ///< before a flat array; may be none
    bool screensOnSent = true; ///< sent waves pass the screens too; false: only echoes do
};

/// From sums to codes: code = round(sum * gain + noise * z), limited to +-highest. z is the sum of
/// four uniform numbers with variance 1: nearly normal, never beyond 3.5. It depends on `seed`,
/// `frame` and the place of the sample alone.
struct PointEchoCodes {
    float gain = 1.0F;
    float noise = 0.0F; ///< standard deviation, in codes
    float highest = 8191.0F;
    std::uint32_t seed = 1;
    std::uint32_t frame = 0;
};

/// The model of PlaneWaveSimulator (app/source), in single precision, without the change of the
/// pulse's shape by attenuation:
///   arrival    t = (x sin a + z cos a) / c + r / c + delay,  r = |p - e|
///   amplitude  s gain D sqrt(10 mm / r) exp(-nepersPerM (z / cos a + r)),
///              D = sinc(w sin theta / lambda) cos theta
/// `delay` and `gain` are those of the screens on the straight way from e to p and, with
/// screensOnSent, on the way of the wave to p.
/// Sums are kept in whole steps of 2^-16, so they do not depend on the order of the points.
class PointEchoes {
public:
    static constexpr float kUnit = 65536.0F; ///< steps of a sum of 1

    /// Throws OutOfMemory.
    PointEchoes(Backend backend, const PointEchoSetup& setup);

    /// Call setStill() after it.
    void setMedium(const PointEchoMedium& medium);
    /// Points that do not move. Their echoes are summed once.
    void setStill(std::span<const EchoedPoint> points);
    /// Writes codes [wave][channel][sample] of all points to `out`, which is pinned memory on CUDA.
    /// Returns when they are there.
    void render(std::span<const EchoedPoint> moving, const PointEchoCodes& codes,
                std::int16_t* out);
    /// Sums of the latest frame, [wave][channel][sample], in steps of 1 / kUnit.
    std::vector<std::int32_t> sums() const;

private:
    void add(std::span<const EchoedPoint> points, const std::int32_t* base, std::int32_t* to);
    std::int64_t count() const {
        return m_setup.samples * static_cast<std::int64_t>(m_setup.elementX.size()) *
               static_cast<std::int64_t>(m_setup.waves.size());
    }

    PointEchoSetup m_setup;
    PointEchoMedium m_medium;
    Stream m_stream;
    Exec m_exec;
    ComputeTable<float> m_elements;
    ComputeTable<PointEchoSetup::Wave> m_waves;
    ComputeTable<float> m_pulse;
    ComputeTable<echoes::ScreenOf<float>> m_screens;
    ComputeTable<float> m_screenValues;
    Buffer m_staging; ///< points on their way to the device
    Buffer m_points;
    Buffer m_still;
    Buffer m_sums;
    Buffer m_codes; ///< on CUDA
};

} // namespace echolux
