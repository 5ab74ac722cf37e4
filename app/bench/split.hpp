// SPDX-License-Identifier: GPL-3.0-or-later
// `echolux bench stream --gpus`: one stream shared by several GPUs.
#pragma once

#include "app/command_line/options.hpp"

#include <string>
#include <vector>

namespace echolux {

/// Images the recording from host memory with one runner and with a runner per entry of `gpus`,
/// `seconds` long each, and prints both rates. Writes the figures to `json` unless it is empty.
/// Throws Error where frames cannot be shared.
void runSplitStream(const ImagingOptions& imaging, const std::vector<int>& gpus, double seconds,
                    const std::string& json);

} // namespace echolux
