// SPDX-License-Identifier: GPL-3.0-or-later
// The transducer of a Verasonics workspace: places of elements, and the columns that they fill.
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
    double frequencyHz = 0.0; ///< Trans.frequency, whose wavelength is the unit of length
    double wavelengthM = 0.0;
    double lensS = 0.0; ///< one way through the lens
    std::vector<std::string> warnings;

    /// The elements that weights or delays of `count` entries belong to, from 0: all, or those of
    /// the multiplexer's aperture (from 1, 0 = none). Empty where they belong to none.
    std::vector<std::size_t> elementsOf(std::size_t count, std::size_t aperture) const;
    /// The column of RcvData that an element fills, from 0; nothing where it is not connected.
    std::optional<std::size_t> columnOf(std::size_t element, std::size_t aperture) const;

    std::vector<std::size_t> connector = {};          ///< column of each element, from 1; 0 = none
    std::vector<std::vector<std::size_t>> muxed = {}; ///< [aperture][element], likewise
};

VerasonicsProbe readVerasonicsProbe(const VerasonicsValues& values);

} // namespace echolux
