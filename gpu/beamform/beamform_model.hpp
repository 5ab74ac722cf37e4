// SPDX-License-Identifier: GPL-3.0-or-later
// Computes the beamformer's numbers from a recording's geometry and the parameters.
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
    std::vector<Face> faces;                  ///< empty: all elements are points that face
                                              ///< downwards
    std::vector<TransmitConstants> transmits; ///< transmits that are switched on
    std::vector<Shadow> shadows;              ///< of these transmits; empty: waves reach all pixels
    std::vector<Beam> beams;                  ///< empty: a Cartesian grid
    std::vector<Beam> blended;                ///< see Constants; empty: none
    int linesTogether = 1;                    ///< neighbouring lines that share their transmits
    std::vector<float> receiveWeights;        ///< [transmit of the frame][channel]; empty: all 1
    std::vector<float> rangeWeights;          ///< [channel][step]; empty: all 1
    std::vector<std::int32_t> channelOf;      ///< see Constants; empty: channel i is element i
    std::vector<float> readTable;             ///< LineReading::readTable; empty where it is not
                                              ///< needed

    /// Constants that point to this model's own arrays, for the host.
    Constants onHost() const;
};

/// Precondition: checkBeamformable() accepts the input and the parameters.
Model makeModel(const FrameSpec& input, const BeamformParams& params);

} // namespace echolux::das
