// SPDX-License-Identifier: GPL-3.0-or-later
// What the menus of the whole window hold, and the sheet of their keys.
#include "app/desktop/help_desk.hpp"
#include "app/desktop/workbench/tool_type.hpp"
#include "tests/desktop/open_window.hpp"
#include "ui/controls/action_text.hpp"
#include "ui/dialogs/calibration_menu.hpp"
#include "ui/views/view_area.hpp"

#include <QAction>
#include <QDialog>
#include <QLabel>
#include <QMenu>
#include <QMenuBar>
#include <QShortcut>
#include <QTimer>
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <set>
#include <utility>

namespace echolux {
namespace {

using testing_support::bundled;
using testing_support::coarseMatrixArray;
using testing_support::comesTrue;
using testing_support::OpenWindow;

QString plain(const QString& text) { return QString(text).remove('&'); }

/// `visit` gets each menu of the bar and of those menus, with its path: "View > Docks".
void forEachMenu(const QMenuBar& bar, const std::function<void(const QString&, QMenu&)>& visit) {
    const std::function<void(const QString&, QMenu&)> walk = [&](const QString& path, QMenu& menu) {
        emit menu.aboutToShow(); // some are filled only then
        visit(path, menu);
        for (QAction* entry : menu.actions())
            if (entry->menu() != nullptr) walk(path + " > " + plain(entry->text()), *entry->menu());
    };
    for (QAction* top : bar.actions())
        if (top->isVisible()) walk(plain(top->text()), *top->menu());
}

QStringList entriesOf(const QMenuBar& bar, const QString& path) {
    QStringList found;
    forEachMenu(bar, [&](const QString& at, QMenu& menu) {
        if (at != path) return;
        for (const QAction* entry : menu.actions())
            if (entry->isVisible() && !entry->isSeparator()) found << plain(entry->text());
    });
    return found;
}

TEST(Menus, NoneIsLongerThanFifteenEntries) {
    for (const OpenRequest& volume : {coarseMatrixArray(), bundled("retina_volume.echolux.h5")}) {
        OpenWindow window(volume);
        ASSERT_TRUE(comesTrue([&] { return window.desktop.views().hasVolume(); }));
        int menus = 0;
        forEachMenu(*window.desktop.window().menuBar(), [&](const QString& path, QMenu& menu) {
            ++menus;
            const auto actions = menu.actions();
            const auto shown = std::ranges::count_if(actions, [](const QAction* each) {
                return each->isVisible() && !each->isSeparator();
            });
            EXPECT_LE(shown, 15) << path.toStdString();
        });
        EXPECT_GT(menus, 12);
    }
}

TEST(Menus, ImageDocksThemeAndFilesStandApart) {
    OpenWindow window(coarseMatrixArray());
    ASSERT_TRUE(comesTrue([&] { return window.desktop.views().hasVolume(); }));
    const QMenuBar& bar = *window.desktop.window().menuBar();
    EXPECT_EQ(entriesOf(bar, "View"),
              QStringList({"C-plane", "Volume", "Side plane", "C-plane projection",
                           "Volume projection", "Look at the volume", "One view alone", "Docks",
                           "Docks side by side", "Reset layout", "Theme", "Full screen"}));
    const auto tools = std::ranges::count_if(
        toolTypes(), [](const ToolType& tool) { return tool.makePanel != nullptr; });
    const QStringList beams = entriesOf(bar, "View > Docks > Beams");
    EXPECT_EQ(beams, QStringList({"Delay curve", "Contributions", "Beam shape"}));
    const QStringList flow = entriesOf(bar, "View > Docks > Flow");
    EXPECT_EQ(flow, QStringList({"Singular values", "Doppler waveform", "Doppler sound"}));
    constexpr int kMenus = 2;
    EXPECT_EQ(entriesOf(bar, "View > Docks").size() - kMenus + beams.size() + flow.size(),
              tools + 1)
        << "of the parameters and of the tools";
    EXPECT_EQ(entriesOf(bar, "View > Theme"), QStringList({"Dark", "Light"}));
    const QStringList image = entriesOf(bar, "Image");
    for (const char* entry : {"Reset view", "Auto range", "Next colour map", "Scale bar",
                              "Beam geometry", "Stretch to fill", "Draw region"})
        EXPECT_TRUE(image.contains(entry)) << entry;
    const QStringList file = entriesOf(bar, "File");
    for (const char* entry : {"Save screenshot", "Save image as\u2026", "Export\u2026",
                              "Export many files\u2026", "Facts about the recording"})
        EXPECT_TRUE(file.contains(entry)) << entry;
    EXPECT_EQ(file.back(), "Quit");
    EXPECT_TRUE(entriesOf(bar, "Edit").contains("Copy image"));
    EXPECT_TRUE(entriesOf(bar, "Edit").contains("Find parameter"));
    EXPECT_TRUE(entriesOf(bar, "Help").contains("Messages"));
}

TEST(Menus, WithoutAVolumeNothingOfOneIsOffered) {
    OpenWindow window;
    ASSERT_TRUE(window.showsFrames(1));
    EXPECT_EQ(entriesOf(*window.desktop.window().menuBar(), "View"),
              QStringList({"Docks", "Docks side by side", "Reset layout", "Theme", "Full screen"}));
}

/// The pairs of labels on the sheet that F1 opens: keys, and what they do.
std::set<std::pair<QString, QString>> sheetOf(MainWindow& window) {
    std::set<std::pair<QString, QString>> lines;
    QTimer::singleShot(0, &window, [&] {
        QWidget* sheet = QApplication::activeModalWidget();
        if (sheet == nullptr) return;
        QString keys;
        for (const QLabel* label : sheet->findChildren<QLabel*>()) {
            lines.emplace(keys, label->text());
            keys = label->text();
        }
        qobject_cast<QDialog*>(sheet)->reject();
    });
    window.showShortcuts();
    return lines;
}

TEST(Menus, TheSheetOfKeysHasEveryKeyOfTheWindow) {
    std::set<QString> keysSeen;
    for (const OpenRequest& volume : {coarseMatrixArray(), bundled("retina_volume.echolux.h5")}) {
        OpenWindow window(volume);
        ASSERT_TRUE(comesTrue([&] { return window.desktop.views().hasVolume(); }));
        window.desktop.help().open("formats"); // a window with keys of its own
        MainWindow& main = window.desktop.window();
        const auto sheet = sheetOf(main);
        const auto expectOnSheet = [&](const QString& keys, const QString& help) {
            keysSeen.insert(keys);
            EXPECT_FALSE(help.isEmpty()) << keys.toStdString();
            EXPECT_TRUE(sheet.contains({keys, help}))
                << keys.toStdString() << ": " << help.toStdString();
        };
        for (const QAction* action : main.findChildren<QAction*>()) {
            const auto* menu = qobject_cast<const QMenu*>(action->parent());
            const bool isHidden =
                menu != nullptr && menu == &main.calibration() && !menu->menuAction()->isVisible();
            if (action->isVisible() && !action->shortcuts().isEmpty() && !isHidden)
                expectOnSheet(keysText(*action), action->whatsThis());
        }
        for (const QShortcut* shortcut : main.findChildren<QShortcut*>())
            expectOnSheet(shortcut->key().toString(QKeySequence::NativeText),
                          shortcut->whatsThis());
    }
    for (const char* known : {"Ctrl+P", "Shift+B", "Ctrl+Shift+P", "Ctrl+Alt+P", "Ctrl+C", "Ctrl+F",
                              "Ctrl+D", "Y", "F1", "Ctrl+L"})
        EXPECT_TRUE(keysSeen.contains(known)) << known;
    EXPECT_GT(keysSeen.size(), 50U);
}

TEST(Menus, TheSheetLeavesOutKeysThatDoNothing) {
    OpenWindow window;
    ASSERT_TRUE(window.showsFrames(1));
    for (const auto& [keys, help] : sheetOf(window.desktop.window()))
        EXPECT_FALSE(help == "The volume in space" || keys == "Ctrl+D") << help.toStdString();
}

} // namespace
} // namespace echolux
