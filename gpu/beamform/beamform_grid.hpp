// SPDX-License-Identifier: GPL-3.0-or-later
// The positions of an image's pixels: beams and their sector, the image's axes, a default grid.
#pragma once

#include "gpu/beamform/beamform_geometry.hpp"
#include "gpu/beamform/beamform_params.hpp"
#include "gpu/core/frame_spec.hpp"
#include "gpu/core/sector.hpp"

#include <optional>
#include <vector>

namespace echolux::das {

/// True where the elements are on one line or arc, all at the same elevation.
bool isInOnePlane(const Probe& probe);
bool hasLongElements(const Probe& probe);

/// Centre in m of the elements that fired: the recorded one, else that of the elements with a
/// weight, on the arc of a curved array.
Point beamOrigin(const Acquisition& acquisition, const Transmit& transmit);

/// Path in m at which the wave passes its beamOrigin(); the path is 0 at the origin of the clock.
double beamPath(const Acquisition& acquisition, const Transmit& transmit);

/// The lines of a grid of beams, from left to right; empty for other grids. Where beams are
/// blended, lines lie between the transmits' beams, and the transmit of each is that of the nearest
/// beam.
struct BeamLines {
    std::vector<Beam> beams;
    std::vector<std::int32_t> order = {}; ///< transmits that have own lines, from left to right
    std::vector<Beam> blended = {};       ///< [beam][line] what each line takes; empty: not blended
    std::optional<Sector> sector;         ///< empty where the lines are columns of an image
};

/// Lines that fan out from the centre of a curved array's arc, or from the middle of a flat array.
/// With TransmitAperture::OwnLines the lines are those of the transmits: columns where they point
/// straight down at even distances, a fan where they have one apex, else lines with a start and an
/// angle each. Lines keep their places when the speed of sound moves. Throws Error where lines meet
/// or cross.
BeamLines beamLines(const FrameSpec& input, const BeamformParams& params);

/// Sets what own lines take from their beams: how far ahead waves are, and what is blended. `sent`
/// has the waves as they travel, see sentAt().
void takeBeams(BeamLines& lines, const FrameSpec& sent, const BeamformParams& params);

/// True where the image is in beam space: a grid of beams that are not columns of an image.
bool fansOut(const FrameSpec& input, const BeamformParams& params);

/// The parameters of an image with the grid PixelGrid::Data: columns at the elements, rows at the
/// depths of samples that a wave straight down brings (speed of sound of the recording, 1540 m/s
/// where it is unknown). Others are returned as they are. Throws Error where the elements are not
/// at even distances on a line along x.
BeamformParams onDataGrid(const FrameSpec& input, const BeamformParams& params);

/// Specification of the image: f32 from RF, complex_f32 from IQ, with the axes of PixelGrid, in m
/// (and rad).
FrameSpec imageSpec(const FrameSpec& input, const BeamformParams& params);
/// Likewise, with beamLines() at hand.
FrameSpec imageSpec(const FrameSpec& input, const BeamformParams& params, const BeamLines& lines);

/// Wavelength lambda = c / f in m, with f from the input, else from the probe.
double wavelength(const FrameSpec& input, double soundSpeedMps);

/// Period of an image's carrier along depth, doubled: lambda where sound goes there and back, and 2
/// lambda where it travels one way.
double axialWavelength(const FrameSpec& input, double soundSpeedMps);

/// `metres` rounded down to whole micrometres, for short numbers in mm.
double wholeMicrometres(double metres);

/// Number of pixels from min to max, both included; 2^40 where it would exceed 1e9.
std::int64_t pixelCount(double min, double max, double pixel);

} // namespace echolux::das
