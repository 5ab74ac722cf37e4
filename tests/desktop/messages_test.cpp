// SPDX-License-Identifier: GPL-3.0-or-later
// Messages come and go with what they are about.
#include "app/desktop/assumed_parameter.hpp"
#include "app/desktop/file_desk.hpp"
#include "tests/desktop/open_window.hpp"
#include "ui/dialogs/message_log.hpp"
#include "ui/parameters/parameter_panel.hpp"
#include "ui/views/view_area.hpp"
#include "ui/window/message_bar.hpp"
#include "ui/window/status_bar.hpp"

#include <QAction>
#include <QClipboard>
#include <QDateTime>
#include <QDockWidget>
#include <QPushButton>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QToolButton>
#include <gtest/gtest.h>

namespace echolux {
namespace {

using testing_support::comesTrue;
using testing_support::kCine;
using testing_support::OpenWindow;
using testing_support::settle;
using testing_support::writeFile;

/// A recording about which there is something to say, and a file that is none.
struct Messages : testing::Test {
    Messages() {
        QByteArray echoes(2 * 8 * 512 * 2, '\0');
        for (qsizetype i = 0; i < echoes.size(); ++i) echoes[i] = static_cast<char>(i * i % 61);
        writeFile(path("odd.raw"), echoes);
        writeFile(path("odd.raw.toml"), "[data]\ndtype = \"<i2\"\nshape = [2, 8, 512]\n"
                                        "axes = [\"frame\", \"channel\", \"sample\"]\n"
                                        "[probe]\npitch = 0.3e-3\n"
                                        "[signal]\nsampling_frequency = 20e6\n"
                                        "centre_frequency = 5e6\n"
                                        "[transmit]\nangles_deg = [0]\n");
        writeFile(path("bad.h5"), QByteArray("\x89HDF\r\n\x1a\n, cut off", 17));
    }
    QString path(const char* name) { return m_folder.filePath(name); }
    void open(const QString& file) {
        m_window.desktop.files().open(file);
        ASSERT_TRUE(m_window.openingEnds());
    }
    MessageBar& bar() { return m_window.desktop.window().messages(); }
    bool assumes() { return bar().text().contains("1540 m/s is assumed"); }

