// SPDX-License-Identifier: GPL-3.0-or-later
// Entry of every test program. Set ECHOLUX_REQUIRE_GPU=1 to turn skips for want of a GPU into
// failures.
#include <gtest/gtest.h>

#include <cstdlib>
#include <string_view>

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
    // tests/run.sh gives the widgets a display of their own, beside that of the whole windows.
    // NOTE: the name tells them, since a macro would keep other programs from sharing their
    // precompiled headers.
    const char* second = std::getenv("ECHOLUX_SECOND_DISPLAY");
    if (second != nullptr && std::string_view(argv[0]).ends_with("tests_ui"))
        ::setenv("DISPLAY", second, 1);
    testing::InitGoogleTest(&argc, argv);
    return RUN_ALL_TESTS();
}
