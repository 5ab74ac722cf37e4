// SPDX-License-Identifier: GPL-3.0-or-later
// A recording of a plugin's reader: what it says is checked, what it throws becomes Error.
#pragma once

#include "app/dataset/recording/recording.hpp"

#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

namespace echolux {

/// Calls `act`, which is code of a plugin. Whatever it throws becomes Error, which names the file
/// and `who`: "the reader 'x' of the plugin /path/y.so".
void guard(const std::filesystem::path& path, const std::string& who,
           const std::function<void()>& act);

/// True for small letters, digits and '_': names of live sources and views of plugins.
bool isPluginKey(std::string_view name);

/// Calls `act`, which is code of a plugin. Returns what it threw, without a full stop; empty where
/// it threw nothing.
std::string failureOf(const std::function<void()>& act);

/// The same recording behind guard(). Throws Error where it is null, or where its facts contradict
/// each other. Sets its path, its format where it is empty, and a note about its reader. Adds
/// `warning` unless it is empty.
std::unique_ptr<Recording> guardedRecording(std::unique_ptr<Recording> recording,
                                            const std::filesystem::path& path,
                                            const std::string& who, const std::string& warning);

} // namespace echolux
