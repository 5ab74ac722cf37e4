// SPDX-License-Identifier: GPL-3.0-or-later
// Computes curves of the beam from the running beamformer.
#include "app/tools/beam_shape/tool.hpp"

#include "app/desktop/workbench/tool_type.hpp"
#include "app/desktop/workbench/workbench.hpp"
#include "app/lab/beam_shape.hpp"
#include "ui/controls/number_text.hpp"
#include "ui/lab/beam_shape_panel.hpp"
#include "ui/theme/theme.hpp"

#include <numbers>

namespace echolux {
namespace {

constexpr int kMsBetweenBeams = 40;

BeamShapeCurves::Curve curveOf(const lab::BeamPattern& pattern, double perUnit) {
    BeamShapeCurves::Curve curve{
        {pattern.levelDb.begin(), pattern.levelDb.end()}, pattern.width, pattern.sideLobeDb};
    if (curve.width) *curve.width *= perUnit;
    return curve;
}

QString beamText(const lab::BeamShape& shape) {
    const QString transmits = shape.nearestAlone     ? QString("the nearest transmit alone")
                              : shape.transmits == 1 ? QString("1 transmit")
                                                     : QString("%1 transmits").arg(shape.transmits);
    return QString("%1 mm deep, %2, %3 elements")
        .arg(numberText(shape.depthM * 1e3, 1), transmits)
        .arg(shape.elements);
}

BeamShapeCurves toCurves(const lab::BeamShape& shape) {
    BeamShapeCurves curves;
    if (shape.both.levelDb.empty()) return curves;
    const double perUnit = shape.overAngle ? 180.0 / std::numbers::pi : 1e3;
    curves.unit = shape.overAngle ? prettyUnit("deg") : QString("mm");
    curves.text = beamText(shape);
    for (const double place : shape.across) curves.across.push_back(place * perUnit);
    curves.pixelAt = shape.pixelAt * perUnit;
    curves.curves = {curveOf(shape.sent, perUnit), curveOf(shape.heard, perUnit),
                     curveOf(shape.both, perUnit)};
    return curves;
}

} // namespace

namespace tools {

ToolType beam_shape();
ToolType beam_shape() {
    return toolType<BeamShapePanel, BeamShapeTool>("beam_shape", "Beam shape");
}

} // namespace tools

BeamShapeTool::BeamShapeTool(BeamShapePanel& panel, Workbench& bench)
    : m_panel(panel), m_bench(bench) {
    m_soon.setSingleShot(true);
    m_soon.setInterval(kMsBetweenBeams);
    connect(&m_soon, &QTimer::timeout, this, &BeamShapeTool::show);
    connect(&m_panel, &BeamShapePanel::cameIntoSight, this, &BeamShapeTool::requestCurves);
    connect(&bench, &Workbench::selectionChanged, this, &BeamShapeTool::requestCurves);
}

void BeamShapeTool::requestCurves() {
    if (m_panel.isVisible() && !m_soon.isActive()) m_soon.start();
}

void BeamShapeTool::show() {
    if (!m_panel.isVisible()) return;
    const auto pixel = m_bench.selectedPixel();
    const lab::BeamGeometry* beams = m_bench.beams();
    if (!pixel || beams == nullptr) return m_panel.setCurves({});
    m_panel.setCurves(toCurves(lab::beamShape(*beams, *pixel)));
}

} // namespace echolux
