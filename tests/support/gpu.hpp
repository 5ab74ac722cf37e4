// SPDX-License-Identifier: GPL-3.0-or-later
// Skips a test where there is no GPU, or fails it where ECHOLUX_REQUIRE_GPU=1 promises one.
#pragma once

#include "gpu/exec/exec.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <string>

#define ECHOLUX_NEED_GPU()                                                                         \
    do {                                                                                           \
        std::string why;                                                                           \
        if (echolux::device::probe(&why).empty()) {                                                \
            const char* required = std::getenv("ECHOLUX_REQUIRE_GPU");                             \
            if (required != nullptr && std::string(required) == "1") FAIL() << "no GPU: " << why;  \
            GTEST_SKIP() << "no GPU: " << why;                                                     \
        }                                                                                          \
    } while (false)
