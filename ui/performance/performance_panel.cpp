// SPDX-License-Identifier: GPL-3.0-or-later
// Layout and texts of the performance panel.
#include "ui/performance/performance_panel.hpp"

#include "ui/performance/history_plot.hpp"
#include "ui/performance/stage_bars.hpp"
#include "ui/theme/labels.hpp"
#include "ui/theme/theme.hpp"

#include <QGridLayout>
#include <QLocale>
#include <QScrollArea>
#include <QVBoxLayout>

namespace echolux {
namespace {

constexpr double kGiB = 1024.0 * 1024.0 * 1024.0;
/// Widest texts of the two columns of numbers; they keep their room whatever they show.
const char* const kWidestFirst = "0 000 000 000";
const char* const kWidestSecond = "00 000.0 /s";

QString counted(std::int64_t number) {
    QString text = QString::number(number);
    for (qsizetype at = text.size() - 3; at > 0; at -= 3) text.insert(at, QChar(0x2009));
    return text;
}

QString perSecond(double rate) { return QString::number(rate, 'f', 1) + " /s"; }
/// Thousands and millions where there are many: "26.1 M/s".
QString manyPerSecond(double rate) {
    if (rate >= 1e6) return QString::number(rate * 1e-6, 'f', 2) + " M/s";
    if (rate >= 1e4) return QString::number(rate * 1e-3, 'f', 1) + " k/s";
    return perSecond(rate);
}
QString millis(double ms) { return QString::number(ms, 'f', 2) + " ms"; }

QString perFrame(double number) {
    return QString::number(number, 'f', number == 0.0 ? 0 : 2) + " /frame";
}

QLabel* heading(const QString& text, QWidget* parent) {
    QLabel* label = makeLabel(text, LabelRole::Normal, parent);
    QFont bold = baseFont();
    bold.setWeight(QFont::DemiBold);
    label->setFont(bold);
    label->setContentsMargins(0, kGrid, 0, kGrid / 2);
    return label;
}

} // namespace

PerformancePanel::PerformancePanel(QWidget* parent)
    : QWidget(parent), m_bars(new StageBars), m_total(nullptr), m_history(new HistoryPlot) {
    auto* area = new QScrollArea(this);
    area->setWidgetResizable(true);
    area->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    area->setFocusPolicy(Qt::NoFocus);
    auto* outer = new QVBoxLayout(this);
    outer->setContentsMargins(0, 0, 0, 0);
    outer->addWidget(area);
    auto* content = new QWidget(area);
    content->setObjectName("panel");
    area->setWidget(content);
    auto* layout = new QVBoxLayout(content);
    layout->setContentsMargins(kGrid, kGrid / 2, kGrid, kGrid);
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
    addRow(grid, "Dropped", "dropped", "", "Frames that were given up because a queue was full");
    addRow(grid, "Late", "late", "", "Frames that were ready only after their time");
    addRow(grid, "Latency, median", "", "latency",
           "From the frame in host memory to its picture on the screen");
    addRow(grid, "Latency, 99 %", "", "latency99", "99 of 100 frames are faster than this");
    addRow(grid, "A-scans", "", "ascans", "Lines of depth imaged per second");
    addRow(grid, "B-scans", "", "bscans", "Images along depth per second");
    addRow(grid, "Volumes", "", "volumes", "Whole volumes imaged per second");
    addRow(grid, "Data", "", "data", "Raw data read, 1 MB = 1 000 000 bytes");
    addRow(grid, "GPU memory", "", "memory", "Held by this program");
    addRow(
        grid, "In memory", "", "kept",
        "Of the recording, kept in host memory (pinned, with a GPU): what fits into a quarter of "
        "the machine's memory is read once");
    addRow(grid, "Copies to host", "", "copies",
           "Copies of images from device to host, per frame; the line that a plot shows "
           "is none");
    addRow(grid, "Allocations", "", "allocations", "Memory allocations per frame");
    layout->addLayout(grid);

    auto* headLine = new QHBoxLayout;
    headLine->addWidget(heading("Time per stage", content), 1);
    m_total = heading("", content);
    m_total->setToolTip("One frame: its upload and all stages");
    headLine->addWidget(m_total);
    layout->addLayout(headLine);
    layout->addWidget(m_bars);
    layout->addWidget(heading("Last minute", content));
    layout->addWidget(m_history, 1);
    clear();
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
    setRole(m_values.value("dropped"), r.dropped == 0 ? LabelRole::Normal : LabelRole::Warning);
    setRole(m_values.value("late"), r.late == 0 ? LabelRole::Normal : LabelRole::Warning);
    set("latency", millis(r.latencyMedianMs));
    set("latency99", millis(r.latency99Ms));
    const bool oct = r.kind != Readouts::Kind::Ultrasound;
    showRow("ascans", oct);
    showRow("bscans", oct);
    showRow("volumes", r.kind == Readouts::Kind::OctVolume);
    set("ascans", manyPerSecond(r.ascansPerS));
    set("bscans", manyPerSecond(r.bscansPerS));
    set("volumes", QString::number(r.volumesPerS, 'f', r.volumesPerS < 10.0 ? 2 : 1) + " /s");
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
    m_total->setText(millis(r.frameMs));
    m_bars->setStages(r.stages);
    m_history->add(r);
}

void PerformancePanel::clear() {
    for (QLabel* label : m_values) {
        label->setText(QString(QChar(0x2013)));
        setRole(label, LabelRole::Normal);
    }
    for (const char* key : {"ascans", "bscans", "volumes"}) showRow(key, false);
    m_total->setText({});
    m_bars->setStages({});
    m_history->clear();
}

} // namespace echolux
