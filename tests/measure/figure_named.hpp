// SPDX-License-Identifier: GPL-3.0-or-later
// One figure out of a list.
#pragma once

#include "app/measure/measurement.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace echolux::measure {

/// Where there is none, the test fails.
inline double figureOf(const std::vector<Figure>& figures, const std::string& id) {
    for (const Figure& figure : figures)
        if (figure.id == id) return figure.value;
    ADD_FAILURE() << "no figure " << id;
    return 0.0;
}

} // namespace echolux::measure
