// SPDX-License-Identifier: GPL-3.0-or-later
// Makes stages of functions that are written in Python. `echolux help plugins` is the guide.
#pragma once

#include "gpu/stage/stage.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace echolux {

/// Runs `source`, the text of the file `path`, in Python. Its stages compute one frame at a time,
/// on the CPU, or on either backend where they ask for it and Python has CuPy. Throws Error where
/// there is no Python, the file fails or defines no stage, a parameter is described wrongly, or
/// more than 64 stages were made.
std::vector<StageType> pythonStages(const std::filesystem::path& path, const std::string& source);

} // namespace echolux
