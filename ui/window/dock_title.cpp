// SPDX-License-Identifier: GPL-3.0-or-later
// Buttons of a dock's title bar.
#include "ui/window/dock_title.hpp"

#include "ui/theme/labels.hpp"
#include "ui/theme/theme.hpp"

#include <QDockWidget>
#include <QHBoxLayout>
#include <QMainWindow>
#include <QToolButton>

#include <algorithm>

namespace echolux {

DockTitle::DockTitle(QDockWidget* dock) : QWidget(dock), m_dock(dock) {
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(kGrid, 2, kGrid / 2, 2);
    layout->setSpacing(0);
    auto* title = new ElidedLabel(dock->windowTitle(), this);
    setRole(title, LabelRole::Secondary);
    layout->addWidget(title, 1);
    const auto add = [&](const QString& icon, const QString& tip) {
        auto* button = new QToolButton(this);
        button->setIcon(themeIcon(icon));
        button->setIconSize(QSize(12, 12));
        button->setFixedSize(20, 20);
        button->setToolTip(tip);
        button->setFocusPolicy(Qt::NoFocus);
        layout->addWidget(button);
        return button;
    };
    connect(add("float", "Make this a window of its own, or dock it again"), &QToolButton::clicked,
            this, &DockTitle::floatClicked);
    connect(add("close", "Close; View > Docks opens it again"), &QToolButton::clicked, dock,
            &QDockWidget::close);
    setFixedHeight(3 * kGrid);
}

void DockTitle::followTabs() {
    const auto* window = qobject_cast<QMainWindow*>(m_dock->parentWidget());
    m_tabbed = window != nullptr && !m_dock->isFloating() &&
               std::ranges::any_of(window->tabifiedDockWidgets(m_dock),
                                   [](const QDockWidget* other) { return !other->isHidden(); });
    setFixedHeight(sizeHint().height());
    updateGeometry();
}

QSize DockTitle::sizeHint() const { return {8 * kGrid, m_tabbed ? 0 : 3 * kGrid}; }

} // namespace echolux
