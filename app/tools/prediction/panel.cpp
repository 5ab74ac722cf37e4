// SPDX-License-Identifier: GPL-3.0-or-later
// Three pages below the choice of the device.
#include "app/tools/prediction/panel.hpp"

#include "app/tools/prediction/roofline_plot.hpp"
#include "ui/controls/combo_box.hpp"
#include "ui/controls/number_field.hpp"
#include "ui/controls/number_text.hpp"
#include "ui/theme/labels.hpp"
#include "ui/theme/theme.hpp"

#include <QCheckBox>
#include <QFileDialog>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QScrollArea>
#include <QStackedWidget>
#include <QTabBar>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>

namespace echolux {
namespace {

/// Three digits, at most three places: "0.041", "3.17", "18 600".
QString figure(double value) {
    if (!(value > 0.0)) return "0";
    const int digits = static_cast<int>(std::floor(std::log10(value))) + 1;
    const double unit = std::pow(10.0, std::max(digits - 3, 0));
    const double rounded = digits > 3 ? std::round(value / unit) * unit : value;
    return groupedText(QString::number(rounded, 'f', std::clamp(3 - digits, 0, 3)));
}

QString rangeText(double low, double high) {
    return figure(low) == figure(high) ? figure(low) : figure(low) + QChar(0x2013) + figure(high);
}

QString bytesText(double bytes) {
    constexpr double kMebi = 1024.0 * 1024.0;
    constexpr double kGibi = 1024.0 * kMebi;
    return bytes >= kGibi ? figure(bytes / kGibi) + " GiB" : figure(bytes / kMebi) + " MiB";
}

QScrollArea* scrolling(QWidget* content, QWidget* parent) {
    auto* area = new QScrollArea(parent);
    area->setWidgetResizable(true);
    area->setFrameShape(QFrame::NoFrame);
    auto* inner = new QWidget(area);
    auto* layout = new QVBoxLayout(inner);
    layout->setContentsMargins(kGrid, 0, kGrid, 0);
    layout->addWidget(content);
    layout->addStretch(1);
    area->setWidget(inner);
    return area;
}

} // namespace

PredictionPanel::PredictionPanel(QWidget* parent)
    : SeenWidget(parent), m_device(new ComboBox(this)),
      m_measure(new QPushButton("Measure here", this)),
      m_summary(makeLabel({}, LabelRole::Normal, this)), m_tabs(new QTabBar(this)),
      m_pages(new QStackedWidget(this)), m_stages(new Bands(Bands::Scale::FromZero)),
      m_rates(new Bands(Bands::Scale::Logarithmic)), m_roofline(new RooflinePlot(this)),
      m_parts(new QCheckBox("Parts", this)), m_markField(new QLineEdit(this)) {
    setObjectName("panel");
    setAttribute(Qt::WA_StyledBackground);
    m_device->setAccessibleName("Device");
    m_device->setToolTip("The graphics card or processor on which the pipeline is predicted");
    m_measure->setToolTip("Measures this processor for two seconds, so that the pipeline can be "
                          "predicted on it. Stop playback first: it takes the same processor.");
    auto* file = new QPushButton("Open file", this);
    file->setToolTip("Reads a device file, which 'echolux microbench' writes");
    auto* head = new QHBoxLayout;
    head->setContentsMargins(kGrid, kGrid, kGrid, 0);
    head->addWidget(m_device, 1);
    head->addWidget(m_measure);
    head->addWidget(file);
    m_summary->setWordWrap(true);
    m_summary->setContentsMargins(kGrid, 0, kGrid, 0);
    m_summary->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_tabs->setExpanding(false);
    m_tabs->setDrawBase(false);
    for (const char* page : {"Stages", "Roofline", "Devices"}) m_tabs->addTab(page);
    m_pages->addWidget(makeStages());
    m_pages->addWidget(m_roofline);
    m_pages->addWidget(makeDevices());
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addLayout(head);
    layout->addWidget(m_summary);
    layout->addWidget(m_tabs);
    layout->addWidget(m_pages, 1);
    connect(m_tabs, &QTabBar::currentChanged, this, [this](int page) {
        m_pages->setCurrentIndex(page);
        showRoofline();
    });
    connect(m_device, &QComboBox::activated, this, [this] { emit deviceChosen(device()); });
    connect(m_parts, &QCheckBox::toggled, this, [this] {
        if (!m_pipeline.stages.isEmpty()) setPipeline(PredictedPipeline(m_pipeline));
    });
    connect(m_measure, &QPushButton::clicked, this, &PredictionPanel::measureWanted);
    connect(file, &QPushButton::clicked, this, &PredictionPanel::chooseFile);
    connect(m_markField, &QLineEdit::editingFinished, this, &PredictionPanel::takeMarks);
    clear();
}

QWidget* PredictionPanel::makeStages() {
    auto* page = new QWidget(this);
    auto* layout = new QVBoxLayout(page);
    layout->setContentsMargins(0, kGrid / 2, 0, 0);
    QLabel* legend =
        makeLabel("ms per frame: predicted (band) / here (bar)", LabelRole::Secondary, page);
    legend->setContentsMargins(kGrid, 0, kGrid, 0);
    legend->setWordWrap(true);
    m_parts->setToolTip(
        "Below each stage: the parts of its longest kernel, each by itself. Several "
        "active blocks let parts overlap.");
    auto* head = new QHBoxLayout;
    head->setContentsMargins(0, 0, kGrid, 0);
    head->addWidget(legend, 1);
    head->addWidget(m_parts);
    layout->addLayout(head);
    layout->addWidget(scrolling(m_stages, page), 1);
    return page;
}

QWidget* PredictionPanel::makeDevices() {
    auto* page = new QWidget(this);
    QLabel* name = makeLabel("Marks, frames/s", LabelRole::Secondary, page);
    m_markField->setToolTip("Rates to compare with, separated by commas. At first: van Bavel's "
                            "goal of 2000 frames/s, and the 6800 that he reached in 2013.");
    m_markField->setAccessibleName("Marks in frames per second");
    name->setBuddy(m_markField);
    auto* marks = new QHBoxLayout;
    marks->setContentsMargins(kGrid, 0, kGrid, 0);
    marks->addWidget(name);
    marks->addWidget(m_markField, 1);
    auto* layout = new QVBoxLayout(page);
    layout->setContentsMargins(0, kGrid / 2, 0, 0);
    layout->addLayout(marks);
    layout->addWidget(scrolling(m_rates, page), 1);
    return page;
}

void PredictionPanel::setDevices(const QStringList& ids, const QStringList& names) {
    const QString former = device();
    m_device->clear();
    for (qsizetype i = 0; i < ids.size(); ++i) m_device->addItem(names[i], ids[i]);
    choose(former);
}

QString PredictionPanel::device() const { return m_device->currentData().toString(); }

void PredictionPanel::choose(const QString& id) {
    m_device->setCurrentIndex(std::max(0, m_device->findData(id)));
}

QString PredictionPanel::summary() const { return m_summary->text(); }

void PredictionPanel::setPipeline(const PredictedPipeline& pipeline) {
    QString text = QString("%1 frames/s, bound by %2. A frame alone takes %3 ms")
                       .arg(rangeText(pipeline.lowFps, pipeline.highFps), pipeline.bound,
                            figure(pipeline.latencyMs));
    if (pipeline.uploadMs > 0.0)
        text += QString(", %1 of them for the upload").arg(figure(pipeline.uploadMs));
    text += QString(". Needs %1").arg(bytesText(pipeline.bytes));
    text += pipeline.fits ? "." : ", more than the device has.";
    m_summary->setText(text);
    QList<Band> bands;
    for (const PredictedStage& stage : pipeline.stages) {
        Band band{stage.label, stage.lowMs, stage.highMs, stage.measuredMs, {}};
        band.figures = rangeText(stage.lowMs, stage.highMs);
        QString measured = ".";
        if (stage.measuredMs) {
            const double error = 100.0 * (stage.middleMs() - *stage.measuredMs) / *stage.measuredMs;
            band.figures += QString(" / %1").arg(figure(*stage.measuredMs));
            measured = QString("; measured here: %1 ms, so the prediction is %2 % too %3.")
                           .arg(figure(*stage.measuredMs), QString::number(std::abs(error), 'f', 0),
                                error < 0.0 ? "short" : "long");
        }
        band.help =
            QString("%1: %2 ms predicted, bound by %3%4")
                .arg(stage.label, rangeText(stage.lowMs, stage.highMs), stage.bound, measured);
        if (!stage.occupancy.isEmpty()) band.help += ' ' + stage.occupancy + '.';
        bands.append(band);
        if (!m_parts->isChecked()) continue;
        for (const PredictedPart& part : stage.parts)
            bands.append({"    " + part.name,
                          part.lowMs,
                          part.highMs,
                          {},
                          rangeText(part.lowMs, part.highMs),
                          stage.occupancy});
    }
    m_stages->setBands(bands);
    m_pipeline = pipeline;
    showRoofline();
}

/// The plot is made only while its page is shown.
void PredictionPanel::showRoofline() {
    if (m_pages->currentWidget() == m_roofline) m_roofline->setPipeline(m_pipeline);
}

void PredictionPanel::setRefusal(const QString& sentence) {
    m_summary->setText(sentence);
    m_stages->setBands({});
    m_pipeline = {};
    m_roofline->clear();
}

void PredictionPanel::setRates(const QList<PredictedRate>& rates) {
    m_shownRates = rates;
    showRates();
}

void PredictionPanel::showRates() {
    QList<Band> bands;
    for (const PredictedRate& rate : m_shownRates) {
        Band band{rate.device, rate.lowFps, rate.highFps, {}, {}};
        band.isMarked = rate.isHere;
        band.refusal = rate.refusal;
        band.figures = rangeText(rate.lowFps, rate.highFps);
        band.help = rate.refusal.isEmpty()
                        ? QString("%1: this pipeline would reach %2 frames/s there, bound by %3.")
                              .arg(rate.device, band.figures, rate.bound)
                        : rate.refusal;
        bands.append(band);
    }
    QList<BandMark> marks;
    for (const double mark : m_marks) marks.append({mark, QString::number(mark)});
    m_rates->setBands(bands, marks);
}

void PredictionPanel::clear() {
    setRefusal("Open a recording to see how fast its pipeline would be on other devices.");
    setRates({});
}

void PredictionPanel::setMarks(const QList<double>& marks) {
    m_marks = marks;
    QStringList texts;
    for (const double mark : marks) texts << QString::number(mark);
    m_markField->setText(texts.join(", "));
    setFieldState(m_markField, "");
    showRates();
}

void PredictionPanel::takeMarks() {
    QList<double> marks;
    for (const QString& text : m_markField->text().split(',', Qt::SkipEmptyParts)) {
        bool isNumber = false;
        const double mark = text.trimmed().toDouble(&isNumber);
        if (!isNumber || !(mark > 0.0) || !std::isfinite(mark))
            return setFieldState(m_markField, "error");
        marks.append(mark);
    }
    setMarks(marks);
}

void PredictionPanel::chooseFile() {
    const QString path =
        QFileDialog::getOpenFileName(this, "Open a device file", {}, "Device files (*.toml)");
    if (!path.isEmpty()) emit fileChosen(path);
}

void PredictionPanel::setMeasuring(bool measuring) {
    m_measure->setEnabled(!measuring);
    m_measure->setText(measuring ? "Measuring" : "Measure here");
}

} // namespace echolux
