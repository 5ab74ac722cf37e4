// SPDX-License-Identifier: GPL-3.0-or-later
// Who transmitted what from where: the geometry and timing that turn samples into places.
#pragma once

#include <string>
#include <vector>

namespace echolux {

/// Metres. x lateral along the array, y elevation, z depth (down); origin at the array's centre.
struct Point {
    double x = 0.0;
    double y = 0.0;
    double z = 0.0;
};

struct Probe {
    std::string name;
    std::vector<Point> elements; ///< centre of each receive element
    double pitchM = 0.0;         ///< distance of neighbouring elements
    double elementWidthM = 0.0;  ///< 0 = unknown
    double centreFrequencyHz = 0.0;
    double fractionalBandwidth =
        0.0; ///< -6 dB pulse-echo bandwidth / centre frequency, 0 = unknown
};

enum class Wave {
    Plane,     ///< steered by `angleRad`, positive = travels towards +x
    Diverging, ///< from the virtual source `source`, behind the array (z < 0)
    Focused,   ///< converges on the focus `source`, in front of the array (z > 0)
    Element,   ///< one element fires: synthetic aperture, full or half matrix capture
};

/// One transmit event. Common clock: t = 0 when the transmitted wavefront crosses the origin; for
/// Wave::Element, when that element fires.
struct Transmit {
    Wave wave = Wave::Plane;
    double angleRad = 0.0; ///< plane waves
    Point source;          ///< diverging and focused waves; the element's place for Wave::Element
    double firstSampleS = 0.0; ///< time of sample 0 on the common clock
    double iqPhaseZeroS =
        0.0; ///< common-clock time at which the down-mixer's phase was zero (IQ only)
};

struct Acquisition {
    Probe probe;
    std::vector<Transmit> transmits;
    double soundSpeedMps = 1540.0;
    /// Weight of each receive channel in each transmit, [transmit][channel]; empty = all 1. Partial
    /// matrix capture: 0 where nothing was recorded. Half ones are filled by whoever reads them.
    std::vector<float> receiveWeights;
};

} // namespace echolux
