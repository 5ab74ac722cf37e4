// SPDX-License-Identifier: GPL-3.0-or-later
// Counters, a plot, and sliders of the source.
#include "app/tools/live_source/panel.hpp"

#include "app/tools/live_source/losses_plot.hpp"
#include "ui/controls/slider.hpp"
#include "ui/lab/value_slider.hpp"
#include "ui/theme/labels.hpp"
#include "ui/theme/theme.hpp"

#include <QGridLayout>
#include <QLabel>
#include <QScrollArea>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>

namespace echolux {
namespace {

struct CountRow {
    const char* key;
    const char* name;
    const char* help;
};
constexpr CountRow kRows[] = {
    {"age", "Newest frame", "Time since the newest frame was complete in memory"},
    {"came", "Came",
     "Frames that were put into memory since the source was opened, and per second"},
    {"source", "Lost at the source",
     "Gaps in the source's own numbers: lost before they came here"},
    {"malformed", "Refused", "Frames of a wrong size"},
    {"room", "Lost in memory", "Frames for which there was no memory, because readers held all"},
    {"held", "While frozen", "Frames that came while the kept ones were looked at"},
    {"left", "Left out",
     "Frames that the pipeline left out, because it was busy with earlier ones. A recording has "
     "them"},
    {"shown", "Shown", "Frames that reached the screen, and per second"},
    {"kept", "Kept in memory",
     "Frames to look at while frozen, and to record from before the start"}};

} // namespace

LiveSourcePanel::LiveSourcePanel(QWidget* parent)
    : SeenWidget(parent), m_state(new QLabel(this)), m_readouts(new QLabel(this)),
      m_plot(new LossesPlot(this)), m_sliderArea(new QWidget(this)),
      m_sliderLayout(new QVBoxLayout(m_sliderArea)) {
    setObjectName("panel");
    setAttribute(Qt::WA_StyledBackground);
    auto* content = new QWidget(this);
    auto* layout = new QVBoxLayout(content);
    layout->setContentsMargins(kGrid, kGrid, kGrid, kGrid);
    m_state->setWordWrap(true);
    m_state->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    layout->addWidget(m_state);
    auto* grid = new QGridLayout;
    grid->setColumnStretch(1, 1);
    addRows(grid);
    layout->addLayout(grid);
    m_readouts->setWordWrap(true);
    m_readouts->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    m_readouts->setTextFormat(Qt::PlainText); // another program wrote it
    layout->addWidget(m_readouts);
    m_sliderLayout->setContentsMargins(0, kGrid / 2, 0, kGrid / 2);
    layout->addWidget(m_sliderArea);
    layout->addWidget(m_plot, 1);
    auto* area = new QScrollArea(this);
    area->setWidgetResizable(true);
    area->setFrameShape(QFrame::NoFrame);
    area->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    area->setWidget(content);
    auto* outer = new QVBoxLayout(this);
    outer->setContentsMargins(0, 0, 0, 0);
    outer->addWidget(area);
    setState("No live source is open. File > Simulate ultrasound shows one.", false);
}

void LiveSourcePanel::addRows(QGridLayout* grid) {
    for (const CountRow& each : kRows) {
        const int row = grid->rowCount();
        QLabel* name = makeLabel(each.name, LabelRole::Secondary, this);
        auto* value = new QLabel(this);
        value->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
        for (QLabel* label : {name, value}) label->setToolTip(each.help);
        grid->addWidget(name, row, 0);
        grid->addWidget(value, row, 1);
        m_counts[each.key] = value;
    }
}

void LiveSourcePanel::setState(const QString& text, bool warns) {
    constexpr QChar kMayBreak(0x200b);
    QString broken = text; // an address is one long word
    m_state->setText(broken.replace('&', QString('&') + kMayBreak));
    m_state->setToolTip(text);
    setRole(m_state, warns ? LabelRole::Warning : LabelRole::Normal);
}

QString LiveSourcePanel::stateText() const { return m_state->toolTip(); }

void LiveSourcePanel::setCount(const QString& key, const QString& text, bool warns) {
    QLabel* label = m_counts.value(key);
    label->setText(text);
    setRole(label, warns ? LabelRole::Warning : LabelRole::Normal);
}

void LiveSourcePanel::clearCounts() {
    for (const CountRow& each : kRows) setCount(each.key, {});
}

void LiveSourcePanel::setReadouts(const QStringList& lines) {
    m_readouts->setVisible(!lines.isEmpty());
    m_readouts->setText(lines.join('\n'));
}

QString LiveSourcePanel::count(const QString& key) const { return m_counts.value(key)->text(); }

void LiveSourcePanel::setParameters(const std::vector<LiveParameter>& parameters) {
    qDeleteAll(m_sliders);
    m_sliders.clear();
    m_sliderArea->setVisible(!parameters.empty());
    int widest = 0;
    for (const LiveParameter& each : parameters) {
        const ValueSlider::Scale scale{each.min, each.max, std::pow(10.0, -each.decimals),
                                       each.decimals, QString::fromStdString(each.unit)};
        auto* slider =
            new ValueSlider(QString::fromStdString(each.label), QString::fromStdString(each.help),
                            scale, each.value, m_sliderArea);
        m_sliderLayout->addWidget(slider);
        widest = std::max(widest, slider->titleWidth());
        const QString key = QString::fromStdString(each.key);
        m_sliders[key] = slider;
        connect(slider, &ValueSlider::valueChanged, this,
                [this, slider, key] { emit parameterChosen(key, slider->value()); });
    }
    for (ValueSlider* slider : m_sliders) slider->setTitleWidth(widest);
}

} // namespace echolux
