// SPDX-License-Identifier: GPL-3.0-or-later
// Entries of the menu "Presets".
#include "ui/parameters/preset_menu.hpp"

#include "ui/controls/action_text.hpp"
#include "ui/dialogs/name_dialog.hpp"

namespace echolux {

PresetMenu::PresetMenu(QWidget* parent)
    : QMenu("&Presets", parent),
      m_save(makeAction(this, "&Save as preset\u2026", "", {QKeySequence("Ctrl+Alt+P")},
                        "Save the pipeline with its values and switches under a name")),
      m_lastUsed(makeAction(this, "&Last used", "", {},
                            "The settings used last with this kind of recording")),
      m_heading(new QAction(this)), m_delete(new QMenu("&Delete", this)) {
    m_heading->setEnabled(false);
    addAction(m_save);
    addSeparator();
    addAction(m_heading);
    addAction(m_lastUsed);
    addSeparator();
    addMenu(m_delete);
    setToolTipsVisible(true);
    connect(m_save, &QAction::triggered, this, &PresetMenu::askForName);
    connect(m_lastUsed, &QAction::triggered, this, &PresetMenu::lastUsedChosen);
    connect(this, &QMenu::aboutToShow, this, &PresetMenu::aboutToOffer);
    setPresets({}, {}, false);
}

void PresetMenu::setPresets(const QString& kind, const QStringList& names, bool lastUsed) {
    m_kind = kind;
    m_names = names;
    const bool open = !kind.isEmpty();
    menuAction()->setEnabled(open);
    m_save->setEnabled(open);
    m_heading->setText("For " + kind);
    m_lastUsed->setEnabled(lastUsed);
    for (QAction* entry : m_entries) {
        removeAction(entry);
        entry->deleteLater();
    }
    m_entries.clear();
    m_delete->clear();
    for (const QString& name : names) {
        QString text = name;
        text.replace('&', "&&");
        auto* entry = new QAction(text, this);
        insertAction(m_lastUsed, entry);
        m_entries << entry;
        connect(entry, &QAction::triggered, this, [this, name] { emit chosen(name); });
        QAction* away = m_delete->addAction(text);
        connect(away, &QAction::triggered, this, [this, name] { emit deleteRequested(name); });
    }
    m_delete->menuAction()->setVisible(!names.isEmpty());
}

void PresetMenu::askForName() {
    emit aboutToOffer();
    auto* dialog = new NameDialog("Save as preset", "Name of the preset for " + m_kind, m_names,
                                  parentWidget());
    connect(dialog, &NameDialog::named, this, &PresetMenu::saveRequested);
    dialog->open();
}

} // namespace echolux
