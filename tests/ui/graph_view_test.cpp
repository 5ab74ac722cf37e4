// SPDX-License-Identifier: GPL-3.0-or-later
// The graph as a widget: what clicks, drags, keys and menus ask for, and what stays where it is.
#include "tests/support/qt_application.hpp"
#include "tests/ui/graph_fixtures.hpp"
#include "ui/graph/graph_view.hpp"
#include "ui/theme/theme.hpp"

#include <QAction>
#include <QLineEdit>
#include <QMenu>
#include <QShortcut>
#include <QSignalSpy>
#include <QTest>
#include <QToolButton>
#include <QToolTip>
#include <QVBoxLayout>
#include <QWheelEvent>

#include <gtest/gtest.h>

namespace echolux {
namespace {

using testing_support::branchedGraph;
using testing_support::chainGraph;

class GraphViewTest : public testing::Test {
protected:
    GraphViewTest() {
        testing_support::application();
        Theme::instance().ensureApplied();
        view = std::make_unique<GraphView>();
        view->resize(900, 700);
        view->setModel(branchedGraph());
        view->setStageTypes({{"envelope", "Envelope", "Detection"},
                             {"median", "Median", "Image"},
                             {"tgc", "TGC", ""}});
        view->show();
        EXPECT_TRUE(QTest::qWaitForWindowExposed(view.get()));
    }

    int index(const QString& id) const { return nodeIndex(view->model(), id); }
    QPoint onScreen(QPointF point) const { return view->toWidget(point).toPoint(); }
    QPoint centre(const QString& id) const {
        return onScreen(view->scene().box(index(id)).center());
    }
    QPoint toggleOf(const QString& id) const {
        return onScreen(switchRect(view->scene().box(index(id))).center());
    }
    QPoint output(const QString& id) const { return onScreen(view->scene().output(index(id))); }
    QPoint input(const QString& id, int port) const {
        return onScreen(view->scene().input(index(id), port));
    }
    void click(QPoint at) { QTest::mouseClick(view.get(), Qt::LeftButton, {}, at); }
    void drag(QPoint from, QPoint to) {
        QTest::mousePress(view.get(), Qt::LeftButton, {}, from);
        QTest::mouseMove(view.get(), (from + to) / 2);
        QTest::mouseMove(view.get(), to);
        QTest::mouseRelease(view.get(), Qt::LeftButton, {}, to);
    }
    void key(Qt::Key key, Qt::KeyboardModifiers with = {}) {
        QTest::keyClick(view.get(), key, with);
    }
    void wheel(QPointF at, int turned, Qt::KeyboardModifiers with = {}) {
        QWheelEvent event(at, view->mapToGlobal(at), {}, {0, turned}, {}, with, Qt::NoScrollPhase,
                          false);
        QApplication::sendEvent(view.get(), &event);
    }
    GraphModel edited(const QString& id, const std::function<void(GraphNode&)>& change) const {
        GraphModel model = view->model();
        change(model.nodes[index(id)]);
        return model;
    }
    /// Of the menu and its submenus, by text or object name.
    static QAction* find(QMenu& menu, const QString& name) {
        for (QAction* action : menu.actions()) {
            if (action->text() == name || action->objectName() == name) return action;
            if (action->menu() == nullptr) continue;
            if (QAction* deeper = find(*action->menu(), name)) return deeper;
        }
        return nullptr;
    }

