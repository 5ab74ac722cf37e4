// SPDX-License-Identifier: GPL-3.0-or-later
// The pages of the command line are in the window, too, and the manual opens from it.
#include "app/desktop/help_desk.hpp"
#include "tests/desktop/open_window.hpp"
#include "tests/support/temporary_folder.hpp"
#include "ui/controls/commands_of.hpp"
#include "ui/dialogs/help_window.hpp"
#include "ui/window/message_bar.hpp"

#include <gtest/gtest.h>

#include <QAction>
#include <QDesktopServices>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QLineEdit>
#include <QMenu>
#include <QMenuBar>
#include <QTextBrowser>
#include <QTextCursor>
#include <QTextDocument>
#include <QUrl>

#include <algorithm>

namespace echolux {
namespace {

using test::TemporaryFolder;
using testing_support::OpenWindow;
using testing_support::writeFile;

TEST(HelpDesk, EveryPageOfTheCommandLineIsInTheMenuAndOpens) {
    OpenWindow window{OpenRequest{}};
    const QDir folder(ECHOLUX_SOURCE_DIR "/resources/help");
    const QStringList files = folder.entryList({"*.md"});
    ASSERT_GE(files.size(), 4);
    const auto menus = window.desktop.window().menuBar()->actions();
    const QAction* last = menus.back();
    ASSERT_EQ(last->text(), "&Help");
    for (const QString& file : files) {
        QList<QAction*> entries = last->menu()->actions().front()->menu()->actions();
        for (const QAction* each : QList(entries))
            if (each->menu() != nullptr) entries += each->menu()->actions();
        const QString name = "help." + QFileInfo(file).completeBaseName();
        const auto at = std::ranges::find(entries, name, &QAction::objectName);
        ASSERT_NE(at, entries.end()) << file.toStdString();
        (*at)->trigger();
        const HelpWindow* help = window.desktop.help().window();
        ASSERT_TRUE(help != nullptr && help->isVisible());
        QFile source(folder.filePath(file));
        ASSERT_TRUE(source.open(QIODevice::ReadOnly));
        QTextDocument meant;
        meant.setMarkdown(QString::fromUtf8(source.readAll()));
        EXPECT_EQ(help->browser()->toPlainText(), meant.toPlainText());
        EXPECT_GT(meant.toPlainText().size(), 300);
    }
}

TEST(HelpDesk, AWordIsFoundOnThePageFromThereOnAndAgainFromTheTop) {
    OpenWindow window{OpenRequest{}};
    window.desktop.help().open("pipelines");
    HelpWindow* help = window.desktop.help().window();
    auto* search = help->findChild<QLineEdit*>();
    QTest::keyClicks(search, "to_float");
    QTest::keyClick(search, Qt::Key_Return);
    const QTextCursor first = help->browser()->textCursor();
    EXPECT_EQ(first.selectedText(), "to_float");
    QTest::keyClick(search, Qt::Key_Return);
    EXPECT_GT(help->browser()->textCursor().position(), first.position());
    EXPECT_TRUE(help->isVisible()) << "Return closes nothing";
    for (int i = 0; i < 100 && help->browser()->textCursor().position() != first.position(); ++i)
        QTest::keyClick(search, Qt::Key_Return);
    EXPECT_EQ(help->browser()->textCursor().position(), first.position());
}

TEST(HelpDesk, TheManualOpensInTheBrowserOrAMessageSaysHowToBuildIt) {
    OpenWindow window{OpenRequest{}};
    QTextBrowser browser; // in place of the user's
    QDesktopServices::setUrlHandler("file", &browser, "setSource");
    const TemporaryFolder folder;
    const QString name = QString::fromStdString(folder.path().string());
    qputenv("ECHOLUX_MANUAL", name.toLocal8Bit());
    runCommand(window.desktop.window(), "help.manual");
    EXPECT_TRUE(browser.source().isEmpty());
    const QString message = window.desktop.window().messages().text();
    EXPECT_TRUE(message.contains("manual/build.sh")) << message.toStdString();

    writeFile(name + "/index.html", "a page");
    runCommand(window.desktop.window(), "help.manual");
    qunsetenv("ECHOLUX_MANUAL");
    QDesktopServices::unsetUrlHandler("file");
    EXPECT_EQ(browser.source(), QUrl::fromLocalFile(name + "/index.html"));
}

} // namespace
} // namespace echolux
