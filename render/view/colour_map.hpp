// SPDX-License-Identifier: GPL-3.0-or-later
// The colour maps: 256 entries each, from dark to bright.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace echolux {

struct ColourMap {
    static constexpr std::size_t kEntries = 256;

    std::string_view name;                      ///< stable key
    std::array<std::uint32_t, kEntries> colour; ///< 0xRRGGBB
};

/// gray, viridis, inferno, magma, plasma, turbo, hot, bone, blue-orange, red-blue, hue.
std::span<const ColourMap> colourMaps();
/// Throws Error that lists the maps where no map has this name.
const ColourMap& colourMap(std::string_view name);

/// 0xRRGGBB of NaN. The colour is in none of the maps.
inline constexpr std::uint32_t kNotANumberColour = 0xff00ff;

} // namespace echolux
