// SPDX-License-Identifier: GPL-3.0-or-later
// Letters in pictures that commands draw.
#pragma once

#include <memory>

class QGuiApplication;

namespace echolux {

/// Fonts for labels, without a display; null where the program has them.
std::shared_ptr<QGuiApplication> offscreenFonts();

} // namespace echolux
