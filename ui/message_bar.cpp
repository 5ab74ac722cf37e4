// SPDX-License-Identifier: GPL-3.0-or-later
// Order and look of messages.
#include "ui/message_bar.hpp"

#include "ui/labels.hpp"
#include "ui/theme.hpp"

#include <QEvent>
#include <QHBoxLayout>
#include <QMenuBar>
#include <QPainter>
#include <QToolButton>

#include <algorithm>

namespace echolux {
namespace {

constexpr int kIconSize = 18;

QColor ThemeTokens::*inkOf(Severity severity) {
    switch (severity) {
    case Severity::Error: return &ThemeTokens::error;
    case Severity::Warning: return &ThemeTokens::warning;
    case Severity::Info: break;
    }
    return &ThemeTokens::accent;
}

QString iconOf(Severity severity) {
    switch (severity) {
    case Severity::Error: return "error";
    case Severity::Warning: return "warning";
    case Severity::Info: break;
    }
    return "info";
}

} // namespace

MessageBar::MessageBar(QWidget* host, QMenuBar* menus)
    : QWidget(menus->parentWidget()), m_host(host), m_menus(menus), m_icon(new QLabel(this)),
      m_text(new QLabel(this)), m_more(makeLabel("", LabelRole::Secondary, this)),
      m_close(new QToolButton(this)) {
    auto* layout = new QHBoxLayout(this);
    layout->setSpacing(kGrid);
    m_icon->setFixedSize(kIconSize, kIconSize);
    layout->addWidget(m_icon);
    m_text->setTextInteractionFlags(Qt::TextSelectableByMouse);
    layout->addWidget(m_text, 1);
    layout->addWidget(m_more);
    m_close->setIcon(themeIcon("close"));
    m_close->setIconSize(QSize(14, 14));
    m_close->setToolTip("Dismiss");
    m_close->setFocusPolicy(Qt::TabFocus);
    layout->addWidget(m_close);
    connect(m_close, &QToolButton::clicked, this, &MessageBar::dismiss);
    m_timer.setSingleShot(true);
    connect(&m_timer, &QTimer::timeout, this, &MessageBar::dismiss);
    connect(&Theme::instance(), &Theme::changed, this, &MessageBar::present);
    host->installEventFilter(this);
    menus->installEventFilter(this);
    hide();
}

void MessageBar::show(Severity severity, const QString& text) {
    const auto same = [&](const Message& each) { return each.text == text; };
    m_messages.erase(std::remove_if(m_messages.begin(), m_messages.end(), same), m_messages.end());
    // Worse ones first; among equals the newest.
    const auto place = std::ranges::find_if(
        m_messages, [&](const Message& each) { return each.severity <= severity; });
    m_messages.insert(place, {severity, text});
    present();
}

void MessageBar::dismiss() {
    if (!m_messages.empty()) m_messages.pop_front();
    present();
}

void MessageBar::clear() {
    m_messages.clear();
    present();
}

QString MessageBar::text() const {
    return m_messages.empty() ? QString() : m_messages.front().text;
}

Severity MessageBar::severity() const {
    return m_messages.empty() ? Severity::Info : m_messages.front().severity;
}

void MessageBar::present() {
    m_timer.stop();
    setVisible(!m_messages.empty());
    if (m_messages.empty()) {
        makeRoom(0);
        return;
    }
    const Message& message = m_messages.front();
    m_icon->setPixmap(themeIcon(iconOf(message.severity), inkOf(message.severity))
                          .pixmap(QSize(kIconSize, kIconSize)));
    m_more->setText(m_messages.size() > 1 ? QString("%1 more").arg(m_messages.size() - 1)
                                          : QString());
    if (message.severity == Severity::Info) m_timer.start(m_infoMs);
    place();
    raise();
    update();
}

void MessageBar::place() {
    if (severity() == Severity::Info && m_menus->isVisible()) {
        placeBesideMenus();
        return;
    }
    setShape(kGrid, Qt::AlignTop);
    m_text->setWordWrap(true);
    m_text->setText(text());
    m_text->setToolTip({});
    const int width = m_host->width();
    const int height = std::max(5 * kGrid, layout()->heightForWidth(width));
    setGeometry(QRect(m_host->mapTo(parentWidget(), QPoint()), QSize(width, height)));
    makeRoom(height);
}

void MessageBar::setShape(int margin, Qt::Alignment buttons) {
    layout()->setContentsMargins(2 * kGrid, margin, kGrid, margin);
    layout()->setAlignment(m_icon, buttons);
    layout()->setAlignment(m_close, buttons);
}

/// In one line; where that is too short, the tooltip tells all.
void MessageBar::placeBesideMenus() {
    makeRoom(0);
    setShape(0, Qt::AlignVCenter);
    m_text->setWordWrap(false);
    m_text->setText({});
    QRect room = m_menus->geometry();
    for (QAction* menu : m_menus->actions()) {
        const int taken = m_menus->x() + m_menus->actionGeometry(menu).right();
        room.setLeft(std::max(room.left(), taken + 2 * kGrid));
    }
    const int forText = room.width() - layout()->totalMinimumSize().width();
    const QString shown = m_text->fontMetrics().elidedText(text(), Qt::ElideMiddle, forText);
    m_text->setText(shown);
    m_text->setToolTip(shown == text() ? QString() : text());
    setGeometry(room);
}

void MessageBar::makeRoom(int height) {
    if (QLayout* below = m_host->layout()) below->setContentsMargins(0, height, 0, 0);
}

bool MessageBar::eventFilter(QObject* watched, QEvent* event) {
    const bool moved = event->type() == QEvent::Resize || event->type() == QEvent::Move ||
                       event->type() == QEvent::Show || event->type() == QEvent::Hide;
    if ((watched == m_host || watched == m_menus) && moved && isVisible()) place();
    return QWidget::eventFilter(watched, event);
}

void MessageBar::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.fillRect(rect(), tokens().raised);
    painter.fillRect(0, 0, kGrid / 2, height(), tokens().*inkOf(severity()));
    painter.fillRect(0, height() - 1, width(), 1, tokens().line);
}

} // namespace echolux
