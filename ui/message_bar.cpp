// SPDX-License-Identifier: GPL-3.0-or-later
// Order and look of messages.
#include "ui/message_bar.hpp"

#include "ui/labels.hpp"
#include "ui/theme.hpp"

#include <QEvent>
#include <QHBoxLayout>
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

MessageBar::MessageBar(QWidget* host)
    : QWidget(host), m_icon(new QLabel(this)), m_text(new QLabel(this)),
      m_more(makeLabel("", LabelRole::Secondary, this)), m_close(new QToolButton(this)) {
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(2 * kGrid, kGrid, kGrid, kGrid);
    layout->setSpacing(kGrid);
    m_icon->setFixedSize(kIconSize, kIconSize);
    layout->addWidget(m_icon, 0, Qt::AlignTop);
    m_text->setWordWrap(true);
    m_text->setTextInteractionFlags(Qt::TextSelectableByMouse);
    layout->addWidget(m_text, 1);
    layout->addWidget(m_more);
    m_close->setIcon(themeIcon("close"));
    m_close->setIconSize(QSize(14, 14));
    m_close->setToolTip("Dismiss");
    m_close->setFocusPolicy(Qt::TabFocus);
    layout->addWidget(m_close, 0, Qt::AlignTop);
    connect(m_close, &QToolButton::clicked, this, &MessageBar::dismiss);
    m_timer.setSingleShot(true);
    connect(&m_timer, &QTimer::timeout, this, &MessageBar::dismiss);
    connect(&Theme::instance(), &Theme::changed, this, &MessageBar::present);
    host->installEventFilter(this);
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
    m_text->setText(message.text);
    m_more->setText(m_messages.size() > 1 ? QString("%1 more").arg(m_messages.size() - 1)
                                          : QString());
    if (message.severity == Severity::Info) m_timer.start(m_infoMs);
    place();
    raise();
    update();
}

void MessageBar::place() {
    const int width = parentWidget()->width();
    setGeometry(0, 0, width, std::max(5 * kGrid, layout()->heightForWidth(width)));
    makeRoom(severity() == Severity::Info ? 0 : height());
}

void MessageBar::makeRoom(int height) {
    if (QLayout* below = parentWidget()->layout()) below->setContentsMargins(0, height, 0, 0);
}

bool MessageBar::eventFilter(QObject* watched, QEvent* event) {
    if (watched == parentWidget() && event->type() == QEvent::Resize && isVisible()) place();
    return QWidget::eventFilter(watched, event);
}

void MessageBar::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.fillRect(rect(), tokens().raised);
    painter.fillRect(0, 0, kGrid / 2, height(), tokens().*inkOf(severity()));
    painter.fillRect(0, height() - 1, width(), 1, tokens().line);
}

} // namespace echolux
