// SPDX-License-Identifier: GPL-3.0-or-later
// Fonts for pictures that commands draw.
#pragma once

#include <memory>

class QGuiApplication;

namespace echolux {

/// Provides fonts for labels without a display, while the result lives. Null where a
/// QGuiApplication exists already.
std::shared_ptr<QGuiApplication> offscreenFonts();

} // namespace echolux
