// SPDX-License-Identifier: GPL-3.0-or-later
// Sequences of tracked ultrasound as the Plus toolkit writes them: MetaImage with further keys.
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

/// Takes roles and directions of the axes of `picture`, its form and its frame rate. `isPlain`: the
/// header gives a spacing of 1 along all axes, which in these files is no length. Throws Error
/// where the type of image or its orientation is unknown.
void takePlusSequence(const MetaKey& key, bool isPlain, PictureFile& picture);

} // namespace echolux
