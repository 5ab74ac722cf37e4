// SPDX-License-Identifier: GPL-3.0-or-later
// Compares an option's value with its range.
#include "app/source/option_range.hpp"

#include "gpu/core/error.hpp"

#include <fmt/format.h>

namespace echolux {

void checkRange(const char* option, const char* unit, double shown, double least, double most) {
    if (shown >= least && shown <= most) return;
    throw Error(fmt::format("{} is {:g}{}, but only {:g} to {:g}{} make sense: choose a value in "
                            "between.",
                            option, shown, unit, least, most, unit));
}

} // namespace echolux
