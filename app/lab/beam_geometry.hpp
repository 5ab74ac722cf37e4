// SPDX-License-Identifier: GPL-3.0-or-later
// One pixel as `beamform` computes it: the transmits that image it, and the elements that count for
// it.
#pragma once

#include "gpu/beamform/beamform_model.hpp"
#include "gpu/stage/param_table.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace echolux::lab {

/// A point in the plane of an image, in m: x lateral, z depth.
struct PlanePoint {
    double x = 0.0;
    double z = 0.0;
    bool operator==(const PlanePoint&) const = default;
};

PlanePoint operator+(const PlanePoint& a, const PlanePoint& b);
PlanePoint operator-(const PlanePoint& a, const PlanePoint& b);
PlanePoint operator*(double factor, const PlanePoint& a);
double lengthOf(const PlanePoint& a);
PlanePoint inPlane(const Point& p); ///< projected along elevation

/// A transmitted wave in the plane of the image.
struct Ray {
    PlanePoint from; ///< where its beam begins: in the middle of the elements that fired
    PlanePoint way;  ///< unit vector; (0, 0): to all sides, like the wave of one element
    /// Focus, virtual source or element; empty for a plane wave.
    std::optional<PlanePoint> source;
};

/// The numbers of the running beamformer on the host, for questions about single pixels.
class BeamGeometry {
public:
    /// Precondition: `beamform` accepts this input and these parameters.
    BeamGeometry(const FrameSpec& input, const BeamformParams& params);

    const FrameSpec& input() const { return m_input; }
    const BeamformParams& params() const { return m_params; }
    /// With the waves as they travel at the beamformer's speed of sound.
    const Acquisition& acquisition() const { return *m_sent.acquisition; }
    const das::Model& model() const { return m_model; }
    /// The way that sound travels between two samples.
    double metresPerSample() const {
        return m_params.soundSpeedMps / m_input.samplingFrequencyHz();
    }

    /// The place that the beamformer images for this point. On a grid of beams it is the place on
    /// the nearest beam at the point's range.
    das::Place placeOf(PlanePoint pixel) const;
    /// The number of the nearest beam on a grid of beams; empty on other grids.
    std::optional<std::size_t> lineOf(PlanePoint pixel) const;
    Ray rayOf(std::int64_t transmit) const; ///< number of the transmit in the frame
    /// Numbers of the transmits that are switched on.
    std::vector<std::int64_t> active() const;
    /// The active transmit whose beam passes nearest to the pixel, or the only one that images it;
    /// -1: none.
    std::int64_t nearestTransmit(PlanePoint pixel) const;
    /// Per element: receive apodization times the recording's weight; 0 where no channel listened
    /// to it.
    std::vector<float> receiveWeights(PlanePoint pixel, std::int64_t transmit) const;

private:
    FrameSpec m_input;
    BeamformParams m_params;
    FrameSpec m_sent;
    das::Model m_model;
};

/// Empty where `params` are not those of `beamform`.
std::optional<BeamGeometry> beamGeometry(const FrameSpec& input, const Params& params);

} // namespace echolux::lab
