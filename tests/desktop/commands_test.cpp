// SPDX-License-Identifier: GPL-3.0-or-later
// Commands have names that stay, whatever is open, and the palette finds and runs them.
#include "tests/desktop/open_window.hpp"
#include "tests/support/refusal.hpp"
#include "ui/controls/commands_of.hpp"
#include "ui/dialogs/command_palette.hpp"
#include "ui/views/image_actions.hpp"
#include "ui/views/view_area.hpp"
#include "ui/window/main_window.hpp"

#include <QAction>
#include <QFile>
#include <QLineEdit>
#include <QTest>
#include <QTimer>

#include <algorithm>
#include <set>

namespace echolux {
namespace {

using testing_support::bundled;
using testing_support::coarseMatrixArray;
using testing_support::OpenWindow;
using testing_support::refusal;

/// Of menus whose entries are files, edits, pages and the like no name is promised.
bool isList(const Command& command) {
    for (const char* menu : {"Open recent", "Track", "History", "Pages", "Plugin views", "Presets"})
        if (command.menus.contains(menu)) return true;
    return false;
}

QStringList idsOf(const MainWindow& window) {
    QStringList ids;
    for (const Command& each : commandsOf(window))
        if (!isList(each)) ids << each.id;
    return ids;
}

/// A name that changes breaks scripts of users: then give the action its former object name.
TEST(Commands, NamesAreThoseOfTheList) {
    QFile file(ECHOLUX_SOURCE_DIR "/tests/desktop/command_ids.txt");
    ASSERT_TRUE(file.open(QIODevice::ReadOnly | QIODevice::Text));
    const QStringList known = QString::fromUtf8(file.readAll()).split('\n', Qt::SkipEmptyParts);
    for (const OpenRequest& recording :
         {bundled("phantom_cine.echolux.h5"), bundled("retina_volume.echolux.h5"),
          coarseMatrixArray()}) {
        OpenWindow window(recording);
        ASSERT_TRUE(window.showsFrames(1));
        const QStringList ids = idsOf(window.desktop.window());
        for (const QString& each : ids)
            EXPECT_TRUE(known.contains(each)) << "new: " << each.toStdString();
        for (const QString& each : known)
            EXPECT_TRUE(ids.contains(each)) << "gone: " << each.toStdString();
        EXPECT_EQ(std::set<QString>(ids.begin(), ids.end()).size(),
                  static_cast<std::size_t>(ids.size()))
            << "each name once";
    }
}

TEST(Commands, AreRunByNameOrRefusedBySentences) {
    OpenWindow window;
    ASSERT_TRUE(window.showsFrames(1));
    MainWindow& main = window.desktop.window();
    QAction* scaleBar = window.desktop.views().imageActions().scaleBar();
    const bool before = scaleBar->isChecked();
    runCommand(main, "image.scale_bar");
    EXPECT_NE(scaleBar->isChecked(), before);
    const auto refused = [&](const char* id) { return refusal([&] { runCommand(main, id); }); };
    EXPECT_EQ(refused("image.scale_bra"),
              "No command is called 'image.scale_bra' (did you mean 'image.scale_bar'?); "
              "Help > Commands lists them, each with its name.");
    EXPECT_EQ(refused("image.remove_region"),
              "The command 'image.remove_region' cannot act at present.");
}

TEST(Commands, ThePaletteFindsByWordsAndRunsWithReturn) {
    OpenWindow window;
    ASSERT_TRUE(window.showsFrames(1));
    MainWindow& main = window.desktop.window();
    QAction* scaleBar = window.desktop.views().imageActions().scaleBar();
    const bool before = scaleBar->isChecked();
    QStringList all, found;
    bool opened = false;
    QTimer::singleShot(0, &main, [&] {
        auto* palette = qobject_cast<CommandPalette*>(QApplication::activeModalWidget());
        if (palette == nullptr) return;
        opened = true;
        all = palette->listed();
        auto* field = palette->findChild<QLineEdit*>();
        QTest::keyClicks(field, "bar sca");
        found = palette->listed();
        QTest::keyClick(field, Qt::Key_Return);
    });
    runCommand(main, "help.commands");
    ASSERT_TRUE(opened);
    EXPECT_GT(all.size(), 60);
    EXPECT_FALSE(all.contains("view.en_face")) << "there is no volume";
    ASSERT_FALSE(found.isEmpty());
    EXPECT_EQ(found.front(), "image.scale_bar");
    EXPECT_NE(scaleBar->isChecked(), before);
}

TEST(Commands, WhatCannotActComesLastAndIsNotRun) {
    OpenWindow window;
    ASSERT_TRUE(window.showsFrames(1));
    CommandPalette palette(commandsOf(window.desktop.window()), &window.desktop.window());
    auto* field = palette.findChild<QLineEdit*>();
    field->setText("region");
    const QStringList found = palette.listed();
    ASSERT_GE(found.size(), 2);
    EXPECT_EQ(found.back(), "image.remove_region");
    field->setText("remove region");
    QTest::keyClick(field, Qt::Key_Return);
    EXPECT_EQ(palette.chosen(), nullptr);
    QTest::keyClick(field, Qt::Key_Escape);
    EXPECT_EQ(palette.result(), QDialog::Rejected);
}

} // namespace
} // namespace echolux
