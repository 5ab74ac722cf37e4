// SPDX-License-Identifier: GPL-3.0-or-later
// Prepares columns for the plots.
#include "app/tools/plots/tool.hpp"

#include "app/desktop/workbench/recording_text.hpp"
#include "app/desktop/workbench/tool_type.hpp"
#include "app/desktop/workbench/workbench.hpp"
#include "gpu/core/firing.hpp"
#include "render/view/screen_axis.hpp"
#include "ui/controls/number_text.hpp"
#include "ui/plots/column_plots.hpp"
#include "ui/plots/depth_profile_plot.hpp"
#include "ui/plots/fringe_plot.hpp"
#include "ui/plots/rf_line_plot.hpp"
#include "ui/plots/spectrum_plot.hpp"
#include "ui/plots/view_lines_plot.hpp"

#include <algorithm>
#include <optional>

namespace echolux {
namespace {

/// The beamformer's, else the recorded one, with which the depth is c t / 2: twice as large where
/// sound travels one way. 0 for recorded images, which have no speed of sound.
double soundSpeedOf(const Snapshot& snapshot, const FrameSpec& raw) {
    if (raw.acquisition == nullptr) return 0.0;
    const StageState* beamform = snapshot.findRole(Role::Beamforms);
    const auto set = beamform != nullptr ? beamform->params.real("speed_of_sound") : std::nullopt;
    return 2.0 / waysOf(*raw.acquisition) * set.value_or(raw.acquisition->soundSpeedMps);
}

bool hasDepthScale(const FrameSpec& image) {
    const Axis* depth = image.find(AxisName::Depth);
    return depth == nullptr || depth->unit == "m";
}

} // namespace

namespace tools {

ToolType plots();
ToolType plots() {
    return toolType<ColumnPlots, PlotsTool>("plots", "Plots", ToolType::Place::Open);
}

} // namespace tools

PlotsTool::PlotsTool(ColumnPlots& plots, Workbench& bench) : m_plots(plots), m_bench(bench) {
    connect(&bench, &Workbench::recordingChanged, this, [this] {
        m_plots.clear();
        m_plots.showOctPlots(m_bench.recording().frame.spectrometer != nullptr);
    });
    connect(&bench, &Workbench::pipelineChanged, this, &PlotsTool::syncFromPipeline);
    connect(&bench, &Workbench::looked, this, &PlotsTool::show);
    connect(&bench, &Workbench::columnForgotten, &plots, &ColumnPlots::clear);
}

/// One plot shows the lines of all views that can be compared.
void PlotsTool::syncFromPipeline() {
    const SnapshotPtr snapshot = m_bench.snapshot();
    const bool compares =
        viewNames(*snapshot).size() > 1 || snapshot->output().find(AxisName::Channel) != nullptr;
    if (!compares) m_plots.viewLines().clear();
    m_plots.showViewLines(compares);
}

void PlotsTool::show() {
    if (!m_bench.isOpen()) return;
    const auto column = m_bench.look<PickedColumn>().latest();
    if (column == nullptr) return;
    showViewLines(*column);
    if (column->oct) {
        showFringe(*column);
        showAscan(*column);
    } else {
        showEchoes(*column);
    }
}

void PlotsTool::showEchoes(const ColumnData& column) {
    const RecordingInfo& info = m_bench.recording();
    const SnapshotPtr snapshot = m_bench.snapshot();
    const QString channel = QString("channel %1").arg(column.channel + 1);
    const bool ofChannels = snapshot->output().find(AxisName::Channel) != nullptr;
    const bool ofImages = info.frame.recordedForm != RecordedForm::Signals;
    const QString place = columnText(snapshot->output(), column.lateralM);
    const QString title = ofChannels ? channel : ofImages ? place : place + ", " + channel;
    ALineData line;
    line.title = title;
    if (isComplex(info.frame.dtype)) line.quantity = "I"; // the plot shows the real part
    if (info.frame.dtype == DType::F32 || info.frame.dtype == DType::ComplexF32)
        line.unit = "as stored";
    line.rf = column.rf;
    line.rfStartUs = column.rfStartS * 1e6;
    line.rfStepUs = column.rfStepS * 1e6;
    line.clipped = column.clipped;
    line.envelope = column.envelope.empty() ? column.shown : column.envelope;
    if (column.shownRange) {
        line.shownLabel = column.shownRange->unit == "dB" ? "level (dB)" : "brightness";
        line.shownFrom = column.shownRange->min;
        line.shownTo = column.shownRange->max;
    }
    const bool scaled = hasDepthScale(snapshot->output());
    line.depthStartMm = column.depthStartM * (scaled ? 1e3 : 1.0);
    line.depthStepMm = column.depthStepM * (scaled ? 1e3 : 1.0);
    if (!scaled) line.depthLabel = "sample";
    line.soundSpeedMps = soundSpeedOf(*snapshot, info.frame);
    line.still = !m_bench.isPlaying();
    m_plots.aLine().setData(line);
    SpectrumData spectrum;
    spectrum.title = title;
    if (ofImages) spectrum.missing = "There is no spectrum: the recording holds no raw lines";
    spectrum.levelDb = column.spectrumDb;
    spectrum.startMHz = column.spectrumStartHz * 1e-6;
    spectrum.stepMHz = column.spectrumStepHz * 1e-6;
    spectrum.centreMHz = info.frame.centreFrequencyHz * 1e-6;
    spectrum.twoSided = isComplex(info.frame.dtype);
    if (column.iq) {
        spectrum.iqDb = column.iq->levelDb;
        spectrum.iqStartMHz = column.iq->startHz * 1e-6;
        spectrum.iqStepMHz = column.iq->stepHz * 1e-6;
        spectrum.iqName = QString("IQ: %1, %2 MHz")
                              .arg(stageLabel(*snapshot, {column.iq->stage}),
                                   numberText(column.iq->demodulationHz * 1e-6, 2));
    }
    m_plots.spectrum().setData(spectrum);
}

/// Only of views that the pipeline still has.
void PlotsTool::showViewLines(const ColumnData& column) {
    const SnapshotPtr snapshot = m_bench.snapshot();
    const QStringList names = viewNames(*snapshot);
    ViewLinesData lines;
    lines.title = columnText(snapshot->output(), column.lateralM);
    lines.still = !m_bench.isPlaying();
    for (const ViewLine& line : column.views) {
        const auto view = std::ranges::find(snapshot->views, line.view,
                                            [](const ViewState& each) { return nameOf(each); });
        if (view == snapshot->views.end()) continue;
        const ScreenAxis along = screenAxis(line.along, snapshot->output());
        if (lines.curves.empty()) {
            lines.alongName = QString::fromStdString(along.name);
            lines.alongUnit = QString::fromStdString(along.unit);
        } else if (QString::fromStdString(along.unit) != lines.alongUnit) {
            continue; // the axes differ
        }
        const auto number = static_cast<int>(view - snapshot->views.begin());
        const double perAxis = along.viewPerAxis * along.labelPerView;
        ViewLinesData::Curve curve{names[number],
                                   number,
                                   line.values,
                                   line.along.origin * perAxis + along.labelOfZero,
                                   line.along.spacing * perAxis,
                                   {},
                                   {}};
        if (line.range) {
            curve.unit = QString::fromStdString(line.range->unit);
            curve.meantTo = {line.range->min, line.range->max};
        }
        lines.curves.push_back(std::move(curve));
    }
    m_plots.viewLines().setData(lines);
}

void PlotsTool::showFringe(const ColumnData& column) {
    const FrameSpec& raw = m_bench.recording().frame;
    FringeData fringe;
    fringe.title = columnText(m_bench.snapshot()->output(), column.lateralM);
    fringe.unit = raw.spectrometer->countsCodes ? "codes" : "recorded units";
    fringe.raw = column.rf;
    fringe.remapped = column.remapped;
    fringe.still = !m_bench.isPlaying();
    m_plots.fringe().setData(fringe);
}

void PlotsTool::showAscan(const ColumnData& column) {
    const FrameSpec output = m_bench.snapshot()->output();
    const ScreenAxis depth =
        screenAxis({AxisName::Depth, static_cast<std::int64_t>(column.ascan.size()),
                    column.depthStepM, column.depthStartM, column.depthUnit});
    const double perAxis = depth.viewPerAxis * depth.labelPerView;
    const auto placeOf = [&](double sample) {
        return (column.depthStartM + sample * column.depthStepM) * perAxis;
    };
    const auto widthOf = [&](const PeakWidth& width) {
        return AscanData::Width{placeOf(width.from), placeOf(width.to)};
    };
    AscanData ascan;
    ascan.title = columnText(output, column.lateralM);
    ascan.level = column.ascan;
    ascan.levelUnit = QString::fromStdString(column.ascanUnit);
    ascan.start = placeOf(0.0);
    ascan.step = column.depthStepM * perAxis;
    ascan.depthName = QString::fromStdString(depth.name);
    ascan.depthUnit = QString::fromStdString(depth.unit);
    if (output.valueRange) {
        ascan.levelReference = QString::fromStdString(output.valueRange->reference);
        ascan.shownFrom = output.valueRange->min;
        ascan.shownTo = output.valueRange->max;
    }
    if (column.peak) {
        ascan.peak = {placeOf(column.peak->position), column.peak->db, std::nullopt, std::nullopt};
        if (column.peak->fwhm) ascan.peak->fwhm = widthOf(*column.peak->fwhm);
        if (column.peak->width20) ascan.peak->width20 = widthOf(*column.peak->width20);
    }
    m_plots.ascan().setData(ascan);
}

} // namespace echolux
