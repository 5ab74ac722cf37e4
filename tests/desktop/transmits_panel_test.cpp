// SPDX-License-Identifier: GPL-3.0-or-later
// Thumbnails of transmits: how they stand, what clicks and keys switch, what is drawn.
#include "app/tools/transmits/panel.hpp"
#include "tests/support/qt_application.hpp"
#include "tests/support/waiting.hpp"
#include "ui/theme/theme.hpp"

#include <QScrollBar>
#include <QSignalSpy>
#include <QTest>
#include <gtest/gtest.h>

#include <algorithm>

namespace echolux {
namespace {

struct ShownThumbnails {
    explicit ShownThumbnails(int count) {
        QStringList names;
        for (int i = 0; i < count; ++i) names << QString("%1 deg").arg(i);
        grid.setNames(names);
        panel.setReason({});
        panel.resize(360, 600);
        panel.show();
        if (!QTest::qWaitForWindowExposed(&panel)) qFatal("no window");
        panel.activateWindow();
    }
    static QWidget* noParent() {
        testing_support::application();
        Theme::instance().apply(ThemeKind::Dark);
        return nullptr;
    }
    void click(int transmit) {
        QTest::mouseClick(grid.viewport(), Qt::LeftButton, {}, grid.cellRect(transmit).center());
    }
    void doubleClick(int transmit) {
        click(transmit);
        QTest::mouseDClick(grid.viewport(), Qt::LeftButton, {}, grid.cellRect(transmit).center());
    }
    std::vector<int> on() {
        std::vector<int> those;
        const std::vector<bool> states = grid.states();
        for (int i = 0; i < grid.count(); ++i)
            if (states[static_cast<std::size_t>(i)]) those.push_back(i);
        return those;
    }
    /// Of its picture, above the stroke of those that are off.
    int greyOf(int transmit) {
        const QImage shown = grid.viewport()->grab().toImage();
        const QRect cell = grid.cellRect(transmit);
        return qGray(shown.pixel(cell.left() + cell.width() / 4, cell.top() + cell.height() / 4));
    }
    TransmitThumbnails panel{noParent()};
    ThumbnailGrid& grid{panel.grid()};
};

TransmitPicture evenPicture(double peakDb) {
    TransmitPicture picture{QImage(8, 8, QImage::Format_Grayscale8), peakDb};
    picture.levels.fill(255);
    return picture;
}

TEST(TransmitThumbnails, FewStandLargeAndManyScroll) {
    ShownThumbnails few(3);
    EXPECT_EQ(few.grid.inSight(), (std::vector<int>{0, 1, 2}));
    EXPECT_EQ(few.grid.verticalScrollBar()->maximum(), 0);
    EXPECT_LE(few.grid.cellRect(2).bottom(), few.grid.viewport()->height());
    ShownThumbnails many(128);
    EXPECT_LT(many.grid.cellRect(0).width(), few.grid.cellRect(0).width());
    EXPECT_EQ(many.grid.cellRect(0).top(), many.grid.cellRect(1).top());
    EXPECT_LT(many.grid.inSight().size(), 64U);
    EXPECT_LT(many.grid.cellRect(2).right(), many.grid.viewport()->width());
    QSignalSpy scrolled(&many.grid, &ThumbnailGrid::sightChanged);
    many.grid.verticalScrollBar()->setValue(many.grid.verticalScrollBar()->maximum());
    EXPECT_FALSE(scrolled.isEmpty());
    EXPECT_EQ(many.grid.inSight().back(), 127);
    EXPECT_LE(many.grid.cellRect(127).bottom(), many.grid.viewport()->height());
}

TEST(TransmitThumbnails, NamesThatBeginAlikeLetMoreStandSideBySide) {
    ShownThumbnails shown(0);
    QStringList names;
    for (int i = 0; i < 64; ++i) names << QString("element at the place %1 mm").arg(i);
    shown.grid.setNames(names);
    const int narrow = shown.grid.cellRect(0).width();
    for (QString& name : names) name.replace(' ', '_');
    shown.grid.setNames(names);
    EXPECT_GT(shown.grid.cellRect(0).width(), narrow);
}

TEST(TransmitThumbnails, ClicksSwitchAndDoubleClicksLeaveOneAlone) {
    ShownThumbnails shown(4);
    QSignalSpy edited(&shown.grid, &ThumbnailGrid::edited);
    shown.click(1);
    EXPECT_EQ(shown.on(), (std::vector<int>{0, 2, 3}));
    EXPECT_EQ(edited.count(), 1);
    EXPECT_TRUE(shown.panel.summary().startsWith("3 / 4 on"));
    shown.click(1);
    EXPECT_EQ(shown.on().size(), 4U);
    shown.doubleClick(2);
    EXPECT_EQ(shown.on(), std::vector<int>{2});
    shown.doubleClick(0);
    EXPECT_EQ(shown.on(), std::vector<int>{0});
    shown.doubleClick(0);
    EXPECT_EQ(shown.on().size(), 4U);
}

TEST(TransmitThumbnails, KeysDoTheSame) {
    ShownThumbnails shown(40);
    shown.grid.setFocus();
    QTest::keyClick(&shown.grid, Qt::Key_Down);
    QTest::keyClick(&shown.grid, Qt::Key_Return);
    EXPECT_FALSE(shown.grid.states()[1]);
    QTest::keyClick(&shown.grid, Qt::Key_Up);
    QTest::keyClick(&shown.grid, Qt::Key_Return, Qt::ShiftModifier);
    EXPECT_EQ(shown.on(), std::vector<int>{0});
    QTest::keyClick(&shown.grid, Qt::Key_Return, Qt::ShiftModifier);
    EXPECT_EQ(shown.on().size(), 40U);
    for (int i = 0; i < 39; ++i) QTest::keyClick(&shown.grid, Qt::Key_Down);
    EXPECT_EQ(shown.grid.inSight().back(), 39) << "the cursor stays in sight";
    QTest::keyClick(&shown.grid, Qt::Key_Enter);
    EXPECT_FALSE(shown.grid.states()[39]);
}

TEST(TransmitThumbnails, LevelsAreRelativeToTheBrightestAndThoseOffAreDim) {
    ShownThumbnails shown(2);
    shown.panel.setRange(60.0);
    shown.grid.setPicture(0, evenPicture(-20.0));
    shown.grid.setPicture(1, evenPicture(-50.0));
    EXPECT_EQ(shown.grid.brightestDb(), -20.0);
    EXPECT_NEAR(shown.greyOf(0), 255, 2);
    EXPECT_NEAR(shown.greyOf(1), 128, 3);
    shown.panel.setStates({false, true});
    EXPECT_LT(shown.greyOf(0), 110);
}

TEST(TransmitThumbnails, SettersEmitNothingAndReasonsStandInTheirPlace) {
    ShownThumbnails shown(3);
    QSignalSpy edited(&shown.grid, &ThumbnailGrid::edited);
    shown.panel.setStates({true, false, true});
    EXPECT_TRUE(edited.isEmpty());
    EXPECT_EQ(shown.on(), (std::vector<int>{0, 2}));
    shown.panel.setReason("Nothing to see.");
    EXPECT_FALSE(shown.grid.isVisible());
    EXPECT_EQ(shown.panel.reason(), "Nothing to see.");
    EXPECT_EQ(shown.panel.summary(), "");
    shown.panel.setReason({});
    EXPECT_TRUE(shown.grid.isVisible());
}

TEST(TransmitThumbnails, TellsWhenItComesIntoSight) {
    ShownThumbnails shown(1);
    EXPECT_TRUE(shown.panel.isSeen());
    shown.panel.hide();
    EXPECT_FALSE(shown.panel.isSeen());
    QSignalSpy came(&shown.panel, &TransmitThumbnails::cameIntoSight);
    shown.panel.show();
    EXPECT_TRUE(came.wait(testing_support::kPatienceMs));
}

} // namespace
} // namespace echolux
