// SPDX-License-Identifier: GPL-3.0-or-later
// The parameter panel as a user operates it: every row type, limits, dots, search, bypass, wheel.
#include "gpu/stage/registry.hpp"
#include "tests/ui/panel_fixtures.hpp"

#include "ui/controls/combo_box.hpp"
#include "ui/controls/number_field.hpp"
#include "ui/controls/slider.hpp"
#include "ui/controls/small_buttons.hpp"
#include "ui/controls/wheel_guard.hpp"
#include "ui/parameters/list_editor.hpp"
#include "ui/parameters/mask_editor.hpp"
#include "ui/parameters/mini_plot.hpp"
#include "ui/parameters/number_editor.hpp"
#include "ui/parameters/simple_editors.hpp"
#include "ui/theme/theme.hpp"

#include <QLineEdit>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

namespace echolux {
namespace {

using testing_support::comesTrue;
using testing_support::everyRowEntry;
using testing_support::lastValue;
using testing_support::settle;
using testing_support::ShownPanel;
using testing_support::turnWheel;
using testing_support::typeInto;

using List = std::vector<double>;

TEST(ParameterPanel, SliderMovesFieldAndReportsSi) {
    ShownPanel shown;
    QSignalSpy spy(&shown.panel, &ParameterPanel::parameterEdited);
    auto& edge = shown.editor<NumberEditor>("edge");
    QTest::mouseClick(edge.slider(), Qt::LeftButton, {}, edge.slider()->rect().center());
    ASSERT_GE(spy.count(), 1);
    EXPECT_EQ(spy.last().at(0).toString(), "first");
    EXPECT_EQ(spy.last().at(1).toString(), "edge");
    EXPECT_NEAR(std::get<double>(lastValue(spy)), 4.0e6, 0.15e6);
    EXPECT_NEAR(edge.field()->value(), std::get<double>(lastValue(spy)), 1e-6);
}

TEST(ParameterPanel, TypedNumberMovesSliderAndReportsSi) {
    ShownPanel shown;
    QSignalSpy spy(&shown.panel, &ParameterPanel::parameterEdited);
    auto& edge = shown.editor<NumberEditor>("edge");
    typeInto(*edge.field(), "5.75");
    ASSERT_EQ(spy.count(), 1);
    EXPECT_DOUBLE_EQ(std::get<double>(lastValue(spy)), 5.75e6);
    EXPECT_EQ(edge.slider()->value(), 7500);
    EXPECT_FALSE(edge.field()->hasFocus()) << "the keys of the window work again";
}

TEST(ParameterPanel, OutOfRangeIsClampedAndSaidSo) {
    ShownPanel shown;
    QSignalSpy spy(&shown.panel, &ParameterPanel::parameterEdited);
    auto& edge = shown.editor<NumberEditor>("edge");
    QSignalSpy noted(edge.field(), &NumberField::noted);
    typeInto(*edge.field(), "90");
    ASSERT_EQ(spy.count(), 1);
    EXPECT_DOUBLE_EQ(std::get<double>(lastValue(spy)), 7.5e6);
    ASSERT_EQ(noted.count(), 1);
    EXPECT_EQ(noted.first().first().toString(),
              "90.0 MHz was set to 7.5 MHz: the range is 0.5 to 7.5 MHz.");
    EXPECT_EQ(edge.field()->property("state").toString(), "warning");
}

TEST(ParameterPanel, WordsAreNoNumbers) {
    ShownPanel shown;
    QSignalSpy spy(&shown.panel, &ParameterPanel::parameterEdited);
    auto& edge = shown.editor<NumberEditor>("edge");
    typeInto(*edge.field(), "fast");
    EXPECT_EQ(spy.count(), 0);
    EXPECT_EQ(edge.field()->text(), "2.5");
}

TEST(ParameterPanel, EscapeForgetsWhatWasTyped) {
    ShownPanel shown;
    QSignalSpy spy(&shown.panel, &ParameterPanel::parameterEdited);
    auto& edge = shown.editor<NumberEditor>("edge");
    edge.field()->setFocus();
    QTest::keyClick(edge.field(), Qt::Key_A, Qt::ControlModifier);
    QTest::keyClicks(edge.field(), "6");
    QTest::keyClick(edge.field(), Qt::Key_Escape);
    EXPECT_EQ(spy.count(), 0);
    EXPECT_EQ(edge.field()->text(), "2.5");
}

TEST(ParameterPanel, EvenNumberOfTapsBecomesOdd) {
    ShownPanel shown;
    QSignalSpy spy(&shown.panel, &ParameterPanel::parameterEdited);
    typeInto(*shown.editor<NumberEditor>("taps").field(), "64");
    ASSERT_EQ(spy.count(), 1);
    EXPECT_EQ(lastValue(spy), ParamValue(std::int64_t{65}));
}

TEST(ParameterPanel, LogarithmicSliderIsEvenInRatios) {
    ShownPanel shown;
    auto& speed = shown.editor<NumberEditor>("speed");
    shown.panel.setValue("first", "speed", 1000.0 * std::sqrt(7.0));
    EXPECT_NEAR(speed.slider()->value(), 5000, 1);
}

TEST(ParameterPanel, SetValueIsSilent) {
    ShownPanel shown;
    QSignalSpy spy(&shown.panel, &ParameterPanel::parameterEdited);
    shown.panel.setValue("first", "edge", 3.0e6);
    shown.panel.setValue("first", "on", false);
    shown.panel.setValue("first", "shape", std::string("tukey"));
    shown.panel.setValue("first", "transmits", List{1, 0, 1, 1, 1, 1, 1, 1});
    shown.panel.setValue("first", "gains", List{1, 2, 3});
    shown.panel.setValue("nobody", "edge", 3.0e6);
    shown.panel.setValue("first", "nothing", 3.0e6);
    EXPECT_EQ(spy.count(), 0);
    EXPECT_EQ(shown.editor<NumberEditor>("edge").field()->text(), "3.0");
    EXPECT_EQ(shown.editor<ChoiceEditor>("shape").control()->currentText(), "Tukey");
}

TEST(ParameterPanel, DotAppearsAndResets) {
    ShownPanel shown;
    QSignalSpy spy(&shown.panel, &ParameterPanel::parameterEdited);
    ParamRowWidget& row = shown.row("edge");
    EXPECT_FALSE(row.dot()->isShown());
    shown.panel.setValue("first", "edge", 3.0e6);
    EXPECT_TRUE(row.dot()->isShown());
    EXPECT_TRUE(shown.panel.group("first")->dot()->isShown());
    QTest::mouseClick(row.dot(), Qt::LeftButton);
    ASSERT_EQ(spy.count(), 1);
    EXPECT_EQ(lastValue(spy), ParamValue(2.5e6));
    EXPECT_FALSE(row.dot()->isShown());
    EXPECT_FALSE(shown.panel.group("first")->dot()->isShown());
}

TEST(ParameterPanel, NumbersOfEveryStageFitTheirFields) {
    testing_support::application();
    Theme::instance().apply(ThemeKind::Dark);
    for (const StageType* type : builtinStages()) {
        for (const ParamRow& row : type->table.rows()) {
            if (row.type != ParamType::Real && row.type != ParamType::Integer) continue;
            NumberField field(row);
            field.ensurePolished();
            const auto* line = field.findChild<QLineEdit*>();
            for (const double at : {0.0, 0.013, 0.21, 0.5, 0.77, 0.993, 1.0}) {
                field.setValue(field.scale().valueAt(at));
                const int room = line->width() - line->textMargins().right();
                EXPECT_LE(line->fontMetrics().horizontalAdvance(line->text()) + 4, room)
                    << type->id << '.' << row.key << ": " << line->text().toStdString() << ' '
                    << field.scale().unit().toStdString();
            }
        }
    }
}

TEST(ParameterPanel, GroupDotAsksForAllOfItAtOnce) {
    ShownPanel shown;
    shown.panel.setValue("first", "edge", 3.0e6);
    shown.panel.setValue("first", "on", false);
    QSignalSpy edits(&shown.panel, &ParameterPanel::parameterEdited);
    QSignalSpy resets(&shown.panel, &ParameterPanel::stageResetRequested);
    QTest::mouseClick(shown.panel.group("first")->dot(), Qt::LeftButton);
    EXPECT_EQ(edits.count(), 0);
    ASSERT_EQ(resets.count(), 1);
    EXPECT_EQ(resets.front().front().toString(), "first");
}

TEST(ParameterPanel, DoubleClickOnTheSliderIsTheDefault) {
    ShownPanel shown;
    shown.panel.setValue("first", "speed", 3000.0);
    auto& speed = shown.editor<NumberEditor>("speed");
    QTest::mouseDClick(speed.slider(), Qt::LeftButton, {}, speed.slider()->rect().center());
    EXPECT_EQ(speed.field()->value(), 1540.0);
}

TEST(ParameterPanel, FlagChoiceAndTextReport) {
    ShownPanel shown;
    QSignalSpy spy(&shown.panel, &ParameterPanel::parameterEdited);
    QTest::mouseClick(shown.editor<FlagEditor>("on").control(), Qt::LeftButton);
    EXPECT_EQ(lastValue(spy), ParamValue(false));
    auto* combo = shown.editor<ChoiceEditor>("shape").control();
    combo->setFocus();
    QTest::keyClick(combo, Qt::Key_Down);
    EXPECT_EQ(lastValue(spy), ParamValue(std::string("tukey")));
    typeInto(*shown.editor<TextEditor>("file").control(), "mine.npy");
    EXPECT_EQ(lastValue(spy), ParamValue(std::string("mine.npy")));
    EXPECT_EQ(spy.count(), 3);
}

TEST(ParameterPanel, ListWithNamesHasASliderEach) {
    ShownPanel shown;
    QSignalSpy spy(&shown.panel, &ParameterPanel::parameterEdited);
    typeInto(*shown.editor<ListEditor>("gains").entry(1)->field(), "7.5");
    ASSERT_EQ(spy.count(), 1);
    EXPECT_EQ(lastValue(spy), ParamValue(List{0.0, 7.5, 4.0}));
}

TEST(ParameterPanel, ListOfFreeLengthIsTyped) {
    ShownPanel shown;
    QSignalSpy spy(&shown.panel, &ParameterPanel::parameterEdited);
    auto& list = shown.editor<ListEditor>("coefficients");
    typeInto(*list.textLine(), "0.25, 0.5, 0.25");
    EXPECT_EQ(lastValue(spy), ParamValue(List{0.25, 0.5, 0.25}));
    typeInto(*list.entry(2)->field(), "1");
    EXPECT_EQ(lastValue(spy), ParamValue(List{0.25, 0.5, 1.0}));
    EXPECT_EQ(list.textLine()->text(), "0.25, 0.5, 1");
    QSignalSpy noted(&list, &ParamEditor::noted);
    typeInto(*list.textLine(), "0.25, 9");
    EXPECT_EQ(lastValue(spy), ParamValue(List{0.25, 2.0})) << "clamped, as in a field of its own";
    const QString clamped = QStringLiteral("9 was set to 2: the range is \u22122 to 2.");
    ASSERT_EQ(noted.count(), 1);
    EXPECT_EQ(noted.first().first().toString().replace(".00", ""), clamped);
    EXPECT_EQ(shown.row("coefficients").note().replace(".00", ""), clamped);
    typeInto(*list.textLine(), "1; fast");
    EXPECT_EQ(spy.count(), 3);
    EXPECT_EQ(shown.row("coefficients").note(),
              "\"fast\" was not taken: it is no number; the list stays as it was.");
    EXPECT_EQ(list.textLine()->text(), "0.25, 2");
    typeInto(*list.textLine(), "-0.5 0.5");
    EXPECT_EQ(lastValue(spy), ParamValue(List{-0.5, 0.5}));
    EXPECT_EQ(list.textLine()->text(), QStringLiteral("\u22120.5, 0.5"));
    EXPECT_EQ(shown.row("coefficients").note(), "") << "until the next edit";
}

TEST(ParameterPanel, LongListKeepsItsSlidersFolded) {
    ShownPanel shown;
    auto& list = shown.editor<ListEditor>("coefficients");
    shown.panel.setValue("first", "coefficients", List(63, 0.5));
    settle();
    EXPECT_FALSE(list.entry(62)->isVisible());
    shown.panel.setValue("first", "coefficients", List(5, 0.5));
    settle();
    EXPECT_TRUE(list.entry(4)->isVisible());
}

TEST(ParameterPanel, MaskTogglesByClickAndDrag) {
    ShownPanel shown;
    QSignalSpy spy(&shown.panel, &ParameterPanel::parameterEdited);
    MaskGrid* grid = shown.editor<MaskEditor>("transmits").grid();
    ASSERT_EQ(grid->states().size(), 8U) << "an empty list gets its cells from the item names";
    QTest::mouseClick(grid, Qt::LeftButton, {}, grid->cellRect(3).center());
    EXPECT_EQ(lastValue(spy), ParamValue(List{1, 1, 1, 0, 1, 1, 1, 1}));
    QTest::mousePress(grid, Qt::LeftButton, {}, grid->cellRect(5).center());
    QTest::mouseMove(grid, grid->cellRect(7).center());
    QTest::mouseRelease(grid, Qt::LeftButton, {}, grid->cellRect(7).center());
    EXPECT_EQ(lastValue(spy), ParamValue(List{1, 1, 1, 0, 1, 0, 0, 0}));
}

TEST(ParameterPanel, MaskKeepsEveryNth) {
    ShownPanel shown;
    QSignalSpy spy(&shown.panel, &ParameterPanel::parameterEdited);
    auto& mask = shown.editor<MaskEditor>("transmits");
    mask.keepEvery(3);
    EXPECT_EQ(lastValue(spy), ParamValue(List{1, 0, 0, 1, 0, 0, 1, 0}));
    mask.keepEvery(0);
    EXPECT_EQ(lastValue(spy), ParamValue(List(8, 0.0)));
    mask.keepEvery(1);
    EXPECT_EQ(lastValue(spy), ParamValue(std::string("all"))) << "the default";
    EXPECT_FALSE(shown.row("transmits").dot()->isShown());
}

TEST(ParameterPanel, AMaskByAWordShowsWhatItMeansAndIsExplicitOnceEdited) {
    ShownPanel shown;
    QSignalSpy spy(&shown.panel, &ParameterPanel::parameterEdited);
    auto& mask = shown.editor<MaskEditor>("transmits");
    shown.panel.setValue("first", "transmits", std::string("middle"));
    EXPECT_EQ(mask.grid()->states(),
              (std::vector<bool>{false, false, false, false, true, false, false, false}));
    EXPECT_EQ(mask.value(), ParamValue(std::string("middle")));
    EXPECT_TRUE(shown.row("transmits").dot()->isShown());
    QTest::mouseClick(mask.grid(), Qt::LeftButton, {}, mask.grid()->cellRect(0).center());
    EXPECT_EQ(lastValue(spy), ParamValue(List{1, 0, 0, 0, 1, 0, 0, 0}));
    mask.take("last");
    EXPECT_EQ(lastValue(spy), ParamValue(std::string("last")));
    EXPECT_TRUE(mask.grid()->states().back());
}

TEST(ParameterPanel, MaskOfHundredsFitsThePanel) {
    ShownPanel shown;
    shown.panel.setValue("first", "transmits", List(512, 1.0));
    MaskGrid* grid = shown.editor<MaskEditor>("transmits").grid();
    settle();
    EXPECT_LT(grid->cellRect(511).bottom(), 300);
    EXPECT_LE(grid->cellRect(511).bottom(), grid->height());
    for (int i = 0; i < 512; ++i) EXPECT_LE(grid->cellRect(i).right(), grid->width()) << i;
}

TEST(ParameterPanel, BypassSwitch) {
    ShownPanel shown;
    QSignalSpy spy(&shown.panel, &ParameterPanel::bypassToggled);
    StageGroup* group = shown.panel.group("first");
    QTest::mouseClick(group->headerSwitch(), Qt::LeftButton);
    ASSERT_EQ(spy.count(), 1);
    EXPECT_EQ(spy.last().at(0).toString(), "first");
    EXPECT_TRUE(spy.last().at(1).toBool());
    EXPECT_FALSE(shown.row("edge").isEnabled());
    shown.panel.setBypassed("first", false);
    EXPECT_EQ(spy.count(), 1);
    EXPECT_TRUE(shown.row("edge").isEnabled());
}

TEST(ParameterPanel, StageThatCannotBeBypassedHasNoSwitch) {
    ShownPanel shown;
    StageEntry entry = everyRowEntry("fixed");
    entry.bypassable = false;
    shown.panel.setStages({entry});
    EXPECT_EQ(shown.panel.group("fixed")->headerSwitch(), nullptr);
    EXPECT_EQ(shown.panel.group("first"), nullptr);
}

TEST(ParameterPanel, FoldedGroupsOutliveTheirStages) {
    ShownPanel shown(true);
    shown.panel.group("second")->setCollapsed(true);
    EXPECT_EQ(shown.panel.collapsedGroups(), QStringList{"second"});
    shown.panel.setStages({everyRowEntry("first"), everyRowEntry("second")});
    EXPECT_TRUE(shown.panel.group("second")->isCollapsed());
    EXPECT_FALSE(shown.panel.group("first")->isCollapsed());
}

TEST(ParameterPanel, RefusalStaysUntilTheRowIsEdited) {
    ShownPanel shown;
    shown.panel.setError("first", "edge", "first: parameter 'edge' cannot be that.");
    EXPECT_EQ(shown.row("edge").error(), "first: parameter 'edge' cannot be that.");
    typeInto(*shown.editor<NumberEditor>("edge").field(), "4");
    EXPECT_EQ(shown.row("edge").error(), "");
}

TEST(ParameterPanel, WheelNeedsFocus) {
    ShownPanel shown;
    QSignalSpy spy(&shown.panel, &ParameterPanel::parameterEdited);
    Slider* slider = shown.editor<NumberEditor>("edge").slider();
    turnWheel(*slider, 1);
    EXPECT_EQ(spy.count(), 0) << "passing by scrolls the panel instead";
    slider->setFocus();
    const auto* guard = shown.panel.findChild<WheelGuard*>();
    ASSERT_TRUE(comesTrue([&] { return slider->hasFocus() && !guard->isScrolling(); }));
    turnWheel(*slider, 1);
    ASSERT_EQ(spy.count(), 1);
    EXPECT_NEAR(std::get<double>(lastValue(spy)), 2.6e6, 1.0);
    turnWheel(*slider, -1, Qt::ControlModifier);
    EXPECT_NEAR(std::get<double>(lastValue(spy)), 2.59e6, 1.0);
}

TEST(ParameterPanel, ArrowKeysStep) {
    ShownPanel shown;
    auto& edge = shown.editor<NumberEditor>("edge");
    edge.slider()->setFocus();
    QTest::keyClick(edge.slider(), Qt::Key_Up);
    EXPECT_NEAR(edge.field()->value(), 2.6e6, 1.0);
    QTest::keyClick(edge.field(), Qt::Key_Down);
    EXPECT_NEAR(edge.field()->value(), 2.5e6, 1.0);
}

TEST(ParameterPanel, ColumnsAlign) {
    ShownPanel shown(true);
    const auto left = [&](QWidget* widget) { return widget->mapTo(&shown.panel, QPoint()).x(); };
    auto& first = shown.editor<NumberEditor>("edge");
    for (const char* key : {"speed", "offset", "taps"}) {
        auto& other = shown.editor<NumberEditor>(key);
        EXPECT_EQ(left(other.slider()), left(first.slider())) << key;
        EXPECT_EQ(left(other.field()), left(first.field())) << key;
    }
    NumberEditor* entry = shown.editor<ListEditor>("gains").entry(0);
    EXPECT_EQ(left(entry->slider()), left(first.slider()));
    EXPECT_EQ(left(entry->field()), left(first.field()));
    EXPECT_EQ(left(shown.row("taps", "second").dot()), left(shown.row("edge").dot()));
    const int right = left(shown.row("edge").dot()) + shown.row("edge").dot()->width();
    EXPECT_LE(right, shown.panel.width()) << "nothing is cut";
}

TEST(ParameterPanel, MiniPlotStandsUnderItsRow) {
    ShownPanel shown;
    StageCurve curve;
    curve.underKey = "taps";
    curve.x = {0, 1};
    curve.y = {0, 1};
    shown.panel.setCurve("first", curve);
    shown.panel.setCurve("first", curve);
    const auto plots = shown.panel.findChildren<MiniPlot*>();
    ASSERT_EQ(plots.size(), 1);
    settle();
    EXPECT_GT(plots.front()->y(), shown.row("taps").y());
    EXPECT_LT(plots.front()->y(), shown.row("on").y());
}

TEST(ParameterPanel, StagesMayBeReplacedFromTheSignal) {
    ShownPanel shown;
    QObject::connect(&shown.panel, &ParameterPanel::parameterEdited, &shown.panel,
                     [&] { shown.panel.setStages({everyRowEntry("next")}); });
    typeInto(*shown.editor<NumberEditor>("edge").field(), "4");
    settle();
    EXPECT_NE(shown.panel.group("next"), nullptr);
}

} // namespace
} // namespace echolux
