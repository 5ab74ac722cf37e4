// SPDX-License-Identifier: GPL-3.0-or-later
// Parts that are played, pictures that are saved, sidecars that are asked for.
#include "app/desktop/screenshot.hpp"
#include "tests/desktop/open_window.hpp"
#include "ui/window/message_bar.hpp"

#include <QAction>
#include <QHash>
#include <QImage>
#include <QPushButton>
#include <QTemporaryDir>
#include <gtest/gtest.h>

#include <set>

namespace echolux {
namespace {

using testing_support::comesTrue;
using testing_support::OpenWindow;
using testing_support::writeFile;

TEST(Habits, OnlyTheChosenPartIsPlayed) {
    OpenWindow window;
    ASSERT_TRUE(window.showsFrames(1));
    TransportBar& bar = window.desktop.window().transport();
    Engine& engine = window.desktop.session().engine();
    emit bar.partChosen(5, 8);
    const auto shown = [&] { return engine.mailbox().shownFrame(); };
    ASSERT_TRUE(comesTrue([&] { return shown() >= 5 && shown() <= 8; }));
    std::set<std::int64_t> seen;
    QObject::connect(&window.desktop.view(), &ImageView::framePresented, &window.desktop,
                     [&] { seen.insert(shown()); });
    ASSERT_TRUE(window.showsMoreFrames(12));
    // What was under way when the part was chosen may still have come.
    EXPECT_TRUE(comesTrue([&] { return seen.contains(5) && seen.contains(8); }));
    EXPECT_LE(seen.size(), 6U);
    emit bar.playToggled(false);
    emit bar.seekRequested(20);
    EXPECT_TRUE(comesTrue([&] { return shown() == 20; })) << "seeking goes anywhere";
    emit bar.playToggled(true);
    EXPECT_TRUE(comesTrue([&] { return shown() >= 5 && shown() <= 8; }));
}

TEST(Habits, AFrozenFrameOutsideTheChosenPartGivesWay) {
    OpenWindow window;
    ASSERT_TRUE(window.showsFrames(1));
    ASSERT_TRUE(window.freezes());
    Engine& engine = window.desktop.session().engine();
    engine.player().seek(2);
    ASSERT_TRUE(comesTrue([&] { return engine.mailbox().shownFrame() == 2; }));
    emit window.desktop.window().transport().partChosen(10, 20);
    EXPECT_TRUE(comesTrue([&] { return engine.mailbox().shownFrame() == 10; }));
}

TEST(Habits, NoTwoActionsOfTheWindowHaveOneKey) {
    OpenWindow window(OpenRequest{ECHOLUX_SOURCE_DIR "/testdata/retina_volume.echolux.h5"});
    QHash<QString, QString> taken;
    for (const QAction* action : window.desktop.window().findChildren<QAction*>()) {
        if (action->shortcutContext() == Qt::WidgetShortcut) continue;
        for (const QKeySequence& keys : action->shortcuts()) {
            const QString key = keys.toString();
            EXPECT_FALSE(taken.contains(key))
                << key.toStdString() << ": " << taken.value(key).toStdString() << ", "
                << action->text().toStdString();
            taken[key] = action->text();
        }
    }
    EXPECT_GT(taken.size(), 30);
}

TEST(Habits, PicturesOfMenusCarryTheirSettingsWhereTheFormatCan) {
    const QTemporaryDir folder;
    QImage picture(40, 30, QImage::Format_RGB32);
    picture.fill(Qt::darkGreen);
    ScreenshotRecord record;
    record.sourceName = "a.h5";
    saveScreenshot(folder.filePath("a.png"), picture, record);
    EXPECT_TRUE(isScreenshot(folder.filePath("a.png")));
    saveScreenshot(folder.filePath("a.jpg"), picture, record);
    EXPECT_EQ(QImage(folder.filePath("a.jpg")).size(), picture.size());
    EXPECT_THROW(saveScreenshot(folder.filePath("a.xyz"), picture, record), Error);
}

TEST(Habits, AFileThatWantsASidecarAsksForOne) {
    const QTemporaryDir folder;
    writeFile(folder.filePath("rf.csv"), "1,2,3\n4,5,6\n");
    OpenWindow window;
    ASSERT_TRUE(window.showsFrames(1));
    window.desktop.files().open(folder.filePath("rf.csv"));
    ASSERT_TRUE(window.openingEnds());
    QMessageBox* question = window.desktop.sidecars().question();
    ASSERT_NE(question, nullptr);
    EXPECT_TRUE(question->text().contains("rf.csv")) << question->text().toStdString();
    const auto expectWindowWords = [](const QString& said) {
        for (const char* word : {"--", "echolux "})
            EXPECT_FALSE(said.contains(word))
                << "advice for the command line: " << said.toStdString();
    };
    expectWindowWords(question->text() + question->informativeText());
    EXPECT_EQ(window.openFile(), "phantom_cine.echolux.h5") << "what was open stays";
    question->button(QMessageBox::Cancel)->click();
    EXPECT_TRUE(
        comesTrue([&] { return window.desktop.window().messages().text().contains("rf.csv"); }));
    expectWindowWords(window.desktop.window().messages().text());
    EXPECT_TRUE(comesTrue([&] { return window.desktop.sidecars().question() == nullptr; }));
    OpenRequest described{folder.filePath("rf.csv").toStdString()};
    described.options.sidecar = folder.filePath("missing.toml").toStdString();
    emit window.desktop.sidecars().chosen(described);
    ASSERT_TRUE(window.openingEnds());
    EXPECT_TRUE(window.desktop.window().messages().text().contains("missing.toml"))
        << window.desktop.window().messages().text().toStdString();
}

} // namespace
} // namespace echolux
