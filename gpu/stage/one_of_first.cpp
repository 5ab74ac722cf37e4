// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/stage/one_of_first.hpp"

#include "gpu/core/error.hpp"

#include <fmt/format.h>

namespace echolux {

void checkOneOfFirst(const char* stage, const char* key, std::int64_t number, const char* whole,
                     std::int64_t count) {
    if (number >= 1 && number <= count) return;
    throw Error(fmt::format("Stage '{0}': parameter '{1}' is {2}, but {3} has {4} {1}{5}; choose "
                            "{6}.",
                            stage, key, number, whole, count, count == 1 ? "" : "s",
                            count == 1 ? "1" : fmt::format("1 to {}", count)));
}

} // namespace echolux
