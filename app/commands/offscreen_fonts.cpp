// SPDX-License-Identifier: GPL-3.0-or-later
// Qt without a display.
#include "app/commands/offscreen_fonts.hpp"

#include <QGuiApplication>

namespace echolux {

std::shared_ptr<QGuiApplication> offscreenFonts() {
    if (qGuiApp != nullptr) return nullptr;
    static int argc = 3;
    static char name[] = "echolux";
    static char option[] = "-platform";
    static char platform[] = "offscreen";
    static char* argv[] = {name, option, platform, nullptr};
    return std::make_shared<QGuiApplication>(argc, argv);
}

} // namespace echolux
