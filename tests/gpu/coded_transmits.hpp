// SPDX-License-Identifier: GPL-3.0-or-later
// Transmits in which several elements of full_matrix_echoes.hpp fire at once.
#pragma once

#include "gpu/decoding/codes.hpp"
#include "tests/gpu/full_matrix_echoes.hpp"

#include <utility>

namespace echolux::test {

/// The array of `of`, which sends `waves`. All records begin at time 0.
inline FrameSpec sending(const FrameSpec& of, std::vector<Transmit> waves) {
    FrameSpec spec = of;
    auto acquisition = std::make_shared<Acquisition>(*of.acquisition);
    spec.axes[0].size = std::ssize(waves);
    acquisition->transmits = std::move(waves);
    spec.acquisition = acquisition;
    return spec;
}

/// All elements fire by the rows of a code at the time of a plane wave of this angle.
inline FrameSpec sendingCode(const FrameSpec& of, const decoding::CodeMatrix& code,
                             double angleRad = 0.0) {
    std::vector<Transmit> waves(code.rows);
    for (std::size_t t = 0; t < code.rows; ++t) {
        waves[t].angleRad = angleRad;
        for (std::size_t e = 0; e < static_cast<std::size_t>(kElements); ++e)
            waves[t].apodization.push_back(static_cast<float>(code.at(t, e)));
    }
    return sending(of, waves);
}

/// Diverging waves from close behind each place of the array, plane waves, and waves focused close
/// before it: so many and so different that each element can be told apart in the whole band.
inline std::vector<Transmit> variousWaves() {
    std::vector<Transmit> waves;
    for (int i = 0; i < kElements; ++i) {
        Transmit wave;
        wave.wave = i % 4 == 3 ? Wave::Focused : Wave::Diverging;
        wave.source = {0.3e-3 * (i - 5.5), 0.0, wave.wave == Wave::Focused ? 0.4e-3 : -0.3e-3};
        wave.firstSampleS = 0.05e-6 * (i % 3);
        waves.push_back(wave);
    }
    for (int i = 0; i < 8; ++i) {
        Transmit wave;
        wave.angleRad = 0.15 * (i - 3.5);
        waves.push_back(wave);
    }
    return waves;
}

} // namespace echolux::test
