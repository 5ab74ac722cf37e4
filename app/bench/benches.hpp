// SPDX-License-Identifier: GPL-3.0-or-later
// The program echolux-bench. `echolux bench ...` hands its words to it.
#pragma once

namespace echolux {

/// Returns the exit status: 0, or 2 after one sentence on stderr.
int runBench(int argc, char** argv);

} // namespace echolux
