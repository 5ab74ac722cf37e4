// SPDX-License-Identifier: GPL-3.0-or-later
// Makes the rows of a stage from its table.
#include "ui/parameters/stage_group.hpp"

#include "ui/controls/small_buttons.hpp"
#include "ui/parameters/mini_plot.hpp"
#include "ui/theme/labels.hpp"

#include <QVBoxLayout>

#include <algorithm>

namespace echolux {

namespace {

/// Where there are several stages of a type, the title contains the stage's own name.
QString titleOf(const StageEntry& entry) {
    const QString label = QString::fromStdString(entry.type->label);
    const bool own = entry.instance.toStdString() != entry.type->id;
    return own ? label + QStringLiteral(" \u00b7 ") + entry.instance : label;
}

} // namespace

StageGroup::StageGroup(const StageEntry& entry, const RowColumns& columns, QWidget* parent)
    : CollapsibleGroup(titleOf(entry), parent), m_instance(entry.instance),
      m_searchText(
          QString::fromStdString(entry.type->label + ' ' + entry.type->help).toCaseFolded() + ' ' +
          entry.instance) {
    setObjectName("stage." + m_instance);
    setToolTip(QString::fromStdString(entry.type->help));
    for (const ParamRow& row : entry.type->table.rows()) {
        const QString key = QString::fromStdString(row.key);
        auto* widget = new ParamRowWidget(m_instance, row, entry.items.value(key), columns, this);
        for (const SliderSpan& span : entry.spans)
            if (span.key == row.key) widget->editor()->setSliderRange(span.min, span.max);
        widget->setDefault(entry.defaults.get(row.key));
        widget->setValue(entry.values.get(row.key));
        body()->addWidget(widget);
        m_rows.push_back(widget);
        connect(widget, &ParamRowWidget::controlsChanged, this, &StageGroup::controlsChanged);
        connect(widget, &ParamRowWidget::edited, this,
                [this](const QString& edit, const ParamValue& value) {
                    refresh();
                    emit edited(m_instance, edit, value);
                });
    }
    setFoldable(!m_rows.empty());
    if (entry.bypassable) {
        ToggleSwitch* toggle = addSwitch();
        toggle->setToolTip("On: the stage runs. Off: data pass through it unchanged.");
        connect(toggle, &ToggleSwitch::clicked, this, [this](bool on) {
            setBypassed(!on);
            emit bypassToggled(m_instance, !on);
        });
    }
    setBypassed(entry.bypassed);
    connect(dot(), &ResetDot::clicked, this, [this] { emit resetRequested(m_instance); });
    refresh();
}

ParamRowWidget* StageGroup::row(const QString& key) const {
    const auto at = std::ranges::find(m_rows, key, &ParamRowWidget::key);
    return at == m_rows.end() ? nullptr : *at;
}

void StageGroup::setBypassed(bool bypassed) {
    if (headerSwitch() == nullptr) return;
    headerSwitch()->setChecked(!bypassed);
    setDimmed(bypassed);
}

bool StageGroup::isBypassed() const {
    return headerSwitch() != nullptr && !headerSwitch()->isChecked();
}

void StageGroup::setCurve(const StageCurve& curve) {
    const QString under = QString::fromStdString(curve.underKey);
    MiniPlot*& plot = m_plots[under];
    if (plot == nullptr) {
        plot = new MiniPlot(this);
        ParamRowWidget* above = row(under);
        body()->insertWidget(above == nullptr ? -1 : body()->indexOf(above) + 1, plot);
        setFoldable(true);
    }
    plot->setCurve(curve);
}

void StageGroup::addBelow(const QString& key, QWidget* widget) {
    widget->setParent(this);
    QWidget* above = row(key);
    if (MiniPlot* plot = m_plots.value(key)) above = plot;
    body()->insertWidget(above == nullptr ? -1 : body()->indexOf(above) + 1, widget);
    m_below[key] = widget;
    showRows();
    emit controlsChanged();
}

void StageGroup::clearErrors() {
    for (ParamRowWidget* widget : m_rows) widget->setError({});
}

void StageGroup::refresh() {
    showRows();
    dot()->setShown(std::ranges::any_of(m_rows, &ParamRowWidget::differs));
}

bool StageGroup::filter(const QString& needle) {
    m_needle = m_searchText.contains(needle.toCaseFolded()) ? QString() : needle;
    const bool any = showRows() || m_needle.isEmpty();
    setForcedOpen(!needle.isEmpty() && any);
    setVisible(any);
    return any;
}

/// Shows the rows that have a meaning now and match the search. False where there are none.
bool StageGroup::showRows() {
    bool any = false;
    for (ParamRowWidget* widget : m_rows) {
        const bool shown = matters(*widget) && (m_needle.isEmpty() || widget->matches(m_needle));
        widget->setVisible(shown);
        if (MiniPlot* plot = m_plots.value(widget->key())) plot->setVisible(shown);
        if (QWidget* below = m_below.value(widget->key())) below->setVisible(shown);
        any = any || shown;
    }
    return any;
}

bool StageGroup::matters(const ParamRowWidget& widget) const {
    const ParamCondition& condition = widget.onlyWith();
    if (condition.key.empty()) return true;
    const ParamRowWidget* choice = row(QString::fromStdString(condition.key));
    if (choice == nullptr) return true;
    return choice->value() == ParamValue(condition.id) && matters(*choice);
}

} // namespace echolux
