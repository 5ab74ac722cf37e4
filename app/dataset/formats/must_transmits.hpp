// SPDX-License-Identifier: GPL-3.0-or-later
// Firing times and weights of the elements in each transmit of a MUST recording.
#pragma once

#include "app/dataset/container/mat_value.hpp"
#include "gpu/core/acquisition.hpp"

#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace echolux {

struct MustFirings {
    std::size_t transmits = 0;
    std::vector<double> delaysS;       ///< [transmit][element]; NaN: the element stays silent
    std::vector<float> weights;        ///< [transmit][element]; 0: the element stays silent
    std::vector<double> statedAngles;  ///< TXangle in rad; empty where it is missing
    bool anglesStandForDelays = false; ///< delaysS is computed from TXangle, not from TXdelay
    std::vector<std::string> warnings;

    std::span<const double> delaysOf(std::size_t transmit) const {
        return rowOf(std::span(delaysS), transmit);
    }
    std::span<const float> weightsOf(std::size_t transmit) const {
        return rowOf(std::span(weights), transmit);
    }

private:
    template <class T> std::span<T> rowOf(std::span<T> all, std::size_t transmit) const {
        const std::size_t elements = all.size() / transmits;
        return all.subspan(transmit * elements, elements);
    }
};

/// Delays come from TXdelay, otherwise from TXangle, otherwise they are 0. Where TXdelay has one
/// row and TXangle one value for each of the `recorded` transmits, TXangle counts, with a warning.
/// Elements whose TXapodization is 0 stay silent. A single row of delays or weights counts for all
/// transmits. Rows are those of a matrix, of an array whose further axes have one entry, or of the
/// matrices in a cell array. `name` is the name of the struct. Throws Error where shapes disagree,
/// where numbers are not finite, or where a transmit has no firing element or elements of opposite
/// signs.
MustFirings readMustFirings(const std::filesystem::path& path, const MatValue& parameters,
                            const std::string& name, std::span<const Point> elements,
                            double soundSpeedMps, std::size_t recorded);

} // namespace echolux
