// SPDX-License-Identifier: GPL-3.0-or-later
// Figures over many frames: mean and spread of each, how steady a region is, and the roll-off of a
// point that moves in depth.
#pragma once

#include "app/measure/measurement.hpp"

#include <cstddef>
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
    /// level over its depth [dB/mm], where the depth varies by more than a twentieth.
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
    std::vector<Measurement> m_measurements;
    std::vector<Region> m_regions; ///< as m_measurements; without pixels for what is no region
    std::vector<std::vector<Measured>> m_frames;
};

} // namespace echolux::measure
