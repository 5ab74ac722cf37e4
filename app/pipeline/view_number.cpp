// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/pipeline/view_number.hpp"

#include "gpu/core/error.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <vector>

namespace echolux {

std::size_t viewNumber(const Snapshot& snapshot, const std::string& name) {
    std::vector<std::string> names;
    for (const ViewState& view : snapshot.views) names.push_back(nameOf(view));
    const auto at = std::ranges::find(names, name);
    if (at == names.end())
        throw Error(fmt::format("The pipeline '{}' has no view '{}'; choose one of {}.",
                                snapshot.name, name, fmt::join(names, ", ")));
    return static_cast<std::size_t>(at - names.begin());
}

} // namespace echolux
