// SPDX-License-Identifier: GPL-3.0-or-later
// Places whose echoes tell the speed of sound, and the waves as they travel at each speed.
#pragma once

#include "gpu/core/frame_spec.hpp"
#include "gpu/core/portable.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace echolux::sound_speed {

struct Vector {
    float x = 0.0F;
    float y = 0.0F;
    float z = 0.0F;
};
ECHOLUX_HD inline Vector operator+(Vector a, Vector b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
ECHOLUX_HD inline Vector operator-(Vector a, Vector b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
ECHOLUX_HD inline Vector operator*(float s, Vector a) { return {s * a.x, s * a.y, s * a.z}; }
ECHOLUX_HD inline float dot(Vector a, Vector b) { return a.x * b.x + a.y * b.y + a.z * b.z; }

/// The rectangle of an image in which the speed is estimated, as the recorded speed shows it.
struct Region {
    double leftM = 0.0;
    double rightM = 0.0;
    double topM = 0.0;
    double bottomM = 0.0;
};

/// A place on a line out of the array, by the time at which its echo comes straight back.
struct Place {
    Vector foot;   ///< where the line leaves the array
    Vector normal; ///< the line's direction
    float reachM;  ///< channels farther from the line are not heard; the same for all speeds
    float timeS;   ///< since the first sample
    std::int32_t transmit;
    std::int32_t block; ///< for the error: places of one part of the region
};

/// A transmit at one speed of sound.
struct WaveAt {
    Vector way; ///< a plane wave's direction, or a diverging wave's source
    float sourceRangeM = 0.0F;
    float firstSampleS = 0.0F; ///< less what was asked as delay
    float speedMps = 0.0F;
    bool isPlane = true;

    /// How far the place lies along its line. Below 0: nowhere.
    ECHOLUX_HD float rangeOf(const Place& place) const {
        const float path = speedMps * (place.timeS + firstSampleS);
        if (isPlane) return (path - dot(way, place.foot)) / (1.0F + dot(way, place.normal));
        const Vector away = place.foot - way;
        const float sum = path + sourceRangeM;
        return 0.5F * (sum * sum - dot(away, away)) / (sum + dot(away, place.normal));
    }
};

/// The waves of all transmits at `speedMps`. `delayS` passes between an echo and its samples,
/// besides what the recording knows. Throws Error where a transmit is no plane or diverging wave.
std::vector<WaveAt> wavesAt(const Acquisition& acquisition, double speedMps, double delayS);

inline constexpr std::int32_t kBlocksAcross = 4;
inline constexpr std::int32_t kBlocksDown = 5;
inline constexpr std::int32_t kBlocks = kBlocksAcross * kBlocksDown;

struct Speeds {
    double lowestMps = 0.0;
    double highestMps = 0.0;
};

struct PlaceOptions {
    double fNumber = 0.5; ///< elements within 45 degrees
    double delayS = 0.0;
    std::optional<Region> region = std::nullopt; ///< empty: what is insonified, where the array is
                                                 ///< wide beside the depth
    std::int64_t most = 60'000;
};

/// Places in what is insonified at all speeds. Empty where there is nothing. Throws Error where the
/// array is neither flat nor a line in the x-z plane.
std::vector<Place> placesFor(const FrameSpec& channels, const Speeds& speeds,
                             const PlaceOptions& options);

} // namespace echolux::sound_speed
