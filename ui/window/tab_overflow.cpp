// SPDX-License-Identifier: GPL-3.0-or-later
// Covers over cut tabs, and the list of all tabs.
#include "ui/window/tab_overflow.hpp"

#include "ui/theme/theme.hpp"

#include <QEvent>
#include <QMenu>
#include <QPainter>
#include <QTabBar>
#include <QToolButton>

#include <algorithm>

namespace echolux {
namespace {

void place(QWidget& widget, const QRect& at) {
    if (widget.geometry() != at) widget.setGeometry(at);
    if (widget.isHidden() != at.isEmpty()) widget.setVisible(!at.isEmpty());
}

/// A cover in the colour of a bar without tabs.
class Cover final : public QWidget {
public:
    explicit Cover(QTabBar& tabs) : QWidget(&tabs) { hide(); }

protected:
    void paintEvent(QPaintEvent*) override { QPainter(this).fillRect(rect(), tokens().window); }
};

} // namespace

TabOverflow::TabOverflow(QTabBar& tabs)
    : QObject(&tabs), m_tabs(tabs), m_left(new Cover(tabs)), m_right(new Cover(tabs)),
      m_list(new QToolButton(&tabs)) {
    m_list->setObjectName("tab_list");
    m_list->setFocusPolicy(Qt::NoFocus);
    m_list->setAccessibleName("All tabs");
    m_list->hide();
    connect(m_list, &QToolButton::clicked, this, &TabOverflow::offer);
    tabs.installEventFilter(this);
    follow();
}

bool TabOverflow::eventFilter(QObject* watched, QEvent* event) {
    switch (event->type()) {
    case QEvent::Resize:
    case QEvent::Show:
    case QEvent::LayoutRequest:
        // NOTE: queued, because the bar lays out its tabs after this event.
        QMetaObject::invokeMethod(this, &TabOverflow::follow, Qt::QueuedConnection);
        break;
    case QEvent::Paint: follow(); break; // also after scrolling
    default: break;
    }
    return QObject::eventFilter(watched, event);
}

void TabOverflow::follow() {
    const auto* back = m_tabs.findChild<QWidget*>("ScrollLeftButton");
    const auto* forth = m_tabs.findChild<QWidget*>("ScrollRightButton");
    if (back == nullptr || forth == nullptr || back->isHidden()) {
        for (QWidget* each : {m_left, m_right, static_cast<QWidget*>(m_list)}) each->hide();
        return;
    }
    const QRect ends = back->geometry().united(forth->geometry());
    QRect left;
    QRect right;
    for (int i = 0; i < m_tabs.count(); ++i) {
        const QRect tab = m_tabs.tabRect(i);
        if (tab.left() < 0 && tab.right() >= 0) left = QRect(0, 0, tab.right() + 1, tab.height());
        if (tab.left() < ends.left() && tab.right() >= ends.left())
            right = QRect(tab.left(), 0, ends.left() - tab.left(), tab.height());
    }
    place(*m_left, left);
    place(*m_right, right);
    m_list->setText(QString("%1 \u25be").arg(m_tabs.count()));
    m_list->setToolTip(QString("All %1 tabs").arg(m_tabs.count()));
    place(*m_list, ends);
    m_list->raise();
}

void TabOverflow::offer() {
    auto* menu = new QMenu(m_list);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    for (int i = 0; i < m_tabs.count(); ++i) {
        QAction* action = menu->addAction(m_tabs.tabText(i));
        action->setCheckable(true);
        action->setChecked(i == m_tabs.currentIndex());
        connect(action, &QAction::triggered, &m_tabs, [this, i] { m_tabs.setCurrentIndex(i); });
    }
    menu->popup(m_list->mapToGlobal(QPoint(0, m_list->height())));
}

} // namespace echolux
