// SPDX-License-Identifier: GPL-3.0-or-later
// Look of a message.
#include "ui/window/message_strip.hpp"

#include "ui/theme/labels.hpp"
#include "ui/theme/theme.hpp"

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

MessageStrip::MessageStrip(QWidget* parent)
    : QWidget(parent), m_icon(new QLabel(this)), m_text(new QLabel(this)),
      m_more(makeLabel("", LabelRole::Secondary, this)), m_action(new QToolButton(this)),
      m_close(new QToolButton(this)) {
    auto* layout = new QHBoxLayout(this);
    layout->setSpacing(kGrid);
    m_icon->setFixedSize(kIconSize, kIconSize);
    layout->addWidget(m_icon);
    m_text->setTextInteractionFlags(Qt::TextSelectableByMouse);
    layout->addWidget(m_text, 1);
    layout->addWidget(m_more);
    m_action->setObjectName("messageAction");
    m_action->setFocusPolicy(Qt::TabFocus);
    layout->addWidget(m_action);
    connect(m_action, &QToolButton::clicked, this, &MessageStrip::acted);
    m_close->setIcon(themeIcon("close"));
    m_close->setIconSize(QSize(14, 14));
    m_close->setToolTip("Dismiss");
    m_close->setFocusPolicy(Qt::TabFocus);
    layout->addWidget(m_close);
    connect(m_close, &QToolButton::clicked, this, &MessageStrip::dismissed);
    connect(&Theme::instance(), &Theme::changed, this, &MessageStrip::showIcon);
    hide();
}

void MessageStrip::setMessage(Severity severity, const QString& text, const QString& more,
                              const QString& action) {
    m_severity = severity;
    m_full = text;
    m_more->setText(more);
    m_more->setVisible(!more.isEmpty());
    m_action->setText(action);
    m_action->setVisible(!action.isEmpty());
    showIcon();
}

void MessageStrip::showIcon() {
    m_icon->setPixmap(
        themeIcon(iconOf(m_severity), inkOf(m_severity)).pixmap(QSize(kIconSize, kIconSize)));
    update();
}

int MessageStrip::layIn(QPoint topLeft, int width) {
    setShape(kGrid, Qt::AlignTop);
    m_text->setWordWrap(true);
    m_text->setText(m_full);
    m_text->setToolTip({});
    const int height = std::max(5 * kGrid, layout()->heightForWidth(width));
    setGeometry(QRect(topLeft, QSize(width, height)));
    return height;
}

void MessageStrip::layInOneLine(const QRect& place) {
    setShape(0, Qt::AlignVCenter);
    m_text->setWordWrap(false);
    m_text->setText({});
    const int forText = place.width() - layout()->totalMinimumSize().width();
    const QString shown = m_text->fontMetrics().elidedText(m_full, Qt::ElideMiddle, forText);
    m_text->setText(shown);
    m_text->setToolTip(shown == m_full ? QString() : m_full);
    setGeometry(place);
}

void MessageStrip::setShape(int margin, Qt::Alignment buttons) {
    layout()->setContentsMargins(2 * kGrid, margin, kGrid, margin);
    layout()->setAlignment(m_icon, buttons);
    layout()->setAlignment(m_more, buttons);
    layout()->setAlignment(m_action, buttons);
    layout()->setAlignment(m_close, buttons);
}

void MessageStrip::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.fillRect(rect(), tokens().raised);
    painter.fillRect(0, 0, kGrid / 2, height(), tokens().*inkOf(m_severity));
    painter.fillRect(0, height() - 1, width(), 1, tokens().line);
}

} // namespace echolux
