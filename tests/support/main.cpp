// SPDX-License-Identifier: GPL-3.0-or-later
// Entry of every test program. Set ECHOLUX_REQUIRE_GPU=1 to turn skips for want of a GPU into
// failures.
#include <gtest/gtest.h>

int main(int argc, char** argv) {
    testing::InitGoogleTest(&argc, argv);
    return RUN_ALL_TESTS();
}