    QTemporaryDir m_folder;
    OpenWindow m_window;
};

/// A message lies over the image, also where a dock opens or closes meanwhile.
TEST_F(Messages, TakeNoRoomWhileDocksOpen) {
    open(kCine);
    ASSERT_TRUE(m_window.freezes()); // playing, it may be told to be slow
    bar().clear();
    MainWindow& window = m_window.desktop.window();
    const ViewArea& views = m_window.desktop.views();
    const auto takesAll = [&] {
        const QWidget* centre = window.centralWidget();
        return views.mapTo(centre, QPoint()).y() == 0 && views.height() == centre->height() &&
               m_window.desktop.view().mapTo(centre, QPoint()).y() == 0;
    };
    ASSERT_TRUE(comesTrue(takesAll));
    QAction* toggle = window.findChild<QDockWidget*>("graph")->toggleViewAction();
    for (const Severity severity : {Severity::Error, Severity::Info}) {
        for (const int turns : {0, 1, 2, 3, 5, 10, 50}) {
            bar().setInfoDuration(turns + 1); // in ms
            bar().show(severity,
                       "Something that takes a line or two over the image, and goes again.",
                       Topic::Edit);
            EXPECT_TRUE(takesAll());
            toggle->trigger();
            for (int turn = 0; turn < turns; ++turn) QCoreApplication::processEvents();
            bar().withdraw({Topic::Edit});
            EXPECT_TRUE(comesTrue([&] { return bar().pending() == 0 && takesAll(); }))
                << turns << " turns of the event loop";
        }
    }
}

TEST_F(Messages, StayOnTopOfTheImageWhereDocksAreArrangedAnew) {
    open(kCine);
    ASSERT_TRUE(m_window.freezes());
    MainWindow& window = m_window.desktop.window();
    window.resize(1600, 1000);
    const MessageStrip& strip = bar().standing();
    bar().show(Severity::Error, "Something that stays.", Topic::General);
    const auto isSeen = [&] {
        const QPoint at = strip.mapTo(&window, strip.rect().center());
        const QWidget* seen = window.childAt(at);
        const QPoint top = window.centralWidget()->mapTo(&window, QPoint());
        return seen != nullptr && (seen == &strip || strip.isAncestorOf(seen)) &&
               strip.mapTo(&window, QPoint()) == top &&
               strip.width() == window.centralWidget()->width();
    };
    ASSERT_TRUE(comesTrue(isSeen));
    QAction* graph = window.findChild<QDockWidget*>("graph")->toggleViewAction();
    for (int i = 0; i < 2; ++i) {
        graph->trigger();
        settle();
        EXPECT_TRUE(isSeen()) << "graph " << graph->isChecked();
    }
}

TEST_F(Messages, OfARecordingGoWithIt) {
    open(path("odd.raw"));
    ASSERT_TRUE(assumes()) << bar().text().toStdString();
    open(kCine);
    EXPECT_EQ(bar().pending(), 0) << bar().text().toStdString();
}

TEST_F(Messages, ARefusedFileIsToldOfFirstAndGoesWithTheNext) {
    open(path("odd.raw"));
    open(path("bad.h5"));
    EXPECT_TRUE(bar().text().contains("bad.h5")) << "the newest is on view";
    EXPECT_EQ(bar().pending(), 2) << "what holds of the open recording still stands";
    open(path("odd.raw"));
    EXPECT_TRUE(assumes());
    EXPECT_EQ(bar().pending(), 1);
    open(path("bad.h5"));
    emit m_window.desktop.window().parameters().parameterEdited("beamform", "f_number", 2.0);
    EXPECT_TRUE(assumes()) << "whoever goes on has seen it";
}

TEST_F(Messages, ARefusedEditIsForgottenAfterTheNext) {
    ASSERT_TRUE(m_window.showsFrames(1));
    ParameterPanel& panel = m_window.desktop.window().parameters();
    emit panel.bypassToggled("beamform", true);
    EXPECT_EQ(bar().severity(), Severity::Error);
    emit panel.parameterEdited("beamform", "f_number", 2.0);
    EXPECT_EQ(bar().pending(), 0);
}

TEST_F(Messages, RowsTooCoarseForSummedRfAreToldOfUntilTheyAreMended) {
    ASSERT_TRUE(m_window.showsFrames(1));
    ParameterPanel& panel = m_window.desktop.window().parameters();
    emit panel.parameterEdited("beamform", "pixel_depth", 0.2e-3);
    EXPECT_EQ(bar().pending(), 0) << "analytic signals are right on any grid";
    emit panel.bypassToggled("analytic", true);
    EXPECT_EQ(bar().severity(), Severity::Warning);
    EXPECT_TRUE(bar().text().contains("too coarse")) << bar().text().toStdString();
    emit panel.parameterEdited("beamform", "pixel_depth", 0.02e-3);
    EXPECT_EQ(bar().pending(), 0) << bar().text().toStdString();
}

TEST_F(Messages, AnAssumedSpeedOfSoundCanBeSetFromTheMessage) {
    open(path("odd.raw"));
    ASSERT_TRUE(assumes());
    auto* button = bar().standing().findChild<QToolButton*>("messageAction");
    ASSERT_TRUE(button->isVisible());
    EXPECT_EQ(button->text(), "Set it\u2026");
    QTest::mouseClick(button, Qt::LeftButton);
    EXPECT_FALSE(assumes()) << "who is about to set it has read it";
    ParameterPanel& panel = m_window.desktop.window().parameters();
    const QWidget* field = panel.group("beamform")->row("speed_of_sound")->editor()->control();
    EXPECT_TRUE(comesTrue([&] { return m_window.desktop.window().focusWidget() == field; }));
    bar().show(Severity::Warning, "Something else.", Topic::Recording);
    EXPECT_FALSE(button->isVisible());
}

/// Each line of the log is a time, a kind and a sentence.
TEST_F(Messages, StayInTheLogWithTheirTimes) {
    const QDateTime began = QDateTime::currentDateTime().addSecs(-1);
    open(path("odd.raw"));
    open(path("bad.h5"));
    bar().show(Severity::Info, "Saved: a.png");
    bar().show(Severity::Info, "Saved: a.png");
    bar().clear();
    MessageLog& log = m_window.desktop.window().messageLog();
    EXPECT_FALSE(log.isVisible());
    QTest::mouseClick(m_window.desktop.window().status().findChild<QToolButton*>("messages"),
                      Qt::LeftButton);
    EXPECT_TRUE(log.isVisible());
    log.findChild<QPushButton*>("copy")->click();
    EXPECT_EQ(QApplication::clipboard()->text(), log.text());
    const QStringList lines = log.text().split('\n', Qt::SkipEmptyParts);
    ASSERT_GE(lines.size(), 3);
    for (const QString& line : lines) {
        const QDateTime when = QDateTime::fromString(line.section('\t', 0, 0), Qt::ISODate);
        EXPECT_GE(when, began) << line.toStdString();
        EXPECT_LE(when, QDateTime::currentDateTime());
    }
    const auto at = [&](const char* part) {
        return lines.indexOf(QRegularExpression(QString(".*\t") + part + ".*"));
    };
    ASSERT_GE(at("Warning\t.*1540 m/s is assumed"), 0) << log.text().toStdString();
    EXPECT_GT(at("Error\t.*bad.h5"), at("Warning\t.*1540 m/s is assumed"));
    EXPECT_EQ(at("Note\tSaved: a.png"), lines.size() - 1) << "the newest is the last, once";
    log.close();
    bar().show(Severity::Info, "One more");
    EXPECT_TRUE(log.text().endsWith("\tNote\tOne more\n"));
}

TEST_F(Messages, OnlyAssumptionsThatAParameterHoldsAreOffered) {
    open(kCine);
    const Snapshot& now = *m_window.desktop.session().snapshot();
    const auto key = [&](const char* sentence) {
        const auto found = assumedParameter(sentence, now);
        return found ? found->stage + '/' + found->key : QString();
    };
    EXPECT_EQ(key("The file gives no speed of sound; 1540 m/s is assumed."),
              "beamform/speed_of_sound");
    EXPECT_EQ(key("It gives no time 't0' of the first sample; 0 s is assumed."),
              "beamform/t0_offset");
    EXPECT_EQ(key("The file gives no centre frequency; 5 MHz, that of the probe, is assumed."), "");
    EXPECT_EQ(key("The speed of sound is 1480 m/s."), "");
}

} // namespace
} // namespace echolux
