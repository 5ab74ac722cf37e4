// SPDX-License-Identifier: GPL-3.0-or-later
// The one QApplication of a test program, made when the first test asks for it.
#pragma once

#include <QApplication>

namespace echolux::testing_support {

inline QApplication& application() {
    static int argc = 1;
    static char name[] = "tests";
    static char* argv[] = {name, nullptr};
    // NOTE: never deleted, since widgets of static lifetime may outlive main().
    static auto* app =
        qApp != nullptr ? static_cast<QApplication*>(qApp) : new QApplication(argc, argv);
    return *app;
}

} // namespace echolux::testing_support
