// SPDX-License-Identifier: GPL-3.0-or-later
// The acquisition: geometry and timing of elements and transmits, which turn samples into places.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace echolux {

/// Metres. x lateral along the array, y elevation, z depth (down); origin at the array's centre.
struct Point {
    double x = 0.0;
    double y = 0.0;
    double z = 0.0;

    bool operator==(const Point&) const = default;
};

/// The direction of elements that are long lines, such as the rows and columns of a row-column
/// array. Their sound leaves from and arrives at the nearest point of an infinite line, so the
/// coordinate along the line does not count.
enum class LongAxis : std::uint8_t { None, Lateral, Elevation };

struct Probe {
    std::string name;
    std::vector<Point> elements; ///< centre of each element
    /// Unit vector out of each element's face; empty: faceNormals() computes them.
    std::vector<Point> normals = {};
    std::vector<LongAxis> longAxes = {}; ///< of each element; empty: no element is a line
    double pitchM = 0.0;                 ///< distance between neighbouring elements
    double elementWidthM = 0.0;          ///< along the array; 0 = unknown
    double elementHeightM = 0.0;         ///< across the array; of a long element its length; 0 =
                                         ///< unknown
    double elevationFocusM = 0.0; ///< depth where an acoustic lens focuses in elevation; 0 = none
    double centreFrequencyHz = 0.0;
    double fractionalBandwidth =
        0.0; ///< -6 dB pulse-echo bandwidth / centre frequency, 0 = unknown
};

/// `probe.normals` where given. Else, for a curved array in the x-z plane, the normals of the line
/// through each element's neighbours. Else (0, 0, 1).
std::vector<Point> faceNormals(const Probe& probe);

/// How many elements follow each other along a line, where all lines are equally long and each is
/// the first one, moved: the rows or columns of a matrix array. Of arrays in one plane, and of rows
/// and columns that are long lines, all elements. 0: the elements have no such order.
std::int64_t elementsPerLine(const Probe& probe);

enum class Wave {
    Plane,     ///< steered by `angleRad`, positive = travels towards +x
    Diverging, ///< from the virtual source `source`, behind the array (z < 0)
    Focused,   ///< converges on the focus `source`, in front of the array (z > 0)
    Element,   ///< one element fires: synthetic aperture, full or half matrix capture
    None,      ///< nothing is sent: light, or another trigger, makes the medium sound at t = 0
};

/// How the two angles a (`angleRad`) and g (`elevationRad`) of a plane wave define its direction.
enum class Steering {
    Tilts,       ///< tilted by a in the x-z plane, then by g: (sin a cos g, sin g, cos a cos g)
    Projections, ///< as seen in the planes x-z and y-z: (tan a, tan g, 1) / its length
};

/// One transmit event. Common clock: t = 0 when the transmitted wavefront crosses the origin; for
/// Wave::Element, when that element fires; for Wave::None, when the medium sounds.
struct Transmit {
    Wave wave = Wave::Plane;
    double angleRad = 0.0;     ///< plane waves, in the x-z plane
    double elevationRad = 0.0; ///< plane waves, out of that plane, see Acquisition::steering
    Point source;              ///< virtual source or focus; for Wave::Element the element's place
    /// Centre of the elements that fired: where the beam of a focused wave begins.
    Point origin = {};
    /// Weight of each element in this transmission, 0 where it was silent. Empty: all alike, or
    /// unknown.
    std::vector<float> apodization = {};
    double firstSampleS = 0.0; ///< time of sample 0 on the common clock
    double iqPhaseZeroS =
        0.0; ///< common-clock time at which the down-mixer's phase was zero (IQ only)
};

/// Receive weights over range. The range is how far a pixel lies along its beam, or its depth z
/// where it lies on no beam. Weights between steps are interpolated linearly. Before the first step
/// and beyond the last they are constant.
struct RangeWeights {
    std::vector<float> values = {}; ///< [channel][step], 0 or greater; empty: all 1
    double firstM = 0.0;            ///< range of step 0
    double stepM = 0.0;             ///< greater than 0

    static constexpr std::size_t kMostSteps = 1'000'000; ///< a float still represents these numbers
                                                         ///< exactly

    bool operator==(const RangeWeights&) const = default;
};

struct Acquisition {
    Probe probe;
    std::vector<Transmit> transmits;
    Steering steering = Steering::Tilts;
    double soundSpeedMps = 1540.0;
    /// Speed of sound for which the device computed the firing delays of its elements from the
    /// angles and sources of `transmits`. 0: soundSpeedMps, as it was recorded.
    double transmitSpeedMps = 0.0;
    /// Weight of each receive channel in each transmit, [transmit][channel]; empty = all 1. For
    /// partial matrix capture: 0 where nothing was recorded. The reader of a half matrix capture
    /// fills in the other half.
    std::vector<float> receiveWeights;
    /// The element that each channel listened to, [transmit][channel], for walking apertures and
    /// for rows that listen to columns. Empty: channel i is element i in every transmit.
    std::vector<std::int32_t> receiveElements = {};
    /// Multiplied with receiveWeights. They belong to channels, whatever elements these listen to.
    RangeWeights rangeWeights = {};
};

/// Direction in which the plane wave `transmit` travels; unit vector.
Point direction(const Transmit& transmit, Steering steering);

} // namespace echolux
