// SPDX-License-Identifier: GPL-3.0-or-later
// Sequences of tracked ultrasound as the Plus toolkit writes them: MetaImage or NRRD with further
// keys.
// They say which way the axes run, whether the samples are grey values or echoes, and when each
// frame was taken.
#pragma once

#include "app/dataset/formats/pictures/picture_file.hpp"

#include <cstdint>
#include <functional>
#include <string>

namespace echolux {

/// The text of a key; empty where it is missing.
using MetaKey = std::function<std::string(const std::string& key)>;

bool isPlusSequence(const MetaKey& key);

/// Takes roles and directions of the axes of `picture`, its form and its frame rate. A spacing of 1
/// along all axes of the image is no length in these files. Throws Error where the type of image or
/// its orientation is unknown.
void takePlusSequence(const MetaKey& key, PictureFile& picture);

} // namespace echolux
