// SPDX-License-Identifier: GPL-3.0-or-later
// A header above a view.
#include "ui/views/view_pane.hpp"

#include "ui/theme/labels.hpp"
#include "ui/theme/theme.hpp"
#include "ui/views/view.hpp"

#include <QEvent>
#include <QHBoxLayout>
#include <QMenu>
#include <QToolButton>
#include <QVBoxLayout>

namespace echolux {

ViewPane::ViewPane(const QString& name, View* view, QWidget* parent)
    : QWidget(parent), m_view(view), m_header(new QWidget(this)), m_line(new QHBoxLayout(m_header)),
      m_subtitle(new ElidedLabel({}, m_header)),
      m_swatch(new QLabel(QStringLiteral("\u25a0"), m_header)),
      m_name(new ElidedLabel(name, m_header)) {
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(m_header);
    layout->addWidget(view, 1);
    m_header->setObjectName("panel");
    m_header->setAttribute(Qt::WA_StyledBackground);
    m_header->setFixedHeight(4 * kGrid);
    m_header->setToolTip(tr("Double click: this view alone, and back"));
    m_header->installEventFilter(this);
    m_line->setContentsMargins(kGrid, 0, kGrid / 2, 0);
    m_line->setSpacing(kGrid / 2);
    m_swatch->hide();
    m_line->addWidget(m_swatch);
    m_line->addWidget(m_name);
    connect(&Theme::instance(), &Theme::changed, this, [this] { setPlotColour(m_colour); });
    m_line->addSpacing(kGrid / 2);
    setRole(m_subtitle, LabelRole::Secondary);
    m_line->addWidget(m_subtitle, 1);
}

void ViewPane::setName(const QString& name) { m_name->setFullText(name); }
QString ViewPane::name() const { return m_name->fullText(); }

bool ViewPane::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::MouseButtonDblClick) emit headerDoubleClicked();
    return QWidget::eventFilter(watched, event);
}

void ViewPane::setPlotColour(int index) {
    m_colour = index;
    m_swatch->setVisible(index >= 0);
    if (index >= 0) m_swatch->setStyleSheet("color: " + plotColour(index).name());
}

void ViewPane::setSubtitle(const QString& text) { m_subtitle->setFullText(text); }
QString ViewPane::subtitle() const { return m_subtitle->fullText(); }

void ViewPane::addButtons(const QList<QAction*>& actions) {
    for (QAction* action : actions) {
        auto* button = new QToolButton(m_header);
        button->setDefaultAction(action);
        button->setFocusPolicy(Qt::TabFocus);
        m_line->addWidget(button);
    }
}

void ViewPane::addMenu(const QString& text, const QString& help, const QList<QAction*>& actions) {
    auto* button = new QToolButton(m_header);
    auto* menu = new QMenu(button);
    menu->addActions(actions);
    button->setText(text);
    button->setToolTip(help);
    button->setMenu(menu);
    button->setPopupMode(QToolButton::InstantPopup);
    button->setFocusPolicy(Qt::TabFocus);
    m_line->addWidget(button);
}

} // namespace echolux
