// SPDX-License-Identifier: GPL-3.0-or-later
// Lines of text that can be selected and copied.
#include "ui/dialogs/facts_dialog.hpp"

#include "ui/dialogs/dialog_parts.hpp"
#include "ui/theme/labels.hpp"
#include "ui/theme/theme.hpp"

#include <QGridLayout>
#include <QLabel>
#include <QScrollArea>
#include <QVBoxLayout>

namespace echolux {
namespace {

constexpr QSize kFactsSize(640, 560);

} // namespace

FactsDialog::FactsDialog(QWidget* parent) : QDialog(parent), m_area(new QScrollArea(this)) {
    resize(kFactsSize);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(2 * kGrid, 2 * kGrid, 2 * kGrid, 2 * kGrid);
    layout->setSpacing(kGrid);
    m_area->setWidgetResizable(true);
    m_area->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    layout->addWidget(m_area, 1);
    addCopyAndClose(layout, this, [this] { return text(); });
}

void FactsDialog::setFacts(const QString& title, const Facts& facts) {
    m_facts = facts;
    setWindowTitle(title);
    auto* lines = new QWidget;
    lines->setObjectName("panel");
    auto* grid = new QGridLayout(lines);
    grid->setContentsMargins(kGrid, kGrid, kGrid, kGrid);
    grid->setHorizontalSpacing(2 * kGrid);
    grid->setVerticalSpacing(kGrid);
    grid->setColumnStretch(1, 1);
    for (const auto& [name, value] : facts) {
        const int row = grid->rowCount();
        grid->addWidget(makeLabel(name, LabelRole::Secondary, lines), row, 0, Qt::AlignTop);
        QLabel* shown = makeLabel(value, LabelRole::Normal, lines);
        shown->setWordWrap(true);
        shown->setTextFormat(Qt::PlainText);
        shown->setTextInteractionFlags(Qt::TextSelectableByMouse);
        grid->addWidget(shown, row, 1);
    }
    grid->setRowStretch(grid->rowCount(), 1);
    m_area->setWidget(lines);
}

QString FactsDialog::text() const {
    QString all;
    for (const auto& [name, value] : m_facts) all += name + '\t' + value + '\n';
    return all;
}

} // namespace echolux
