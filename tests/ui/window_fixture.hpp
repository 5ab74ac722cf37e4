// SPDX-License-Identifier: GPL-3.0-or-later
// A window with one stage of every row, shown where asked for, and keys.
#pragma once

#include "tests/ui/panel_fixtures.hpp"
#include "ui/main_window.hpp"
#include "ui/number_editor.hpp"
#include "ui/number_field.hpp"
#include "ui/seek_bar.hpp"
#include "ui/transport_bar.hpp"

#include <gtest/gtest.h>

#include <QDockWidget>

#include <memory>

namespace echolux::testing_support {

class WindowTest : public testing::Test {
protected:
    void SetUp() override {
        application();
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

} // namespace echolux::testing_support
