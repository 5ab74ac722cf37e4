// SPDX-License-Identifier: GPL-3.0-or-later
// Lines between the beams of transmits, as sums of what neighbouring beams give (synthetic transmit
// beams: Hergum, Bjastad, Kristoffersen and Torp, IEEE Trans. UFFC 54(2), 2007).
#pragma once

#include "gpu/beamform/beamform_geometry.hpp"
#include "gpu/core/acquisition.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace echolux::das {

constexpr std::size_t kBlendedBeams = 4; ///< that a line between beams takes from

/// Unit vector along which a transmit's beam leaves the array.
Point beamWay(const Acquisition& acquisition, const Transmit& transmit);

/// Path in m from the wave's passage of its beamOrigin() to its passage of `place`, which is near
/// it; the wave counts as plane there.
double pathAhead(const Acquisition& acquisition, const Transmit& transmit, const Point& place);

/// Distance of neighbouring beams in units of the greatest that samples the transmitted field,
/// median over all pairs. From an aperture of the width D, focused at the range F, the field has
/// lateral frequencies up to D / (2 lambda F), so that beams sample it no farther apart than lambda
/// F / D. `order` lists the numbers of the transmits from side to side.
double beamSpacing(const Acquisition& acquisition, std::span<const std::int32_t> order,
                   double wavelengthM);

/// [beam][line]: `lines` lie between beams, `together` in each gap. Each is the sum of
/// kBlendedBeams beams, or of all where there are fewer, with the weights that give the field of a
/// beam along the line with the least error. An aperture sends all its lateral frequencies alike,
/// so that fields of beams d apart have the correlation sinc(D d / (lambda F)). The weights are
/// scaled so that speckle is as bright between beams as on them.
std::vector<Beam> blendedBeams(const Acquisition& acquisition, std::span<const std::int32_t> order,
                               std::span<const Beam> lines, std::size_t together,
                               double wavelengthM);

} // namespace echolux::das
