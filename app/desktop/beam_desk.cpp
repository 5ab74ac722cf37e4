// SPDX-License-Identifier: GPL-3.0-or-later
// Makes a sketch from the running beamformer and the mouse position.
#include "app/desktop/beam_desk.hpp"

#include "app/desktop/workbench/recording_text.hpp"
#include "app/lab/beam_sketch.hpp"
#include "app/session/session.hpp"
#include "ui/controls/number_text.hpp"
#include "ui/views/image_actions.hpp"
#include "ui/views/image_view.hpp"
#include "ui/views/view_area.hpp"

#include <QAction>

#include <algorithm>
#include <cmath>

namespace echolux {
namespace {

Vec2 placeAt(const lab::PlanePoint& point) { return {point.x, point.z}; }

ViewSketch::Line lineOf(const lab::PlaneLine& line, ViewSketch::Ink ink, double strength,
                        bool dashed = false) {
    return {placeAt(line.from), placeAt(line.to), ink, strength, dashed};
}

void addAperture(ViewSketch& sketch, const lab::BeamSketch& beams) {
    if (!beams.aperture) return;
    const auto& [first, pixel, last] = *beams.aperture;
    sketch.areas.push_back({{placeAt(first), placeAt(pixel), placeAt(last)}});
    for (const lab::PlanePoint& end : {first, last})
        sketch.lines.push_back(lineOf({end, pixel}, ViewSketch::Ink::Receive, 0.9));
}

ViewSketch toSketch(const lab::BeamSketch& beams, const QString& text) {
    constexpr double kOther = 0.35; // strength of waves other than the nearest
    constexpr auto kTransmit = ViewSketch::Ink::Transmit;
    ViewSketch sketch;
    const bool chosen = std::ranges::any_of(beams.waves, &lab::SketchedWave::nearest);
    for (const lab::SketchedWave& wave : beams.waves) {
        const double strength = wave.nearest ? 0.95 : chosen ? kOther : 0.6;
        if (wave.beam) sketch.lines.push_back(lineOf(*wave.beam, kTransmit, strength));
        if (wave.source) sketch.marks.push_back({placeAt(*wave.source), strength});
    }
    for (const lab::PlaneLine& edge : beams.edges)
        sketch.lines.push_back(lineOf(edge, kTransmit, 0.7, true));
    for (const lab::PlaneLine& line : beams.lines)
        sketch.lines.push_back(lineOf(line, ViewSketch::Ink::Receive, 0.5, true));
    addAperture(sketch, beams);
    for (const lab::SketchedElement& element : beams.elements)
        sketch.faces.push_back(
            {placeAt(element.face.from), placeAt(element.face.to), element.weight, element.fires});
    sketch.text = text;
    return sketch;
}

/// A text such as "57 of 128 elements, transmit 3: 2.0 deg".
QString sketchText(const lab::BeamGeometry& geometry, const lab::BeamSketch& beams) {
    QStringList parts;
    if (beams.aperture) {
        parts << QString("%1 of %2 elements")
                     .arg(beams.counted)
                     .arg(geometry.acquisition().probe.elements.size());
    }
    const auto nearest = std::ranges::find_if(beams.waves, &lab::SketchedWave::nearest);
    if (nearest != beams.waves.end()) {
        parts << QString("transmit %1: %2")
                     .arg(nearest->transmit + 1)
                     .arg(transmitNames(geometry.acquisition())[nearest->transmit]);
    }
    return parts.join(QStringLiteral("   "));
}

bool isInSpace(const ImageView& view) {
    const Picture& picture = view.picture();
    return view.hasImage() && picture.across.metric && picture.down.metric &&
           picture.across.axis == AxisName::Lateral && picture.down.axis == AxisName::Depth;
}

} // namespace

BeamDesk::BeamDesk(ViewArea& views, Session& session) : m_views(views), m_session(session) {
    views.bscan().add(m_sketch);
    ImageView* image = &views.bscan();
    connect(image, &ImageView::pointerMoved, this, &BeamDesk::show);
    connect(image, &ImageView::viewChanged, this, &BeamDesk::show);
    connect(image, &ImageView::pixelPicked, this, [this](double acrossM, double downM) {
        m_picked = {acrossM, downM};
        show();
    });
    connect(views.imageActions().beams(), &QAction::toggled, this, &BeamDesk::show);
}

void BeamDesk::recordingOpened() { m_picked.reset(); }

void BeamDesk::forget() {
    m_picked.reset();
    show();
}

void BeamDesk::followPipeline() {
    m_geometry.reset();
    const SnapshotPtr snapshot = m_session.snapshot();
    if (const StageState* beamform = snapshot->findRole(Role::Beamforms))
        m_geometry = lab::beamGeometry(beamform->input(), beamform->params);
    m_views.imageActions().beams()->setEnabled(m_geometry.has_value());
    show();
}

std::optional<lab::PlanePoint> BeamDesk::pixel() const {
    const ImageView& image = m_views.bscan();
    if (!isInSpace(image)) return std::nullopt;
    const auto at = image.pointed() ? image.pointed() : image.ghost();
    if (!at) return m_picked;
    return lab::PlanePoint{at->x / image.picture().across.viewPerAxis,
                           at->y / image.picture().down.viewPerAxis};
}

/// A distance from the array through the whole image.
double BeamDesk::reachM() const {
    const auto& p = m_geometry->params();
    return 2.0 * std::hypot(p.lateralMaxM - p.lateralMinM, p.depthMaxM);
}

void BeamDesk::show() {
    draw();
    emit pixelMoved();
}

void BeamDesk::showContours(const std::vector<ViewSketch::Contour>& contours, const QString& text) {
    if (contours.empty() && m_contours.empty()) return;
    m_contours = contours;
    m_contoursText = text;
    draw();
}

void BeamDesk::draw() {
    ImageView& image = m_views.bscan();
    const bool wantsBeams = m_views.imageActions().beams()->isChecked();
    if ((!wantsBeams && m_contours.empty()) || !m_geometry || !isInSpace(image))
        return m_sketch.show(std::nullopt);
    ViewSketch sketch;
    if (wantsBeams) {
        const lab::BeamSketch beams = lab::sketchBeams(*m_geometry, pixel(), reachM());
        sketch = toSketch(beams, sketchText(*m_geometry, beams));
    }
    sketch.contours = m_contours;
    if (!m_contours.empty())
        sketch.text = sketch.text.isEmpty() ? m_contoursText : sketch.text + "   " + m_contoursText;
    m_sketch.show(sketch);
}

} // namespace echolux
