// SPDX-License-Identifier: GPL-3.0-or-later
// What is on view goes into files: with its pipeline and its colours, beside playback, and nothing
// is left of what was given up.
#include "app/desktop/edit_desk.hpp"
#include "app/desktop/export_desk.hpp"
#include "app/desktop/statistics_desk.hpp"
#include "tests/desktop/open_window.hpp"
#include "ui/dialogs/export_dialog.hpp"
#include "ui/dialogs/preview_picture.hpp"
#include "ui/window/message_bar.hpp"
#include "ui/window/progress_strip.hpp"

#include <gtest/gtest.h>

#include <QDir>
#include <QImage>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSpinBox>
#include <QTemporaryDir>

namespace echolux {
namespace {

using testing_support::comesTrue;
using testing_support::OpenWindow;
using testing_support::settle;

class WindowExport : public testing::Test {
protected:
    void SetUp() override { ASSERT_TRUE(m_window.showsFrames(1)); }
    ExportDesk& desk() { return m_window.desktop.exports(); }
    ExportChoice choiceOf(ExportKind kind, const char* name) {
        ExportChoice choice;
        choice.kind = kind;
        choice.path = m_folder.filePath(name);
        choice.firstFrame = 2;
        choice.lastFrame = kind == ExportKind::Cine ? 5 : 2;
        return choice;
    }
    bool exports(const ExportChoice& choice) {
        QSignalSpy done(&desk(), &ExportDesk::exported);
        desk().start(desk().requestFor(choice));
        return comesTrue([&] { return done.count() == 1; });
    }

