// SPDX-License-Identifier: GPL-3.0-or-later
// Headerless spectra through the dialog: checked as they are described, looked at, kept, opened.
#include "app/desktop/describe_desk.hpp"
#include "app/desktop/file_desk.hpp"
#include "tests/desktop/open_window.hpp"
#include "tests/support/unwritable.hpp"
#include "ui/dialogs/describe_dialog.hpp"
#include "ui/window/message_bar.hpp"

#include <QDir>
#include <QPushButton>
#include <QTemporaryDir>
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>

namespace echolux {
namespace {

using testing_support::comesTrue;
using testing_support::isTimed;
using testing_support::kCine;
using testing_support::OpenWindow;
using testing_support::writeFile;

constexpr int kLineSamples = 256;
constexpr int kLines = 40;
constexpr int kBscans = 3;
constexpr int kHeader = 100;

/// Fringes of a reflector under a smooth spectrum, u16, behind a header.
QByteArray rawSpectra() {
    QByteArray bytes(kHeader, 'h');
    for (int line = 0; line < kBscans * kLines; ++line) {
        for (int i = 0; i < kLineSamples; ++i) {
            const double x = (i - 0.5 * kLineSamples) / (0.25 * kLineSamples);
            const double fringe = std::cos(2.0 * M_PI * (40.0 + 0.05 * line) * i / kLineSamples);
            const int code =
                200 + static_cast<int>(2000.0 * std::exp(-x * x) * (1.0 + 0.3 * fringe));
            bytes.append(static_cast<char>(code % 256)).append(static_cast<char>(code / 256));
        }
    }
    return bytes;
}

struct Import : OpenWindow {
    QTemporaryDir folder;
    QString file = folder.filePath("spectra.bin");

