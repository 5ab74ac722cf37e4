// SPDX-License-Identifier: GPL-3.0-or-later
// The live sources that plugins bring. All functions may be called by any thread.
#pragma once

#include "app/live/source_type.hpp"

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace echolux {

/// Checks the sources of a plugin and changes nothing. The function that it returns adds them, in
/// place of those that `plugin` (its path) brought before, and does not throw. Throws Error where a
/// source has no code, or no name or the name of another one.
std::function<void()> takeSources(std::span<const LiveSourceType* const> sources,
                                  const std::string& plugin);

/// The address begins with the name of a plugin's source and a colon.
bool isPluginAddress(std::string_view address);
/// Precondition: isPluginAddress(). Throws Error as GuardedSource does.
std::unique_ptr<LiveSource> pluginSource(const std::string& address);
/// The kinds of address, each with one line of help.
std::vector<std::pair<std::string, std::string>> pluginAddressKinds();

} // namespace echolux
