// SPDX-License-Identifier: GPL-3.0-or-later
// Entries of the menu "Edit".
#include "ui/parameters/edit_menu.hpp"

#include "ui/controls/action_text.hpp"

#include <QActionGroup>

#include <algorithm>

namespace echolux {
namespace {

/// Entries of the list before and after the current one. Further ones appear when the menu opens
/// again.
constexpr int kShownBeside = 7;

QString escaped(QString text) { return text.replace('&', "&&"); }

} // namespace

EditMenu::EditMenu(QWidget* parent)
    : QMenu("&Edit", parent),
      m_undo(makeAction(this, "Undo", "", {QKeySequence("Ctrl+Z")}, "Undo the last edit")),
      m_redo(makeAction(this, "Redo", "", {QKeySequence("Ctrl+Shift+Z"), QKeySequence("Ctrl+Y")},
                        "Redo the edit that was undone")),
      m_history(new QMenu("&History", this)) {
    addActions({m_undo, m_redo});
    addSeparator();
    addMenu(m_history);
    m_history->setToolTipsVisible(true);
    connect(m_undo, &QAction::triggered, this, &EditMenu::undoRequested);
    connect(m_redo, &QAction::triggered, this, &EditMenu::redoRequested);
    connect(m_history, &QMenu::aboutToShow, this, &EditMenu::fillHistory);
    setUndo({});
    setRedo({});
    setHistory({}, 0);
}

void EditMenu::setUndo(const QString& what) {
    m_undo->setText(what.isEmpty() ? "&Undo" : "&Undo " + escaped(what));
    m_undo->setEnabled(!what.isEmpty());
}

void EditMenu::setRedo(const QString& what) {
    m_redo->setText(what.isEmpty() ? "&Redo" : "&Redo " + escaped(what));
    m_redo->setEnabled(!what.isEmpty());
}

void EditMenu::setHistory(const QStringList& edits, int position) {
    m_edits = edits;
    m_position = position;
    m_history->setEnabled(!edits.isEmpty());
}

/// Filled only when the menu opens, because a drag changes the list with every step.
void EditMenu::fillHistory() {
    m_history->clear();
    auto* group = new QActionGroup(m_history);
    const int count = static_cast<int>(m_edits.size());
    const int first = std::max(0, m_position - kShownBeside);
    const int last = std::min(count, m_position + kShownBeside);
    for (int i = first; i <= last; ++i) {
        QString text = i == 0 ? QStringLiteral("As opened") : m_edits[i - 1];
        if (i == first && i > 0) text = QStringLiteral("\u2026 ") + text;
        if (i == last && i < count) text += QStringLiteral(" \u2026");
        QAction* action = m_history->addAction(escaped(text));
        action->setCheckable(true);
        action->setChecked(i == m_position);
        group->addAction(action);
        connect(action, &QAction::triggered, this, [this, i] { emit positionChosen(i); });
    }
}

} // namespace echolux
