// SPDX-License-Identifier: GPL-3.0-or-later
// A window with one stage of every row, shown where asked for, and keys.
#pragma once

#include "tests/ui/panel_fixtures.hpp"
#include "tests/ui/tool_panels.hpp"
#include "ui/controls/number_field.hpp"
#include "ui/parameters/number_editor.hpp"
#include "ui/window/main_window.hpp"
#include "ui/window/seek_bar.hpp"
#include "ui/window/transport_bar.hpp"

#include <gtest/gtest.h>

#include <QDockWidget>
#include <QTabBar>

#include <memory>
#include <vector>

namespace echolux::testing_support {

class WindowTest : public testing::Test {
protected:
    void SetUp() override {
        application();
        Theme::instance().apply(ThemeKind::Dark);
        m_window = std::make_unique<MainWindow>([this] { return m_panels.make(); });
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
    bool tabbed() { return openTabsBeside(dock("plots")) > 0; }
    int openTabsBeside(QDockWidget* dock) {
        int open = 0;
        for (const QDockWidget* other : m_window->tabifiedDockWidgets(dock))
            open += other->isHidden() ? 0 : 1;
        return open;
    }
    /// As it was saved when there were three docks; takes the others away and puts them back.
    QByteArray formerLayout(bool moved) {
        if (moved) m_window->addDockWidget(Qt::LeftDockWidgetArea, dock("plots"));
        settle();
        QList<QDockWidget*> further{dock("graph"), dock("pipeline_text")};
        for (QDockWidget* each : further) {
            m_window->removeDockWidget(each);
            each->setParent(nullptr);
        }
        QByteArray saved = m_window->saveLayout();
        for (QDockWidget* each : further) each->setParent(m_window.get());
        m_window->resetLayout();
        return saved;
    }
    /// One of many ways to move, close and float docks.
    void disarrange(int deed) {
        QDockWidget* docks[] = {dock("parameters"), dock("plots"), dock("performance")};
        QDockWidget* chosen = docks[(deed + 2) % 3];
        switch (deed / 3 % 8) {
        case 0: chosen->close(); break;
        case 1: chosen->setFloating(true); break;
        case 2: m_window->addDockWidget(Qt::BottomDockWidgetArea, chosen); break;
        case 3:
            chosen->raise();
            settle();
            chosen->close();
            break;
        case 4:
            chosen->setFloating(true);
            chosen->close();
            break;
        case 5:
            for (QDockWidget* each : docks) each->close();
            settle();
            chosen->show();
            break;
        case 6: m_window->tabifyDockWidget(docks[deed % 3], chosen); break;
        default:
            chosen->close();
            settle();
            chosen->show();
            m_window->resize(m_window->width() + 1, m_window->height());
        }
        settle();
    }
    /// The strip on view that has such a tab; the window keeps strips that are not in use. Null:
    /// none.
    QTabBar* tabsWith(const QString& title, int& at) {
        for (QTabBar* tabs :
             m_window->findChildren<QTabBar*>(QString(), Qt::FindDirectChildrenOnly)) {
            for (at = 0; at < tabs->count(); ++at)
                if (tabs->isVisible() && tabs->tabText(at) == title) return tabs;
        }
        return nullptr;
    }
    /// Strips that show no choice.
    /// In sight: the window keeps those without tabs outside itself.
    int emptyTabBars() {
        int empty = 0;
        for (const QTabBar* tabs :
             m_window->findChildren<QTabBar*>(QString(), Qt::FindDirectChildrenOnly))
            empty += !tabs->visibleRegion().isEmpty() && tabs->count() < 2 ? 1 : 0;
        return empty;
    }
    /// Of what is in front.
    std::string places() {
        QString text;
        for (const char* name : {"parameters", "plots", "performance"}) {
            const QDockWidget& at = *dock(name);
            text += name;
            if (!at.visibleRegion().isEmpty())
                text += QString(" %1,%2 %3x%4")
                            .arg(at.x())
                            .arg(at.y())
                            .arg(at.width())
                            .arg(at.height());
            text += at.isFloating() ? " floats; " : "; ";
        }
        return text.toStdString();
    }
    NumberField* field() {
        auto* row = m_window->parameters().group("first")->row("edge");
        return qobject_cast<NumberEditor*>(row->editor())->field();
    }
    void press(int key, Qt::KeyboardModifiers modifiers = {}) {
        QWidget* target = QApplication::focusWidget();
        QTest::keyClick(target != nullptr ? target : m_window.get(), static_cast<Qt::Key>(key),
                        modifiers);
    }

    ToolPanels m_panels;
    std::unique_ptr<MainWindow> m_window;
};

} // namespace echolux::testing_support
