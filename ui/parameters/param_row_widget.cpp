// SPDX-License-Identifier: GPL-3.0-or-later
// Layout and state of a row.
#include "ui/parameters/param_row_widget.hpp"

#include "ui/controls/number_scale.hpp"
#include "ui/controls/small_buttons.hpp"
#include "ui/parameters/param_text.hpp"
#include "ui/theme/labels.hpp"
#include "ui/theme/theme.hpp"

#include <QHBoxLayout>
#include <QVBoxLayout>

namespace echolux {
namespace {

QString toolTip(const ParamRow& row, const ParamValue& fallback) {
    const QString label = QString::fromStdString(row.label).toHtmlEscaped();
    QString tip = "<p><b>" + label + "</b>";
    if (!row.help.empty()) tip += "<br>" + QString::fromStdString(row.help).toHtmlEscaped();
    tip += "</p><p>";
    const bool number = row.type == ParamType::Real || row.type == ParamType::Integer;
    if (number) tip += "Range " + NumberScale(row).rangeText().toHtmlEscaped() + "<br>";
    const QString shown = paramText(row, fallback);
    if (!shown.isEmpty()) tip += "Default " + shown.toHtmlEscaped() + "<br>";
    tip += "Key <code>" + QString::fromStdString(row.key).toHtmlEscaped() + "</code>";
    if (row.kind == ParamKind::Structural) tip += "<br>Rebuilds the pipeline from this stage on";
    if (number) {
        tip += "</p><p>Click, then wheel or Up/Down: one step; with Ctrl: a tenth. "
               "Double click: default.";
    }
    return tip + "</p>";
}

} // namespace

ParamRowWidget::ParamRowWidget(const QString& owner, const ParamRow& row, const QStringList& items,
                               const RowColumns& columns, QWidget* parent)
    : QWidget(parent), m_row(row), m_key(QString::fromStdString(row.key)),
      m_searchText(
          QString::fromStdString(row.label + ' ' + row.key + ' ' + row.help).toCaseFolded()),
      m_editor(makeParamEditor(row, items, columns, this)), m_dot(new ResetDot(this)),
      m_note(makeLabel("", LabelRole::Warning, this)),
      m_error(makeLabel("", LabelRole::Error, this)) {
    setObjectName(owner + '.' + m_key);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(kGrid / 4);
    auto* line = new QHBoxLayout;
    line->setSpacing(0);
    if (!m_editor->spansLabel()) {
        auto* label = new ElidedLabel(QString::fromStdString(row.label), this);
        label->setFixedSize(columns.labelWidth, 3 * kGrid);
        line->addWidget(label);
        line->addSpacing(kGrid);
    }
    line->addWidget(m_editor, 1);
    line->addWidget(m_dot, 0, Qt::AlignTop);
    layout->addLayout(line);
    for (QLabel* label : {m_note, m_error}) {
        label->setWordWrap(true);
        label->setFont(smallFont());
        label->setContentsMargins(0, 0, 2 * kGrid, kGrid / 2);
        label->hide();
        layout->addWidget(label);
    }

    m_default = m_value = m_editor->value();
    connect(m_editor, &ParamEditor::edited, this, [this](const ParamValue& value) {
        m_value = value;
        setNote({});
        setError({});
        showState();
        emit edited(m_key, value);
    });
    connect(m_editor, &ParamEditor::noted, this, &ParamRowWidget::setNote);
    connect(m_editor, &ParamEditor::defaultRequested, this, &ParamRowWidget::resetToDefault);
    connect(m_editor, &ParamEditor::controlsChanged, this, &ParamRowWidget::controlsChanged);
    connect(m_dot, &ResetDot::clicked, this, &ParamRowWidget::resetToDefault);
}

void ParamRowWidget::setValue(const ParamValue& value) {
    m_value = value;
    m_editor->setValue(value);
    showState();
}

void ParamRowWidget::setDefault(const ParamValue& value) {
    m_default = value;
    m_editor->setDefault(value);
    showToolTips();
    showState();
}

void ParamRowWidget::showToolTips() {
    setToolTip(echolux::toolTip(m_row, m_default));
    const QString shown = paramText(m_row, m_default);
    m_dot->setToolTip(shown.isEmpty() ? "Reset to default" : "Reset to " + shown);
}

bool ParamRowWidget::differs() const { return m_value != m_default; }

void ParamRowWidget::resetToDefault() {
    if (!differs()) {
        m_editor->setValue(m_default);
        return;
    }
    setValue(m_default);
    setNote({});
    setError({});
    emit edited(m_key, m_default);
}

void ParamRowWidget::setError(const QString& sentence) {
    if (sentence == m_error->text()) return;
    m_error->setText(sentence);
    m_error->setVisible(!sentence.isEmpty());
    m_editor->setInvalid(!sentence.isEmpty());
}

QString ParamRowWidget::valueText() const { return paramText(m_row, m_value); }

QString ParamRowWidget::error() const { return m_error->text(); }
QString ParamRowWidget::note() const { return m_note->text(); }

void ParamRowWidget::setNote(const QString& sentence) {
    m_note->setText(sentence);
    m_note->setVisible(!sentence.isEmpty());
}

bool ParamRowWidget::matches(const QString& needle) const {
    return m_searchText.contains(needle.toCaseFolded());
}

void ParamRowWidget::showState() { m_dot->setShown(differs()); }

} // namespace echolux
