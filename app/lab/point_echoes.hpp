// SPDX-License-Identifier: GPL-3.0-or-later
// The echoes of one point as analytic or mixed-down channel data, for a beamformer that is focused
// on a pixel nearby. With the pulse p(t) = exp(-t^2 / (2 s^2)) exp(i 2 pi f t), s = sqrt(2 ln 2) /
// (pi b f), whose spectrum has half its peak (-6 dB) at f (1 +- b / 2):
//   sent_t(q, T) = sum_e a(t, e) D(e, q) p(T - (delay(t, e) + |q - e|) / c)
//   record(t, e, T) = D(e, q) sent_t(q, T - |q - e| / c) exp(-i 2 pi fd (T + t0 - zero_t))
// The symbols are those of beam_shape.hpp; fd is the frequency by which the input is mixed down, 0
// for RF, and t0 the beamformer's time offset. No spreading, no attenuation, as there.
#pragma once

#include "app/lab/element_ways.hpp"
#include "gpu/core/complex.hpp"

#include <complex>
#include <cstdint>
#include <span>
#include <vector>

namespace echolux::lab {

/// Valid while the geometry is.
class PointEchoes {
public:
    static constexpr std::size_t kMostBytes = std::size_t{512} << 20;

    /// For a beamformer that sums `transmits` (numbers in the frame) at `pixel`. `bandwidth` is b.
    /// Throws Error where the frame would exceed kMostBytes.
    PointEchoes(const BeamGeometry& geometry, const PlanePoint& pixel,
                std::vector<std::int64_t> transmits, double bandwidth);

    /// Of the frame: complex, the input of the beamformer with records cut to what the pixel reads.
    const FrameSpec& spec() const { return m_spec; }
    /// Writes the echoes of a point at `at`; a frame starts with zeros and may be used again.
    void fill(const PlanePoint& at, std::span<Complex> frame) const;
    /// The same without the transmit's beam: the point is reached by one pulse, at the time at
    /// which the beamformer expects it at the pixel.
    void fillHeard(const PlanePoint& at, std::span<Complex> frame) const;

private:
    /// A pulse that arrives at the point.
    struct Arrival {
        double pathM = 0.0;
        double weight = 1.0;
    };
    /// What the beamformer reads of one record.
    struct Reading {
        std::size_t element = 0;
        std::int64_t first = 0; ///< place of the first sample in the frame
        double pathM = 0.0;     ///< path that the first sample belongs to
    };
    struct Shot {
        double pathM = 0.0;  ///< transmit path to the pixel
        double mixedS = 0.0; ///< zero_t - t0
        std::vector<Sender> senders = {};
        std::vector<Reading> readings = {};
    };
    void fillShot(const Shot& shot, const std::vector<Arrival>& arrivals, const PlanePoint& at,
                  std::span<Complex> frame) const;
    /// `recordM`: path that sample 0 of a record belongs to.
    std::vector<Reading> readingsOf(std::int64_t transmit, double sentM, double recordM) const;

    const BeamGeometry& m_geometry;
    ElementWays m_ways;
    das::Constants m_constants;
    das::Place m_place;
    FrameSpec m_spec;
    double m_metresPerSample;
    double m_sigmaM; ///< s as a path
    std::vector<Shot> m_shots;
};

} // namespace echolux::lab
