// SPDX-License-Identifier: GPL-3.0-or-later
// The window: keys, transport bar, layouts, messages, status, dropped files.
#include "tests/ui/panel_fixtures.hpp"

#include "ui/a_line_plot.hpp"
#include "ui/display_group.hpp"
#include "ui/history_plot.hpp"
#include "ui/main_window.hpp"
#include "ui/message_bar.hpp"
#include "ui/number_editor.hpp"
#include "ui/number_field.hpp"
#include "ui/performance_panel.hpp"
#include "ui/slider.hpp"
#include "ui/spectrum_plot.hpp"
#include "ui/status_bar.hpp"
#include "ui/transport_bar.hpp"

#include <gtest/gtest.h>

#include <QAction>
#include <QDockWidget>
#include <QDropEvent>
#include <QMenu>
#include <QMenuBar>
#include <QMimeData>

#include <limits>
#include <memory>

namespace echolux {
namespace {

using testing_support::everyRowEntry;

/// Counts what listens to an action.
struct Listeners : QObject {
    static int of(const QAction& action) {
        return (action.*&Listeners::receivers)(SIGNAL(triggered(bool)));
    }
    using QObject::receivers;
};

class WindowTest : public testing::Test {
protected:
    void SetUp() override {
        testing_support::application();
        Theme::instance().apply(ThemeKind::Dark);
        m_window = std::make_unique<MainWindow>();
        m_window->setCentralView(new QWidget);
        m_window->parameters().setStages({everyRowEntry("first")});
        m_window->transport().setFrame(11, 32);
    }
    void show(int width = 1280, int height = 800) {
        m_window->resize(width, height);
        m_window->show();
        ASSERT_TRUE(QTest::qWaitForWindowExposed(m_window.get()));
        m_window->activateWindow();
        ASSERT_TRUE(QTest::qWaitForWindowActive(m_window.get()));
    }
    QDockWidget* dock(const char* name) { return m_window->findChild<QDockWidget*>(name); }
    bool tabbed() { return !m_window->tabifiedDockWidgets(dock("plots")).isEmpty(); }
    NumberField* field() {
        auto* row = m_window->parameters().group("first")->row("edge");
        return qobject_cast<NumberEditor*>(row->editor())->field();
    }
    void press(int key, Qt::KeyboardModifiers modifiers = {}) {
        QWidget* target = QApplication::focusWidget();
        QTest::keyClick(target != nullptr ? target : m_window.get(), static_cast<Qt::Key>(key),
                        modifiers);
    }

