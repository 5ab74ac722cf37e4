// SPDX-License-Identifier: GPL-3.0-or-later
// Images of commands as pictures.
#pragma once

#include "app/session/offline/offline.hpp"
#include "render/view/colour_map.hpp"

#include <filesystem>

namespace echolux {

/// As [depth][lateral], or [sample][channel], whichever way it was computed.
HostFrameData depthDown(HostFrameData frame);

/// A PNG at the true aspect; its description names the levels that are black and white. Throws
/// Error where the frame is no image or the file cannot be written; nothing half-written is left.
void writePicture(const std::filesystem::path& path, const HostFrameData& image,
                  const ColourMap& map);

} // namespace echolux
