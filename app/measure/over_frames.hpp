// SPDX-License-Identifier: GPL-3.0-or-later
// Figures over many frames: mean and spread of each, how steady a region is, and the roll-off of a
// point that moves in depth.
#pragma once

#include "app/measure/measurement.hpp"

#include <complex>
#include <cstddef>
#include <optional>
#include <vector>

namespace echolux::measure {

/// A figure over all frames that had it.
struct SpreadFigure {
    Figure mean;            ///< value: the mean
    double deviation = 0.0; ///< of the sample; NaN for a single frame
    std::size_t frames = 0;
};

struct MeasuredSpread {
    std::string name;
    Kind kind = Kind::Point;
    std::vector<SpreadFigure> figures;
    /// Of all frames together. Regions: `temporal_snr`, power of each pixel's mean amplitude over
    /// its variance, both summed over the region [dB]. Points: `roll_off`, slope of the peak's
    /// level over its depth [dB/mm], where the depth varies by more than a twentieth, and
    /// `phase_stability`, see phaseStability() [mrad], of the pixel that is the brightest one in
    /// the first frame; NaN where the images have no phasors.
    std::vector<Figure> together;
};

class OverFrames {
public:
    explicit OverFrames(std::vector<Measurement> measurements);
    /// `measured` is measureAll() of `image`. All images have the same axes.
    void add(const MeasuredImage& image, const std::vector<Measured>& measured);
    std::vector<MeasuredSpread> result() const;

private:
    struct Region {
        std::vector<std::size_t> pixels;
        std::vector<double> sum;     ///< of amplitudes, per pixel
        std::vector<double> squares; ///< of amplitudes, per pixel
    };
    /// Of a point: its pixel in the first frame, and its phasor in each frame.
    struct Phases {
        std::optional<std::size_t> pixel;
        std::vector<std::complex<float>> values;
    };
    void addRegion(Region& region, const Measurement& made, const MeasuredImage& image) const;
    void addPhase(Phases& phases, const Measurement& made, const MeasuredImage& image) const;
    std::vector<Figure> together(std::size_t measurement) const;

    std::vector<Measurement> m_measurements;
    std::vector<Region> m_regions; ///< as m_measurements; without pixels for what is no region
    std::vector<Phases> m_phases;  ///< the same; without a pixel for what is no point
    std::vector<std::vector<Measured>> m_frames;
};

} // namespace echolux::measure
