// SPDX-License-Identifier: GPL-3.0-or-later
// Tracks of bubbles: a Kalman filter with constant velocity per bubble, and what a link to a bubble
// of the next frame costs.
//
// Depth and lateral position are filtered apart and alike, so that they share one covariance P of
// place p and speed v. T is the time from frame to frame, r the standard deviation of a measured
// place, a that of the acceleration, which is constant within a frame and new in each:
//   p' = p + T v                       P' = F P F^T + a^2 g g^T,  F = [1 T; 0 1],  g = [T^2/2; T]
//   x = x' + K (z - p')                K = P' [1; 0] / (P'[p][p] + r^2),  P = (1 - K [1 0]) P'
// (Y. Bar-Shalom, X. R. Li, T. Kirubarajan, Estimation with Applications to Tracking and
// Navigation, 2001, 5.2 and 6.3.2.) A new track stands where its bubble is, with the speed 0 +-
// half the largest one.
//
// NOTE: products that are added to something are written as fmaf(), which rounds once on every
// processor. So both backends find the same tracks.
#pragma once

#include "gpu/core/portable.hpp"
#include "gpu/flow/bubbles.hpp"

#include <cmath>
#include <cstdint>

namespace echolux::flow {

/// A track as one frame leaves it to the next. Speeds are per second, or per frame where the time
/// between frames is unknown.
struct Track {
    float depth = 0.0F;
    float lateral = 0.0F;
    float depthSpeed = 0.0F;
    float lateralSpeed = 0.0F;
    float placeVariance = 0.0F;
    float covariance = 0.0F; ///< of place and speed
    float speedVariance = 0.0F;
    float lastDepth = 0.0F; ///< where its last bubble was
    float lastLateral = 0.0F;
    float fromDepth = 0.0F; ///< where the line of the next row begins, see TrackedBubble
    float fromLateral = 0.0F;
    std::int32_t number = 0;  ///< from 1; 0: unused
    std::int32_t age = 0;     ///< frames since its first bubble
    std::int32_t bubbles = 0; ///< so far
    std::int32_t missed = 0;  ///< frames since its last bubble
};

/// What decides about all tracks alike.
struct TrackRules {
    float time;                ///< T
    float noise;               ///< r^2
    float placeDrift;          ///< of a frame: a^2 T^4 / 4
    float covarianceDrift;     ///< a^2 T^3 / 2
    float speedDrift;          ///< a^2 T^2
    float speedVariance;       ///< of a new track
    float farthest;            ///< square of the largest way from frame to frame
    std::int32_t mostMissed;   ///< frames without a bubble in a row
    std::int32_t leastBubbles; ///< of a track that counts

    static TrackRules of(double time, double noise, double acceleration, double fastest) {
        const double speed = acceleration * time;
        const auto real = [](double value) { return static_cast<float>(value); };
        return {real(time),
                real(noise * noise),
                real(0.25 * speed * speed * time * time),
                real(0.5 * speed * speed * time),
                real(speed * speed),
                real(0.25 * fastest * fastest),
                real(fastest * time * fastest * time),
                0,
                1};
    }
};

/// False for unused rows, and for places that are no numbers.
ECHOLUX_HD inline bool isBubble(const Bubble& bubble) {
    return bubble.amplitude > 0.0F && std::isfinite(bubble.depth) && std::isfinite(bubble.lateral);
}

ECHOLUX_HD inline void begin(Track& track, const Bubble& bubble, std::int32_t number,
                             const TrackRules& rules) {
    track = {};
    track.depth = track.lastDepth = track.fromDepth = bubble.depth;
    track.lateral = track.lastLateral = track.fromLateral = bubble.lateral;
    track.placeVariance = rules.noise;
    track.speedVariance = rules.speedVariance;
    track.number = number;
    track.bubbles = 1;
}

/// By one frame.
ECHOLUX_HD inline void predict(Track& track, const TrackRules& rules) {
    const float t = rules.time;
    track.depth = fmaf(t, track.depthSpeed, track.depth);
    track.lateral = fmaf(t, track.lateralSpeed, track.lateral);
    track.placeVariance = fmaf(t, fmaf(t, track.speedVariance, 2.0F * track.covariance),
                               track.placeVariance + rules.placeDrift);
    track.covariance = fmaf(t, track.speedVariance, track.covariance + rules.covarianceDrift);
    track.speedVariance += rules.speedDrift;
    ++track.age;
    ++track.missed;
}

/// By a bubble that is linked to it.
ECHOLUX_HD inline void correct(Track& track, const Bubble& bubble, const TrackRules& rules) {
    const float spread = track.placeVariance + rules.noise;
    const float place = track.placeVariance / spread;
    const float speed = track.covariance / spread;
    const float deeper = bubble.depth - track.depth;
    const float righter = bubble.lateral - track.lateral;
    track.depth = fmaf(place, deeper, track.depth);
    track.lateral = fmaf(place, righter, track.lateral);
    track.depthSpeed = fmaf(speed, deeper, track.depthSpeed);
    track.lateralSpeed = fmaf(speed, righter, track.lateralSpeed);
    track.speedVariance = fmaf(-speed, track.covariance, track.speedVariance);
    track.covariance = fmaf(-place, track.covariance, track.covariance);
    track.placeVariance = fmaf(-place, track.placeVariance, track.placeVariance);
    track.lastDepth = track.depth;
    track.lastLateral = track.lateral;
    ++track.bubbles;
    track.missed = 0;
}

/// Costs of an Assignment of predicted tracks to bubbles: squared distances. A bubble is too far
/// from a track where the way there is faster than the largest speed, or where so large a distance
/// from the prediction has a chance below 0.1 % (chi-square with two degrees of freedom).
struct LinkCosts {
    static constexpr float kUnlikely = 13.8F;

    const Track* tracks;
    const Bubble* bubbles;
    TrackRules rules;

    ECHOLUX_HD float link(int row, int column) const {
        const Track& track = tracks[row];
        const Bubble& bubble = bubbles[column];
        if (track.number == 0 || !isBubble(bubble)) return INFINITY;
        const float cost = square(bubble.depth - track.depth, bubble.lateral - track.lateral);
        const float way =
            square(bubble.depth - track.lastDepth, bubble.lateral - track.lastLateral);
        return cost <= none(row) && way <= farthest(track) ? cost : INFINITY;
    }
    ECHOLUX_HD float none(int row) const {
        const Track& track = tracks[row];
        if (track.number == 0) return 0.0F;
        return fminf(farthest(track), kUnlikely * (track.placeVariance + rules.noise));
    }

private:
    ECHOLUX_HD static float square(float a, float b) { return fmaf(a, a, b * b); }
    ECHOLUX_HD float farthest(const Track& track) const {
        const auto frames = static_cast<float>(track.missed);
        return frames * frames * rules.farthest;
    }
};

} // namespace echolux::flow
