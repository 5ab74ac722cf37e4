// SPDX-License-Identifier: GPL-3.0-or-later
// Traces of pairs of elements, in any order, as [transmit][element].
#pragma once

#include "gpu/core/acquisition.hpp"

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

namespace echolux {

/// Full, half or partial matrix captures. Each element that fires has one transmit, in the order of
/// elements; where every two elements are stored in one direction, all elements have one.
class ElementMatrix {
public:
    struct Pair {
        std::size_t tx = 0; ///< element that fires, from 0
        std::size_t rx = 0;
    };

    /// Throws Error where a pair is stored twice, and where the matrix is much larger than what is
    /// stored.
    ElementMatrix(const std::filesystem::path& path, std::vector<Pair> pairs, std::size_t elements);

    const std::vector<std::size_t>& fired() const { return m_fired; } ///< element of each transmit
    std::size_t elements() const { return m_elements; }
    std::size_t lines() const { return m_fired.size() * m_elements; }
    /// Where trace `pair` lies in [transmit][element].
    std::size_t lineOf(std::size_t pair) const {
        return m_row[m_pairs[pair].tx] * m_elements + m_pairs[pair].rx;
    }
    /// Weight of each line; empty where all are stored. By reciprocity a pair whose reverse is not
    /// stored counts for both: it gets weight 2, which ReciprocalFill replaces by a copy.
    std::vector<float> weights() const;
    std::string description() const; ///< "full matrix, 12 x 12"
    /// One transmit for each element that fires, at the places of `elements`.
    std::vector<Transmit> transmits(const std::vector<Point>& elements, double firstSampleS) const;

private:
    bool coversEveryPairOnce() const;
    /// True where only one direction of these two elements is stored.
    bool isAlone(const Pair& pair) const;
    bool isFull() const { return m_pairs.size() == lines(); }

    std::vector<Pair> m_pairs;
    std::size_t m_elements;
    std::vector<std::size_t> m_fired;
    std::vector<std::size_t> m_row; ///< transmit of each element
    std::vector<bool> m_fires;
    std::vector<bool> m_stored; ///< [transmit][element]
};

} // namespace echolux
