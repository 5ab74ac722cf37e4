// SPDX-License-Identifier: GPL-3.0-or-later
// The problems that --problem of a bench names.
#pragma once

#include "gpu/core/error.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string>
#include <vector>

namespace echolux {

/// The problems of `all` with these ids; all where there are no ids. Throws Error, which names
/// `bench` and all problems, where there is no problem with an id.
template <class Problem> std::vector<Problem>
chosenProblems(std::vector<Problem> all, const std::vector<std::string>& ids, const char* bench) {
    if (ids.empty()) return all;
    std::vector<Problem> some;
    for (const std::string& id : ids) {
        const auto at = std::ranges::find(all, id, &Problem::id);
        if (at == all.end()) {
            std::vector<std::string> known;
            for (const Problem& problem : all) known.push_back(problem.id);
            throw Error(fmt::format("bench {}: there is no problem '{}'; choose from {}.", bench,
                                    id, fmt::join(known, ", ")));
        }
        some.push_back(*at);
    }
    return some;
}

} // namespace echolux
