// SPDX-License-Identifier: GPL-3.0-or-later
// Entry of every test program. Set ECHOLUX_REQUIRE_GPU=1 to turn skips for want of a GPU into
// failures.
#include <gtest/gtest.h>

#include <csignal>
#include <cstdlib>
#include <string>
#include <string_view>

#include <unistd.h>

#if defined(__SANITIZE_THREAD__)
#include <oneapi/tbb/global_control.h>
#endif

/// HDF5 1.10 loses object headers of files that were written for readers beside the writer, and
/// names of a file that could not be written to its end. Fontconfig keeps what it has read of fonts
/// until the program ends. NOTE: what we do not close stays in the tables of HDF5, and so would be
/// no leak.
extern "C" const char* __lsan_default_suppressions();
extern "C" const char* __lsan_default_suppressions() {
    return "leak:libhdf5\nleak:libfontconfig\n";
}

namespace {

/// Ends the program where a test does not end.
class Patience : public testing::EmptyTestEventListener {
    static constexpr unsigned kSeconds = 300;

    void OnTestStart(const testing::TestInfo& test) override {
        static std::string said;
        said = std::string("\n") + test.test_suite_name() + "." + test.name() +
               " takes longer than five minutes.\n";
        std::signal(SIGALRM, [](int) {
            [[maybe_unused]] const auto written = ::write(STDERR_FILENO, said.data(), said.size());
            std::abort();
        });
        ::alarm(kSeconds);
    }
    void OnTestEnd(const testing::TestInfo&) override { ::alarm(0); }
};

} // namespace

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
    testing::UnitTest::GetInstance()->listeners().Append(new Patience);
    return RUN_ALL_TESTS();
}
