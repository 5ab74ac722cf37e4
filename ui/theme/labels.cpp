// SPDX-License-Identifier: GPL-3.0-or-later
// Colours of labels, and shortening of their texts.
#include "ui/theme/labels.hpp"

#include <QEvent>
#include <QStyle>

namespace echolux {

void setRole(QLabel* label, LabelRole role) {
    static const char* const kNames[] = {"", "secondary", "warning", "error"};
    const QString name = kNames[static_cast<int>(role)];
    if (label->property("role") == name) return;
    label->setProperty("role", name);
    // NOTE: if the label is polished early, the style sheet drops a font that is set afterwards.
    if (!label->testAttribute(Qt::WA_WState_Polished)) return;
    label->style()->unpolish(label);
    label->style()->polish(label);
}

QLabel* makeLabel(const QString& text, LabelRole role, QWidget* parent) {
    auto* label = new QLabel(text, parent);
    setRole(label, role);
    return label;
}

ElidedLabel::ElidedLabel(const QString& text, QWidget* parent) : QLabel(parent) {
    setFullText(text);
}

void ElidedLabel::setFullText(const QString& text) {
    m_full = text;
    updateGeometry();
    elide();
}

QSize ElidedLabel::sizeHint() const {
    return {fontMetrics().horizontalAdvance(m_full) + 2, QLabel::sizeHint().height()};
}

QSize ElidedLabel::minimumSizeHint() const { return {0, QLabel::minimumSizeHint().height()}; }

void ElidedLabel::resizeEvent(QResizeEvent* event) {
    QLabel::resizeEvent(event);
    elide();
}

void ElidedLabel::changeEvent(QEvent* event) {
    QLabel::changeEvent(event);
    if (event->type() == QEvent::FontChange) elide();
}

void ElidedLabel::elide() {
    const QString shown = fontMetrics().elidedText(m_full, Qt::ElideRight, width());
    if (shown != text()) setText(shown);
}

} // namespace echolux
