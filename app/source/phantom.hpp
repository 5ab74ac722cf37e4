// SPDX-License-Identifier: GPL-3.0-or-later
// What the simulator images: point scatterers, some of which move.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace echolux {

/// A point (m) that scatters with `amplitude` (relative; speckle has a standard deviation of 1).
struct Scatterer {
    double x = 0.0;
    double z = 0.0;
    double amplitude = 0.0;
    double y = 0.0; ///< elevation; 0: in the imaged plane
};

/// A circle about (x, 0, z); in a phantom with elevation a ball.
struct Circle {
    double x = 0.0;
    double z = 0.0;
    double radius = 0.0;
};

/// A disk that turns as a whole, once per period.
struct RotatingDisk {
    Circle outline;
    std::vector<Scatterer> scatterers; ///< at time 0
};

/// A vessel across the image: a round lumen in soft tissue. Its radius is R(t) = R0 (1 + swing
/// sin(2 pi t / T)), and the surrounding tissue keeps its area: r(t)^2 = r0^2 + w (R(t)^2 - R0^2),
/// with w falling smoothly from 1 at the wall to 0 at `reach` times R0. The blood inside is
/// stretched with the lumen and swirls once per period.
struct PulsatingVessel {
    Circle lumen; ///< at rest
    double swing = 0.0;
    double reach = 2.0;
    std::vector<Scatterer> tissue; ///< at rest
    std::vector<Scatterer> blood;  ///< at rest
};

/// A straight tube through which blood flows, or bubbles: v(r) = peak (1 - r^2 / R^2) (1 + pulse
/// sin(2 pi t / T)). Scatterers that leave it at one end come in at the other, so this motion has
/// no period.
struct FlowingTube {
    double x = 0.0; ///< of its middle
    double z = 0.0;
    double angleRad = 0.0; ///< of the flow, from +x towards +z
    double radius = 0.0;
    double length = 0.0;
    double peakMps = 0.0; ///< mean over time, on the axis
    double pulse = 0.0;
    double periodS = 1.0; ///< T
    bool plug = false;    ///< all of it flows as on the axis
    /// At time 0, with x along the tube and z across it, from its middle.
    std::vector<Scatterer> blood = {};

    double speedAt(double across) const; ///< mean over time
    bool contains(double atX, double atZ) const;
    /// Adds all scatterers at this time.
    void addAt(double timeS, std::vector<Scatterer>& out) const;
    std::string describe() const;
    /// The places at the time 0, which with describe() say those at any time.
    std::string describeBlood() const;
};

/// Tissue that is compressed from above and let go: the axial strain is -e(t) everywhere outside an
/// inclusion and `relativeStrain` of that inside, e(t) = peak (1 - cos(2 pi t / T)) / 2, and the
/// probe's face at z = 0 stays where it is. So a point lies at z - e(t) softDepth(x, z), with the
/// depth in which each metre of the inclusion counts `relativeStrain`. Nothing moves sideways: this
/// is a given field with a known strain, not the equilibrium of an elastic body.
struct CompressedTissue {
    Circle inclusion;
    double relativeStrain = 1.0 / 3.0;
    double peakStrain = 0.0;                ///< of the tissue outside; 0.01 is 1 %
    std::vector<Scatterer> scatterers = {}; ///< at rest

    double strainAt(double phase) const; ///< e(t), with the phase 2 pi t / T
    double softDepth(double atX, double atZ, double atY = 0.0) const;
};

class Phantom {
public:
    std::vector<Scatterer> still;
    std::vector<RotatingDisk> disks;
    std::vector<PulsatingVessel> vessels;
    std::vector<FlowingTube> tubes;
    std::vector<CompressedTissue> tissues;
    double periodS = 0.0; ///< of every motion; 0: nothing moves
    /// What is where: name, and text in mm.
    std::vector<std::pair<std::string, std::string>> truth;

    bool moves() const {
        return periodS > 0.0 &&
               !(disks.empty() && vessels.empty() && tubes.empty() && tissues.empty());
    }
    /// Writes all moving scatterers at this time to `out`.
    void movingAt(double timeS, std::vector<Scatterer>& out) const;
};

/// A part of a ring about (0, apexZ): what curved and phased arrays image.
struct SectorOutline {
    double apexZ = 0.0;
    double innerRadiusM = 0.0;
    double outerRadiusM = 0.0;
    double halfAngleRad = 0.0;
};

struct PhantomRequest {
    std::string name = "cine";
    double halfWidthM = 10e-3; ///< scatterers fill |x| <= halfWidthM
    double startDepthM = 2e-3; ///< scatterers fill startDepthM <= z <= depthM
    double depthM = 35e-3;
    double halfElevationM = 0.0;         ///< scatterers fill |y| <= halfElevationM; 0: one plane
    std::optional<SectorOutline> sector; ///< if given, scatterers lie within it as well
    double wavelengthM = 0.3e-3;
    /// Density of scatterers; per cubic wavelength where the phantom is thicker than a wavelength.
    double scatterersPerSquareWavelength = 8.0;
    double periodS = 1.0;
    std::uint64_t seed = 1;
};

/// The names that makePhantom() knows, each with one line of help.
const std::vector<std::pair<std::string, std::string>>& phantomNames();

/// Throws Error for an unknown name or a request for too many scatterers. Targets that do not fit
/// into the region are left out.
Phantom makePhantom(const PhantomRequest& request);

} // namespace echolux
