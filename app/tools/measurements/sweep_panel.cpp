// SPDX-License-Identifier: GPL-3.0-or-later
// Two choices, a course, a plot and an answer, from top to bottom.
#include "app/tools/measurements/sweep_panel.hpp"

#include "ui/controls/combo_box.hpp"
#include "ui/controls/number_field.hpp"
#include "ui/theme/labels.hpp"
#include "ui/theme/theme.hpp"

#include <QGridLayout>
#include <QHBoxLayout>
#include <QPushButton>
#include <QSignalBlocker>
#include <QSpinBox>
#include <QVBoxLayout>

#include <algorithm>

namespace echolux {
namespace {

constexpr int kUsualCount = 41;
constexpr int kMostCount = 1000;

void choose(ComboBox& box, const QString& id) {
    if (const int at = box.findData(id); at >= 0) box.setCurrentIndex(at);
}

} // namespace

SweepPanel::SweepPanel(QWidget* parent)
    : QWidget(parent), m_parameter(new ComboBox(this)), m_ends(new QHBoxLayout),
      m_count(new QSpinBox(this)), m_figure(new ComboBox(this)), m_best(new ComboBox(this)),
      m_start(new QPushButton("Sweep", this)), m_use(new QPushButton("Use", this)),
      m_answer(makeLabel({}, LabelRole::Normal, this)), m_plot(new SweepPlot(this)) {
    m_parameter->setAccessibleName("Parameter");
    m_parameter->setToolTip("The parameter whose values are tried on the shown frame. The image "
                            "in the window stays as it is.");
    m_figure->setAccessibleName("Figure");
    m_figure->setToolTip("The figure that is drawn; all others are measured too");
    m_best->setAccessibleName("Best");
    m_best->addItem("Lowest", "lowest");
    m_best->addItem("Highest", "highest");
    m_best->setToolTip("Which value of the figure is best");
    m_count->setRange(2, kMostCount);
    m_count->setValue(kUsualCount);
    m_count->setAccessibleName("Values");
    m_count->setButtonSymbols(QAbstractSpinBox::NoButtons);
    m_count->setToolTip("Number of values, from the first to the last one");
    m_ends->setContentsMargins(0, 0, 0, 0);
    m_ends->setSpacing(kGrid / 2);
    m_answer->setWordWrap(true);
    m_answer->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_use->setToolTip("Sets the parameter to the best value");
    m_use->setEnabled(false);

    auto* grid = new QGridLayout;
    grid->setHorizontalSpacing(kGrid);
    grid->setVerticalSpacing(kGrid / 2);
    grid->addWidget(makeLabel("Parameter", LabelRole::Normal, this), 0, 0);
    grid->addWidget(m_parameter, 0, 1);
    grid->addWidget(makeLabel("From, to", LabelRole::Normal, this), 1, 0);
    grid->addLayout(m_ends, 1, 1);
    auto* course = new QHBoxLayout;
    course->addWidget(m_count);
    course->addWidget(m_start, 1);
    grid->addWidget(makeLabel("Values", LabelRole::Normal, this), 2, 0);
    grid->addLayout(course, 2, 1);
    grid->addWidget(makeLabel("Figure", LabelRole::Normal, this), 3, 0);
    grid->addWidget(m_figure, 3, 1);
    auto* best = new QHBoxLayout;
    best->addWidget(m_best);
    best->addWidget(m_use, 1);
    grid->addWidget(makeLabel("Best", LabelRole::Normal, this), 4, 0);
    grid->addLayout(best, 4, 1);
    grid->setColumnStretch(1, 1);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, kGrid);
    layout->setSpacing(kGrid);
    layout->addLayout(grid);
    layout->addWidget(m_plot, 1);
    layout->addWidget(m_answer);

    connect(m_parameter, &QComboBox::currentIndexChanged, this, &SweepPanel::showEnds);
    connect(m_figure, &QComboBox::currentIndexChanged, this, &SweepPanel::figureChosen);
    connect(m_best, &QComboBox::currentIndexChanged, this, &SweepPanel::figureChosen);
    connect(m_use, &QPushButton::clicked, this, &SweepPanel::useWanted);
    connect(m_start, &QPushButton::clicked, this, [this] {
        if (m_busy)
            emit stopWanted();
        else
            emit startWanted();
    });
}

void SweepPanel::setParameters(const QList<SweptParameter>& parameters) {
    const QString chosen = m_parameter->currentData().toString();
    const bool same =
        std::ranges::equal(parameters, m_parameters, {}, &SweptParameter::id, &SweptParameter::id);
    m_parameters = parameters;
    if (same) return;
    {
        const QSignalBlocker blocker(m_parameter);
        m_parameter->clear();
        for (const SweptParameter& each : parameters) m_parameter->addItem(each.label, each.id);
        choose(*m_parameter, chosen);
    }
    showEnds();
}

const SweptParameter* SweepPanel::parameter() const {
    const auto at =
        std::ranges::find(m_parameters, m_parameter->currentData().toString(), &SweptParameter::id);
    return at == m_parameters.end() ? nullptr : &*at;
}

void SweepPanel::showEnds() {
    const SweptParameter* shown = parameter();
    const QString id = shown != nullptr ? shown->id : QString();
    if (id == m_endsOf) return;
    m_endsOf = id;
    delete m_from;
    delete m_to;
    m_from = m_to = nullptr;
    if (shown == nullptr) return;
    m_from = new NumberField(shown->row, this);
    m_to = new NumberField(shown->row, this);
    m_from->setValue(shown->from);
    m_to->setValue(shown->to);
    m_from->setAccessibleName("From");
    m_to->setAccessibleName("To");
    m_ends->addWidget(m_from, 1);
    m_ends->addWidget(m_to, 1);
    setTabOrder(m_parameter, m_from);
    setTabOrder(m_from, m_to);
    setTabOrder(m_to, m_count);
}

void SweepPanel::setFigures(const QList<QPair<QString, QString>>& figures) {
    bool same = figures.size() == m_figure->count();
    for (int i = 0; same && i < figures.size(); ++i)
        same =
            m_figure->itemData(i) == figures[i].first && m_figure->itemText(i) == figures[i].second;
    if (same) return;
    const QString chosen = figure();
    const QSignalBlocker blocker(m_figure);
    m_figure->clear();
    for (const auto& [name, label] : figures) m_figure->addItem(label, name);
    choose(*m_figure, chosen);
}

void SweepPanel::setBusy(bool busy) {
    m_busy = busy;
    m_start->setText(busy ? "Stop" : "Sweep");
}

void SweepPanel::setAnswer(const QString& sentence, const QString& use) {
    m_answer->setText(sentence);
    m_use->setText(use.isEmpty() ? "Use" : use);
    m_use->setEnabled(!use.isEmpty());
}

double SweepPanel::from() const { return m_from != nullptr ? m_from->value() : 0.0; }
double SweepPanel::to() const { return m_to != nullptr ? m_to->value() : 0.0; }
int SweepPanel::count() const { return m_count->value(); }
QString SweepPanel::figure() const { return m_figure->currentData().toString(); }
bool SweepPanel::wantsLowest() const { return m_best->currentData() == "lowest"; }

} // namespace echolux
