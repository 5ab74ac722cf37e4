// SPDX-License-Identifier: GPL-3.0-or-later
// What the panel shows of a stage, and what its fields and sliders take.
#include "gpu/stage/registry.hpp"
#include "tests/ui/panel_fixtures.hpp"
#include "ui/controls/number_field.hpp"
#include "ui/controls/slider.hpp"
#include "ui/controls/small_buttons.hpp"
#include "ui/parameters/display_group.hpp"
#include "ui/parameters/number_editor.hpp"

#include <gtest/gtest.h>

#include <QTabBar>

namespace echolux {
namespace {

using testing_support::everyRowEntry;
using testing_support::lastValue;
using testing_support::ShownPanel;
using testing_support::typeInto;

TEST(ParameterPanel, UnitsAreUnderstoodAndWhatIsNotIsSaidBelowTheRow) {
    ShownPanel shown;
    QSignalSpy spy(&shown.panel, &ParameterPanel::parameterEdited);
    NumberField* speed = shown.editor<NumberEditor>("speed").field();
    typeInto(*speed, "1.5 km/s");
    ASSERT_EQ(spy.count(), 1);
    EXPECT_DOUBLE_EQ(std::get<double>(lastValue(spy)), 1500.0);
    typeInto(*speed, "1.5 kg");
    EXPECT_EQ(spy.count(), 1);
    EXPECT_EQ(shown.row("speed").note(),
              "\"1.5 kg\" was not taken: \"kg\" cannot be turned into m/s; the value stays at "
              "1500 m/s.");
    typeInto(*speed, "1540");
    EXPECT_EQ(shown.row("speed").note(), "");
}

TEST(ParameterPanel, ASliderSpansWhatSuitsTheRecordingAndTypingTheWholeTable) {
    ShownPanel shown;
    StageEntry entry = everyRowEntry("first");
    entry.spans = {{"edge", 2.0e6, 3.0e6}};
    shown.panel.setStages({entry});
    QSignalSpy spy(&shown.panel, &ParameterPanel::parameterEdited);
    auto& edge = shown.editor<NumberEditor>("edge");
    EXPECT_EQ(edge.slider()->value(), 5000) << "2.5 MHz is in the middle";
    QTest::mouseClick(edge.slider(), Qt::LeftButton, {},
                      QPoint(edge.slider()->width() - 2, edge.slider()->height() / 2));
    EXPECT_DOUBLE_EQ(std::get<double>(lastValue(spy)), 3.0e6);
    typeInto(*edge.field(), "7");
    EXPECT_DOUBLE_EQ(std::get<double>(lastValue(spy)), 7.0e6);
    EXPECT_EQ(edge.slider()->value(), 10000) << "the handle waits at the end";
}

TEST(ParameterPanel, SearchFiltersRowsByNameKeyAndHelp) {
    ShownPanel shown;
    shown.panel.searchField()->setText("SPEED");
    EXPECT_TRUE(shown.row("speed").isVisible());
    EXPECT_FALSE(shown.row("edge").isVisible());
    shown.panel.searchField()->setText("pass band");
    EXPECT_TRUE(shown.row("edge").isVisible());
    shown.panel.group("first")->setCollapsed(true);
    EXPECT_TRUE(shown.row("edge").isVisible()) << "a search opens what is folded";
    shown.panel.searchField()->setText("zzz");
    EXPECT_FALSE(shown.panel.group("first")->isVisible());
    shown.panel.searchField()->clear();
    EXPECT_TRUE(shown.panel.group("first")->isVisible());
    EXPECT_FALSE(shown.row("edge").isVisible()) << "folded as before";
}

TEST(ParameterPanel, SearchFindsDisplayControlsAndGroupsAndEscLeavesIt) {
    ShownPanel shown;
    auto* display = new DisplayGroup(shown.panel.columns());
    shown.panel.addPermanentGroup(display);
    QLineEdit* search = shown.panel.searchField();
    search->setText("colour map");
    EXPECT_FALSE(shown.panel.group("first")->isVisible());
    EXPECT_TRUE(display->row("colour_map")->isVisible());
    EXPECT_FALSE(display->row("gamma")->isVisible());
    display->setRangeLimits(0.0, 500.0, "");
    EXPECT_FALSE(display->row("gamma")->isVisible()) << "rows that are made anew are searched, too";
    search->setText("displ");
    EXPECT_TRUE(display->row("gamma")->isVisible()) << "the name of the group";
    search->setText("every row");
    EXPECT_TRUE(shown.row("speed").isVisible());
    EXPECT_FALSE(display->isVisible());
    search->setFocus();
    QTest::keyClick(search, Qt::Key_Escape);
    EXPECT_EQ(search->text(), "");
    EXPECT_FALSE(search->hasFocus());
    EXPECT_TRUE(display->row("gamma")->isVisible());
}

TEST(ParameterPanel, ASearchEndsWhenWhatItFoundWasEditedAndThePointerLeaves) {
    ShownPanel shown;
    QEvent leave(QEvent::Leave);
    shown.panel.searchField()->setText("speed");
    QApplication::sendEvent(&shown.panel, &leave);
    EXPECT_EQ(shown.panel.searchField()->text(), "speed") << "nothing was done with it";
    typeInto(*shown.editor<NumberEditor>("speed").field(), "1500");
    EXPECT_EQ(shown.panel.searchField()->text(), "speed") << "the row stays in its place";
    QApplication::sendEvent(&shown.panel, &leave);
    EXPECT_EQ(shown.panel.searchField()->text(), "");
    EXPECT_TRUE(shown.row("edge").isVisible());
}

TEST(ParameterPanel, AAndBHaveTabs) {
    ShownPanel shown;
    EXPECT_FALSE(shown.panel.branches()->isVisible());
    StageEntry a = everyRowEntry("a");
    a.branch = StageEntry::Branch::A;
    StageEntry b = everyRowEntry("a_b");
    b.branch = StageEntry::Branch::B;
    shown.panel.setStages({everyRowEntry("first"), a, b});
    const auto seen = [&] {
        QStringList names;
        for (const char* name : {"first", "a", "a_b"})
            if (shown.panel.group(name)->isVisible()) names << name;
        return names;
    };
    EXPECT_TRUE(shown.panel.branches()->isVisible());
    EXPECT_EQ(seen(), QStringList({"first", "a"}));
    shown.panel.branches()->setCurrentIndex(1);
    EXPECT_EQ(seen(), QStringList({"first", "a_b"}));
    shown.panel.searchField()->setText("speed");
    EXPECT_EQ(seen(), QStringList({"first", "a_b"}));
    shown.panel.searchField()->clear();
    shown.panel.reveal("a");
    EXPECT_EQ(seen(), QStringList({"first", "a"}));
    shown.panel.setStages({everyRowEntry("first")});
    EXPECT_FALSE(shown.panel.branches()->isVisible());
}

TEST(ParameterPanel, TabAndReturnGoFromTheSearchToTheFirstHit) {
    for (const int key : {Qt::Key_Tab, Qt::Key_Return}) {
        ShownPanel shown;
        QLineEdit* search = shown.panel.searchField();
        shown.panel.focusSearch();
        QTest::keyClicks(search, "speed");
        QTest::keyClick(search, static_cast<Qt::Key>(key));
        NumberField* speed = shown.editor<NumberEditor>("speed").field();
        EXPECT_EQ(shown.panel.focusWidget(), speed);
        QSignalSpy spy(&shown.panel, &ParameterPanel::parameterEdited);
        QTest::keyClicks(speed, "1480");
        QTest::keyClick(speed, Qt::Key_Return);
        EXPECT_DOUBLE_EQ(std::get<double>(lastValue(spy)), 1480.0) << "typing replaces the value";
    }
}

TEST(ParameterPanel, TabLeavesASearchWithoutHitsAsUsualAndASwitchIsAHit) {
    ShownPanel shown;
    QLineEdit* search = shown.panel.searchField();
    shown.panel.focusSearch();
    QTest::keyClicks(search, "zzz");
    QTest::keyClick(search, Qt::Key_Return);
    EXPECT_EQ(shown.panel.focusWidget(), search) << "the word can be mended";
    shown.panel.group("first")->setBypassed(true); // its rows are dimmed
    search->setText("every row");
    QTest::keyClick(search, Qt::Key_Tab);
    const QWidget* toggle = shown.panel.group("first")->headerSwitch();
    EXPECT_EQ(shown.panel.focusWidget(), toggle);
}

TEST(ParameterPanel, ARowIsRevealedAndTakesTheKeys) {
    ShownPanel shown(true);
    shown.panel.setCollapsedGroups({"second"});
    shown.panel.searchField()->setText("gains");
    shown.panel.revealRow("second", "speed");
    QCoreApplication::processEvents();
    EXPECT_TRUE(shown.row("speed", "second").isVisible());
    EXPECT_EQ(shown.panel.focusWidget(), shown.row("speed", "second").editor()->control());
}

TEST(ParameterPanel, RowsThatDoNotMatterAreHidden) {
    testing_support::application();
    const StageType& type = stageType("log_compression");
    StageEntry entry;
    entry.instance = "log";
    entry.type = &type;
    entry.values = entry.defaults = Params(type.table);
    ParameterPanel panel;
    panel.setStages({entry});
    panel.show();
    const auto shows = [&](const char* key) { return panel.group("log")->row(key)->isVisible(); };
    EXPECT_TRUE(shows("decay_db"));
    EXPECT_FALSE(shows("fixed_reference"));
    panel.setValue("log", "reference", std::string("fixed"));
    EXPECT_FALSE(shows("decay_db"));
    EXPECT_TRUE(shows("fixed_reference"));
    panel.searchField()->setText("decay");
    EXPECT_FALSE(shows("decay_db")) << "a search shows no row that does not matter";
}

} // namespace
} // namespace echolux
