// SPDX-License-Identifier: GPL-3.0-or-later
// The transducer of a Verasonics workspace: positions of the elements, and their columns in
// RcvData.
#pragma once

#include "app/dataset/formats/verasonics_values.hpp"
#include "gpu/core/acquisition.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace echolux {

struct VerasonicsProbe {
    Probe probe;
    double soundSpeedMps = 1540.0;
    double frequencyHz = 0.0; ///< Trans.frequency; its wavelength is the unit of length
    double wavelengthM = 0.0;
    double lensS = 0.0; ///< time of one passage through the lens
    std::vector<std::string> warnings;

    /// Elements, from 0, that `count` weights or delays belong to: all elements, or the elements of
    /// the multiplexer's aperture `aperture` (from 1, 0 = none). Empty where the counts do not fit.
    std::vector<std::size_t> elementsOf(std::size_t count, std::size_t aperture) const;
    /// Column of RcvData, from 0, that holds the element. Empty where the element is not connected.
    std::optional<std::size_t> columnOf(std::size_t element, std::size_t aperture) const;

    std::vector<std::size_t> connector = {}; ///< column of each element, from 1; 0 = none
    /// [aperture][element]: column, from 1; 0 = none.
    std::vector<std::vector<std::size_t>> muxed = {};
};

VerasonicsProbe readVerasonicsProbe(const VerasonicsValues& values);

} // namespace echolux
