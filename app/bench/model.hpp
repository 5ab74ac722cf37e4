// SPDX-License-Identifier: GPL-3.0-or-later
// `echolux bench model`: the problems of the other benches by the performance models, with measured
// times beside them.
#pragma once

#include <CLI/CLI.hpp>

namespace echolux {

void addBenchModel(CLI::App& bench);

} // namespace echolux
