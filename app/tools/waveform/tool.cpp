// SPDX-License-Identifier: GPL-3.0-or-later
// From the pixels of a sonogram to lines over it, a table and a plot.
#include "app/tools/waveform/tool.hpp"

#include "app/desktop/workbench/tool_type.hpp"
#include "app/desktop/workbench/workbench.hpp"
#include "app/paper/measured_places.hpp"
#include "app/tools/waveform/panel.hpp"
#include "app/tools/waveform/plot.hpp"
#include "gpu/core/error.hpp"
#include "ui/controls/number_text.hpp"

#include <QCheckBox>
#include <QPointer>

#include <cmath>
#include <functional>
#include <utility>

namespace echolux {
namespace {

constexpr double kMsPerS = 1e3;

QString numbered(double value, int decimals) {
    return std::isfinite(value) ? numberText(value, decimals) : QString(QChar(0x2013));
}

/// Times as shown: seconds, or frames where the time between them is unknown.
double shownPerUnit(const measure::Envelope& envelope) {
    return envelope.time.unit == "ms" ? 1.0 / kMsPerS : 1.0;
}

QStringList rowOf(const measure::Beat& beat, const measure::Envelope& envelope) {
    const bool timed = envelope.time.unit == "ms";
    return {numbered(beat.end * shownPerUnit(envelope), timed ? 2 : 0),
            numbered(beat.peakSystolic, 1),
            numbered(beat.endDiastolic, 1),
            numbered(beat.meanOfMaximum, 1),
            numbered(beat.resistivity(), 2),
            numbered(beat.pulsatility(), 2),
            timed ? numbered(beat.rate(), 0) : QString(QChar(0x2013))};
}

} // namespace

namespace tools {

ToolType waveform();
ToolType waveform() {
    return toolType<WaveformPanel, WaveformTool>("waveform", "Doppler waveform",
                                                 ToolType::Place::Closed, "Flow");
}

} // namespace tools

WaveformTool::WaveformTool(WaveformPanel& panel, Workbench& bench)
    : m_panel(panel), m_bench(bench) {
    connect(&bench, &Workbench::framePresented, this, &WaveformTool::follow);
    connect(&bench, &Workbench::measured, this, &WaveformTool::follow);
    connect(&bench, &Workbench::measuredTheSame, this, &WaveformTool::follow);
    connect(&bench, &Workbench::recordingChanged, this, &WaveformTool::forget);
    connect(&bench, &Workbench::pipelineChanged, this, &WaveformTool::follow);
    connect(&panel, &SeenWidget::cameIntoSight, this, &WaveformTool::follow);
    connect(&panel, &WaveformPanel::shownChanged, this, &WaveformTool::draw);
}

std::optional<std::size_t> WaveformTool::sonogram() const {
    const SnapshotPtr snapshot = m_bench.snapshot();
    for (std::size_t view = 0; view < snapshot->views.size(); ++view)
        if (snapshot->outputOf(snapshot->views[view].source).find(AxisName::Velocity) != nullptr)
            return view;
    return std::nullopt;
}

void WaveformTool::forget() {
    m_measured.reset();
    m_found.reset();
    m_panel.setProblem({});
    m_panel.setBeats("cm/s", "s", {});
    m_panel.plot().clear();
    draw();
}

/// Measures what has been copied since, and asks for the next copy.
void WaveformTool::follow() {
    if (!m_bench.isOpen()) return;
    if (!m_panel.isSeen()) {
        if (std::exchange(m_asks, false)) forget();
        return;
    }
    const auto view = sonogram();
    if (!view) {
        if (m_measured != nullptr) forget();
        return;
    }
    auto& look = m_bench.look<PixelsLook>();
    const auto pixels = look.latest(*view);
    if (pixels != nullptr && pixels != m_measured && !m_busy) measure(pixels);
    m_asks = true;
    look.want(*view);
}

WaveformTool::Found WaveformTool::foundIn(const ImagePixels& pixels) {
    Found found;
    try {
        const auto image = measure::MeasuredImage::of(pixels.spec, pixels.values);
        found.envelope = measure::envelopeOf(image);
        measure::checkEnvelope(found.envelope);
        found.beats = measure::beatsOf(found.envelope);
    } catch (const Error& error) {
        found.problem = QString::fromUtf8(error.what());
    }
    return found;
}

void WaveformTool::measure(std::shared_ptr<const ImagePixels> pixels) {
    m_busy = true;
    m_bench.compute([tool = QPointer(this),
                     pixels = std::move(pixels)](const std::stop_token&) -> Background::Finish {
        return [tool, pixels, found = foundIn(*pixels)] {
            if (tool == nullptr) return;
            tool->m_busy = false;
            if (!tool->m_asks) return;
            tool->m_measured = pixels;
            tool->m_found = found;
            tool->show();
        };
    });
}

void WaveformTool::show() {
    m_panel.setProblem(m_found->problem);
    showBeats();
    draw();
}

void WaveformTool::showBeats() {
    const measure::Envelope& envelope = m_found->envelope;
    if (!m_found->problem.isEmpty()) {
        m_panel.setBeats("cm/s", "s", {});
        return m_panel.plot().clear("No indices without an envelope");
    }
    const double scale = shownPerUnit(envelope);
    const bool timed = envelope.time.unit == "ms";
    QList<QStringList> rows;
    IndicesOverTime indices;
    for (const measure::Beat& beat : m_found->beats) {
        rows += rowOf(beat, envelope);
        indices.times += beat.end * scale;
        indices.resistivity += beat.resistivity();
        indices.pulsatility += beat.pulsatility();
    }
    indices.from = envelope.time.at(0) * scale;
    indices.to = envelope.time.at(envelope.time.size - 1) * scale;
    indices.timeLabel = timed ? "end of the beat (s)" : "end of the beat (frames)";
    m_panel.setBeats(QString::fromStdString(envelope.velocityUnit), timed ? "s" : "frames", rows);
    m_panel.plot().setIndices(indices);
}

void WaveformTool::draw() {
    std::vector<NamedShape> shapes;
    if (!m_found || m_measured == nullptr) return m_traces.show({});
    const MeasuredPlaces places(m_measured->spec);
    const measure::Envelope& envelope = m_found->envelope;
    const auto add = [&](const std::vector<double>& velocities, int ink) {
        for (const auto& trace : tracesOf(envelope, velocities)) {
            NamedShape shape;
            shape.ink = ink;
            for (const measure::Place& place : trace) shape.places.push_back(places.inView(place));
            shapes.push_back(std::move(shape));
        }
    };
    if (m_panel.showsMean()) add(envelope.mean, WaveformPanel::kMeanInk);
    if (m_panel.showsMaximum()) add(envelope.maximum, WaveformPanel::kMaximumInk);
    m_bench.showOver(m_measured->asked, m_traces);
    m_traces.show(std::move(shapes));
}

} // namespace echolux
