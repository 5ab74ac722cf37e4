// SPDX-License-Identifier: GPL-3.0-or-later
// Takes the shown image and writes it off the window's thread.
#include "app/tools/measurements/paper.hpp"

#include "app/dataset/recording/recording.hpp"
#include "app/desktop/workbench/workbench.hpp"
#include "app/export/file_sha256.hpp"
#include "app/paper/figure_file.hpp"
#include "app/paper/report.hpp"
#include "app/tools/measurements/figure_dialog.hpp"
#include "app/tools/measurements/panel.hpp"
#include "gpu/core/error.hpp"
#include "gpu/core/whole_file.hpp"

#include <QCoreApplication>
#include <QFileDialog>
#include <QFileInfo>
#include <QPointer>
#include <QSettings>

#include <functional>
#include <utility>

namespace echolux {
namespace {

// Keys of the user's settings.
constexpr const char* kWidth = "figure/width";
constexpr const char* kMostHeight = "figure/most_height";
constexpr const char* kDpi = "figure/dpi";
constexpr const char* kFont = "figure/font";
constexpr const char* kFontPt = "figure/font_size";

void keepIn(QSettings& store, const FigureStyle& style) {
    store.setValue(kWidth, style.widthMm);
    store.setValue(kMostHeight, style.mostHeightMm);
    store.setValue(kDpi, style.dpi);
    store.setValue(kFont, QString::fromStdString(style.font));
    store.setValue(kFontPt, style.fontPt);
}

FigureStyle keptIn(const QSettings& store) {
    FigureStyle style;
    style.widthMm = store.value(kWidth, style.widthMm).toDouble();
    style.mostHeightMm = store.value(kMostHeight, style.mostHeightMm).toDouble();
    style.dpi = store.value(kDpi, style.dpi).toDouble();
    style.font = store.value(kFont).toString().toStdString();
    style.fontPt = store.value(kFontPt, style.fontPt).toDouble();
    return style;
}

} // namespace

MeasurementPaper::MeasurementPaper(MeasurementsPanel& panel, Workbench& bench)
    : QObject(&panel), m_panel(panel), m_bench(bench) {
    connect(&bench, &Workbench::habitsRestored, this,
            [this](const QSettings& store) { m_style = keptIn(store); });
    connect(&bench, &Workbench::habitsKept, this,
            [this](QSettings& store) { keepIn(store, m_style); });
}

void MeasurementPaper::setMeasurements(std::shared_ptr<const ImagePixels> image,
                                       const std::vector<measure::Measurement>& measurements,
                                       const std::vector<measure::Measured>& measured) {
    m_image = std::move(image);
    m_drawn = asDrawn(measurements, measured);
    m_measured = measured;
}

bool MeasurementPaper::hasImage() const {
    return m_bench.isOpen() && m_image != nullptr && m_bench.displayRange(m_image->asked);
}

FigurePanel MeasurementPaper::panel() const {
    const auto range = *m_bench.displayRange(m_image->asked);
    return {imageOf(*m_image), {range.min, range.max, range.unit, range.reference}, {}, m_drawn};
}

FigureStyle MeasurementPaper::shownIn(FigureStyle style, const Workbench::DisplayRange& range) {
    style.look.colourMap = range.colourMap;
    style.look.gamma = range.gamma;
    style.look.inverted = range.inverted;
    return style;
}

void MeasurementPaper::askFigure() {
    if (!hasImage()) return;
    const auto range = *m_bench.displayRange(m_image->asked);
    auto* dialog = new FigureDialog(panel(), shownIn(m_style, range), m_panel.window());
    connect(dialog, &FigureDialog::saveWanted, this, [this, dialog = QPointer(dialog)] {
        const QString path = QFileDialog::getSaveFileName(
            dialog, "Save a figure", "figure.pdf",
            "PDF (*.pdf);;SVG (*.svg);;PNG (*.png);;TIFF (*.tif *.tiff)");
        if (dialog && !path.isEmpty()) writeFigure(path, dialog->panel(), dialog->style());
    });
    dialog->open();
}

void MeasurementPaper::askReport() {
    if (!hasImage()) return;
    const QString path = QFileDialog::getSaveFileName(m_panel.window(), "Save a report",
                                                      "report.html", "Page (*.html);;PDF (*.pdf)");
    if (!path.isEmpty()) writeReport(path);
}

void MeasurementPaper::writeFigure(const QString& path, const FigurePanel& panel,
                                   const FigureStyle& style) {
    m_style = style;
    m_bench.compute(
        [bench = &m_bench, path, panel, style](const std::stop_token&) -> Background::Finish {
            const std::string ending = QFileInfo(path).suffix().toLower().toStdString();
            writeWhole(path.toStdString(), figureFile(ending, {panel}, style).toStdString());
            return [bench, path] { bench->inform("Saved " + path + "."); };
        });
}

void MeasurementPaper::writeReport(const QString& path) {
    if (!hasImage()) return;
    const auto range = *m_bench.displayRange(m_image->asked);
    Report report;
    report.style = shownIn({}, range);
    report.style.widthMm = 120.0;
    report.style.dpi = 200.0;
    report.date = dateNow();
    report.program = "Echolux " + QCoreApplication::applicationVersion().toStdString() + "\n" +
                     m_bench.backend().device;
    ReportSide side;
    side.snapshot = m_bench.snapshot();
    side.recording = m_bench.recording().path;
    side.heading = side.recording.filename().string() + ", " + side.snapshot->name;
    side.facts = recordingFacts(m_bench.recording());
    side.facts.push_back({"Shown frame", std::to_string(m_bench.shownFrame() + 1)});
    side.panel = panel();
    side.measured = m_measured;
    report.title = side.heading;
    const QString recording = QString::fromStdString(side.recording.string());
    report.sides.push_back(std::move(side));
    m_bench.compute([bench = &m_bench, path, recording,
                     report](const std::stop_token& stop) mutable -> Background::Finish {
        report.sides.front().hash = fileSha256(recording, stop).toStdString();
        // NOTE: QTextDocument, which lays out the PDF, needs a thread of Qt.
        return [bench, path, report] {
            const bool pdf = path.endsWith(".pdf", Qt::CaseInsensitive);
            writeWhole(path.toStdString(),
                       pdf ? reportPdf(report).toStdString() : reportHtml(report));
            bench->inform("Saved " + path + ".");
        };
    });
}

} // namespace echolux
