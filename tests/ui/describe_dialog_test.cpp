// SPDX-License-Identifier: GPL-3.0-or-later
// The dialog that asks what a file holds: forms keep their values and show what applies.
#include "tests/support/qt_application.hpp"
#include "ui/dialogs/describe_dialog.hpp"

#include <QDoubleSpinBox>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QSpinBox>
#include <QTest>
#include <gtest/gtest.h>

namespace echolux {
namespace {

using Kind = DescribeDialog::Kind;

/// Fields of each kind, those of channel data as many as the program has.
DescribeDialog::FormRows rows() {
    using Field = FormRow::Kind;
    std::vector<FormRow> channels{
        {"dtype", "Type", "Storage", Field::Choice, {}, {}, {{"<i2", "16 bit"}, {"<f4", "32 bit"}}},
        {"offset", "Header", "Storage", Field::Whole, "bytes"},
        {"axes",
         "Axes",
         "Storage",
         Field::Axes,
         {},
         {},
         {{"frame", "Frames"}, {"channel", "Channels"}, {"sample", "Samples"}, {"none", "-"}}},
        {"pitch", "Pitch", "Array", Field::Number, "mm", "Distance of elements"},
        {"first", "First depth", "Array", Field::Place, "mm"},
        {"angles", "Angles", "Transmits", Field::Text, "deg"}};
    for (int i = 0; i < 13; ++i)
        channels.push_back({QString("n%1").arg(i), "Further", "Transmits", Field::Number, "MHz"});
    const std::vector<FormRow> other{{"samples", "Samples", "Storage", Field::Whole}};
    return {other, channels, other};
}

struct ShownDialog {
    QApplication& qt = testing_support::application();
    DescribeDialog dialog{rows()};
    QSignalSpy edits{&dialog, &DescribeDialog::formChanged};

    ShownDialog() {
        dialog.setFile("echoes.bin", 12345678);
        dialog.setKind(Kind::Channels);
        dialog.show();
    }
    bool shows(const QString& label) const {
        for (const QLabel* each : dialog.findChildren<QLabel*>())
            if (each->text() == label && each->isVisible()) return true;
        return false;
    }
    /// The values of `given` as the form has them.
    FormValues kept(const FormValues& given) const {
        FormValues kept = dialog.form().values();
        kept.removeIf([&](const auto& each) { return !given.contains(each.key()); });
        return kept;
    }
};

FormValues values() {
    return {{"dtype", "<f4"},       {"offset", "12"},  {"axes", "frame,channel,sample"},
            {"shape", "-1,64,340"}, {"pitch", "0.25"}, {"first", "-3"},
            {"angles", "-12:12:6"}};
}

TEST(DescribeDialog, KeepsItsValuesAndTellsOfEdits) {
    ShownDialog shown;
    const auto before = shown.edits.count();
    shown.dialog.form().setValues(values());
    EXPECT_EQ(shown.kept(values()), values());
    EXPECT_EQ(shown.dialog.form().values()["n0"], "") << "unknown";
    EXPECT_EQ(shown.edits.count(), before + 1);
    shown.dialog.form().setValues(values());
    EXPECT_EQ(shown.edits.count(), before + 1) << "the same again is no edit";
    shown.dialog.form().setValues({{"dtype", ">i2"}});
    EXPECT_EQ(shown.dialog.form().values()["dtype"], ">i2") << "although the list lacks it";
    EXPECT_EQ(shown.dialog.form().values()["pitch"], "0.25");
}

TEST(DescribeDialog, ShowsWhatAppliesOnly) {
    ShownDialog shown;
    shown.dialog.form().setValues(values());
    EXPECT_TRUE(shown.shows("Header"));
    EXPECT_TRUE(shown.shows("Angles (deg)"));
    shown.dialog.form().showOnly({"offset", "pitch"});
    EXPECT_TRUE(shown.shows("Header"));
    EXPECT_TRUE(shown.shows("Pitch"));
    EXPECT_FALSE(shown.shows("Angles (deg)"));
    EXPECT_EQ(shown.dialog.form().values()["angles"], "-12:12:6");
}

TEST(DescribeDialog, NumbersTakeUnits) {
    ShownDialog shown;
    for (QDoubleSpinBox* box : shown.dialog.findChildren<QDoubleSpinBox*>()) {
        if (!box->toolTip().startsWith("Distance")) continue;
        box->findChild<QLineEdit*>()->setText("600 um");
        box->interpretText();
    }
    EXPECT_EQ(shown.dialog.form().values()["pitch"], "0.6");
}

TEST(DescribeDialog, SizesOfArraysAreTheirOwn) {
    ShownDialog shown;
    shown.dialog.setFile("echoes.npz", 1000, {"rf", "other"});
    const FormValues array{{"array", "other"}, {"axes", "channel,sample"}, {"shape", "64,340"}};
    shown.dialog.form().setValues(array);
    EXPECT_EQ(shown.kept(array), array);
    EXPECT_TRUE(shown.shows("Array"));
    EXPECT_TRUE(shown.shows("Axis 2"));
    EXPECT_FALSE(shown.shows("Axis 3"));
}

TEST(DescribeDialog, WhileItIsBusyNothingCanBeTypedOrKept) {
    ShownDialog shown;
    shown.dialog.setFit("It fits.", true);
    shown.dialog.setBusy("Reading ...");
    EXPECT_EQ(shown.dialog.fitText(), "Reading ...");
    EXPECT_FALSE(shown.dialog.keepButton()->isEnabled());
    EXPECT_FALSE(shown.dialog.form().isEnabled());
    shown.dialog.setFit("It fits.", true);
    EXPECT_FALSE(shown.dialog.keepButton()->isEnabled());
    shown.dialog.setBusy({});
    EXPECT_TRUE(shown.dialog.keepButton()->isEnabled());
    EXPECT_TRUE(shown.dialog.form().isEnabled());
}

TEST(DescribeDialog, KeepsOnlyWhatFits) {
    ShownDialog shown;
    QSignalSpy keeps{&shown.dialog, &DescribeDialog::keepRequested};
    shown.dialog.setFit("It does not fit.", false);
    QTest::mouseClick(shown.dialog.keepButton(), Qt::LeftButton);
    EXPECT_EQ(keeps.count(), 0);
    shown.dialog.setFit("It fits.", true);
    QTest::mouseClick(shown.dialog.keepButton(), Qt::LeftButton);
    EXPECT_EQ(keeps.count(), 1);
}

TEST(DescribeDialog, SuggestionsFillTheFormOfTheirKind) {
    ShownDialog shown;
    const FormValues untouched = shown.dialog.form(Kind::Spectra).values();
    const auto click = [&](const QString& text) {
        for (QPushButton* button : shown.dialog.findChildren<QPushButton*>())
            if (button->text() == text) button->click();
    };
    shown.dialog.setSuggestions({{"340 samples", values()}});
    click("340 samples");
    EXPECT_EQ(shown.kept(values()), values());
    EXPECT_EQ(shown.dialog.form(Kind::Spectra).values(), untouched);
    shown.dialog.setKind(Kind::Spectra);
    shown.dialog.setSuggestions({{"2048 samples", {{"samples", "2048"}}}});
    click("2048 samples");
    EXPECT_EQ(shown.dialog.form().values()["samples"], "2048");
}

TEST(DescribeDialog, FitsASmallScreen) {
    ShownDialog shown;
    shown.dialog.form().setValues(values());
    EXPECT_LE(shown.dialog.minimumSizeHint().height(), 800);
    EXPECT_LE(shown.dialog.minimumSizeHint().width(), 1240);
}

} // namespace
} // namespace echolux
