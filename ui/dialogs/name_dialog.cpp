// SPDX-License-Identifier: GPL-3.0-or-later
// A field, a note and two buttons.
#include "ui/dialogs/name_dialog.hpp"

#include "ui/theme/labels.hpp"
#include "ui/theme/theme.hpp"

#include <QHBoxLayout>
#include <QLineEdit>
#include <QPushButton>
#include <QVBoxLayout>

namespace echolux {

NameDialog::NameDialog(const QString& title, const QString& question, const QStringList& taken,
                       QWidget* parent)
    : QDialog(parent), m_taken(taken), m_field(new QLineEdit(this)),
      m_note(makeLabel("", LabelRole::Secondary, this)), m_save(new QPushButton("Save", this)) {
    setWindowTitle(title);
    setAttribute(Qt::WA_DeleteOnClose);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(2 * kGrid, 2 * kGrid, 2 * kGrid, 2 * kGrid);
    layout->setSpacing(kGrid);
    layout->addWidget(makeLabel(question, LabelRole::Normal, this));
    m_field->setMaxLength(kLongestName);
    m_field->setMinimumWidth(40 * kGrid);
    layout->addWidget(m_field);
    layout->addWidget(m_note);
    auto* buttons = new QHBoxLayout;
    buttons->addStretch(1);
    auto* cancel = new QPushButton("Cancel", this);
    buttons->addWidget(cancel);
    buttons->addWidget(m_save);
    layout->addLayout(buttons);
    m_save->setDefault(true);
    connect(cancel, &QPushButton::clicked, this, &QDialog::reject);
    connect(m_save, &QPushButton::clicked, this, [this] {
        emit named(m_field->text().trimmed());
        accept();
    });
    connect(m_field, &QLineEdit::textChanged, this, &NameDialog::showState);
    showState();
}

void NameDialog::showState() {
    const QString name = m_field->text().trimmed();
    const bool isTaken = m_taken.contains(name);
    m_save->setEnabled(!name.isEmpty());
    m_save->setText(isTaken ? "Replace" : "Save");
    m_note->setText(isTaken ? "This name is in use. Saving replaces its contents." : " ");
}

} // namespace echolux
