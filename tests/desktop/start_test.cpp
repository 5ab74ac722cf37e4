// SPDX-License-Identifier: GPL-3.0-or-later
// An empty window offers recordings, and the open one tells its facts.
#include "app/desktop/file_desk.hpp"
#include "app/desktop/start_desk.hpp"
#include "app/pipeline/pipeline_config.hpp"
#include "app/session/recording_facts.hpp"
#include "app/session/session.hpp"
#include "tests/desktop/open_window.hpp"
#include "ui/dialogs/facts_dialog.hpp"
#include "ui/views/view_area.hpp"
#include "ui/window/start_page.hpp"

#include <gtest/gtest.h>

#include <QAction>
#include <QClipboard>
#include <QFileInfo>
#include <QGuiApplication>
#include <QPushButton>

#include <algorithm>

namespace echolux {
namespace {

using testing_support::comesTrue;
using testing_support::OpenWindow;

TEST(StartPage, OffersTheBundledRecordingsUntilOneIsOpen) {
    OpenWindow window{OpenRequest{}};
    const auto bundled = bundledRecordings();
    ASSERT_EQ(bundled.size(), 9U);
    for (const StartEntry& entry : bundled) EXPECT_TRUE(QFileInfo::exists(entry.path));
    auto* page = window.desktop.views().findChild<StartPage*>();
    ASSERT_TRUE(page != nullptr && page->isVisible());
    EXPECT_TRUE(window.desktop.views().rect().contains(page->geometry()));
    window.desktop.window().resize(960, 600);
    EXPECT_TRUE(
        comesTrue([&] { return window.desktop.views().rect().contains(page->geometry()); }));
    auto* button = page->findChild<QPushButton*>("retina_cine.echolux.h5");
    ASSERT_NE(button, nullptr);
    QTest::mouseClick(button, Qt::LeftButton);
    ASSERT_TRUE(window.openingEnds());
    EXPECT_EQ(window.openFile(), "retina_cine.echolux.h5");
    EXPECT_TRUE(
        comesTrue([&] { return window.desktop.views().findChild<StartPage*>() == nullptr; }));
}

TEST(StartPage, OpensARecordingOfFlowWithAPipelineOfFlow) {
    OpenWindow window{OpenRequest{}};
    auto* page = window.desktop.views().findChild<StartPage*>();
    ASSERT_NE(page, nullptr);
    emit page->chosen(QStringLiteral(ECHOLUX_SOURCE_DIR "/testdata/bubbles.echolux.h5"));
    ASSERT_TRUE(window.openingEnds());
    EXPECT_EQ(window.desktop.session().snapshot()->name, shippedPipeline("bubbles").name);
}

TEST(Facts, AreThoseOfInfoAndFollowTheRecording) {
    OpenWindow window;
    const auto actions = window.desktop.window().actions();
    const auto action = std::ranges::find(actions, QString("facts"), &QAction::objectName);
    ASSERT_TRUE(action != actions.end() && (*action)->isEnabled());
    (*action)->trigger();
    const auto* dialog = window.desktop.window().findChild<FactsDialog*>();
    ASSERT_TRUE(dialog != nullptr && dialog->isVisible());
    const auto shows = [&] {
        QString meant;
        for (const RecordingFact& fact : recordingFacts(window.desktop.session().engine().info()))
            meant += QString::fromStdString(fact.name + '\t' + fact.text + '\n');
        return dialog->text() == meant;
    };
    EXPECT_TRUE(shows());
    EXPECT_TRUE(dialog->text().contains("Frames\t32\n"));
    EXPECT_TRUE(dialog->text().contains("Speed of sound\t1540 m/s\n"));
    QTest::mouseClick(dialog->findChild<QPushButton*>("copy"), Qt::LeftButton);
    EXPECT_EQ(QGuiApplication::clipboard()->text(), dialog->text());
    window.desktop.files().open(
        QStringLiteral(ECHOLUX_SOURCE_DIR "/testdata/retina_cine.echolux.h5"));
    ASSERT_TRUE(window.openingEnds());
    EXPECT_TRUE(shows());
    EXPECT_TRUE(dialog->text().contains("Centre wavelength"));
}

} // namespace
} // namespace echolux
