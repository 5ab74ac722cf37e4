// SPDX-License-Identifier: GPL-3.0-or-later
// Pictures whose pixels are indices of colours (C.7.6.3.1.5 of the DICOM standard's part 3).
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace echolux {

struct DicomPalette {
    struct Colour {
        /// Numbers of its descriptor: entries (0: 65536), the first index, bits of a value.
        void describe(std::uint16_t entries, std::uint16_t firstIndex, std::uint16_t bits) {
            m_values.assign(entries == 0 ? 65536U : entries, 0);
            m_first = firstIndex;
            m_bits = bits;
        }
        /// False where there are fewer values than entries. Values of 8 bits lie two in a word or
        /// one.
        bool take(std::span<const std::uint16_t> words) {
            const bool paired = m_bits <= 8 && words.size() < m_values.size();
            if (words.size() * (paired ? 2 : 1) < m_values.size()) return false;
            for (std::size_t i = 0; i < m_values.size(); ++i) {
                const unsigned word = words[paired ? i / 2 : i];
                const unsigned value = paired ? word >> (i % 2 * 8U) & 0xFFU : word;
                m_values[i] = m_bits <= 8 ? (value & 0xFFU) << 8U : value;
            }
            return true;
        }
        /// From 0 to 65535.
        std::uint32_t at(std::uint32_t index) const {
            if (m_values.empty()) return 0;
            const std::uint32_t entry = index < m_first ? 0 : index - m_first;
            return m_values[std::min<std::size_t>(entry, m_values.size() - 1)];
        }

    private:
        std::vector<std::uint32_t> m_values;
        std::uint32_t m_first = 0;
        unsigned m_bits = 16;
    };
    std::array<Colour, 3> colours; ///< red, green, blue

    /// Brightness of 8 bits, ITU-R BT.601. NOTE: whole numbers, so that equal colours keep their
    /// upper byte.
    std::uint8_t greyOf(std::uint32_t index) const {
        const std::uint64_t sum = std::uint64_t{299} * colours[0].at(index) +
                                  std::uint64_t{587} * colours[1].at(index) +
                                  std::uint64_t{114} * colours[2].at(index);
        return static_cast<std::uint8_t>(sum / 1000 / 256);
    }
};

} // namespace echolux
