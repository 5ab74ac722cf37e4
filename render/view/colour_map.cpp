// SPDX-License-Identifier: GPL-3.0-or-later
// The tables of resources/colormaps and their look-up by name.
#include "render/view/colour_map.hpp"

#include "gpu/core/error.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <ranges>

namespace echolux {

std::span<const ColourMap> colourMaps() {
    static constexpr ColourMap kMaps[] = {
#include "resources/colormaps/colour_maps.inc"
    };
    return kMaps;
}

const ColourMap& colourMap(std::string_view name) {
    const auto maps = colourMaps();
    const auto found = std::ranges::find(maps, name, &ColourMap::name);
    if (found != maps.end()) return *found;
    throw Error(fmt::format("There is no colour map '{}'; choose one of {}.", name,
                            fmt::join(maps | std::views::transform(&ColourMap::name), ", ")));
}

} // namespace echolux
