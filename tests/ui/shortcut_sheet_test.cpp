// SPDX-License-Identifier: GPL-3.0-or-later
// The sheet of keys and mouse gestures.
#include "tests/ui/window_fixture.hpp"
#include "ui/dialogs/shortcut_sheet.hpp"

#include <QLabel>
#include <QScrollArea>

namespace echolux {
namespace {

using testing_support::WindowTest;

TEST_F(WindowTest, TheSheetListsKeysAndGesturesWithinASmallWindow) {
    show(960, 600);
    const TransportBar::Actions& play = m_window->transport().actions();
    ShortcutSheet sheet({{"Playback", {shortcutLine(*play.play), shortcutLine(*play.goTo)}}},
                        m_window.get());
    sheet.show();
    ASSERT_TRUE(QTest::qWaitForWindowExposed(&sheet));
    EXPECT_LE(sheet.width(), 960);
    EXPECT_LE(sheet.height(), 600);
    const auto* area = sheet.findChild<QScrollArea*>();
    ASSERT_NE(area, nullptr);
    EXPECT_LE(area->widget()->width(), area->viewport()->width()) << "nothing to scroll sideways";
    QStringList texts;
    for (const QLabel* label : sheet.findChildren<QLabel*>()) texts << label->text();
    for (const char* wanted : {"Space", "Type the number of a frame", "Zoom at the cursor", "Turn",
                               "Values at the cursor", "Play a part of the recording",
                               "Drag an end; double click: back"})
        EXPECT_TRUE(texts.contains(wanted)) << wanted;
}

} // namespace
} // namespace echolux