    std::unique_ptr<GraphView> view;
};

TEST_F(GraphViewTest, AClickChoosesAndTellsOfStages) {
    QSignalSpy chosen(view.get(), &GraphView::stageChosen);
    click(centre("fine"));
    ASSERT_EQ(chosen.size(), 1);
    EXPECT_EQ(chosen[0][0], "fine");
    click(centre("before"));
    EXPECT_EQ(view->chosen(), "before") << "a view can be chosen";
    EXPECT_EQ(chosen.size(), 1) << "but is no stage";
    view->setChosen("das");
    EXPECT_EQ(view->chosen(), "das");
    EXPECT_EQ(chosen.size(), 1) << "setters tell nothing";
}

TEST_F(GraphViewTest, TheSwitchAsksForTheBypass) {
    QSignalSpy wanted(view.get(), &GraphView::bypassWanted);
    click(toggleOf("das"));
    ASSERT_EQ(wanted.size(), 1);
    EXPECT_EQ(wanted[0], (QVariantList{"das", true}));
    view->setModel(edited("das", [](GraphNode& node) { node.bypassed = true; }));
    click(toggleOf("das"));
    EXPECT_EQ(wanted.back(), (QVariantList{"das", false}));
}

TEST_F(GraphViewTest, AGreyedSwitchSaysWhy) {
    view->setModel(edited("das", [](GraphNode& node) {
        node.canBypass = false;
        node.bypassReason = "It makes images of channels.";
    }));
    QSignalSpy wanted(view.get(), &GraphView::bypassWanted);
    click(toggleOf("das"));
    view->setChosen("das");
    view->setFocus();
    key(Qt::Key_Space);
    EXPECT_EQ(wanted.size(), 0);
    QHelpEvent help(QEvent::ToolTip, toggleOf("das"), view->mapToGlobal(toggleOf("das")));
    QApplication::sendEvent(view.get(), &help);
    EXPECT_EQ(QToolTip::text(), "It makes images of channels.");
    const auto menu = view->menuAt({GraphHit::Part::Box, index("das")});
    EXPECT_FALSE(find(*menu, "Run this stage")->isEnabled());
}

TEST_F(GraphViewTest, AnErrorIsItsTooltip) {
    view->setModel(edited("fine", [](GraphNode& node) { node.error = "Too large a grid."; }));
    const QPoint badge = onScreen(badgeRect(view->scene().box(index("fine"))).center());
    QHelpEvent help(QEvent::ToolTip, badge, view->mapToGlobal(badge));
    QApplication::sendEvent(view.get(), &help);
    EXPECT_EQ(QToolTip::text(), "Too large a grid.");
}

TEST_F(GraphViewTest, DraggingFromOutputToInputLinks) {
    QSignalSpy wanted(view.get(), &GraphView::linkWanted);
    drag(output("to_float"), input("compare", 1));
    ASSERT_EQ(wanted.size(), 1);
    EXPECT_EQ(wanted[0], (QVariantList{"to_float", "compare", "b"}));
    drag(output("recording"), centre("fine"));
    ASSERT_EQ(wanted.size(), 2) << "over a box, its port is meant";
    EXPECT_EQ(wanted[1], (QVariantList{"recording", "fine", "in"}));
    drag(output("compare"), input("das", 0));
    EXPECT_EQ(wanted.size(), 2) << "no circles";
    drag(output("compare"), QPoint(5, 5));
    EXPECT_EQ(wanted.size(), 2);
}

TEST_F(GraphViewTest, FurtherOutputsAreDraggedAndOfferedByTheirNames) {
    GraphModel model = view->model();
    model.nodes[index("das")].outputs << "transmits";
    view->setModel(model);
    QSignalSpy wanted(view.get(), &GraphView::linkWanted);
    QSignalSpy viewed(view.get(), &GraphView::viewWanted);
    drag(onScreen(view->scene().output(index("das"), 1)), input("compare", 1));
    ASSERT_EQ(wanted.size(), 1);
    EXPECT_EQ(wanted[0], (QVariantList{"transmits@das", "compare", "b"}));
    const auto menu = view->menuAt({GraphHit::Part::Box, index("das")});
    find(*menu, "Show transmits in a view")->trigger();
    EXPECT_EQ(viewed[0], QVariantList{"transmits@das"});
    EXPECT_NE(find(*menu, "Begin a branch of transmits here"), nullptr);
}

TEST_F(GraphViewTest, EscapeEndsALink) {
    QSignalSpy wanted(view.get(), &GraphView::linkWanted);
    QTest::mousePress(view.get(), Qt::LeftButton, {}, output("to_float"));
    QTest::mouseMove(view.get(), input("compare", 0));
    key(Qt::Key_Escape);
    QTest::mouseRelease(view.get(), Qt::LeftButton, {}, input("compare", 0));
    EXPECT_EQ(wanted.size(), 0);
}

TEST_F(GraphViewTest, DeleteRemovesStagesAndClosesViews) {
    QSignalSpy removed(view.get(), &GraphView::removeWanted);
    QSignalSpy closed(view.get(), &GraphView::viewRemoved);
    view->setFocus();
    key(Qt::Key_Delete);
    view->setChosen("recording");
    key(Qt::Key_Delete);
    EXPECT_EQ(removed.size() + closed.size(), 0);
    view->setChosen("das");
    key(Qt::Key_Delete);
    view->setChosen("before");
    key(Qt::Key_Delete);
    EXPECT_EQ(removed, (QList<QVariantList>{{"das"}}));
    EXPECT_EQ(closed, (QList<QVariantList>{{"before"}}));
}

TEST_F(GraphViewTest, TheMenuOfALinkInserts) {
    QSignalSpy wanted(view.get(), &GraphView::insertWanted);
    const auto menu = view->menuAt({GraphHit::Part::Link, 5});
    ASSERT_NE(find(*menu, "Insert stage here"), nullptr);
    find(*menu, "median")->trigger();
    ASSERT_EQ(wanted.size(), 1);
    EXPECT_EQ(wanted[0], (QVariantList{"median", "envelope", "compare", "a"}));
}

TEST_F(GraphViewTest, WhatFitsIsOfferedFirst) {
    view->setFits(
        [](const QString& type, const QString& output, const QString& to, const QString& port) {
            EXPECT_EQ((QStringList{output, to, port}), (QStringList{"envelope", "compare", "a"}));
            return type == "median";
        });
    QSignalSpy wanted(view.get(), &GraphView::insertWanted);
    const auto menu = view->menuAt({GraphHit::Part::Link, 5});
    QMenu* types = find(*menu, "Insert stage here")->menu();
    emit types->aboutToShow();
    QMenu* all = find(*types, "All")->menu();
    EXPECT_NE(find(*all, "tgc"), nullptr);
    delete all;
    EXPECT_EQ(find(*types, "tgc"), nullptr);
    find(*types, "median")->trigger();
    ASSERT_EQ(wanted.size(), 1);
    EXPECT_EQ(wanted[0], (QVariantList{"median", "envelope", "compare", "a"}));
}

TEST_F(GraphViewTest, TheMenuOfABoxOffersWhatItCan) {
    QSignalSpy inserted(view.get(), &GraphView::insertWanted);
    QSignalSpy retyped(view.get(), &GraphView::retypeWanted);
    QSignalSpy viewed(view.get(), &GraphView::viewWanted);
    QSignalSpy linked(view.get(), &GraphView::linkWanted);
    const auto menu = view->menuAt({GraphHit::Part::Box, index("envelope_fine")});
    find(*find(*menu, "Insert stage here")->menu(), "tgc")->trigger();
    find(*find(*menu, "Begin a branch here")->menu(), "tgc")->trigger();
    EXPECT_EQ(inserted[0], (QVariantList{"tgc", "envelope_fine", "compare", "b"}));
    EXPECT_EQ(inserted[1], (QVariantList{"tgc", "envelope_fine", "", ""}));
    QMenu* types = find(*menu, "Change type to")->menu();
    EXPECT_EQ(find(*types, "envelope"), nullptr) << "it is one";
    find(*types, "median")->trigger();
    EXPECT_EQ(retyped[0], (QVariantList{"envelope_fine", "median"}));
    find(*menu, "Show in a view")->trigger();
    EXPECT_EQ(viewed[0], QVariantList{"envelope_fine"});
    QMenu* sources = find(*menu, "Take from")->menu();
    EXPECT_TRUE(find(*sources, "Beamform (fine)")->isChecked());
    EXPECT_EQ(find(*sources, "Compare"), nullptr) << "no circles";
    find(*sources, "Beamform (das)")->trigger();
    EXPECT_EQ(linked[0], (QVariantList{"das", "envelope_fine", "in"}));

    const auto ofView = view->menuAt({GraphHit::Part::Box, index("before")});
    EXPECT_EQ(find(*ofView, "Show in a view"), nullptr);
    EXPECT_EQ(find(*ofView, "Remove"), nullptr);
    QSignalSpy closed(view.get(), &GraphView::viewRemoved);
    find(*ofView, "Close view")->trigger();
    EXPECT_EQ(closed[0], QVariantList{"before"});
    const auto branching = view->menuAt({GraphHit::Part::Box, index("envelope")});
    EXPECT_NE(find(*branching, "Insert stage here, before Compare"), nullptr);
    EXPECT_NE(find(*branching, "Insert stage here, before Before"), nullptr);
}

TEST_F(GraphViewTest, AModelKeepsSelectionAndZoom) {
    view->setChosen("das");
    view->setZoom(1.5, {300.0, 300.0});
    const QPoint before = centre("das");
    GraphModel model = view->model();
    model.nodes.insert(0, testing_support::stageNode("extra", "median", "Median"));
    model.links.append({"recording", "extra", "in"});
    view->setModel(model);
    EXPECT_EQ(view->chosen(), "das");
    EXPECT_EQ(view->zoom(), 1.5);
    EXPECT_LE((centre("das") - before).manhattanLength(), 1) << "the chosen box stays";
    view->setModel(chainGraph());
    EXPECT_EQ(view->chosen(), "") << "it is gone";
}

TEST_F(GraphViewTest, AReceiverMaySetAModel) {
    QStringList heard;
    const auto reset = [&](const QString& id) {
        view->setModel(chainGraph());
        heard.append(id);
    };
    QObject::connect(view.get(), &GraphView::stageChosen, reset);
    QObject::connect(view.get(), &GraphView::bypassWanted, reset);
    QObject::connect(view.get(), &GraphView::linkWanted, reset);
    QObject::connect(view.get(), &GraphView::removeWanted, reset);
    click(centre("das"));
    view->setModel(branchedGraph());
    click(toggleOf("fine"));
    view->setModel(branchedGraph());
    drag(output("to_float"), input("compare", 1));
    view->setModel(branchedGraph());
    view->setChosen("compare");
    key(Qt::Key_Delete);
    EXPECT_EQ(heard, (QStringList{"das", "fine", "to_float", "compare"}));
}

TEST_F(GraphViewTest, TimesMoveNothing) {
    const std::vector<QRectF> boxes = view->scene().layout.boxes;
    view->setTimes({{"das", {123.456, 120.0, 130.0}}, {"nobody", {1.0, 1.0, 1.0}}});
    EXPECT_EQ(view->scene().layout.boxes, boxes);
    EXPECT_EQ(view->model().nodes[index("das")].ms.mean, 123.456);
    EXPECT_LT(view->model().nodes[index("fine")].ms.mean, 0.0);
    EXPECT_EQ(frameTimeText(0.4116), "0.412 ms");
    EXPECT_EQ(frameTimeText(12.34), "12.3 ms");
}

TEST_F(GraphViewTest, ControlAndWheelZoomAtThePointer) {
    const QPointF at = centre("fine");
    const QPointF under = view->toScene(at);
    wheel(at, 120, Qt::ControlModifier);
    EXPECT_NEAR(view->zoom(), 1.15, 1e-9);
    EXPECT_LE((view->toScene(at) - under).manhattanLength(), 1e-6);
    wheel(at, 120);
    EXPECT_NEAR(view->zoom(), 1.15, 1e-9) << "the wheel alone pans";
    EXPECT_NEAR(view->toWidget(under).y(), at.y() + 60.0, 1e-6);
    view->findChild<QToolButton*>("fit")->click();
    EXPECT_EQ(view->zoom(), 1.0);
}

TEST_F(GraphViewTest, TheGroundPansAndADoubleClickFits) {
    const QPoint before = centre("das");
    drag({10, 10}, {40, 70});
    EXPECT_EQ(centre("das"), before + QPoint(30, 60));
    view->setModel(view->model());
    EXPECT_EQ(centre("das"), before + QPoint(30, 60)) << "a model does not fit again";
    QTest::mouseDClick(view.get(), Qt::LeftButton, {}, {10, 10});
    EXPECT_EQ(centre("das"), before);
}

TEST_F(GraphViewTest, UntouchedItStaysInSight) {
    const auto inSight = [&] {
        return std::ranges::count_if(view->scene().layout.boxes, [&](const QRectF& box) {
            return view->rect().contains(
                QRectF(view->toWidget(box.topLeft()), view->toWidget(box.bottomRight())).toRect());
        });
    };
    const QSizeF all = view->scene().layout.size;
    view->resize((all * 0.85 + QSizeF(40.0, 40.0)).toSize());
    EXPECT_EQ(inSight(), std::ssize(view->scene().layout.boxes));
    EXPECT_LT(view->zoom(), 1.0);
    view->resize((all * 0.4).toSize());
    EXPECT_GE(view->zoom(), 0.8) << "what is not in sight is scrolled to, and can be read";
    EXPECT_LT(inSight(), std::ssize(view->scene().layout.boxes));
    EXPECT_TRUE(view->rect().contains(
        view->toWidget(view->scene().box(index("recording")).center()).toPoint()))
        << "from its beginning";
}

TEST_F(GraphViewTest, TheFlowCanBeTurned) {
    QSignalSpy turned(view.get(), &GraphView::flowChanged);
    view->findChild<QToolButton*>("flow")->click();
    EXPECT_EQ(turned.size(), 1);
    EXPECT_EQ(view->flow(), GraphFlow::Right);
    EXPECT_GT(view->scene().box(index("fine")).left(),
              view->scene().box(index("to_float")).right());
}

/// Between two fields, under a window whose Space means something else.
class GraphKeys : public GraphViewTest {
protected:
    GraphKeys() {
        auto* layout = new QVBoxLayout(&window);
        layout->addWidget(&first);
        layout->addWidget(view.get());
        layout->addWidget(&last);
        window.resize(900, 800);
        window.show();
        view->show();
        window.activateWindow();
        EXPECT_TRUE(QTest::qWaitForWindowActive(&window));
        first.setFocus();
    }
    ~GraphKeys() override { view->setParent(nullptr); }

