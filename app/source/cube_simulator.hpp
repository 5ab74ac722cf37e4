// SPDX-License-Identifier: GPL-3.0-or-later
// Simulates aligned channels of one focal point behind screens (Herikstad 2009, 5.1.2): a cube u_z
// and its truth.
#pragma once

#include "app/source/aberrating_screens.hpp"

#include <cstdint>
#include <vector>

namespace echolux {

/// An array whose elements are points, side by side in x and y. The defaults are Herikstad's data.
struct CubeSetup {
    std::int64_t columns = 100; ///< elements along x
    std::int64_t rows = 100;    ///< along y
    std::int64_t samples = 512; ///< of each channel; the focal point's echo is in their middle
    double pitchM = 0.22e-3;
    double focusM = 60e-3;
    double centreFrequencyHz = 3.5e6;
    double fractionalBandwidth = 0.5; ///< -6 dB, pulse-echo
    double samplingHz = 70.248e6;
    double soundSpeedMps = 1540.0;
    std::int64_t scatterers = 1000;
    double snrDb = 40.0; ///< RMS of the echoes over that of the noise
    ScreenSetup screens;
    std::uint64_t seed = 1;

    std::vector<Point> elements() const; ///< [row][column]
};

/// Throws Error that names the command's option where the set-up cannot be simulated.
void checkSetup(const CubeSetup& setup);

struct CubeScatterer {
    Point place;
    double strength = 0.0;
};

struct SimulatedCube {
    std::vector<double> values; ///< [row][column][sample], scaled to a largest magnitude of 1
    AberrationTruth truth;      ///< of the screens as the focal point sees them
    std::vector<CubeScatterer> scatterers;
};

/// With elements k (screen: delay tau_k in s, amplitude A_k), scatterers i of normally distributed
/// strength a_i, frequencies f in Hz, and d_ik the difference between the distances of k from i and
/// from the focal point over the speed of sound, in s:
///   transmitted  T_i(f) = mean_k A_k exp(-2 pi j f (tau_k + d_ik))
///   received     U_k(f) = P(f) A_k sum_i a_i T_i(f) exp(-2 pi j f (tau_k + d_ik))
/// P is the Gaussian spectrum of the pulse. Where the screens act on echoes alone, A is 1 and tau 0
/// in T. The scatterers fill the main lobe of the beam and its first side lobes, over the depth
/// that the record holds. All of them see the screens as the focal point does. Neither attenuation
/// nor spreading nor directivity of elements. Throws Error as checkSetup() does.
SimulatedCube simulateCube(const CubeSetup& setup);

} // namespace echolux
