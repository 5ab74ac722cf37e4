// SPDX-License-Identifier: GPL-3.0-or-later
// From a recording's geometry and the parameters to the numbers that the beamformer works with.
#pragma once

#include "gpu/beamform/beamform_formula.hpp"
#include "gpu/core/frame_spec.hpp"

#include <cstdint>
#include <vector>

namespace echolux::das {

/// Host copies of the arrays that Constants points to.
struct Model {
    Constants constants; ///< its array pointers are null
    std::vector<Element> elements;
    std::vector<Face> faces;                  ///< empty: all points that look down
    std::vector<TransmitConstants> transmits; ///< those switched on
    std::vector<Shadow> shadows;              ///< of those; empty: waves reach all pixels
    std::vector<Beam> beams;                  ///< empty: a Cartesian grid
    std::vector<float> receiveWeights;        ///< [transmit of the frame][channel]; empty: all 1
    std::vector<float> rangeWeights;          ///< [channel][step]; empty: all 1
    std::vector<std::int32_t> channelOf;      ///< see Constants; empty: channel i is element i
    std::vector<float> readTable;             ///< LineReading::readTable, empty where not read

    /// Constants that point to this model's own arrays, for the host.
    Constants onHost() const;
};

/// Of an input and parameters that checkBeamformable() lets pass.
Model makeModel(const FrameSpec& input, const BeamformParams& params);

} // namespace echolux::das
