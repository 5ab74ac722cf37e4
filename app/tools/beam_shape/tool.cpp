// SPDX-License-Identifier: GPL-3.0-or-later
// Decides which picture of the beam is computed next.
#include "app/tools/beam_shape/tool.hpp"

#include "app/desktop/workbench/tool_type.hpp"
#include "app/desktop/workbench/workbench.hpp"
#include "app/lab/beam_map.hpp"
#include "gpu/dsp/fractional_delay.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace echolux {
namespace {

constexpr int kMsBetweenBeams = 40;

} // namespace

namespace tools {

ToolType beam_shape();
ToolType beam_shape() {
    return toolType<BeamShapePanel, BeamShapeTool>("beam_shape", "Beam shape",
                                                   ToolType::Place::Closed, "Beams");
}

} // namespace tools

BeamShapeTool::BeamShapeTool(BeamShapePanel& panel, Workbench& bench)
    : m_panel(panel), m_bench(bench) {
    m_soon.setSingleShot(true);
    m_soon.setInterval(kMsBetweenBeams);
    connect(&m_soon, &QTimer::timeout, this, &BeamShapeTool::show);
    connect(&m_panel, &BeamShapePanel::cameIntoSight, this, &BeamShapeTool::requestPicture);
    connect(&m_panel, &BeamShapePanel::settingsChanged, this, &BeamShapeTool::requestPicture);
    connect(&bench, &Workbench::selectionChanged, this, &BeamShapeTool::requestPicture);
    connect(&bench, &Workbench::recordingChanged, this, &BeamShapeTool::forgetRecording);
}

BeamShapeTool::~BeamShapeTool() {
    m_stop.request_stop();
    m_end.request_stop();
}

void BeamShapeTool::forgetRecording() {
    m_limitsKnown = false;
    requestPicture();
}

void BeamShapeTool::requestPicture() {
    if (m_panel.isVisible() && !m_soon.isActive()) m_soon.start();
}

/// The sliders suit the first pixel of a recording; later ones leave them as they are.
void BeamShapeTool::showLimits(const lab::BeamGeometry& geometry, const lab::PlanePoint& pixel) {
    if (std::exchange(m_limitsKnown, true)) return;
    const lab::BeamLine line = lab::lineThrough(geometry, pixel);
    BeamShapePanel::Limits limits;
    limits.bandwidth = usualBandwidth(geometry.input());
    limits.apertureMm = lab::usualAperture(geometry) * 1e3;
    limits.mostApertureMm = std::ceil(lab::arrayLength(geometry) * 1e3);
    std::ranges::transform(lab::usualFoci(geometry, pixel), limits.fociMm.begin(),
                           [](double metres) { return metres * 1e3; });
    limits.deepestMm = std::ceil(line.lastM * 1e3);
    limits.elements = static_cast<int>(geometry.acquisition().probe.elements.size());
    m_panel.setLimits(limits);
}

void BeamShapeTool::show() {
    if (!m_panel.isVisible()) return;
    const auto pixel = m_bench.selectedPixel();
    const lab::BeamGeometry* beams = m_bench.beams();
    m_wanted = nullptr;
    m_stop.request_stop();
    if (!pixel || beams == nullptr) {
        m_panel.setCurves({});
        return accept({});
    }
    showLimits(*beams, *pixel);
    const BeamShapePanel::Settings settings = m_panel.settings();
    if (settings.mode == BeamMode::Across) {
        m_panel.setCurves(toCurves(lab::beamShape(*beams, *pixel)));
        m_panel.setMeasured({}); // those in sight are of the former pixel
    }
    if (!needsJob(settings)) return accept({});
    const StageState* stage = m_bench.snapshot()->findRole(Role::Beamforms);
    if (stage == nullptr) return accept({});
    m_wanted =
        std::make_shared<const BeamJob>(BeamJob{std::make_shared<const lab::BeamGeometry>(*beams),
                                                {stage->type, stage->params},
                                                *pixel,
                                                settings,
                                                m_bench.backend().backend,
                                                m_bench.backend().gpu});
    if (m_running == nullptr) start(m_wanted);
}

void BeamShapeTool::start(const std::shared_ptr<const BeamJob>& job) {
    m_running = job;
    m_stop = {};
    m_bench.compute([this, job, stop = m_stop.get_token(),
                     end = m_end.get_token()](const std::stop_token&) -> Background::Finish {
        BeamResult result = computed(*job, stop);
        return [this, job, result = std::move(result), end] {
            if (!end.stop_requested()) finish(job, result);
        };
    });
}

void BeamShapeTool::finish(const std::shared_ptr<const BeamJob>& job, const BeamResult& result) {
    m_running = nullptr;
    if (m_wanted == job && !result.stopped) return accept(result);
    if (m_wanted != nullptr) start(m_wanted);
}

void BeamShapeTool::accept(const BeamResult& result) {
    m_panel.setProblem(result.problem.empty() ? QString() : m_bench.inLabels(result.problem));
    m_panel.setMeasured(result.measured);
    m_panel.setPictures(result.pictures);
    m_panel.setFigures(result.figures);
}

} // namespace echolux
