// SPDX-License-Identifier: GPL-3.0-or-later
// Contrast of images whose brightness was levelled before the dispersion changes.
#pragma once

#include "app/measure/sharpness.hpp"
#include "gpu/core/complex.hpp"
#include "gpu/fft/fft.hpp"
#include "gpu/memory/buffer.hpp"

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace echolux {

/// Holds complex images of a region, multiplied by (share / local mean power)^(1/2) and zero
/// outside the region. Trials change the phases of the spectra of these images.
/// The local mean is not taken of each tried image. A wrong cubic phase smears light out of a
/// bright layer to one side. With a local mean of the tried image that light would count more on
/// the dark side and would bias the terms. The sum of all P^2 has no such bias: the transform of
/// the mean image is |L|^2 |K|^2, and |K| is largest without dispersion, whatever the layers L are.
class LevelledImages {
public:
    /// Images are [line][depth] of `depths` half bins from zero delay on.
    LevelledImages(std::int64_t depths, std::int64_t lines);

    /// Adds an image. `region` holds its powers from `firstDepth` on.
    void add(const Complex* image, std::int64_t firstDepth, const RegionPower& region);

    /// The mean over the images of N sum P^2 / (sum P)^2, with N the sum of the shares, after the
    /// spectra are multiplied by `phasors`. There is one phasor per depth. With phasors of 1 it
    /// equals SharpnessMetric::Contrast within a few per cent.
    double contrast(std::span<const Complex> phasors);

private:
    struct Image {
        std::vector<Complex> spectra; ///< [line][sample]
        double shares = 0.0;
    };

    double contrastOf(const Image& image, std::span<const Complex> phasors);
    FftShape shape(FftKind kind) const;

    std::int64_t m_depths;
    std::int64_t m_lines;
    std::vector<Image> m_images;
    std::unique_ptr<Fft> m_forward;
    std::unique_ptr<Fft> m_inverse;
    Buffer m_from; ///< [line][2 depths]
    Buffer m_to;
    Buffer m_work;
};

} // namespace echolux
