// SPDX-License-Identifier: GPL-3.0-or-later
// Contrast of images whose brightness was levelled before the dispersion changes.
#pragma once

#include "app/calibration/sharpness.hpp"
#include "gpu/core/complex.hpp"
#include "gpu/fft/fft.hpp"
#include "gpu/memory/buffer.hpp"

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace echolux {

/// The complex depths of a region times (share / local mean power)^(1/2), zero outside the region:
/// phases then turn the spectra of that image. Where the local mean is taken of each tried image
/// instead, light that a wrong cubic phase smears out of a bright layer counts more on its dark
/// side, and draws the terms that way. The sum of all P^2 has no such side: the mean image's
/// transform is |L|^2 |K|^2, with |K| largest without dispersion whatever the layers L are.
class LevelledImages {
public:
    /// Images are [line][depth] of `depths` half bins from zero delay on.
    LevelledImages(std::int64_t depths, std::int64_t lines);

    /// `region` holds the powers of `image` from `firstDepth` on.
    void add(const Complex* image, std::int64_t firstDepth, const RegionPower& region);

    /// The images' mean of N sum P^2 / (sum P)^2, N the sum of the shares, after the spectra were
    /// multiplied by `phasors`, of as many samples as there are depths. With phasors of 1 it is
    /// SharpnessMetric::Contrast but for a few per cent.
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
