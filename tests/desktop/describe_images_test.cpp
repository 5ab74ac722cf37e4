// SPDX-License-Identifier: GPL-3.0-or-later
// Images through the dialog: guessed, checked as they are described, looked at, kept, opened; and
// files whose reading takes a while.
#include "app/desktop/describe_desk.hpp"
#include "app/desktop/file_desk.hpp"
#include "app/desktop/import_forms.hpp"
#include "app/session/session.hpp"
#include "tests/desktop/open_window.hpp"
#include "ui/dialogs/describe_dialog.hpp"
#include "ui/window/message_bar.hpp"

#include <QPushButton>
#include <QTemporaryDir>
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <random>

namespace echolux {
namespace {

using testing_support::comesTrue;
using testing_support::kCine;
using testing_support::OpenWindow;
using testing_support::writeFile;

constexpr int kFrames = 3;
constexpr int kRows = 120;
constexpr int kColumns = 90;

/// Brightnesses of blobs at random places, frames alike, row by row.
QByteArray pictures() {
    std::mt19937 random(5);
    std::uniform_real_distribution<double> any(0.0, 1.0);
    std::vector<double> one(kRows * kColumns, 20.0);
    for (int i = 0; i < 60; ++i) {
        const double y = kRows * any(random);
        const double x = kColumns * any(random);
        for (int r = 0; r < kRows; ++r)
            for (int c = 0; c < kColumns; ++c)
                one[std::size_t(r * kColumns + c)] +=
                    150.0 * std::exp(-((r - y) * (r - y) + (c - x) * (c - x)) / 8.0);
    }
    QByteArray bytes;
    for (int frame = 0; frame < kFrames; ++frame)
        for (const double value : one)
            bytes.append(static_cast<char>(
                static_cast<unsigned char>(std::min(255.0, value + 4.0 * any(random)))));
    return bytes;
}

struct Pictures : OpenWindow {
    QTemporaryDir folder;
    QString file;

