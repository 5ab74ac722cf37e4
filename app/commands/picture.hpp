// SPDX-License-Identifier: GPL-3.0-or-later
// Writes images of commands as pictures.
#pragma once

#include "app/export/picture.hpp"
#include "render/view/colour_map.hpp"

#include <filesystem>
#include <vector>

namespace echolux {

/// The files of an image written to `path`: the image, and for .npy also the JSON file of its axes.
std::vector<std::filesystem::path> filesOfImage(const std::filesystem::path& path);

/// Writes .npy, or otherwise calls writePicture(), by the ending of `path`; depth runs down in
/// both. For ultrasound volumes a picture shows the middle slice, and a line on stderr says so.
void writeImage(const std::filesystem::path& path, HostFrameData image, const ColourMap& map);

/// Writes a PNG at the true aspect. Its description states the levels of black and white. Throws
/// Error where the frame is no image or the file cannot be written, and leaves no partial file.
void writePicture(const std::filesystem::path& path, const HostFrameData& image,
                  const ColourMap& map);

} // namespace echolux
