// SPDX-License-Identifier: GPL-3.0-or-later
// From the running beamformer to the curves of its beam.
#include "app/desktop/beam_shape_desk.hpp"

#include "app/desktop/beam_desk.hpp"
#include "app/lab/beam_shape.hpp"
#include "ui/controls/number_text.hpp"
#include "ui/lab/beam_shape_panel.hpp"
#include "ui/theme/theme.hpp"
#include "ui/window/main_window.hpp"

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

BeamShapeDesk::BeamShapeDesk(MainWindow& window, const BeamDesk& beams)
    : m_panel(window.beamShape()), m_beams(beams) {
    m_soon.setSingleShot(true);
    m_soon.setInterval(kMsBetweenBeams);
    connect(&m_soon, &QTimer::timeout, this, &BeamShapeDesk::show);
    connect(&m_panel, &BeamShapePanel::cameIntoSight, this, &BeamShapeDesk::wait);
    connect(&beams, &BeamDesk::pixelMoved, this, &BeamShapeDesk::wait);
}

void BeamShapeDesk::wait() {
    if (m_panel.isVisible() && !m_soon.isActive()) m_soon.start();
}

void BeamShapeDesk::show() {
    if (!m_panel.isVisible()) return;
    const auto pixel = m_beams.pixel();
    const lab::BeamGeometry* geometry = m_beams.geometry();
    if (!pixel || geometry == nullptr) return m_panel.setCurves({});
    m_panel.setCurves(toCurves(lab::beamShape(*geometry, *pixel)));
}

} // namespace echolux
