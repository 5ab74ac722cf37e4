// SPDX-License-Identifier: GPL-3.0-or-later
// One pixel as `beamform` sees it: which transmits image it, which elements count for it.
#pragma once

#include "gpu/beamform/beamform_model.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace echolux::lab {

/// In the plane of an image, m: x lateral, z depth.
struct PlanePoint {
    double x = 0.0;
    double z = 0.0;
    bool operator==(const PlanePoint&) const = default;
};

PlanePoint operator+(const PlanePoint& a, const PlanePoint& b);
PlanePoint operator-(const PlanePoint& a, const PlanePoint& b);
PlanePoint operator*(double factor, const PlanePoint& a);
double lengthOf(const PlanePoint& a);
PlanePoint inPlane(const Point& p); ///< seen along elevation

/// A transmitted wave in the plane of the image.
struct Ray {
    PlanePoint from; ///< where its beam begins: the middle of the elements that fired
    PlanePoint way;  ///< unit vector; (0, 0): to all sides, as the wave of one element
    /// Focus, virtual source or element; empty for a plane wave.
    std::optional<PlanePoint> source;
};

/// The running beamformer's numbers on the host, for questions about single pixels.
class BeamGeometry {
public:
    /// Of an input and parameters that `beamform` plans.
    BeamGeometry(const FrameSpec& input, const BeamformParams& params);

    const FrameSpec& input() const { return m_input; }
    const BeamformParams& params() const { return m_params; }
    const Acquisition& acquisition() const { return *m_input.acquisition; }
    const das::Model& model() const { return m_model; }

    /// What the beamformer takes the point for: on a grid of beams the nearest beam's, at its
    /// range.
    das::Place placeOf(PlanePoint pixel) const;
    Ray rayOf(std::int64_t transmit) const; ///< of those in the frame
    /// Numbers in the frame of the transmits that are switched on.
    std::vector<std::int64_t> active() const;
    /// Of them the one whose beam passes nearest to the pixel, or that alone images it; -1: none.
    std::int64_t nearestTransmit(PlanePoint pixel) const;
    /// Of each element: receive apodization times the recording's weight, 0 where nobody listened.
    std::vector<float> receiveWeights(PlanePoint pixel, std::int64_t transmit) const;

private:
    FrameSpec m_input;
    BeamformParams m_params;
    das::Model m_model;
};

} // namespace echolux::lab
