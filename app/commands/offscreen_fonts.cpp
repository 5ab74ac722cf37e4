// SPDX-License-Identifier: GPL-3.0-or-later
// Starts Qt without a display.
#include "app/commands/offscreen_fonts.hpp"

#include <QGuiApplication>

namespace echolux {

std::shared_ptr<QGuiApplication> offscreenFonts() {
    if (qGuiApp != nullptr) return nullptr;
    static char name[] = "echolux";
    static char option[] = "-platform";
    static char platform[] = "offscreen";
    // They must outlive the application. Qt removes the arguments that it has read.
    static int argc = 0;
    static char* argv[4];
    argc = 3;
    argv[0] = name;
    argv[1] = option;
    argv[2] = platform;
    argv[3] = nullptr;
    return std::make_shared<QGuiApplication>(argc, argv);
}

} // namespace echolux
