// SPDX-License-Identifier: GPL-3.0-or-later
// Where the pixels of an image lie: beams and their sector, the image's axes, a default grid.
#pragma once

#include "gpu/beamform/beamform_geometry.hpp"
#include "gpu/beamform/beamform_params.hpp"
#include "gpu/core/frame_spec.hpp"
#include "gpu/core/sector.hpp"

#include <optional>
#include <vector>

namespace echolux::das {

/// Elements on one line or arc, all at the same elevation.
bool isInOnePlane(const Probe& probe);
bool hasLongElements(const Probe& probe);

/// Centre of the elements that fired, m: as recorded, else of those with a weight.
Point beamOrigin(const Acquisition& acquisition, const Transmit& transmit);

/// Path at which the wave passes through its beamOrigin(), 0 at the origin of the clock. m.
double beamPath(const Acquisition& acquisition, const Transmit& transmit);

/// The lines of a grid of beams, from left to right.
struct BeamLines {
    std::vector<Beam> beams;
    std::optional<Sector> sector; ///< empty where they are columns of an image
};

/// Fans out from the centre of a curved array's arc, or from the middle of a flat one. With
/// TransmitAperture::OwnLines the lines are those of the transmits: columns where they look
/// straight down at even distances, a fan where they leave one apex, else each with a start and an
/// angle of its own. Throws Error where lines meet or cross.
BeamLines beamLines(const FrameSpec& input, const BeamformParams& params);

/// Whether the image is in beam space: a grid of beams that are no columns of an image.
bool fansOut(const FrameSpec& input, const BeamformParams& params);

/// The image: f32 from RF, complex_f32 from IQ, axes as PixelGrid says, in m (and rad).
FrameSpec imageSpec(const FrameSpec& input, const BeamformParams& params);

/// lambda = c / f of the signal, f from the input, else from the probe. m.
double wavelength(const FrameSpec& input, double soundSpeedMps);

/// Rounded down to whole micrometres, so that it reads well in mm.
double wholeMicrometres(double metres);

/// Pixels from min to max, both included; 2^40 where there would be more than 1e9.
std::int64_t pixelCount(double min, double max, double pixel);

} // namespace echolux::das