    std::unique_ptr<MainWindow> m_window;
};

TEST_F(WindowTest, KeysOfThePlayback) {
    show();
    TransportBar& bar = m_window->transport();
    QSignalSpy play(&bar, &TransportBar::playToggled);
    QSignalSpy step(&bar, &TransportBar::stepRequested);
    QSignalSpy seek(&bar, &TransportBar::seekRequested);
    QSignalSpy speed(&bar, &TransportBar::speedChosen);
    press(Qt::Key_Space);
    ASSERT_EQ(play.count(), 1);
    EXPECT_TRUE(play.last().first().toBool());
    bar.setPlaying(true);
    press(Qt::Key_Space);
    EXPECT_FALSE(play.last().first().toBool());
    for (const int key : {Qt::Key_Comma, Qt::Key_Left, Qt::Key_Period, Qt::Key_Right}) press(key);
    ASSERT_EQ(step.count(), 4);
    EXPECT_EQ(step.at(0).first().toInt(), -1);
    EXPECT_EQ(step.at(1).first().toInt(), -1);
    EXPECT_EQ(step.at(2).first().toInt(), 1);
    EXPECT_EQ(step.at(3).first().toInt(), 1);
    press(Qt::Key_Home);
    EXPECT_EQ(seek.last().first().toLongLong(), 0);
    press(Qt::Key_End);
    EXPECT_EQ(seek.last().first().toLongLong(), 31);
    press(Qt::Key_BracketRight);
    EXPECT_EQ(speed.last().first().toDouble(), 2.0);
    press(Qt::Key_BracketLeft);
    press(Qt::Key_BracketLeft);
    EXPECT_EQ(speed.last().first().toDouble(), 0.5);
}

TEST_F(WindowTest, KeysOfTheWindow) {
    show();
    QSignalSpy open(m_window.get(), &MainWindow::openRequested);
    QSignalSpy shot(m_window.get(), &MainWindow::screenshotRequested);
    QSignalSpy view(m_window.get(), &MainWindow::resetViewRequested);
    QSignalSpy range(m_window.get(), &MainWindow::autoRangeRequested);
    QSignalSpy display(&m_window->display(), &DisplayGroup::edited);
    press(Qt::Key_O, Qt::ControlModifier);
    press(Qt::Key_S, Qt::ControlModifier);
    press(Qt::Key_R);
    press(Qt::Key_A);
    press(Qt::Key_M);
    EXPECT_EQ(open.count(), 1);
    EXPECT_EQ(shot.count(), 1);
    EXPECT_EQ(view.count(), 1);
    EXPECT_EQ(range.count(), 1);
    ASSERT_EQ(display.count(), 1);
    EXPECT_EQ(m_window->display().settings().colourMap, "viridis");
}

TEST_F(WindowTest, KeysAreTextWhileTyping) {
    show();
    QSignalSpy play(&m_window->transport(), &TransportBar::playToggled);
    QSignalSpy step(&m_window->transport(), &TransportBar::stepRequested);
    QSignalSpy view(m_window.get(), &MainWindow::resetViewRequested);
    QLineEdit* search = m_window->parameters().searchField();
    search->setFocus();
    QTest::keyClicks(search, "r a,");
    EXPECT_EQ(search->text(), "r a,");
    field()->setFocus();
    press(Qt::Key_Left);
    EXPECT_EQ(play.count() + step.count() + view.count(), 0);
}

TEST_F(WindowTest, KeysWorkWhileASliderHasTheFocus) {
    show();
    QSignalSpy play(&m_window->transport(), &TransportBar::playToggled);
    QSignalSpy step(&m_window->transport(), &TransportBar::stepRequested);
    m_window->transport().seekSlider()->setFocus();
    press(Qt::Key_Space);
    press(Qt::Key_Right);
    EXPECT_EQ(play.count(), 1);
    EXPECT_EQ(step.count(), 1);
}

TEST_F(WindowTest, ReturnPressesTheFocusedSwitch) {
    show();
    QSignalSpy spy(&m_window->parameters(), &ParameterPanel::bypassToggled);
    auto* toggle =
        m_window->findChild<QWidget*>("stage.first")->findChild<QAbstractButton*>("bypass");
    ASSERT_NE(toggle, nullptr);
    toggle->setFocus();
    press(Qt::Key_Return);
    EXPECT_EQ(spy.count(), 1);
}

TEST_F(WindowTest, NothingOpenDisablesAllButOpen) {
    m_window->transport().setFrame(0, 0);
    for (QAction* action : m_window->transport().actions().all()) {
        EXPECT_EQ(action->isEnabled(), action == m_window->transport().actions().open)
            << action->text().toStdString();
    }
    EXPECT_EQ(m_window->transport().frameText(), "");
    m_window->transport().setFrame(0, 1);
    EXPECT_EQ(m_window->transport().frameText(), "1 / 1");
}

TEST_F(WindowTest, TransportShowsWithoutEchoing) {
    TransportBar& bar = m_window->transport();
    QSignalSpy seek(&bar, &TransportBar::seekRequested);
    QSignalSpy speed(&bar, &TransportBar::speedChosen);
    QSignalSpy loop(&bar, &TransportBar::loopToggled);
    bar.setFrame(20, 32);
    bar.setSpeed(TransportBar::kUnpaced);
    bar.setLoop(true);
    EXPECT_EQ(bar.seekSlider()->value(), 20);
    EXPECT_EQ(bar.frameText(), "21 / 32");
    EXPECT_EQ(seek.count() + speed.count() + loop.count(), 0);
    QTest::mouseClick(bar.seekSlider(), Qt::LeftButton, {}, QPoint(8, 12));
    EXPECT_EQ(seek.last().first().toLongLong(), 0);
}

TEST_F(WindowTest, NothingInTheTransportBarMovesWhileFramesRun) {
    show();
    TransportBar& bar = m_window->transport();
    bar.setFrame(0, 1000);
    QTest::qWait(20);
    const QRect before = bar.seekSlider()->geometry();
    for (const qint64 index : {0, 9, 99, 888, 999}) {
        bar.setFrame(index, 1000);
        bar.setPlaying(index % 2 == 0);
        QTest::qWait(5);
        EXPECT_EQ(bar.seekSlider()->geometry(), before) << index;
    }
}

TEST_F(WindowTest, NarrowWindowsTabTheRightDocks) {
    show(1280, 800);
    EXPECT_TRUE(tabbed());
    m_window->resize(1900, 1000);
    QTest::qWait(50);
    EXPECT_FALSE(tabbed());
    m_window->resize(1280, 800);
    QTest::qWait(50);
    EXPECT_TRUE(tabbed());
}

TEST_F(WindowTest, NothingIsCutAt1280By800) {
    show(1280, 800);
    QTest::qWait(50);
    EXPECT_EQ(m_window->size(), QSize(1280, 800)) << "the contents do not force it larger";
    for (const char* name : {"parameters", "plots"}) {
        const QWidget* content = dock(name)->widget();
        EXPECT_GE(content->width(), content->minimumSizeHint().width()) << name;
        EXPECT_TRUE(m_window->rect().contains(
            QRect(content->mapTo(m_window.get(), QPoint()), content->size())))
            << name;
    }
    EXPECT_GE(m_window->centralWidget()->width(), 500) << "the image gets most of the room";
}

TEST_F(WindowTest, LayoutIsRestored) {
    show(1600, 900);
    dock("performance")->hide();
    m_window->addDockWidget(Qt::LeftDockWidgetArea, dock("plots"));
    const QByteArray saved = m_window->saveLayout();
    m_window->resetLayout();
    EXPECT_FALSE(dock("performance")->isHidden());
    EXPECT_EQ(m_window->dockWidgetArea(dock("plots")), Qt::RightDockWidgetArea);
    EXPECT_TRUE(m_window->restoreLayout(saved));
    EXPECT_TRUE(dock("performance")->isHidden());
    EXPECT_EQ(m_window->dockWidgetArea(dock("plots")), Qt::LeftDockWidgetArea);
}

TEST_F(WindowTest, ForeignLayoutGivesTheStandardOne) {
    show(1600, 900);
    dock("plots")->hide();
    EXPECT_FALSE(m_window->restoreLayout("not a layout"));
    EXPECT_FALSE(dock("plots")->isHidden());
}

TEST_F(WindowTest, FullScreenAndBack) {
    show(1600, 900);
    press(Qt::Key_F11);
    QTest::qWait(50);
    EXPECT_TRUE(dock("parameters")->isHidden());
    EXPECT_FALSE(m_window->menuBar()->isVisible());
    QSignalSpy play(&m_window->transport(), &TransportBar::playToggled);
    press(Qt::Key_Space);
    EXPECT_EQ(play.count(), 1) << "keys work without menus";
    press(Qt::Key_Escape);
    QTest::qWait(50);
    EXPECT_FALSE(dock("parameters")->isHidden());
    EXPECT_TRUE(m_window->menuBar()->isVisible());
}

TEST_F(WindowTest, EveryMenuEntryDoesSomething) {
    m_window->setRecentFiles({"/somewhere/a.h5", "", "/somewhere/b.mat"});
    QMenu menu;
    QAction dead("dead");
    menu.addAction(&dead);
    const int byTheMenuAlone = Listeners::of(dead);
    int entries = 0;
    for (QAction* top : m_window->menuBar()->actions()) {
        ASSERT_FALSE(top->menu()->isEmpty()) << top->text().toStdString();
        for (QAction* entry : top->menu()->actions()) {
            if (entry->isSeparator() || entry->menu() != nullptr) continue;
            ++entries;
            EXPECT_GT(Listeners::of(*entry), byTheMenuAlone) << entry->text().toStdString();
        }
    }
    EXPECT_GT(entries, 15);
}

TEST_F(WindowTest, RecentFilesAreOffered) {
    QSignalSpy spy(m_window.get(), &MainWindow::recentFileChosen);
    m_window->setRecentFiles({"/somewhere/a.h5", "/somewhere/b.mat"});
    for (QMenu* menu : m_window->findChildren<QMenu*>()) {
        for (QAction* action : menu->actions()) {
            if (action->text() == "b.mat") action->trigger();
        }
    }
    ASSERT_EQ(spy.count(), 1);
    EXPECT_EQ(spy.first().first().toString(), "/somewhere/b.mat");
}

TEST_F(WindowTest, DroppedFileIsReported) {
    QSignalSpy spy(m_window.get(), &MainWindow::fileDropped);
    QMimeData data;
    data.setUrls({QUrl::fromLocalFile("/somewhere/a.h5")});
    QDragEnterEvent enter(QPoint(10, 10), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    QApplication::sendEvent(m_window.get(), &enter);
    EXPECT_TRUE(enter.isAccepted());
    QDropEvent drop(QPointF(10, 10), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    QApplication::sendEvent(m_window.get(), &drop);
    ASSERT_EQ(spy.count(), 1);
    EXPECT_EQ(spy.first().first().toString(), "/somewhere/a.h5");
}

TEST_F(WindowTest, ClosingIsAnnounced) {
    show();
    QSignalSpy spy(m_window.get(), &MainWindow::aboutToClose);
    m_window->close();
    EXPECT_EQ(spy.count(), 1);
}

TEST_F(WindowTest, InformationLeavesAndErrorsStay) {
    show();
    MessageBar& bar = m_window->messages();
    bar.setInfoDuration(30);
    bar.show(Severity::Error, "The file 'a.mat' is empty; choose another.");
    bar.show(Severity::Info, "Saved.");
    EXPECT_EQ(bar.severity(), Severity::Error) << "information does not cover an error";
    EXPECT_EQ(bar.pending(), 2);
    QTest::qWait(100);
    EXPECT_EQ(bar.text(), "The file 'a.mat' is empty; choose another.");
    bar.dismiss();
    EXPECT_EQ(bar.text(), "Saved.");
    EXPECT_TRUE(QTest::qWaitFor([&] { return bar.pending() == 0; }, 2000));
    EXPECT_FALSE(bar.isVisible());
}

TEST_F(WindowTest, MessagesMoveNothing) {
    show();
    const QRect before = m_window->centralWidget()->findChild<QWidget*>()->geometry();
    const QRect centre = m_window->centralWidget()->geometry();
    m_window->messages().show(Severity::Warning, QString("A long sentence. ").repeated(30));
    QTest::qWait(30);
    EXPECT_EQ(m_window->centralWidget()->geometry(), centre);
    EXPECT_EQ(m_window->centralWidget()->findChild<QWidget*>()->width(), before.width());
    EXPECT_TRUE(m_window->messages().isVisible());
    EXPECT_EQ(m_window->messages().width(), centre.width());
}

TEST_F(WindowTest, LostFramesWarn) {
    m_window->status().setLostFrames(0);
    EXPECT_EQ(m_window->status().lostText(), "0 lost");
    m_window->status().setLostFrames(3);
    EXPECT_EQ(m_window->status().lostText(), "3 lost");
}

TEST_F(WindowTest, DisplayRangeNeverTurnsOver) {
    DisplayGroup& display = m_window->display();
    QSignalSpy spy(&display, &DisplayGroup::edited);
    auto* min = qobject_cast<NumberEditor*>(display.row("min")->editor());
    show();
    testing_support::typeInto(*min->field(), "5");
    ASSERT_EQ(spy.count(), 1);
    EXPECT_EQ(display.settings().min, 5.0);
    EXPECT_GT(display.settings().max, 5.0);
}

TEST_F(WindowTest, PlotsHintUntilAColumnIsPicked) {
    ALinePlot& plot = m_window->aLine();
    EXPECT_FALSE(plot.hasData());
    ALineData line;
    line.rf = {0.0F, 5.0F, -5.0F, 2.0F};
    line.rfStepUs = 0.05;
    line.clipped = {1, 2, 99};
    plot.setData(line);
    EXPECT_TRUE(plot.hasData());
    EXPECT_EQ(plot.clippingText(), "3 clipped");
    EXPECT_EQ(plot.plot().yAxis->range().upper, 5.0);
    plot.setDecibels(true);
    EXPECT_LT(plot.plot().yAxis->range().lower, -50.0);
    plot.clear();
    EXPECT_FALSE(plot.hasData());
    SpectrumData spectrum;
    spectrum.levelDb = {-20.0F, 0.0F, -std::numeric_limits<float>::infinity()};
    spectrum.stepMHz = 1.0;
    m_window->spectrum().setData(spectrum);
    EXPECT_TRUE(m_window->spectrum().hasData());
}

TEST_F(WindowTest, ALineTimeAndDepthAreTiedBySpeedOfSound) {
    ALineData line;
    line.envelope.assign(101, 1.0F);
    line.depthStepMm = 0.77;
    line.soundSpeedMps = 1540.0;
    m_window->aLine().setData(line);
    const QCPRange depth = m_window->aLine().plot().xAxis->range();
    const QCPRange time = m_window->aLine().plot().xAxis2->range();
    EXPECT_NEAR(time.upper, depth.upper / 0.77, 1e-9) << "0.77 mm per microsecond, there and back";
}

TEST_F(WindowTest, ReadoutsKeepTheirPlaces) {
    show(1900, 1000);
    PerformancePanel& panel = m_window->performance();
    Readouts readouts;
    readouts.read = 7;
    readouts.stages = {{"Beamform", 0.5}};
    panel.setReadouts(readouts);
    QTest::qWait(30);
    const int width = dock("performance")->width();
    const QRect history = panel.history()->geometry();
    readouts.timeS = 0.25;
    readouts.read = 123456789;
    readouts.processedPerS = 12345.6;
    readouts.latency99Ms = 123.4;
    readouts.late = 5;
    panel.setReadouts(readouts);
    QTest::qWait(30);
    EXPECT_EQ(panel.text("read"), QString("123\u2009456\u2009789"));
    EXPECT_EQ(panel.text("latency99"), "123.40 ms");
    EXPECT_EQ(dock("performance")->width(), width);
    EXPECT_EQ(panel.history()->geometry(), history);
}

TEST_F(WindowTest, HistoryKeepsOneMinute) {
    HistoryPlot* history = m_window->performance().history();
    Readouts readouts;
    for (int i = 0; i < 400; ++i) {
        readouts.timeS = 0.25 * i;
        readouts.shownPerS = 60.0;
        m_window->performance().setReadouts(readouts);
    }
    EXPECT_NEAR(history->points(), 241, 1) << "60 s, four a second";
    m_window->performance().clear();
    EXPECT_EQ(history->points(), 0);
}

TEST_F(WindowTest, ThemesChangeLive) {
    show();
    QSignalSpy spy(m_window.get(), &MainWindow::themeChosen);
    m_window->setTheme(ThemeKind::Light);
    EXPECT_EQ(spy.count(), 1);
    EXPECT_GT(QApplication::palette().color(QPalette::Window).lightness(), 200);
    m_window->setTheme(ThemeKind::Dark);
    EXPECT_LT(QApplication::palette().color(QPalette::Window).lightness(), 60);
}

} // namespace
} // namespace echolux
