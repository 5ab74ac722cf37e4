// SPDX-License-Identifier: GPL-3.0-or-later
// Header and body of a section.
#include "ui/controls/collapsible_group.hpp"

#include "ui/controls/small_buttons.hpp"
#include "ui/theme/labels.hpp"
#include "ui/theme/theme.hpp"

#include <QHBoxLayout>
#include <QMouseEvent>
#include <QToolButton>
#include <QVBoxLayout>

namespace echolux {

CollapsibleGroup::CollapsibleGroup(const QString& title, QWidget* parent)
    : QWidget(parent), m_header(new QWidget(this)), m_arrow(new QToolButton(m_header)),
      m_title(new ElidedLabel(title, m_header)), m_dot(new ResetDot(m_header)),
      m_body(new QWidget(this)), m_bodyLayout(new QVBoxLayout(m_body)) {
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    m_header->setFixedHeight(4 * kGrid);
    m_header->installEventFilter(this);
    m_header->setObjectName("groupHeader");
    auto* line = new QHBoxLayout(m_header);
    line->setContentsMargins(kGrid / 2, 0, 0, 0);
    line->setSpacing(kGrid / 2);
    m_arrow->setFixedSize(20, 20);
    m_arrow->setIconSize(QSize(14, 14));
    m_arrow->setFocusPolicy(Qt::TabFocus);
    line->addWidget(m_arrow);
    QFont bold = baseFont();
    bold.setWeight(QFont::DemiBold);
    m_title->setFont(bold);
    line->addWidget(m_title, 1);
    m_dot->setToolTip("Reset this group to its defaults");
    line->addWidget(m_dot);
    layout->addWidget(m_header);
    m_bodyLayout->setContentsMargins(kGrid, 0, 0, kGrid);
    m_bodyLayout->setSpacing(kGrid / 2);
    layout->addWidget(m_body);
    connect(m_arrow, &QToolButton::clicked, this, [this] { setCollapsed(!m_collapsed); });
    showState();
}

ToggleSwitch* CollapsibleGroup::addSwitch() {
    m_switch = new ToggleSwitch(m_header);
    m_switch->setObjectName("bypass");
    auto* line = static_cast<QHBoxLayout*>(m_header->layout());
    line->insertWidget(line->indexOf(m_dot), m_switch);
    return m_switch;
}

void CollapsibleGroup::setCollapsed(bool collapsed) {
    if (m_collapsed == collapsed) return;
    m_collapsed = collapsed;
    showState();
    emit collapsedChanged(collapsed);
}

void CollapsibleGroup::setForcedOpen(bool open) {
    m_forcedOpen = open;
    showState();
}

void CollapsibleGroup::setFoldable(bool foldable) {
    m_foldable = foldable;
    showState();
}

void CollapsibleGroup::setDimmed(bool dimmed) {
    setRole(m_title, dimmed ? LabelRole::Secondary : LabelRole::Normal);
    m_body->setEnabled(!dimmed);
}

void CollapsibleGroup::showState() {
    const bool open = m_foldable && (!m_collapsed || m_forcedOpen);
    m_body->setVisible(open);
    m_arrow->setIcon(m_foldable ? themeIcon(open ? "chevron_down" : "chevron_right") : QIcon());
    m_arrow->setEnabled(m_foldable);
    m_arrow->setToolTip(open ? "Fold" : "Unfold");
}

bool CollapsibleGroup::eventFilter(QObject* watched, QEvent* event) {
    if (watched == m_header && event->type() == QEvent::MouseButtonRelease && m_foldable &&
        static_cast<QMouseEvent*>(event)->button() == Qt::LeftButton) {
        setCollapsed(!m_collapsed);
        return true;
    }
    // The header must accept the press, or the release would go to another widget.
    if (watched == m_header && event->type() == QEvent::MouseButtonPress) return true;
    return QWidget::eventFilter(watched, event);
}

} // namespace echolux
