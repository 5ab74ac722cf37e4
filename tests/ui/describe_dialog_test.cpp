// SPDX-License-Identifier: GPL-3.0-or-later
// The dialog that asks what a file holds: forms keep their values and show what applies.
#include "tests/support/qt_application.hpp"
#include "ui/dialogs/describe_dialog.hpp"

#include <QComboBox>
#include <QLabel>
#include <QPushButton>
#include <QSignalSpy>
#include <QSpinBox>
#include <QTest>
#include <gtest/gtest.h>

namespace echolux {
namespace {

struct ShownDialog {
    QApplication& qt = testing_support::application();
    DescribeDialog dialog;
    QSignalSpy edits{&dialog, &DescribeDialog::formChanged};

    ShownDialog() {
        dialog.setFile("echoes.bin", 12345678);
        dialog.setKind(DescribeDialog::Kind::Channels);
        dialog.show();
    }
    bool shows(const QString& label) const {
        for (const QLabel* each : dialog.findChildren<QLabel*>())
            if (each->text() == label && each->isVisible()) return true;
        return false;
    }
};

ChannelFormValues values() {
    ChannelFormValues form;
    form.type = "f32";
    form.bigEndian = true;
    form.headerBytes = 12;
    form.axes = {{"frame", 0}, {"transmit", 5}, {"channel", 64}, {"sample", 340}};
    form.samplingMHz = 20.833333;
    form.centreMHz = 5.0;
    form.firstSampleUs = "10";
    form.pitchMm = 0.25;
    form.anglesDeg = "-12:12:6";
    return form;
}

TEST(DescribeDialog, KeepsItsValuesAndTellsOfEdits) {
    ShownDialog shown;
    const auto before = shown.edits.count();
    shown.dialog.channels().setForm(values());
    EXPECT_EQ(shown.dialog.channels().form(), values());
    EXPECT_EQ(shown.edits.count(), before + 1);
    shown.dialog.channels().setForm(values());
    EXPECT_EQ(shown.edits.count(), before + 1) << "the same again is no edit";
}

TEST(DescribeDialog, ShowsWhatAppliesOnly) {
    ShownDialog shown;
    ChannelFormValues form = values();
    shown.dialog.channels().setForm(form);
    EXPECT_FALSE(shown.shows("Radius"));
    EXPECT_FALSE(shown.shows("Focus"));
    EXPECT_FALSE(shown.shows("Demodulated at"));
    EXPECT_TRUE(shown.shows("Header"));
    form.probe = "convex";
    form.wave = "focused";
    form.axes.push_back({"iq", 2});
    shown.dialog.channels().setForm(form);
    EXPECT_TRUE(shown.shows("Radius"));
    EXPECT_TRUE(shown.shows("Focus"));
    EXPECT_TRUE(shown.shows("Demodulated at"));
    form.probe = "matrix";
    shown.dialog.channels().setForm(form);
    EXPECT_TRUE(shown.shows("Columns"));
    EXPECT_FALSE(shown.shows("Radius"));
}

TEST(DescribeDialog, SizesOfArraysAreTheirOwn) {
    ShownDialog shown;
    shown.dialog.setFile("echoes.npz", 1000, {"rf", "other"});
    ChannelFormValues form = values();
    form.array = "other";
    form.axes = {{"channel", 64}, {"sample", 340}};
    shown.dialog.channels().setForm(form);
    EXPECT_EQ(shown.dialog.channels().form().array, "other");
    EXPECT_EQ(shown.dialog.channels().form().axes, form.axes);
    EXPECT_TRUE(shown.shows("Array"));
    EXPECT_FALSE(shown.shows("Header"));
    EXPECT_TRUE(shown.shows("Axis 2"));
    EXPECT_FALSE(shown.shows("Axis 3"));
}

ImageFormValues images() {
    ImageFormValues form;
    form.type = "u8";
    form.axes = {{"frame", 0}, {"depth", 512}, {"lateral", 256}};
    form.form = "decibels";
    form.codeScale = 0.5;
    form.codeOffset = 255;
    form.shownRangeDb = "-60, 0";
    form.depthStepMm = 0.1;
    form.lineStepMm = 0.2;
    form.lineFirstMm = "-10";
    form.frameRateHz = 25.0;
    return form;
}

TEST(DescribeDialog, KeepsImagesAndShowsWhatAppliesOnly) {
    ShownDialog shown;
    shown.dialog.setKind(DescribeDialog::Kind::Images);
    const auto before = shown.edits.count();
    ImageFormValues form = images();
    shown.dialog.images().setForm(form);
    EXPECT_EQ(shown.dialog.images().form(), form);
    EXPECT_EQ(shown.edits.count(), before + 1);
    EXPECT_TRUE(shown.shows("Shown range (dB)"));
    EXPECT_TRUE(shown.shows("Line step"));
    EXPECT_FALSE(shown.shows("Radius"));
    EXPECT_FALSE(shown.shows("Plane step"));
    form.fanOut = true;
    form.sampled = true;
    form.form = "beamformed";
    form.axes = {{"elevation", 4}, {"depth", 512}, {"lateral", 256}, {"iq", 2}};
    shown.dialog.images().setForm(form);
    EXPECT_TRUE(shown.shows("Radius"));
    EXPECT_TRUE(shown.shows("Plane step"));
    EXPECT_TRUE(shown.shows("Speed of sound"));
    EXPECT_TRUE(shown.shows("Demodulated at"));
    EXPECT_FALSE(shown.shows("Line step"));
    EXPECT_FALSE(shown.shows("Shown range (dB)"));
    EXPECT_LE(shown.dialog.minimumSizeHint().height(), 800);
    EXPECT_LE(shown.dialog.minimumSizeHint().width(), 1240);
}

TEST(DescribeDialog, WhileItIsBusyNothingCanBeTypedOrKept) {
    ShownDialog shown;
    shown.dialog.setFit("It fits.", true);
    shown.dialog.setBusy("Reading ...");
    EXPECT_EQ(shown.dialog.fitText(), "Reading ...");
    EXPECT_FALSE(shown.dialog.keepButton()->isEnabled());
    EXPECT_FALSE(shown.dialog.channels().isEnabled());
    shown.dialog.setFit("It fits.", true);
    EXPECT_FALSE(shown.dialog.keepButton()->isEnabled());
    shown.dialog.setBusy({});
    EXPECT_TRUE(shown.dialog.keepButton()->isEnabled());
    EXPECT_TRUE(shown.dialog.channels().isEnabled());
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
    DescribeDialog::Suggestion suggestion{.text = "340 samples"};
    suggestion.channels = values();
    shown.dialog.setSuggestions({suggestion});
    for (QPushButton* button : shown.dialog.findChildren<QPushButton*>())
        if (button->text() == "340 samples") button->click();
    EXPECT_EQ(shown.dialog.channels().form(), values());
    EXPECT_EQ(shown.dialog.spectra().form(), RawImportForm{});
    shown.dialog.setKind(DescribeDialog::Kind::Spectra);
    RawImportForm spectra;
    spectra.samples = 2048;
    spectra.refractiveIndex = 1.38;
    shown.dialog.setSuggestions({{.text = "2048 samples", .spectra = spectra}});
    for (QPushButton* button : shown.dialog.findChildren<QPushButton*>())
        if (button->text() == "2048 samples") button->click();
    EXPECT_EQ(shown.dialog.spectra().form().samples, 2048);
    EXPECT_EQ(shown.dialog.spectra().form().refractiveIndex, 1.38);
}

TEST(DescribeDialog, FitsASmallScreen) {
    ShownDialog shown;
    ChannelFormValues form = values();
    form.probe = "matrix";
    form.wave = "focused";
    form.axes.push_back({"iq", 2});
    shown.dialog.channels().setForm(form);
    EXPECT_LE(shown.dialog.minimumSizeHint().height(), 800);
    EXPECT_LE(shown.dialog.minimumSizeHint().width(), 1240);
}

} // namespace
} // namespace echolux
