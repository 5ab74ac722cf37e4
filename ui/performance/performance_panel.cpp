// SPDX-License-Identifier: GPL-3.0-or-later
// Layout and texts of the performance panel.
#include "ui/performance/performance_panel.hpp"

#include "ui/controls/small_buttons.hpp"
#include "ui/performance/figure_text.hpp"
#include "ui/performance/history_plot.hpp"
#include "ui/performance/stage_bars.hpp"
#include "ui/performance/stage_history.hpp"
#include "ui/performance/timeline_plot.hpp"
#include "ui/plots/plot_tools.hpp"
#include "ui/theme/labels.hpp"
#include "ui/theme/theme.hpp"

#include <QButtonGroup>
#include <QGridLayout>
#include <QScrollArea>
#include <QScrollBar>
#include <QStackedWidget>
#include <QTabBar>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>

namespace echolux {
namespace {

constexpr double kGiB = 1024.0 * 1024.0 * 1024.0;
/// The widest texts of the two columns of numbers. The columns keep this width.
const char* const kWidestFirst = "0 000 000 000";
const char* const kWidestSecond = "00 000.0 /s";

const char* const kRealTimeRows[] = {"real_time", "real_time_playing", "cards", "probe_rate",
                                     "pulse_rate"};

QLabel* heading(const QString& text, QWidget* parent) {
    QLabel* label = makeLabel(text, LabelRole::Normal, parent);
    QFont bold = baseFont();
    bold.setWeight(QFont::DemiBold);
    label->setFont(bold);
    label->setContentsMargins(0, kGrid, 0, kGrid / 2);
    return label;
}

/// A page as high as its content. It scrolls where the panel is lower.
struct Page {
    QScrollArea* area;
    QWidget* content;
    QVBoxLayout* layout;
};

Page makePage(QWidget* parent) {
    auto* area = new QScrollArea(parent);
    area->setWidgetResizable(true);
    area->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    area->setFocusPolicy(Qt::NoFocus);
    auto* content = new QWidget(area);
    content->setObjectName("panel");
    area->setWidget(content);
    auto* layout = new QVBoxLayout(content);
    layout->setContentsMargins(kGrid, kGrid / 2, kGrid, kGrid);
    return {area, content, layout};
}

} // namespace

PerformancePanel::PerformancePanel(QWidget* parent)
    : QWidget(parent), m_bars(new StageBars), m_apart(nullptr), m_tables(nullptr),
      m_separately(new ToggleSwitch), m_separatelyLabel(nullptr), m_separatelyNote(nullptr),
      m_history(new HistoryPlot), m_stageHistory(new StageHistoryPlot),
      m_histories(new QStackedWidget), m_ratesButton(new QToolButton),
      m_stagesButton(new QToolButton), m_tabs(new QTabBar), m_pages(new QStackedWidget),
      m_timeline(new TimelinePlot), m_timelineLegend(nullptr), m_timelineHint(nullptr) {
    auto* outer = new QVBoxLayout(this);
    outer->setContentsMargins(0, 0, 0, 0);
    outer->setSpacing(0);
    m_tabs->addTab("Figures");
    m_tabs->addTab("Timeline");
    m_tabs->setTabToolTip(0, "Rates, latency, memory, and the time of each stage");
    m_tabs->setTabToolTip(1, "When each step of the latest frames ran, and which overlap or wait");
    m_tabs->setDrawBase(false);
    m_tabs->setExpanding(false);
    outer->addWidget(m_tabs);
    outer->addWidget(m_pages, 1);
    m_pages->addWidget(makeFigures());
    m_pages->addWidget(makeTimeline());
    connect(m_tabs, &QTabBar::currentChanged, m_pages, &QStackedWidget::setCurrentIndex);
    clear();
}

QWidget* PerformancePanel::makeFigures() {
    const auto [area, content, layout] = makePage(this);
    layout->setSpacing(0);

    auto* grid = new QGridLayout;
    grid->setHorizontalSpacing(kGrid);
    grid->setVerticalSpacing(kGrid / 4);
    grid->setColumnStretch(0, 1);
    grid->setColumnMinimumWidth(1, fontMetrics().horizontalAdvance(kWidestFirst));
    grid->setColumnMinimumWidth(2, fontMetrics().horizontalAdvance(kWidestSecond));
    addRow(grid, "Read", "read", "read_rate", "Frames read from the recording, and per second");
    addRow(grid, "Processed", "processed", "processed_rate", "Frames imaged, and per second");
    addRow(grid, "Shown", "shown", "shown_rate", "Frames that reached the screen, and per second");
    addRow(grid, "Left out", "dropped", "",
           "Frames of a live source that were left out, because the pipeline was busy with earlier "
           "ones");
    addRow(grid, "Late", "late", "", "Frames that were ready later than they were due");
    addRow(grid, "Latency, median", "", "latency",
           "From the frame in host memory to its picture on the screen");
    addRow(grid, "Latency, 99 %", "", "latency99", "99 of 100 frames are faster than this");
    addRow(grid, "A-scans", "", "ascans", "A-scans imaged per second");
    addRow(grid, "B-scans", "", "bscans", "B-scans imaged per second");
    addRow(grid, "Volumes", "", "volumes", "Whole volumes imaged per second");
    addRow(grid, "Data", "", "data", "Raw data read, 1 MB = 1 000 000 bytes");
    addRow(grid, "Computing vs. probe", "", "real_time",
           "How fast one frame is computed, compared with how fast the probe delivers its samples "
           "(channels \u00d7 sampling frequency)");
    addRow(grid, "Playing vs. probe", "", "real_time_playing",
           "How fast frames are imaged now, as they are played, compared with how fast the probe "
           "delivers their samples");
    addRow(grid, "Needed for real time", "", "cards",
           "Cards like this one that keep up with the probe together; on the CPU, processors like "
           "this one. 1 / (computing vs. probe), rounded up.\nFor comparison: 128 channels at "
           "40 MHz, 16 lines per transmit, 4\u00d7 upsampled, took 25 cards of 2008 without the "
           "upsampling filter and 28 with it (Gr\u00f8nvold, section 4.6 and table 6)");
    addRow(grid, "Probe delivers", "", "probe_rate",
           "While it receives: channels \u00d7 sampling frequency \u00d7 bytes per sample");
    addRow(grid, "Acoustic frame limit", "", "pulse_rate", "");
    addRow(grid, "GPU memory", "", "memory", "Held by this program");
    addRow(grid, "In memory", "", "kept",
           "Part of the recording that is kept in host memory (pinned, with a GPU). A recording "
           "that fits into a quarter of the machine's memory is read only once");
    addRow(grid, "Copies to host", "", "copies",
           "Images copied from the GPU to the host, per frame; lines for plots do not count");
    addRow(grid, "Over the bus", "", "crossings",
           "Bytes per frame copied to the host and back, because some stages run on the CPU "
           "between stages on the GPU");
    addRow(grid, "Allocations", "", "allocations", "Memory allocations per frame");
    layout->addLayout(grid);

    layout->addWidget(heading("Time per stage", content));
    layout->addWidget(m_bars);
    m_apart = makeLabel({}, LabelRole::Secondary, content);
    m_apart->setWordWrap(true);
    m_apart->hide();
    layout->addWidget(m_apart);
    m_tables = makeLabel({}, LabelRole::Secondary, content);
    m_tables->setWordWrap(true);
    m_tables->setToolTip("Memory that a stage keeps between frames, for example for its table of "
                         "delays. 1 MB = 1 000 000 bytes");
    m_tables->hide();
    layout->addWidget(m_tables);
    addSeparately(layout, content);
    addHistories(layout, content);
    // No figure is cut off, whatever width the neighbouring docks want.
    const QMargins around = layout->contentsMargins();
    area->setMinimumWidth(grid->minimumSize().width() + around.left() + around.right() +
                          area->verticalScrollBar()->sizeHint().width());
    return area;
}

void PerformancePanel::addSeparately(QBoxLayout* layout, QWidget* parent) {
    auto* line = new QHBoxLayout;
    line->setContentsMargins(0, kGrid / 2, 0, 0);
    m_separatelyLabel = makeLabel("Time stages separately", LabelRole::Normal, parent);
    line->addWidget(m_separatelyLabel, 1);
    line->addWidget(m_separately);
    layout->addLayout(line);
    m_separatelyNote = makeLabel({}, LabelRole::Secondary, parent);
    m_separatelyNote->setWordWrap(true);
    layout->addWidget(m_separatelyNote);
    m_separately->setAccessibleName(m_separatelyLabel->text());
    m_separately->setToolTip("On: stages that share one kernel run one by one, and every frame is "
                             "timed step by step. The pipeline is then slower.");
    m_separatelyLabel->setToolTip(m_separately->toolTip());
    connect(m_separately, &QAbstractButton::clicked, this, &PerformancePanel::separatelyToggled);
}

void PerformancePanel::addHistories(QBoxLayout* layout, QWidget* parent) {
    auto* line = new QHBoxLayout;
    line->addWidget(heading("Last minute", parent), 1);
    auto* choice = new QButtonGroup(this);
    const auto offer = [&](QToolButton* button, const char* text, const char* help) {
        button->setText(text);
        button->setToolTip(help);
        button->setCheckable(true);
        button->setFocusPolicy(Qt::TabFocus);
        choice->addButton(button);
        line->addWidget(button);
    };
    offer(m_ratesButton, "Rates", "Frames per second, and latency");
    offer(m_stagesButton, "Stages", "Milliseconds per frame of each stage, stacked");
    layout->addLayout(line);
    m_histories->addWidget(m_history);
    m_histories->addWidget(m_stageHistory);
    layout->addWidget(m_histories, 1);
    m_ratesButton->setChecked(true);
    connect(m_stagesButton, &QToolButton::toggled, m_histories, &QStackedWidget::setCurrentIndex);
}

void PerformancePanel::showStageHistory(bool stages) {
    (stages ? m_stagesButton : m_ratesButton)->setChecked(true);
}

QWidget* PerformancePanel::makeTimeline() {
    const auto [area, content, layout] = makePage(this);
    layout->addWidget(m_timeline);
    m_timelineLegend = makeLabel({}, LabelRole::Secondary, content);
    m_timelineLegend->setWordWrap(true);
    layout->addWidget(m_timelineLegend);
    m_timelineHint = makeLabel({}, LabelRole::Secondary, content);
    m_timelineHint->setToolTip(PlotTools::help());
    m_timelineHint->setWordWrap(true);
    layout->addWidget(m_timelineHint);
    layout->addStretch(1);
    return area;
}

bool PerformancePanel::isTimelineInSight() const {
    const QWidget* page = m_pages->widget(1);
    return page->isVisible() && !page->visibleRegion().isEmpty();
}

void PerformancePanel::showTimeline(bool timeline) { m_tabs->setCurrentIndex(timeline ? 1 : 0); }

void PerformancePanel::setTimeline(const Timeline& timeline) {
    m_timeline->setTimeline(timeline);
    m_timeline->setVisible(!timeline.empty());
    m_timelineLegend->setText(m_timeline->legendText());
    m_timelineHint->setText(timeline.empty()
                                ? "The next frames are shown here: play, step or edit."
                                : "One line per stream. The numbers are frame numbers.");
}

void PerformancePanel::addRow(QGridLayout* grid, const QString& name, const QString& firstKey,
                              const QString& secondKey, const QString& help) {
    const int row = grid->rowCount();
    QLabel* label = makeLabel(name, LabelRole::Secondary, this);
    label->setToolTip(help);
    grid->addWidget(label, row, 0);
    int column = 1;
    for (const QString& key : {firstKey, secondKey}) {
        if (!key.isEmpty()) {
            auto* value = new QLabel(this);
            value->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
            value->setToolTip(help);
            m_values.insert(key, value);
            m_names.insert(key, label);
            grid->addWidget(value, row, column);
        }
        ++column;
    }
}

void PerformancePanel::set(const QString& key, const QString& text) {
    m_values.value(key)->setText(text);
}

void PerformancePanel::showRow(const QString& key, bool shown) {
    m_values.value(key)->setVisible(shown);
    m_names.value(key)->setVisible(shown);
}

QString PerformancePanel::text(const QString& key) const {
    const QLabel* label = m_values.value(key);
    return label == nullptr ? QString() : label->text();
}

void PerformancePanel::setReadouts(const Readouts& r) {
    set("read", counted(r.read));
    set("read_rate", perSecond(r.readPerS));
    set("processed", counted(r.processed));
    set("processed_rate", perSecond(r.processedPerS));
    set("shown", counted(r.shown));
    set("shown_rate", perSecond(r.shownPerS));
    set("dropped", counted(r.dropped));
    set("late", counted(r.late));
    setRole(m_values.value("late"), r.late == 0 ? LabelRole::Normal : LabelRole::Warning);
    set("latency", millis(r.latencyMedianMs));
    set("latency99", millis(r.latency99Ms));
    const bool oct = r.kind == Readouts::Kind::Oct || r.kind == Readouts::Kind::OctVolume;
    showRow("ascans", oct);
    showRow("bscans", oct);
    showRow("volumes",
            r.kind == Readouts::Kind::OctVolume || r.kind == Readouts::Kind::UltrasoundVolume);
    set("ascans", manyPerSecond(r.ascansPerS));
    set("bscans", manyPerSecond(r.bscansPerS));
    set("volumes", QString::number(r.volumesPerS, 'f', r.volumesPerS < 10.0 ? 2 : 1) + " /s");
    showRealTime(r.realTime, r.deviceTotalBytes > 0);
    set("data", QString::number(r.megabytesPerS, 'f', 1) + " MB/s");
    set("memory",
        r.deviceTotalBytes == 0
            ? QString("none")
            : QString::number(static_cast<double>(r.deviceBytes) / kGiB, 'f', 2) + " GiB");
    m_values.value("memory")->setToolTip(
        r.deviceTotalBytes == 0
            ? QString("The CPU does the work")
            : QString("Held by this program; the card has %1 GiB")
                  .arg(static_cast<double>(r.deviceTotalBytes) / kGiB, 0, 'f', 0));
    set("kept",
        r.recordingBytesKept == 0
            ? QString("none")
            : QString::number(static_cast<double>(r.recordingBytesKept) * 1e-6, 'f', 1) + " MB");
    set("copies", perFrame(r.copiesToHostPerFrame));
    set("allocations", perFrame(r.allocationsPerFrame));
    showRow("crossings", r.crossingBytesPerFrame > 0);
    set("crossings",
        QString::number(static_cast<double>(r.crossingBytesPerFrame) * 1e-6, 'f', 2) + " MB/frame");
    m_bars->setStages(r.stages, r.frame);
    showApart(r.stages);
    showTables(r.stages);
    m_history->add(r);
    m_stageHistory->add(r);
    showSeparately(r);
}

void PerformancePanel::showRealTime(const std::optional<RealTimeReadouts>& realTime, bool onCard) {
    for (const char* key : kRealTimeRows) showRow(key, realTime.has_value());
    if (!realTime) return;
    set("real_time", timesText(realTime->computing));
    set("real_time_playing", timesText(realTime->playing));
    set("cards", cardsText(realTime->cards, onCard));
    set("probe_rate", realTime->probeMegabytesPerS >= 1e4
                          ? QString::number(realTime->probeMegabytesPerS * 1e-3, 'f', 1) + " GB/s"
                          : QString::number(realTime->probeMegabytesPerS, 'f', 0) + " MB/s");
    set("pulse_rate", perSecond(realTime->pulseFramesPerS));
    const QString help =
        QString("The highest frame rate that the travel time of sound allows: each transmit waits "
                "for the last echoes of the previous one, from %1 mm. c / (2 depth) / transmits")
            .arg(realTime->depthMm, 0, 'f', 0);
    m_values.value("pulse_rate")->setToolTip(help);
    m_names.value("pulse_rate")->setToolTip(help);
}

void PerformancePanel::showApart(const std::vector<StageTime>& stages) {
    QStringList lines;
    for (const StageTime& stage : stages)
        if (!stage.apart.isEmpty()) lines << stage.label + ": " + stage.apart;
    m_apart->setText(lines.join('\n'));
    m_apart->setVisible(!lines.isEmpty());
}

QString PerformancePanel::apartText() const { return m_apart->text(); }

void PerformancePanel::showTables(const std::vector<StageTime>& stages) {
    QStringList parts;
    for (const StageTime& stage : stages)
        if (stage.heldBytes > 0) parts << stage.label + ' ' + memoryText(stage.heldBytes);
    m_tables->setText(parts.isEmpty() ? QString() : "Tables held: " + parts.join(", "));
    m_tables->setVisible(!parts.isEmpty());
}

QString PerformancePanel::tablesText() const { return m_tables->text(); }

void PerformancePanel::showSeparately(const Readouts& r) {
    const bool can = r.notSeparately.isEmpty();
    m_separately->setChecked(r.separately);
    m_separately->setEnabled(can);
    setRole(m_separatelyLabel, can ? LabelRole::Normal : LabelRole::Secondary);
    m_separatelyNote->setText(!can ? r.notSeparately
                              : r.separately
                                  ? "Each stage runs by itself. The pipeline is slower this way."
                                  : QString());
    m_separatelyNote->setVisible(!m_separatelyNote->text().isEmpty());
}

void PerformancePanel::clear() {
    for (QLabel* label : m_values) {
        label->setText(QString(QChar(0x2013)));
        setRole(label, LabelRole::Normal);
    }
    for (const char* key : {"ascans", "bscans", "volumes", "crossings"}) showRow(key, false);
    showRealTime({}, false);
    m_bars->clear();
    showApart({});
    showTables({});
    m_history->clear();
    m_stageHistory->clear();
    Readouts nothing;
    nothing.notSeparately = "Nothing is open.";
    showSeparately(nothing);
    setTimeline({});
}

} // namespace echolux
