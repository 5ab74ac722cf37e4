// SPDX-License-Identifier: GPL-3.0-or-later
// The settings on view over many files: each is written, and what is refused stops nothing.
#include "app/desktop/batch_desk.hpp"
#include "tests/desktop/open_window.hpp"
#include "ui/dialogs/batch_dialog.hpp"
#include "ui/parameters/parameter_panel.hpp"
#include "ui/window/message_bar.hpp"

#include <gtest/gtest.h>

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QImage>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QTemporaryDir>

#include <algorithm>
#include <optional>
#include <vector>

namespace echolux {
namespace {

using testing_support::comesTrue;
using testing_support::kCine;
using testing_support::OpenWindow;

const QString kSector = QStringLiteral(ECHOLUX_SOURCE_DIR "/testdata/sector.h5");

class Batch : public testing::Test {
protected:
    void SetUp() override { ASSERT_TRUE(m_window.showsFrames(1)); }
    BatchDesk& desk() { return m_window.desktop.batches(); }
    QString path(const QString& name) const { return m_folder.filePath(name); }
    BatchChoice pictures(const QStringList& files) const {
        BatchChoice choice;
        choice.files = files;
        choice.ending = ".png";
        choice.folder = m_folder.path();
        return choice;
    }
    /// Null: never.
    std::optional<QStringList> refusedBy(const BatchChoice& choice, int written) {
        QSignalSpy done(&desk(), &BatchDesk::finished);
        desk().start(desk().requestsFor(choice), choice.folder);
        if (!comesTrue([&] { return done.count() == 1; })) return std::nullopt;
        EXPECT_EQ(done.front().at(0).toInt(), written);
        return done.front().at(1).toStringList();
    }

    QTemporaryDir m_folder;
    OpenWindow m_window;
};

TEST_F(Batch, EveryFileIsWrittenWithTheSettingsOnView) {
    ASSERT_TRUE(QDir().mkpath(path("copy")));
    const QString copy = path("copy/phantom_cine.echolux.h5");
    ASSERT_TRUE(QFile::copy(kCine, copy));
    ASSERT_EQ(refusedBy(pictures({kCine}), 1), QStringList());
    const QImage plain(path("phantom_cine_export.png"));
    ASSERT_FALSE(plain.isNull());
    emit m_window.desktop.window().parameters().parameterEdited("beamform", "speed_of_sound",
                                                                1300.0);
    QTemporaryDir other;
    BatchChoice both = pictures({kCine, copy});
    both.folder = other.path();
    ASSERT_EQ(refusedBy(both, 2), QStringList());
    const QImage first(other.filePath("phantom_cine_export.png"));
    const QImage second(other.filePath("phantom_cine_export_2.png"));
    EXPECT_EQ(first, second) << "the same data";
    EXPECT_NE(first, plain) << "another speed of sound";
}

TEST_F(Batch, WhatIsRefusedIsNamedAndTheOthersGoOn) {
    const QString bad = path("bad.h5");
    testing_support::writeFile(bad, QByteArray("\x89HDF\r\n\x1a\n, cut off", 17));
    const auto refused = refusedBy(pictures({bad, kCine}), 1);
    ASSERT_TRUE(refused && refused->size() == 1);
    EXPECT_TRUE(refused->front().startsWith("bad.h5: "));
    EXPECT_TRUE(QFileInfo::exists(path("phantom_cine_export.png")));
    EXPECT_TRUE(m_window.desktop.window().messages().text().contains("Exported 1 of 2 files"));
    EXPECT_TRUE(m_window.desktop.window().messages().text().contains("bad.h5"));
}

TEST_F(Batch, ValuesAtTheirDefaultFollowEachRecording) {
    const std::vector<ExportRequest> requests = desk().requestsFor(pictures({kCine, kSector}));
    ASSERT_EQ(requests.size(), 2U);
    for (const ExportRequest& request : requests) {
        ASSERT_TRUE(request.pipeline.has_value());
        for (const StageConfig& stage : request.pipeline->stages)
            EXPECT_TRUE(stage.values.empty()) << stage.id;
        EXPECT_FALSE(request.frames.has_value());
    }
    emit m_window.desktop.window().parameters().parameterEdited("beamform", "f_number", 2.5);
    const ExportRequest edited = desk().requestsFor(pictures({kSector})).front();
    const auto beamform =
        std::ranges::find(edited.pipeline->stages, "beamform", &StageConfig::type);
    ASSERT_EQ(beamform->values.size(), 1U);
    EXPECT_EQ(beamform->values.front().first, "f_number");
    EXPECT_EQ(edited.target.filename(), "sector_export.png");
}

TEST_F(Batch, TheDialogTakesFilesOnceAndChecksTheFolder) {
    desk().ask();
    auto* dialog = m_window.desktop.window().findChild<BatchDialog*>();
    ASSERT_TRUE(dialog != nullptr && dialog->isVisible());
    auto* start = dialog->findChild<QPushButton*>("start");
    EXPECT_FALSE(start->isEnabled());
    dialog->addFiles({kCine, kCine, kSector});
    EXPECT_EQ(dialog->choice().files, (QStringList{kCine, kSector}));
    auto* folder = dialog->findChild<QLineEdit*>("folder");
    EXPECT_TRUE(QFileInfo(folder->text()).isDir());
    folder->setText(path("nowhere"));
    QTest::mouseClick(start, Qt::LeftButton);
    EXPECT_TRUE(dialog->isVisible());
    EXPECT_TRUE(dialog->findChild<QLabel*>("note")->text().contains("no folder"));
    folder->setText(m_folder.path());
    QSignalSpy done(&desk(), &BatchDesk::finished);
    QTest::mouseClick(start, Qt::LeftButton);
    ASSERT_TRUE(comesTrue([&] { return done.count() == 1; }));
    EXPECT_FALSE(dialog->isVisible());
    EXPECT_EQ(QDir(m_folder.path()).entryList(QDir::Files).front(), "phantom_cine_export.png");
}

} // namespace
} // namespace echolux
