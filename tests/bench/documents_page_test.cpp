// SPDX-License-Identifier: GPL-3.0-or-later
// `echolux help documents`: every bench in it runs.
#include "tests/support/bench_line.hpp"
#include "tests/support/documents_walk.hpp"

namespace echolux::test {
namespace {

TEST(BenchDocumentsPage, EveryBenchRuns) { expectCommandsRun(runBenches, true, "cpu"); }

} // namespace
} // namespace echolux::test
