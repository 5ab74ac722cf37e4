// SPDX-License-Identifier: GPL-3.0-or-later
// Values of every type in words, as the list of edits names them.
#include "tests/ui/panel_fixtures.hpp"
#include "ui/parameters/param_text.hpp"

#include <gtest/gtest.h>

namespace echolux {
namespace {

using testing_support::everyRow;

TEST(ParamText, NamesValuesOfEveryType) {
    EXPECT_EQ(paramText(everyRow("speed"), 1480.0), "1480 m/s");
    EXPECT_EQ(paramText(everyRow("on"), true), "on");
    EXPECT_EQ(paramText(everyRow("shape"), std::string("tukey")), "Tukey");
    EXPECT_EQ(paramText(everyRow("gains"), std::vector<double>{0.0, 2.5, 4.0}), "0.0, 2.5, 4.0 dB");
    EXPECT_EQ(paramText(everyRow("coefficients"), std::vector<double>{}), "none");
    EXPECT_TRUE(paramText(everyRow("coefficients"), std::vector<double>(40, 0.5)).size() < 60);
    EXPECT_EQ(paramText(everyRow("transmits"), std::string("middle")), "middle");
    EXPECT_EQ(paramText(everyRow("transmits"), std::vector<double>{1.0, 0.0, 1.0}), "2 of 3");
}

} // namespace
} // namespace echolux