    explicit Pictures(const QString& name = "pictures.bin", const QByteArray& bytes = pictures())
        : file(folder.filePath(name)) {
        writeFile(file, bytes);
    }
    DescribeDialog* dialog() { return desktop.importer().dialog(); }
    QString value(const QString& key) { return dialog()->form().values()[key]; }
    bool isRead() {
        return comesTrue(
            [&] { return dialog() != nullptr && dialog()->isVisible() && !dialog()->isBusy(); });
    }
    bool asks() {
        desktop.importer().ask(file);
        return isRead();
    }
};

TEST(DescribeImages, BytesAreTakenForPicturesAndTheirSizesGuessed) {
    Pictures window;
    window.desktop.files().open(window.file);
    ASSERT_TRUE(window.isRead());
    EXPECT_EQ(window.dialog()->kind(), DescribeDialog::Kind::Images);
    ASSERT_TRUE(comesTrue([&] { return window.dialog()->hasPreview(); }));
    EXPECT_EQ(window.value("axes"), "frame,depth,lateral");
    EXPECT_EQ(window.value("shape"), QString("-1,%1,%2").arg(kRows).arg(kColumns));
    EXPECT_EQ(window.value("form"), "picture");
    EXPECT_TRUE(window.dialog()->keepButton()->isEnabled()) << "the scale may be unknown";
    EXPECT_TRUE(window.dialog()->fitText().contains("the depth step and the line step"))
        << window.dialog()->fitText().toStdString();
    window.dialog()->form().setValues(
        {{"depth-step", "0.1"}, {"line-step", "0.2"}, {"frame-rate", "25"}});
    EXPECT_TRUE(comesTrue([&] {
        return window.dialog()->captionText().contains("depth 0.0 to 11.9 mm");
    })) << window.dialog()->captionText().toStdString();
    QTest::mouseClick(window.dialog()->keepButton(), Qt::LeftButton);
    ASSERT_TRUE(comesTrue([&] { return window.openFile() == "pictures.bin"; }));
    const RecordingInfo& info = window.desktop.session().engine().info();
    EXPECT_EQ(info.frameCount, kFrames);
    EXPECT_EQ(info.frame.recordedForm, RecordedForm::Picture);
    ASSERT_TRUE(info.frame.valueRange);
    EXPECT_EQ(info.frame.valueRange->max, 255.0) << "as other pictures are shown";
    EXPECT_NEAR(info.frame.axes[0].spacing, 0.1e-3, 1e-12);
    EXPECT_NEAR(info.frame.axes[1].origin, -44.5 * 0.2e-3, 1e-12);
    EXPECT_TRUE(std::filesystem::exists((window.file + ".toml").toStdString()));
    ASSERT_TRUE(window.asks()) << "a second time";
    EXPECT_EQ(window.value("line-step"), "0.2");
    EXPECT_EQ(window.value("frame-rate"), "25");
}

TEST(DescribeImages, SectorsAreScanConvertedInThePreview) {
    Pictures window;
    ASSERT_TRUE(window.asks());
    ASSERT_TRUE(comesTrue([&] { return window.dialog()->hasPreview(); }));
    window.dialog()->form().setValues({{"depth-step", "0.5"}, {"sector", "yes"}});
    EXPECT_FALSE(window.dialog()->keepButton()->isEnabled()) << "without angles";
    window.dialog()->form().setValues({{"angles", "-40, 40"}, {"radius", "10"}});
    EXPECT_TRUE(window.dialog()->keepButton()->isEnabled())
        << window.dialog()->fitText().toStdString();
    EXPECT_TRUE(comesTrue([&] { return window.dialog()->captionText().contains("lateral"); }))
        << window.dialog()->captionText().toStdString();
    window.dialog()->form().setValues({{"angles", "1, 2, 3"}});
    EXPECT_TRUE(window.dialog()->fitText().startsWith("There are 3 angles for 90 lines"))
        << window.dialog()->fitText().toStdString();
}

TEST(DescribeImages, EveryKindBeginsWithItsOwnGuess) {
    Pictures window;
    ASSERT_TRUE(window.asks());
    window.dialog()->setKind(DescribeDialog::Kind::Spectra);
    EXPECT_TRUE(comesTrue([&] { return window.dialog()->hasPreview(); }));
    window.dialog()->setKind(DescribeDialog::Kind::Images);
    EXPECT_TRUE(comesTrue([&] { return window.value("axes").count(',') == 2; }));
    EXPECT_TRUE(comesTrue([&] { return window.dialog()->keepButton()->isEnabled(); }));
}

QByteArray table(int rows) {
    QByteArray text;
    for (int row = 0; row < rows; ++row) {
        for (int column = 0; column < 64; ++column)
            text += QByteArray::number(-1.0 - (row * 7 + column * 3) % 50) + ' ';
        text += '\n';
    }
    return text;
}

TEST(DescribeImages, TextIsReadInTheBackground) {
    Pictures window("levels.txt", table(20000));
    window.desktop.importer().ask(window.file);
    EXPECT_TRUE(window.dialog()->isVisible());
    EXPECT_TRUE(window.dialog()->isBusy());
    EXPECT_TRUE(window.dialog()->fitText().startsWith("Reading levels.txt"));
    EXPECT_FALSE(window.dialog()->keepButton()->isEnabled());
    ASSERT_TRUE(window.isRead());
    EXPECT_EQ(window.dialog()->kind(), DescribeDialog::Kind::Images) << "levels below 0 dB";
    ASSERT_TRUE(comesTrue([&] { return window.dialog()->hasPreview(); }));
    EXPECT_EQ(window.value("form"), "decibels");
}

TEST(DescribeImages, ClosedWhileItReadsItIsGivenUp) {
    Pictures window("levels.txt", table(20000));
    window.desktop.importer().ask(window.file);
    window.dialog()->reject();
    EXPECT_FALSE(window.dialog()->isVisible());
    const QString other = window.folder.filePath("pictures.bin");
    writeFile(other, pictures());
    window.desktop.importer().ask(other); // does not wait for the one given up
    ASSERT_TRUE(window.isRead());
    ASSERT_TRUE(comesTrue([&] { return window.dialog()->hasPreview(); }));
    ASSERT_TRUE(comesTrue([&] { return !window.isAtWork(); })) << "the first file is read, too";
    EXPECT_EQ(window.value("axes"), "frame,depth,lateral") << "of the second file";
}

TEST(DescribeImages, AFileThatCannotBeReadIsSaid) {
    Pictures window;
    window.desktop.importer().ask(window.folder.filePath("missing.bin"));
    EXPECT_TRUE(comesTrue([&] { return !window.dialog()->isVisible(); }));
    EXPECT_TRUE(window.desktop.window().messages().text().contains("missing.bin"));
}

TEST(DescribeForms, OfImagesKeepWhatTheyAreGiven) {
    ImageImport import;
    import.type = parseElementType("<f4");
    import.axes = {{ArrayAxis::Frame, -1},
                   {ArrayAxis::Elevation, 2},
                   {ArrayAxis::Depth, 40},
                   { ArrayAxis::Lateral,
                     30 }};
    import.form = RecordedForm::Decibels;
    import.codeScale = 0.5;
    import.shownRangeDb = {-50.0, 0.0};
    import.samplingFrequencyHz = 10e6;
    import.soundSpeedMps = 1500.0;
    import.depthFirstM = 2e-3;
    import.lateralStepM = 0.2e-3;
    import.lateralFirstM = -1e-3;
    import.elevationStepM = 1e-3;
    import.centreFrequencyHz = 3e6;
    import.frameRateHz = 20.0;
    ImageImport storage;
    storage.type = ElementType{};
    EXPECT_EQ(toSidecar(importOf(valuesOf(import), storage)), toSidecar(import));
    import.lines = ImageImport::Lines::FanOut;
    import.lateralStepM = 0.0;
    import.lateralFirstM.reset();
    import.anglesRad = {-0.5, 0.5};
    import.radiusM = 40e-3;
    import.apexZM = -40e-3;
    const FormValues form = valuesOf(import);
    EXPECT_EQ(form["angles"], "-28.6478898, 28.6478898");
    const ImageFit fit = checkImageImport(importOf(form, storage), 2 * 40 * 30 * 4 * 5);
    EXPECT_TRUE(fit.fits) << fit.sentence;
}

} // namespace
} // namespace echolux