    explicit Import(const QByteArray& bytes = rawSpectra()) { writeFile(file, bytes); }
    DescribeDialog* dialog() { return desktop.importer().dialog(); }
    bool asks() {
        desktop.files().open(file);
        return isRead();
    }
    bool isRead() {
        return comesTrue(
            [&] { return dialog() != nullptr && dialog()->isVisible() && !dialog()->isBusy(); });
    }
    /// The form, with what is true of the file.
    FactForm& form() {
        FactForm& spectra = dialog()->form(DescribeDialog::Kind::Spectra);
        spectra.setValues({{"dtype", "<u2"},
                           {"samples", QString::number(kLineSamples)},
                           {"lines", QString::number(kLines)},
                           {"offset", QString::number(kHeader)}});
        return spectra;
    }
};

TEST(DescribeSpectra, ComesForAFileThatNoReaderTakesAndOpensIt) {
    Import window;
    ASSERT_TRUE(window.asks());
    EXPECT_EQ(window.openFile(), "phantom_cine.echolux.h5") << "what was open stays";
    window.form();
    EXPECT_TRUE(window.dialog()->fitText().startsWith("It fits: 3 B-scans of 40 lines"))
        << window.dialog()->fitText().toStdString();
    EXPECT_TRUE(comesTrue([&] { return window.dialog()->hasPreview(); }));
    QTest::mouseClick(window.dialog()->keepButton(), Qt::LeftButton);
    ASSERT_TRUE(comesTrue([&] { return window.openFile() == "spectra.bin"; }));
    EXPECT_FALSE(window.dialog()->isVisible());
    const RecordingInfo& info = window.desktop.session().engine().info();
    EXPECT_EQ(info.frameCount, kBscans);
    EXPECT_EQ(info.frame.sizeOf(AxisName::Sample), kLineSamples);
    EXPECT_TRUE(std::filesystem::exists((window.file + ".toml").toStdString()));
    window.desktop.files().open(kCine);
    ASSERT_TRUE(window.openingEnds());
    window.desktop.files().open(window.file);
    ASSERT_TRUE(window.openingEnds());
    EXPECT_EQ(window.openFile(), "spectra.bin") << "its description stands beside it";
    EXPECT_FALSE(window.dialog()->isVisible());
}

TEST(DescribeSpectra, BackgroundLinesAreTakenAndKept) {
    const QByteArray spectra = rawSpectra();
    QByteArray background;
    for (int line = 0; line < 2; ++line) {
        for (int i = 0; i < kLineSamples; ++i)
            background.append(static_cast<char>(i % 100 + 10 * line)).append('\3');
    }
    Import window(spectra.left(kHeader) + background + spectra.mid(kHeader));
    ASSERT_TRUE(window.asks());
    FactForm& form = window.form();
    EXPECT_FALSE(window.dialog()->keepButton()->isEnabled());
    form.setValues({{"background-lines", "2"}});
    EXPECT_TRUE(window.dialog()->fitText().contains("behind 2 background lines"))
        << window.dialog()->fitText().toStdString();
    form.setValues({{"background-lines", "1048576"}});
    EXPECT_TRUE(window.dialog()->fitText().startsWith("Header, background and trailer take"));
    form.setValues({{"background-lines", "2"}, {"background-place", "each"}});
    EXPECT_FALSE(window.dialog()->keepButton()->isEnabled());
    form.setValues({{"background-place", "first"}});
    const FormValues described = form.values();
    QTest::mouseClick(window.dialog()->keepButton(), Qt::LeftButton);
    ASSERT_TRUE(comesTrue([&] { return window.openFile() == "spectra.bin"; }));
    const RecordingInfo& info = window.desktop.session().engine().info();
    EXPECT_EQ(info.frameCount, kBscans);
    ASSERT_EQ(info.frame.spectrometer->background.size(), std::size_t{kLineSamples});
    EXPECT_EQ(info.frame.spectrometer->background[7], 3 * 256 + 7 + 5);

    form.setValues({{"background-lines", "0"}, {"samples", "1024"}});
    window.desktop.importer().ask(window.file); // a second time
    ASSERT_TRUE(window.isRead());
    EXPECT_EQ(form.values(), described);
    EXPECT_TRUE(window.dialog()->keepButton()->isEnabled());
}

TEST(DescribeSpectra, TheFileOpensWithWhatElseWasAskedFor) {
    Import window;
    OpenRequest request{window.file.toStdString()};
    request.choosePipeline = [](const FrameSpec& raw) {
        PipelineConfig config = shippedPipeline(defaultPipelineName(raw));
        config.name = "asked for";
        return config;
    };
    window.desktop.files().askHowStored(request); // as for a file named on the command line
    ASSERT_TRUE(window.isRead());
    window.form();
    QTest::mouseClick(window.dialog()->keepButton(), Qt::LeftButton);
    ASSERT_TRUE(comesTrue([&] { return window.openFile() == "spectra.bin"; }));
    EXPECT_EQ(window.desktop.session().snapshot()->name, "asked for");
}

TEST(DescribeSpectra, InAFolderThatCannotBeWrittenTheAnswerIsKeptElsewhere) {
    const QByteArray before = qgetenv("XDG_DATA_HOME");
    const QTemporaryDir data;
    qputenv("XDG_DATA_HOME", data.path().toLocal8Bit());
    {
        Import window;
        testing_support::makeUnwritable((window.folder.path() + "/spectra.bin.toml").toStdString());
        ASSERT_TRUE(window.asks());
        window.form();
        QTest::mouseClick(window.dialog()->keepButton(), Qt::LeftButton);
        EXPECT_TRUE(comesTrue([&] {
            return window.desktop.window().messages().text().contains(data.path());
        })) << window.desktop.window().messages().text().toStdString();
        ASSERT_TRUE(comesTrue([&] { return window.openFile() == "spectra.bin"; }));
        EXPECT_FALSE(std::filesystem::exists((window.file + ".toml").toStdString()));
    }
    before.isNull() ? qunsetenv("XDG_DATA_HOME") : qputenv("XDG_DATA_HOME", before);
}

TEST(DescribeSpectra, SaysByHowManyBytesItDoesNotFit) {
    Import window;
    ASSERT_TRUE(window.asks());
    window.form().setValues({{"offset", QString::number(kHeader - 2)}});
    const int bscan = 2 * kLineSamples * kLines;
    EXPECT_TRUE(window.dialog()->fitText().contains("3 B-scans and 2 bytes"))
        << window.dialog()->fitText().toStdString();
    EXPECT_TRUE(window.dialog()->fitText().contains(QString::number(bscan - 2)));
    EXPECT_FALSE(window.dialog()->keepButton()->isEnabled());
    window.form().setValues({{"dtype", "packed12"}, {"samples", "255"}});
    EXPECT_TRUE(window.dialog()->fitText().contains("even number"));
    EXPECT_FALSE(std::filesystem::exists((window.file + ".toml").toStdString()));
}

TEST(DescribeSpectra, AFileTooSmallForALineSaysSo) {
    Import window(QByteArray(10, '\1') + QByteArray(1, '\0'));
    ASSERT_TRUE(window.asks());
    EXPECT_FALSE(window.dialog()->keepButton()->isEnabled());
    EXPECT_FALSE(window.dialog()->fitText().isEmpty());
    ASSERT_TRUE(
        comesTrue([&] { return !isTimed(window.desktop.importer()) && !window.isAtWork(); }));
    EXPECT_FALSE(window.dialog()->hasPreview());
}

TEST(DescribeSpectra, ASidecarOfSomebodyElseIsKept) {
    Import window;
    window.desktop.importer().ask(window.file);
    ASSERT_TRUE(window.isRead());
    window.form();
    writeFile(window.file + ".toml", "title = \"mine\"\n");
    QTest::mouseClick(window.dialog()->keepButton(), Qt::LeftButton);
    EXPECT_TRUE(comesTrue([&] { return !window.dialog()->isBusy(); }));
    EXPECT_TRUE(window.dialog()->isVisible());
    EXPECT_TRUE(window.dialog()->fitText().contains("spectra.bin.toml"));
}

} // namespace
} // namespace echolux
