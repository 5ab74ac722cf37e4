// SPDX-License-Identifier: GPL-3.0-or-later
// Between the parameters of a gate and the box over the first view.
#include "app/desktop/gate_desk.hpp"

#include "app/desktop/workbench/workbench.hpp"
#include "app/pipeline/snapshot.hpp"
#include "gpu/stages/m_mode.hpp"
#include "gpu/stages/spectral_doppler.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

namespace echolux {
namespace {

/// The gate is one line of pixels; a box as narrow could not be seen.
constexpr double kBoxWidthM = 1e-3;
constexpr double kLineWidthM = 3e-4; ///< of the box around the line of M-mode
constexpr double kStepM = 1e-5;      ///< places are rounded to this

/// True where both axes of the first view are lengths in the plane of the array.
bool isInSpace(const FrameSpec& image) {
    const Axis* lateral = image.find(AxisName::Lateral);
    const Axis* depth = image.find(AxisName::Depth);
    return lateral != nullptr && depth != nullptr && lateral->unit == "m" && depth->unit == "m" &&
           image.sector == nullptr;
}

double rounded(double metres) { return std::round(metres / kStepM) * kStepM; }

} // namespace

GateDesk::GateDesk(Workbench& bench)
    : m_bench(bench), m_box([this](const Rect& box) { drag(box); }) {
    bench.showOver(0, m_box);
    connect(&bench, &Workbench::pipelineChanged, this, &GateDesk::sync);
    connect(&bench, &Workbench::placePicked, this, &GateDesk::place);
}

void GateDesk::sync() {
    if (!m_bench.isOpen()) return;
    const SnapshotPtr snapshot = m_bench.snapshot();
    const FrameSpec& image = snapshot->output();
    const StageState* doppler = snapshot->findWith<SpectralDopplerParams>();
    const StageState* line = snapshot->findWith<MModeParams>();
    if ((doppler == nullptr && line == nullptr) || !isInSpace(image))
        return m_box.show(std::nullopt);
    if (doppler == nullptr) {
        const double lateral = line->params.as<MModeParams>().lateralM;
        const Axis& depth = *image.find(AxisName::Depth);
        const double last = depth.origin + static_cast<double>(depth.size - 1) * depth.spacing;
        return m_box.show(
            Rect{lateral - 0.5 * kLineWidthM, depth.origin, lateral + 0.5 * kLineWidthM, last},
            tr("M line"));
    }
    const auto& gate = doppler->params.as<SpectralDopplerParams>();
    m_box.show(Rect{gate.lateralM - 0.5 * kBoxWidthM, gate.depthM - 0.5 * gate.lengthM,
                    gate.lateralM + 0.5 * kBoxWidthM, gate.depthM + 0.5 * gate.lengthM},
               tr("Gate"));
}

void GateDesk::drag(const Rect& box) {
    const SnapshotPtr snapshot = m_bench.snapshot();
    if (const StageState* stage = snapshot->findWith<SpectralDopplerParams>())
        return edit(stage->id, box.centre().y, box.centre().x, box.height());
    const StageState* line = snapshot->findWith<MModeParams>();
    if (line == nullptr) return;
    m_bench.edit({tr("M line"), tr("M line: place"), "m_line"},
                 {{line->id, "lateral", rounded(box.centre().x)}});
    sync(); // the line keeps its length
}

void GateDesk::place(Vec2 inMillimetres) {
    if (!m_bench.isOpen()) return;
    const SnapshotPtr snapshot = m_bench.snapshot();
    if (!isInSpace(snapshot->output())) return;
    constexpr double kMetres = 1e-3;
    if (const StageState* stage = snapshot->findWith<SpectralDopplerParams>())
        edit(stage->id, kMetres * inMillimetres.y, kMetres * inMillimetres.x,
             stage->params.as<SpectralDopplerParams>().lengthM);
    if (const StageState* stage = snapshot->findWith<MModeParams>())
        m_bench.edit(stage->id, "lateral", rounded(kMetres * inMillimetres.x));
}

/// The steps of a drag are one step of the undo list.
void GateDesk::edit(const std::string& stage, double depthM, double lateralM, double lengthM) {
    const auto within = [&](const char* key, double metres) -> Workbench::Value {
        const ParamRow* row = m_bench.snapshot()->stage(stage).type->table.find(key);
        return {stage, key, std::clamp(rounded(metres), row->min, row->max)};
    };
    m_bench.edit({tr("gate"), tr("Gate: place"), "gate"},
                 {within("depth", depthM), within("lateral", lateralM), within("length", lengthM)});
}

} // namespace echolux
