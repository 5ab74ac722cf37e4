// SPDX-License-Identifier: GPL-3.0-or-later
// `echolux bench interpolation`: how good the ways to read between samples are.
#pragma once

namespace CLI {
class App;
}

namespace echolux {

/// Adds `bench interpolation`.
void addBenchInterpolation(CLI::App& bench);

} // namespace echolux