    QTemporaryDir m_folder;
    OpenWindow m_window;
};

TEST_F(WindowExport, OffersWhatThisBuildWrites) {
    const ExportOffer offer = desk().offer();
    EXPECT_GT(offer.frames, 1);
    for (const auto& formats : offer.formats) EXPECT_FALSE(formats.empty());
    ASSERT_GT(offer.outputs.size(), 3U);
    EXPECT_EQ(offer.outputs.front().name, "recording");
    EXPECT_EQ(offer.outputs.back().name, "log_compression");
}

TEST_F(WindowExport, PictureHasTheColoursOnView) {
    ExportChoice choice = choiceOf(ExportKind::Picture, "gray.png");
    ASSERT_TRUE(exports(choice));
    const QImage gray(choice.path);
    ASSERT_FALSE(gray.isNull());
    EXPECT_TRUE(gray.isGrayscale());
    DisplayChoice hot = m_window.desktop.edits().display();
    hot.colourMap = "hot";
    DisplayGroup& display = m_window.desktop.window().display();
    display.setSettings(hot);
    emit display.edited(hot);
    choice.path = m_folder.filePath("hot.png");
    ASSERT_TRUE(exports(choice));
    EXPECT_FALSE(QImage(choice.path).isGrayscale());
}

TEST_F(WindowExport, ValuesOfAStageAndACineAreWritten) {
    ExportChoice choice = choiceOf(ExportKind::Values, "envelope.npy");
    choice.output = "envelope";
    ASSERT_TRUE(exports(choice));
    EXPECT_GT(QFileInfo(choice.path).size(), 1000);
    choice = choiceOf(ExportKind::Cine, "cine.gif");
    ASSERT_TRUE(exports(choice));
    EXPECT_GT(QFileInfo(choice.path).size(), 1000);
}

TEST_F(WindowExport, GivenUpLeavesNothing) {
    ExportChoice choice = choiceOf(ExportKind::Cine, "long.gif");
    choice.firstFrame = 1;
    choice.lastFrame = static_cast<int>(m_window.desktop.session().engine().info().frameCount);
    QSignalSpy done(&desk(), &ExportDesk::exported);
    desk().start(desk().requestFor(choice));
    m_window.desktop.background().cancel();
    EXPECT_FALSE(m_window.desktop.window().progress().isBusy());
    ASSERT_TRUE(comesTrue([&] { return QDir(m_folder.path()).isEmpty(); }));
    EXPECT_EQ(done.count(), 0);
}

/// The dialog as the user meets it: a name is typed, Return is pressed.
TEST_F(WindowExport, ARefusalKeepsTheDialogItsNameAndTheKeysTypedMeanwhile) {
    desk().ask();
    auto* dialog = m_window.desktop.window().findChild<ExportDialog*>();
    ASSERT_NE(dialog, nullptr);
    auto* path = dialog->findChild<QLineEdit*>("path");
    const QString folder = m_folder.filePath("later");
    path->setText(folder + "/heart.png");
    QTest::keyClick(path, Qt::Key_Return);
    QTest::keyClicks(dialog->focusWidget(), "k");
    auto* note = dialog->findChild<QLabel*>("note");
    ASSERT_TRUE(comesTrue([&] { return note->text().contains("there is no folder"); }));
    EXPECT_TRUE(dialog->isVisible());
    EXPECT_EQ(path->text(), folder + "/heart.pngk") << "typed, not a shortcut";
    EXPECT_NE(desk().offer().folder, folder) << "a folder that is not there is not kept";
    path->setText(folder + "/heart.png");
    ASSERT_TRUE(QDir().mkpath(folder));
    QSignalSpy done(&desk(), &ExportDesk::exported);
    QTest::keyClick(path, Qt::Key_Return);
    ASSERT_TRUE(comesTrue([&] { return done.count() == 1; }));
    EXPECT_FALSE(dialog->isVisible());
    EXPECT_EQ(QDir(folder).entryList(QDir::Files | QDir::Hidden), QStringList{"heart.png"});
    EXPECT_EQ(desk().offer().folder, folder);
}

TEST_F(WindowExport, WhatAFormatCannotHoldIsRefusedInTheDialog) {
    desk().ask();
    auto* dialog = m_window.desktop.window().findChild<ExportDialog*>();
    ExportChoice choice = choiceOf(ExportKind::Values, "raw.nii");
    choice.output = "recording"; // channel data are no image
    emit dialog->exportRequested(choice);
    auto* note = dialog->findChild<QLabel*>("note");
    ASSERT_TRUE(comesTrue([&] { return note->text().contains("raw.nii"); }));
    EXPECT_TRUE(dialog->isVisible());
    EXPECT_TRUE(QDir(m_folder.path()).isEmpty());
}

/// Nobody measures: the dialog asks for the image itself.
TEST_F(WindowExport, ShowsWhatItWillWrite) {
    ASSERT_TRUE(m_window.freezes()); // a busy machine never settles while frames play
    desk().ask();
    auto* dialog = m_window.desktop.window().findChild<ExportDialog*>();
    auto* preview = static_cast<PreviewPicture*>(dialog->findChild<QWidget*>("preview"));
    ASSERT_TRUE(comesTrue([&] {
        m_window.desktop.statistics().measure();
        return !preview->isEmpty();
    }));
    dialog->findChild<QSpinBox*>("width")->setValue(16000); // it is drawn smaller
    settle();
    dialog->close();
}

TEST_F(WindowExport, BeginsInAFolderOfTheUsersNotInTheRecordings) {
    const QString folder = desk().offer().folder;
    EXPECT_TRUE(QFileInfo(folder).isDir());
    EXPECT_NE(folder, m_window.desktop.recordings().folder());
}

TEST_F(WindowExport, RefusalIsTold) {
    ExportChoice choice = choiceOf(ExportKind::Values, "image.xyz");
    desk().start(desk().requestFor(choice));
    ASSERT_TRUE(comesTrue(
        [&] { return m_window.desktop.window().messages().text().contains("image.xyz"); }));
    EXPECT_TRUE(QDir(m_folder.path()).isEmpty());
}

} // namespace
} // namespace echolux
