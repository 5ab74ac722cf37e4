// SPDX-License-Identifier: GPL-3.0-or-later
// The pipeline's text with what stands at its default as comments.
#include "app/desktop/edit_desk.hpp"
#include "tests/desktop/open_window.hpp"
#include "ui/graph/pipeline_text.hpp"
#include "ui/parameters/parameter_panel.hpp"

#include <gtest/gtest.h>

#include <QDockWidget>
#include <QPlainTextEdit>
#include <QToolButton>

namespace echolux {
namespace {

using testing_support::comesTrue;
using testing_support::OpenWindow;

TEST(TextDefaults, AreCommentsOnDemandThatSetAValueWithoutTheirSign) {
    OpenWindow window;
    PipelineText& view = window.desktop.panel<PipelineText>();
    window.desktop.window().findChild<QDockWidget*>("pipeline_text")->toggleViewAction()->trigger();
    ASSERT_TRUE(comesTrue([&] { return view.isVisible() && !view.text().isEmpty(); }));
    EXPECT_FALSE(view.text().contains("# speed_of_sound"));
    QTest::mouseClick(view.findChild<QToolButton*>("defaults"), Qt::LeftButton);
    EXPECT_TRUE(view.text().contains("\n# speed_of_sound = 1540.0\n"));
    EXPECT_FALSE(view.hasEdits());
    emit window.desktop.window().parameters().parameterEdited("beamform", "speed_of_sound", 1480.0);
    EXPECT_TRUE(view.text().contains("\nspeed_of_sound = 1480.0\n"));
    window.desktop.edits().undo();
    QString text = view.text();
    ASSERT_TRUE(text.contains("\n# speed_of_sound = 1540.0\n"));
    text.replace("\n# speed_of_sound = 1540.0\n", "\nspeed_of_sound = 1500.0\n");
    view.findChild<QPlainTextEdit*>()->setPlainText(text);
    ASSERT_TRUE(comesTrue([&] { return !view.hasEdits(); }));
    EXPECT_DOUBLE_EQ(window.speedOfSound(), 1500.0);
    EXPECT_EQ(view.text(), text) << "as it was written";
    QTest::mouseClick(view.findChild<QToolButton*>("defaults"), Qt::LeftButton);
    EXPECT_FALSE(view.text().contains('#'));
}

} // namespace
} // namespace echolux
