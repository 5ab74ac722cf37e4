// SPDX-License-Identifier: GPL-3.0-or-later
// Sliders and text of a list.
#include "ui/parameters/list_editor.hpp"

#include "ui/controls/number_field.hpp"
#include "ui/theme/labels.hpp"
#include "ui/theme/theme.hpp"

#include <QHBoxLayout>
#include <QLineEdit>
#include <QRegularExpression>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>

namespace echolux {
namespace {

constexpr std::size_t kUnfoldedEntries = 12;
const QString kListStays = QStringLiteral("the list stays as it was");

/// Splits "0.1, 0.5 MHz; 1" into three texts. Spaces separate only where there is no other
/// separator.
QStringList entriesOf(QString text) {
    text.remove('[').remove(']');
    static const QRegularExpression kSeparator(QStringLiteral("[,;]"));
    static const QRegularExpression kSpace(QStringLiteral("\\s+"));
    QStringList entries = text.split(kSeparator, Qt::SkipEmptyParts);
    if (entries.size() == 1) {
        const QStringList words = text.split(kSpace, Qt::SkipEmptyParts);
        const bool numbers = std::ranges::all_of(words, [](const QString& word) {
            return readQuantity(word.toStdString(), {}).value.has_value();
        });
        if (numbers) entries = words;
    }
    if (text.trimmed().isEmpty()) entries.clear();
    return entries;
}

} // namespace

ListEditor::ListEditor(const ParamRow& row, const QStringList& items, const RowColumns& columns,
                       QWidget* parent)
    : ParamEditor(parent), m_row(row), m_entryRow(row), m_items(items), m_columns(columns),
      m_body(new QWidget(this)), m_bodyLayout(new QVBoxLayout(m_body)) {
    m_entryRow.type = ParamType::Real;
    if (m_items.isEmpty()) {
        for (const std::string& label : row.listLabels) m_items << QString::fromStdString(label);
    }
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(kGrid / 2);
    auto* head = new QHBoxLayout;
    head->setSpacing(kGrid);
    auto* label = new ElidedLabel(QString::fromStdString(row.label), this);
    label->setFixedSize(columns.labelWidth, 3 * kGrid);
    head->addWidget(label);
    if (m_items.isEmpty()) {
        m_text = new QLineEdit(this);
        m_text->setFixedHeight(3 * kGrid);
        m_text->setPlaceholderText("none; numbers like 0.1, 0.5, 0.1");
        head->addWidget(m_text, 1);
        connect(m_text, &QLineEdit::editingFinished, this, &ListEditor::takeText);
        connect(m_text, &QLineEdit::returnPressed, m_text, &QWidget::clearFocus);
        m_unfold = new QToolButton(this);
        m_unfold->setCheckable(true);
        m_unfold->setIcon(themeIcon("chevron_down"));
        m_unfold->setFixedSize(3 * kGrid, 3 * kGrid);
        m_unfold->setToolTip("Show a slider per number");
        m_unfold->setFocusPolicy(Qt::TabFocus);
        m_unfold->hide();
        head->addWidget(m_unfold);
        connect(m_unfold, &QToolButton::toggled, m_body, &QWidget::setVisible);
    } else {
        head->addStretch(1);
    }
    layout->addLayout(head);
    m_bodyLayout->setContentsMargins(0, 0, 0, 0);
    m_bodyLayout->setSpacing(kGrid / 2);
    layout->addWidget(m_body);
}

QString ListEditor::entryLabel(std::size_t index) const {
    const auto at = static_cast<qsizetype>(index);
    return at < m_items.size() ? m_items[at] : QString::number(at + 1);
}

void ListEditor::buildEntries() {
    while (m_entries.size() > m_values.size()) {
        delete m_entries.back()->parentWidget();
        m_entries.pop_back();
    }
    for (std::size_t i = m_entries.size(); i < m_values.size(); ++i) {
        auto* line = new QWidget(m_body);
        auto* layout = new QHBoxLayout(line);
        layout->setContentsMargins(0, 0, 0, 0);
        layout->setSpacing(kGrid);
        auto* label = new ElidedLabel(entryLabel(i), line);
        setRole(label, LabelRole::Secondary);
        label->setContentsMargins(kGrid, 0, 0, 0);
        label->setFixedWidth(m_columns.labelWidth);
        layout->addWidget(label);
        auto* editor = new NumberEditor(m_entryRow, line);
        layout->addWidget(editor, 1);
        connect(editor, &ParamEditor::edited, this, [this, i](const ParamValue& value) {
            m_values[i] = numberOf(value);
            showText();
            emit edited(m_values);
        });
        connect(editor, &ParamEditor::noted, this, &ParamEditor::noted);
        connect(editor, &ParamEditor::defaultRequested, this, [this, i, editor] {
            if (i >= m_defaults.size() || m_values[i] == m_defaults[i]) return;
            editor->setValue(m_defaults[i]);
            m_values[i] = m_defaults[i];
            showText();
            emit edited(m_values);
        });
        m_bodyLayout->addWidget(line);
        m_entries.push_back(editor);
    }
    setDefault(m_defaults);
    emit controlsChanged();
}

void ListEditor::setValue(const ParamValue& value) {
    const auto* list = std::get_if<std::vector<double>>(&value);
    m_values = list == nullptr ? std::vector<double>() : *list;
    if (m_entries.size() != m_values.size()) {
        buildEntries();
        const bool few = m_values.size() <= kUnfoldedEntries;
        if (m_unfold != nullptr) {
            m_unfold->setVisible(!m_values.empty());
            m_unfold->setChecked(few);
            m_body->setVisible(few && !m_values.empty());
        }
    }
    for (std::size_t i = 0; i < m_values.size(); ++i) m_entries[i]->setValue(m_values[i]);
    showText();
}

void ListEditor::setDefault(const ParamValue& value) {
    if (const auto* list = std::get_if<std::vector<double>>(&value)) m_defaults = *list;
    for (std::size_t i = 0; i < m_entries.size() && i < m_defaults.size(); ++i) {
        m_entries[i]->setDefault(m_defaults[i]);
    }
}

void ListEditor::showText() {
    if (m_text == nullptr) return;
    std::vector<double> shown = m_values;
    for (double& value : shown) value *= m_row.displayFactor;
    QString text = QString::fromStdString(ParamTable::format(shown));
    text.replace('-', QChar(0x2212));
    m_text->setText(text.mid(1, text.size() - 2));
    m_text->setCursorPosition(0);
}

void ListEditor::takeText() {
    if (!m_text->isModified()) return;
    m_text->setModified(false);
    const NumberScale scale(m_entryRow);
    std::vector<double> values;
    QString note;
    for (const QString& entry : entriesOf(m_text->text())) {
        const NumberScale::Taken taken = scale.take(entry, kListStays);
        if (note.isEmpty()) note = taken.note;
        if (!taken.value) {
            values.clear();
            break;
        }
        values.push_back(*taken.value);
    }
    if (values.empty() && note.isEmpty())
        note = "It takes at least one number; " + kListStays + '.';
    setFieldState(m_text, note.isEmpty() ? "" : "warning");
    const bool changed = !values.empty() && values != m_values;
    if (changed) setValue(values);
    showText();
    if (changed) emit edited(m_values);
    if (!note.isEmpty()) emit noted(note);
}

void ListEditor::setInvalid(bool invalid) {
    if (m_text != nullptr) return setFieldState(m_text, invalid ? "error" : "");
    for (NumberEditor* entry : m_entries) entry->setInvalid(invalid);
}

} // namespace echolux
