// SPDX-License-Identifier: GPL-3.0-or-later
// Entry of every test program. Set ECHOLUX_REQUIRE_GPU=1 to turn skips for want of a GPU into
// failures.
#include <gtest/gtest.h>

#include <cstdlib>

#if defined(__SANITIZE_THREAD__)
#include <oneapi/tbb/global_control.h>
#endif

int main(int argc, char** argv) {
#if defined(__SANITIZE_THREAD__)
    // NOTE: oneTBB comes without instrumentation, so what it orders looks unordered: no workers of
    // its own.
    using oneapi::tbb::global_control;
    const global_control serial(global_control::max_allowed_parallelism, 1);
#endif
#if defined(ECHOLUX_SECOND_DISPLAY)
    // tests/run.sh gives the widgets a display of their own, beside that of the whole windows.
    if (const char* second = std::getenv("ECHOLUX_SECOND_DISPLAY")) ::setenv("DISPLAY", second, 1);
#endif
    testing::InitGoogleTest(&argc, argv);
    return RUN_ALL_TESTS();
}