    static void tab(Qt::KeyboardModifiers with = {}) {
        QTest::keyClick(QApplication::focusWidget(), with == 0 ? Qt::Key_Tab : Qt::Key_Backtab,
                        with);
    }

    QWidget window;
    QLineEdit first, last;
};

TEST_F(GraphKeys, TabGoesFromBoxToBoxAndOn) {
    QStringList seen;
    tab();
    EXPECT_EQ(QApplication::focusWidget(), view.get());
    while (QApplication::focusWidget() == view.get() && seen.size() < 20) {
        seen.append(view->chosen());
        tab();
    }
    ASSERT_EQ(seen.size(), 10);
    EXPECT_EQ(seen.mid(0, 4), (QStringList{"recording", "to_float", "das", "fine"}));
    EXPECT_EQ(seen.back(), "difference");
    EXPECT_EQ(QApplication::focusWidget()->parent(), view.get()) << "its buttons come next";
    tab();
    tab();
    EXPECT_EQ(QApplication::focusWidget(), &last);
}

TEST_F(GraphKeys, SpaceTogglesBeforeTheWindowGetsIt) {
    int frozen = 0;
    QShortcut freeze(QKeySequence(Qt::Key_Space), &window);
    QObject::connect(&freeze, &QShortcut::activated, [&] { ++frozen; });
    QSignalSpy wanted(view.get(), &GraphView::bypassWanted);
    view->setFocus();
    QTest::keyClick(window.windowHandle(), Qt::Key_Space);
    EXPECT_EQ(frozen, 1) << "nothing is chosen";
    view->setChosen("das");
    QTest::keyClick(window.windowHandle(), Qt::Key_Space);
    EXPECT_EQ(frozen, 1);
    EXPECT_EQ(wanted, (QList<QVariantList>{{"das", true}}));
}

TEST_F(GraphKeys, FarBoxesComeIntoSight) {
    view->setFocus();
    view->setZoom(3.0, {0.0, 0.0});
    view->setChosen("recording");
    for (int k = 0; k < 9; ++k) {
        tab();
        EXPECT_TRUE(view->rect().contains(centre(view->chosen()))) << k;
    }
}

} // namespace
} // namespace echolux
