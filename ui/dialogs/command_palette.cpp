// SPDX-License-Identifier: GPL-3.0-or-later
// A field, and the list of commands that fit its words.
#include "ui/dialogs/command_palette.hpp"

#include "ui/controls/action_text.hpp"
#include "ui/theme/theme.hpp"

#include <QAction>
#include <QCoreApplication>
#include <QHeaderView>
#include <QKeyEvent>
#include <QLineEdit>
#include <QTreeWidget>
#include <QVBoxLayout>

#include <algorithm>
#include <optional>
#include <utility>

namespace echolux {
namespace {

enum Column { Title, Keys };

/// How well the words fit, 0 at best; null: not all of them are found. A title that begins with the
/// words comes first, then words at the beginning of words, then any part of title, menu or id.
std::optional<int> fitOf(const Command& command, const QString& words) {
    const QString all = command.title + ' ' + command.menus.join(' ') + ' ' + command.id;
    if (command.title.startsWith(words, Qt::CaseInsensitive)) return 0;
    int fit = 1;
    for (const QString& word : words.split(' ', Qt::SkipEmptyParts)) {
        if (!all.contains(word, Qt::CaseInsensitive)) return std::nullopt;
        const bool begins = command.title.startsWith(word, Qt::CaseInsensitive) ||
                            command.title.contains(' ' + word, Qt::CaseInsensitive);
        if (!begins) fit = 2;
    }
    return fit;
}

} // namespace

CommandPalette::CommandPalette(std::vector<Command> commands, QWidget* parent)
    : QDialog(parent), m_commands(std::move(commands)), m_field(new QLineEdit(this)),
      m_list(new QTreeWidget(this)) {
    setWindowTitle("Commands");
    std::erase_if(m_commands, [](const Command& each) { return !each.isShown; });
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(2 * kGrid, 2 * kGrid, 2 * kGrid, 2 * kGrid);
    layout->setSpacing(kGrid);
    layout->addWidget(m_field);
    layout->addWidget(m_list);
    m_field->setPlaceholderText("Some letters of a command");
    m_field->setAccessibleName("Command");
    m_field->setClearButtonEnabled(true);
    m_field->installEventFilter(this);
    m_list->setAccessibleName("Commands");
    m_list->setColumnCount(2);
    m_list->setHeaderHidden(true);
    m_list->setRootIsDecorated(false);
    m_list->setUniformRowHeights(true);
    m_list->setFocusPolicy(Qt::NoFocus);
    m_list->header()->setStretchLastSection(false);
    m_list->header()->setSectionResizeMode(Title, QHeaderView::Stretch);
    m_list->header()->setSectionResizeMode(Keys, QHeaderView::ResizeToContents);
    connect(m_field, &QLineEdit::textChanged, this, &CommandPalette::list);
    connect(m_field, &QLineEdit::returnPressed, this, &CommandPalette::take);
    connect(m_list, &QTreeWidget::itemClicked, this, &CommandPalette::take);
    resize(80 * kGrid, 60 * kGrid);
    list();
}

void CommandPalette::list() {
    const QString words = m_field->text().simplified();
    std::vector<std::pair<int, const Command*>> fitting;
    for (const Command& each : m_commands)
        if (const auto fit = fitOf(each, words)) fitting.emplace_back(*fit, &each);
    constexpr int kLast = 10; // what cannot act comes behind what can
    for (auto& [fit, each] : fitting)
        if (!each->action->isEnabled()) fit += kLast;
    std::ranges::stable_sort(fitting, {}, [](const auto& each) { return each.first; });
    m_list->clear();
    for (const auto& [fit, each] : fitting) {
        const QString mark = each->action->isChecked() ? QStringLiteral("\u2713 ") : QString();
        auto* row =
            new QTreeWidgetItem(m_list, {mark + each->menus.join(QStringLiteral(" \u203a ")) +
                                             QStringLiteral(" \u203a ") + each->title,
                                         keysText(*each->action)});
        row->setData(Title, Qt::UserRole, each->id);
        row->setToolTip(Title, each->action->whatsThis().isEmpty()
                                   ? each->id
                                   : each->action->whatsThis() + '\n' + each->id);
        row->setTextAlignment(Keys, Qt::AlignRight | Qt::AlignVCenter);
        row->setDisabled(!each->action->isEnabled());
    }
    if (m_list->topLevelItemCount() > 0) m_list->setCurrentItem(m_list->topLevelItem(0));
}

QStringList CommandPalette::listed() const {
    QStringList ids;
    for (int i = 0; i < m_list->topLevelItemCount(); ++i)
        ids << m_list->topLevelItem(i)->data(Title, Qt::UserRole).toString();
    return ids;
}

void CommandPalette::take() {
    const QTreeWidgetItem* row = m_list->currentItem();
    if (row == nullptr || row->isDisabled()) return;
    const QString id = row->data(Title, Qt::UserRole).toString();
    m_chosen = std::ranges::find(m_commands, id, &Command::id)->action;
    accept();
}

bool CommandPalette::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::KeyPress) {
        const int key = static_cast<QKeyEvent*>(event)->key();
        for (const int ofList : {Qt::Key_Up, Qt::Key_Down, Qt::Key_PageUp, Qt::Key_PageDown})
            if (key == ofList) return QCoreApplication::sendEvent(m_list, event);
    }
    return QDialog::eventFilter(watched, event);
}

} // namespace echolux
