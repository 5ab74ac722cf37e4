// SPDX-License-Identifier: GPL-3.0-or-later
// Pictures as the bytes of a file.
#pragma once

#include <string>

class QImage;

namespace echolux {

/// The picture in one of Qt's formats, such as "PNG". Throws Error where Qt cannot encode it.
std::string pictureBytes(const QImage& picture, const char* format);

} // namespace echolux
