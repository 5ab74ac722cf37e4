// SPDX-License-Identifier: GPL-3.0-or-later
// Takes the shown image and writes it off the window's thread.
#include "app/tools/measurements/paper.hpp"

#include "app/dataset/recording/recording.hpp"
#include "app/desktop/workbench/workbench.hpp"
#include "app/export/file_sha256.hpp"
#include "app/paper/figure_file.hpp"
#include "app/paper/report.hpp"
#include "app/tools/measurements/panel.hpp"
#include "gpu/core/error.hpp"
#include "gpu/core/whole_file.hpp"

#include <QCoreApplication>
#include <QFileDialog>
#include <QFileInfo>

#include <cstring>
#include <functional>
#include <utility>

namespace echolux {
namespace {

FigurePanel panelOf(const ImagePixels& pixels, const Workbench::DisplayRange& range,
                    const std::vector<measure::Measurement>& shapes) {
    HostFrameData image{pixels.spec, {}};
    image.spec.dtype = DType::F32;
    image.bytes.resize(pixels.values.size() * sizeof(float));
    std::memcpy(image.bytes.data(), pixels.values.data(), image.bytes.size());
    return {depthDown(std::move(image)),
            {range.min, range.max, range.unit, range.reference},
            {},
            shapes};
}

FigureStyle styleOf(const Workbench::DisplayRange& range) {
    FigureStyle style;
    style.look.colourMap = range.colourMap;
    style.look.gamma = range.gamma;
    style.look.inverted = range.inverted;
    return style;
}

} // namespace

MeasurementPaper::MeasurementPaper(MeasurementsPanel& panel, Workbench& bench)
    : QObject(&panel), m_panel(panel), m_bench(bench) {
    connect(&panel, &MeasurementsPanel::figureWanted, this, &MeasurementPaper::chooseFigure);
    connect(&panel, &MeasurementsPanel::reportWanted, this, &MeasurementPaper::chooseReport);
}

void MeasurementPaper::setMeasurements(std::shared_ptr<const ImagePixels> image,
                                       const std::vector<measure::Measurement>& measurements,
                                       const std::vector<measure::Measured>& measured) {
    m_image = std::move(image);
    m_drawn = asDrawn(measurements, measured);
    m_measured = measured;
}

bool MeasurementPaper::hasImage() const {
    const bool has = m_bench.isOpen() && m_image != nullptr && m_bench.displayRange(m_image->asked);
    if (!has) m_bench.inform("Measure something on the image first.");
    return has;
}

void MeasurementPaper::chooseFigure() {
    if (!hasImage()) return;
    const QString path =
        QFileDialog::getSaveFileName(m_panel.window(), "Save a figure", "figure.pdf",
                                     "PDF (*.pdf);;SVG (*.svg);;PNG (*.png);;TIFF (*.tif *.tiff)");
    if (!path.isEmpty()) writeFigure(path);
}

void MeasurementPaper::chooseReport() {
    if (!hasImage()) return;
    const QString path = QFileDialog::getSaveFileName(m_panel.window(), "Save a report",
                                                      "report.html", "Page (*.html);;PDF (*.pdf)");
    if (!path.isEmpty()) writeReport(path);
}

void MeasurementPaper::writeFigure(const QString& path) {
    if (!hasImage()) return;
    const auto range = *m_bench.displayRange(m_image->asked);
    m_bench.compute([bench = &m_bench, path, panel = panelOf(*m_image, range, m_drawn),
                     style = styleOf(range)](const std::stop_token&) -> Background::Finish {
        const std::string ending = QFileInfo(path).suffix().toLower().toStdString();
        writeWhole(path.toStdString(), figureFile(ending, {panel}, style).toStdString());
        return [bench, path] { bench->inform("Saved " + path + "."); };
    });
}

void MeasurementPaper::writeReport(const QString& path) {
    if (!hasImage()) return;
    const auto range = *m_bench.displayRange(m_image->asked);
    Report report;
    report.style = styleOf(range);
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
    side.panel = panelOf(*m_image, range, m_drawn);
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
