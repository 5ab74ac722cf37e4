// SPDX-License-Identifier: GPL-3.0-or-later
// What the OCT simulator images: scattering layers, a vessel, points, or a mirror.
#pragma once

#include "app/source/oct_setup.hpp"
#include "gpu/core/acquisition.hpp"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace echolux {

/// Tissue from its own surface down to the surface of the next layer. Depths count from the
/// sample's surface.
struct OctLayer {
    double topM = 0.0;
    double level = 1.0;           ///< amplitude of its speckle
    double specular = 0.0;        ///< amplitude of the echo of its surface
    double attenuationPerM = 0.0; ///< of the intensity, one way
    double pitM = 0.0;            ///< how much deeper the surface lies in the middle
};

/// A vessel: a round lumen along y. Its radius is R(t) = R0 (1 + swing sin(2 pi t / T)); the
/// surrounding tissue keeps its area: r(t)^2 = r0^2 + w (R(t)^2 - R0^2), with w falling smoothly
/// from 1 at the wall to 0 at twice R0. The blood inside has a new speckle in each frame.
struct OctVessel {
    double x = 0.0;
    double z = 0.0; ///< below zero delay
    double radius = 0.0;
    double swing = 0.0;
    double level = 0.0; ///< amplitude of the blood's speckle
};

/// A vessel that crosses the B-scan: a round lumen in which blood moves along the beam with v(r) =
/// peak (1 - r^2 / R^2). Each scatterer passes through the B-scan: its amplitude follows cos(pi t /
/// (2 tau)), |t| < tau, about a time of its own, and the next one follows it, so that the mean
/// power stays. Positions in the lumen do not change.
struct OctFlow {
    double x = 0.0;
    double z = 0.0; ///< below zero delay
    double radius = 0.0;
    double level = 0.0;    ///< amplitude of the blood's speckle
    double peakMps = 0.0;  ///< along the beam on the axis; positive: towards the probe
    double transitS = 0.0; ///< tau; 0: the blood stands still
    double swayM = 0.0;    ///< the axis lies at x + sway sin(2 pi y / swayPeriodM)
    double swayPeriodM = 1.0;
    /// Tails: light that passed the vessel carries this share of its amplitude in a part that
    /// changes with the blood, so that what is below seems to flow, too. 0 to 1.
    double tail = 0.0;

    double fromAxis(const Point& at) const; ///< in radii
    double speedAt(const Point& at) const;  ///< 0 outside
    bool contains(const Point& at) const;
    /// Correlation of the speckle with that `timeS` later, 0 <= timeS <= tau, without its turn of
    /// phase: (1 - q / 2) cos(pi q / 2) + sin(pi q / 2) / pi with q = timeS / tau.
    double correlationAfter(double timeS) const;
};

/// Lengths in m. Depths count from zero delay; those of a layer count from the sample's surface.
struct OctSample {
    std::vector<OctLayer> layers; ///< top to bottom
    double startM = 0.0;          ///< depth of the surface in the middle
    double halfWidthM = 1.0;
    double bowM = 0.0;        ///< how much deeper the surface lies at halfWidthM
    double pitWidthM = 1.0;   ///< 1 / e radius of the pit
    double undulationM = 0.0; ///< RMS; all surfaces move together
    double roughnessM = 0.0;  ///< RMS; each surface by itself
    std::optional<OctVessel> vessel;
    std::vector<OctFlow> flows;
    std::vector<Point> points;     ///< reflectors of amplitude 1
    std::optional<double> mirrorM; ///< a mirror in every line; negative: on the other side of zero
                                   ///< delay
    double breathingM = 0.0;       ///< amplitude of the sine by which everything but the mirror
                                   ///< moves
    double periodS = 0.0;          ///< of every motion; 0: nothing moves
    std::vector<std::pair<std::string, std::string>> truth; ///< what is where
};

struct OctSampleRequest {
    std::string name = "retina";
    double widthM = 1.5e-3;
    double rangeM = 0.8e-3; ///< largest depth that the device sees
    double startDepthM = 0.1e-3;
    double mirrorDepthM = 0.3e-3;
    bool vesselMoves = false;    ///< its wall, or the blood of the sample `vessels`
    double flowMps = 0.0;        ///< peak along the beam, of the sample `vessels`
    double transitS = 0.0;       ///< of its scatterers
    double frameIntervalS = 0.0; ///< for the text of the truth alone
    double breathingM = 0.0;
    double periodS = 0.0;
};

/// The flow that suits a device: 60 % of the largest velocity without ambiguity, lambda / (4 n T),
/// and scatterers that stay for 1.5 frames before and after their peak.
void chooseFlow(const OctSetup& setup, OctSampleRequest& request);

/// The names that makeOctSample() knows, each with one line of help.
const std::vector<std::pair<std::string, std::string>>& octSampleNames();

/// True for a sample with blood that flows, whose phase is measured from B-scan to B-scan.
bool hasBlood(const std::string& sample);

/// Throws Error for an unknown name, or where the sample lies deeper than the device sees.
OctSample makeOctSample(const OctSampleRequest& request);

} // namespace echolux
