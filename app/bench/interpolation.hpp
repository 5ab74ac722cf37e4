// SPDX-License-Identifier: GPL-3.0-or-later
// `echolux bench interpolation`: the quality of the methods to read between samples.
#pragma once

namespace CLI {
class App;
}

namespace echolux {

void addBenchInterpolation(CLI::App& bench);

} // namespace echolux
