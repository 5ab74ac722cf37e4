// SPDX-License-Identifier: GPL-3.0-or-later
// Takes up what plugins bring besides stages.
#pragma once

namespace echolux {

/// Readers of plugins that are loaded later can open recordings, their live sources have addresses,
/// and their views are known. A second call changes nothing.
void takePluginParts();

} // namespace echolux
