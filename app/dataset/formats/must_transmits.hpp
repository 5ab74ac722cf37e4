// SPDX-License-Identifier: GPL-3.0-or-later
// What fires when in the transmits of a MUST recording: delays and apodization together.
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
    std::vector<double> delaysS;       ///< [transmit][element]; NaN: it stays silent
    std::vector<float> weights;        ///< [transmit][element]; 0: it stays silent
    std::vector<double> statedAngles;  ///< TXangle, rad; empty where there is none
    bool anglesStandForDelays = false; ///< there is no TXdelay
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

/// From TXdelay, else TXangle, else 0; elements of TXapodization 0 stay silent. One row of either
/// stands for all transmits. `name` is that of the struct. Throws Error where shapes disagree,
/// numbers are not finite, nothing fires in a transmit, or elements fire with opposite signs.
MustFirings readMustFirings(const std::filesystem::path& path, const MatValue& parameters,
                            const std::string& name, std::span<const Point> elements,
                            double soundSpeedMps);

} // namespace echolux
