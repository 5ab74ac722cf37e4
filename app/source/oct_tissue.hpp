// SPDX-License-Identifier: GPL-3.0-or-later
// The reflectors that the beam covers in each line of a B-scan.
#pragma once

#include "app/source/fringe_sum.hpp"
#include "app/source/oct_sample.hpp"
#include "app/source/oct_setup.hpp"

#include <array>
#include <cstdint>
#include <vector>

namespace echolux {

/// Tissue has one scatterer per cell, at a random place in it and with a normally distributed
/// amplitude. A cell is one line pitch, one B-scan pitch and one depth bin large. A reflector at
/// (x, y, z) adds to the line at (X, Y)
///   A exp(-4 ln 2 ((x - X)^2 + (y - Y)^2) / w^2), at bin z / dz, with phase 2 k0 n_r z,
/// with w the beam's width and k0 the middle wavenumber. A single B-scan ignores y. A is reduced by
/// the attenuation of the layers above. The same seed gives the same reflectors whatever the number
/// of threads.
///
/// What moves by dz changes this phase by 2 k0 n_r dz, and the bin by dz / dz_bin. Bins turn the
/// spectrum about its first sample, so the phase in its middle changes by 2 n_r dz (k0 + dk / 2),
/// with dk the span of k. Samples with flow are true instead: the middle changes by 2 n_r k0 dz,
/// and the sign is that of the direction of k. NOTE: bundled recordings hold the former.
class OctTissue {
public:
    OctTissue(const OctSetup& setup, OctSample sample);

    const OctSample& sample() const { return m_sample; }
    /// Prepares B-scan `index` of the recording.
    void moveTo(std::int64_t index);
    /// Writes the reflectors of one line to `out`, without the mirror.
    void reflectorsOf(std::int64_t line, std::vector<Reflector>& out) const;

private:
    struct Placed {
        double x = 0.0;
        double y = 0.0;
        Reflector reflector;
    };
    struct Passing {
        std::int64_t number; ///< of the scatterer that leaves; the next one comes
        double share;        ///< of the time between them, 0 to 1
        double angle;
    };
    struct Wave { ///< of a surface: amplitude 1 cos(ax x + ay y + phase)
        double ax = 0.0;
        double ay = 0.0;
        double phase = 0.0;
    };
    static constexpr std::size_t kWaves = 8;
    using Waves = std::array<Wave, kWaves>;

    double rowY(std::int64_t row) const;
    double columnX(std::int64_t column) const;
    double surfaceNoise(const Waves& waves, double x, double y) const;
    std::vector<double> surfacesAt(double x, double y) const;
    void fillColumn(std::int64_t column, std::int64_t row, std::vector<Placed>& out) const;
    /// `flowM` is how much deeper blood has moved than the place where it was drawn.
    void place(const Point& rest, std::complex<double> amplitude, std::vector<Placed>& out,
               double flowM = 0.0) const;
    void placeBlood(const OctFlow& flow, const Point& at, std::array<std::uint32_t, 3> cell,
                    std::complex<double> passed, std::vector<Placed>& out) const;
    Passing passing(const OctFlow& flow, std::array<std::uint32_t, 3> cell) const;
    std::complex<double> behind(const OctFlow& flow, std::int64_t column, std::int64_t row) const;
    const OctFlow* flowAt(const Point& at) const;
    bool inLumen(const Point& at) const;
    Point moved(Point at) const;

    OctSetup m_setup;
    OctSample m_sample;
    double m_binM;
    double m_phasePerM;
    double m_motionPhasePerM;      ///< at the first sample
    std::int64_t m_reach = 0;      ///< columns on either side that the beam of a line may cover
    std::int64_t m_rowReach = 0;   ///< B-scans on either side that it may cover
    std::vector<Waves> m_surfaces; ///< common to all, then of each layer
    std::int64_t m_index = 0;
    double m_y = 0.0;
    double m_timeS = 0.0;
    double m_sine = 0.0;                        ///< of the motion
    std::vector<std::vector<Placed>> m_columns; ///< [row][column] around the B-scan
    std::vector<Placed> m_points;
};

} // namespace echolux
