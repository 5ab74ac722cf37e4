// SPDX-License-Identifier: GPL-3.0-or-later
// The envelope of a sonogram, and what its heartbeats tell.
//
// P(v, t) is the power of a pixel, averaged over three lines of time and, by weights of 1/4, 1/2
// and 1/4, over three velocities. N is the mean power of noise: of the fifth of the velocities
// that has the least. Velocities that hold nothing round 0 are a wall filter and no noise.
//   maximum: the fastest v with P = N + (max P - N) / 2, between bins on a straight line, and then
//            the median of five lines. Of a parabolic flow this half power lies at the true largest
//            velocity, whatever widens the spectrum (Vilkomerson, Ricci, Tortoli, IEEE Ultrasonics
//            Symposium 2011, 276-279). Of a single velocity it lies half a spectrum's width above.
//   mean:    sum of v (P - N) over sum of P - N, all velocities.
// A line has both where max P is at least 4 N. The direction is the one of more power above N.
#pragma once

#include "app/measure/measured_image.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace echolux::measure {

struct Envelope {
    PixelAxis time;               ///< of the searched lines
    std::string velocityUnit;     ///< "cm/s"; "rad" where the time between frames is unknown
    std::vector<double> maximum;  ///< [line] in that unit; NaN: nothing stands out of the noise
    std::vector<double> mean;     ///< likewise
    bool isTowards = true;        ///< velocities of `maximum` are positive
    std::size_t linesAtLimit = 0; ///< lines whose maximum reaches the end of the velocities
};

/// One heartbeat: from the middle of one upstroke to that of the next one.
struct Beat {
    double start = 0.0;        ///< in the unit of the time axis
    double end = 0.0;          ///<
    double peakSystolic = 0.0; ///< largest magnitude of the maximum, with its sign
    double endDiastolic = 0.0; ///< least one of the beat's second half
    double meanOfMaximum = 0.0;
    double meanOfMean = 0.0;

    /// (S - D) / S (Pourcelot 1974). NaN where S is 0.
    double resistivity() const;
    /// (S - D) / mean of the maximum (Gosling and King 1974). NaN where that is 0.
    double pulsatility() const;
    /// Beats in a minute, of a time in ms.
    double rate() const;
};

/// The part of a sonogram that is searched, between two opposite corners. Throws Error where the
/// image is no sonogram in dB, and where fewer than five lines or eight velocities are inside.
Envelope envelopeOf(const MeasuredImage& image, const Place& corner, const Place& opposite);
/// The whole sonogram.
Envelope envelopeOf(const MeasuredImage& image);

/// Throws Error where no line has a maximum, and where more than 2 % of them reach the end of the
/// velocities.
void checkEnvelope(const Envelope& envelope);

/// The beats between the first and the last upstroke. An upstroke is a rise from a third to two
/// thirds of the range between the 5th and the 95th percentile of the maximum. Lines without a
/// maximum count as 0. None where that range is less than a fifth of the 95th percentile.
std::vector<Beat> beatsOf(const Envelope& envelope);

/// The lines of maximum and mean, parted where a line has none.
std::vector<std::vector<Place>> tracesOf(const Envelope& envelope,
                                         const std::vector<double>& velocities);

} // namespace echolux::measure
