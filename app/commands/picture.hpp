// SPDX-License-Identifier: GPL-3.0-or-later
// Images of commands as pictures.
#pragma once

#include "app/export/picture.hpp"
#include "render/view/colour_map.hpp"

#include <filesystem>
#include <vector>

namespace echolux {

/// The files of an image written to `path`: itself, and of a .npy the JSON of its axes.
std::vector<std::filesystem::path> filesOfImage(const std::filesystem::path& path);

/// As .npy, or as writePicture() does, by the name's ending; depth down either way. Of volumes of
/// echoes a picture shows the middle slice, and prints that it does.
void writeImage(const std::filesystem::path& path, HostFrameData image, const ColourMap& map);

/// A PNG at the true aspect; its description names the levels that are black and white. Throws
/// Error where the frame is no image or the file cannot be written; nothing half-written is left.
void writePicture(const std::filesystem::path& path, const HostFrameData& image,
                  const ColourMap& map);

} // namespace echolux
