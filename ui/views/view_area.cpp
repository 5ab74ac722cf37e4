// SPDX-License-Identifier: GPL-3.0-or-later
// Arranges the views and connects them.
#include "ui/views/view_area.hpp"

#include "ui/controls/number_text.hpp"
#include "ui/parameters/display_group.hpp"
#include "ui/theme/theme.hpp"
#include "ui/views/axis_part.hpp"
#include "ui/views/drawn_region.hpp"
#include "ui/views/further_views.hpp"
#include "ui/views/image_actions.hpp"
#include "ui/views/image_view.hpp"
#include "ui/views/overlay/column_overlay.hpp"
#include "ui/views/overlay/crosshair_overlay.hpp"
#include "ui/views/overlay/depth_window_overlay.hpp"
#include "ui/views/view_pane.hpp"
#include "ui/views/volume_view.hpp"

#include <QSplitter>
#include <QVBoxLayout>

#include <algorithm>
#include <array>
#include <cmath>

namespace echolux {
namespace {

/// The part of the depth that the window covers until the user drags it. It begins below the zero
/// delay, where samples begin.
constexpr double kWindowFrom = 0.04;
constexpr double kWindowTo = 0.4;
/// The same part for ultrasound images, round the crosshair: about as thick as a beam.
constexpr double kPlaneThickness = 0.04;
constexpr int kBlinkMs = 500;

double nearestSample(const Axis& axis, double place) {
    return axis.origin + static_cast<double>(sampleAt(axis, place)) * axis.spacing;
}

QSplitter* makeSplitter(QWidget* parent) {
    auto* splitter = new QSplitter(parent);
    splitter->setChildrenCollapsible(false);
    splitter->setHandleWidth(5);
    return splitter;
}

} // namespace

ViewArea::ViewArea(QWidget* parent)
    : QWidget(parent), m_bscan(new ImageView), m_enFace(new ImageView), m_side(new ImageView),
      m_volume(new VolumeView), m_board(makeSplitter(this)) {
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_board);
    m_enFace->setExposing(true);
    makeOverlays();
    m_enFace->setAccessibleName(tr("En face"));
    makeActions();
    makePanes();
    makeTuning();
    makeImageActions();
    connectViews();
    m_blink.setInterval(kBlinkMs);
    connect(&m_blink, &QTimer::timeout, this, [this] {
        m_blinkSecond = !m_blinkSecond;
        arrange();
    });
    arrange();
}

ViewArea::~ViewArea() = default;

void ViewArea::makeOverlays() {
    m_column = std::make_unique<ColumnOverlay>();
    m_bscan->add(*m_column);
    const auto crosshairOn = [this](ImageView& view) {
        auto overlay = std::make_unique<CrosshairOverlay>(
            [this](const Crosshair& crosshair) { moveCrosshair(crosshair); });
        view.add(*overlay);
        return overlay;
    };
    m_onBscan = crosshairOn(*m_bscan);
    m_onEnFace = crosshairOn(*m_enFace);
    m_onEnFace->setScrubbing(true);
    m_onSide = crosshairOn(*m_side);
    m_windowOnBscan = std::make_unique<DepthWindowOverlay>(
        [this](const DepthWindow& window) { moveWindow(window); });
    m_bscan->add(*m_windowOnBscan);
    m_region = new DrawnRegion(*m_bscan);
}

void ViewArea::makePanes() {
    for (QSplitter*& line : m_lines) {
        line = makeSplitter(m_board);
        m_board->addWidget(line);
    }
    QSplitter* room = m_lines.front();
    m_bscanPane = new ViewPane(tr("B-scan"), m_bscan, room);
    m_sidePane = new ViewPane(tr("Side"), m_side, room);
    m_enFacePane = new ViewPane(tr("En face"), m_enFace, room);
    m_volumePane = new ViewPane(tr("Volume"), m_volume, room);
    m_enFacePane->addButtons({m_maximum, m_mean});
    m_volumePane->addButtons({m_volumeMaximum, m_composite, m_slices});
    auto* line = new QAction(this);
    line->setSeparator(true);
    m_volumePane->addMenu(tr("Look \u25be"),
                          tr("Direction from which the volume is seen, depth cue and opacity"),
                          {m_standardLook, m_frontLook, m_topLook, m_sideLook, line, m_tune});
    m_further = new FurtherViews(*m_bscan, *room);
    m_further->setParent(this);
    for (ViewPane* pane : allPanes())
        connect(pane, &ViewPane::headerDoubleClicked, this, [this, pane] { showAlone(pane); });
    const auto dragged = [this] {
        m_viewsDragged = true;
        placePanes();
    };
    connect(m_board, &QSplitter::splitterMoved, this, dragged);
    for (QSplitter* each : m_lines) connect(each, &QSplitter::splitterMoved, this, dragged);
}

void ViewArea::connectViews() {
    connect(m_bscan, &ImageView::displayRangeChanged, m_volume, &VolumeView::setSliceRange);
    connectSide();
    // NOTE: queued, because it is emitted while painting.
    connect(
        m_bscan, &ImageView::viewChanged, this,
        [this] { m_imageActions->setNoLengths(m_bscan->whyNoLengths()); }, Qt::QueuedConnection);
    connect(m_further, &FurtherViews::looksChanged, this, &ViewArea::placePanes,
            Qt::QueuedConnection);
    for (ImageView* view : {m_enFace, m_side})
        connect(view, &ImageView::viewChanged, this, &ViewArea::placePanes, Qt::QueuedConnection);
}

void ViewArea::setKind(Kind kind) {
    if (kind == m_kind) return;
    m_kind = kind;
    const bool echoes = kind == Kind::Echoes;
    m_enFacePane->setName(echoes ? tr("C-plane") : tr("En face"));
    m_enFace->setAccessibleName(echoes ? tr("C-plane") : tr("En face"));
    nameEnFaceActions(echoes);
    m_enFace->setExposing(!echoes);
    m_enFace->setLed(echoes);
    for (ImageView* view : {m_side, m_enFace}) lead(*view);
}

void ViewArea::setVolume(const std::optional<FrameSpec>& volume, Kind kind) {
    std::optional<Axes> axes;
    if (volume) setKind(kind);
    if (volume) axes = Axes{volume->axes.at(0), volume->axes.at(1), volume->axes.at(2)};
    if (axes == m_axes) return;
    const std::optional<Axes> before = m_axes;
    m_axes = axes;
    if (axes) {
        const auto moved = [this](const Axis& from, const Axis& to, double place) {
            return m_kind == Kind::Echoes ? nearestSample(to, place)
                                          : placeAt(to, partOf(from, place));
        };
        if (before) {
            m_crosshair = {moved(before->lateral, axes->lateral, m_crosshair.lateral),
                           moved(before->depth, axes->depth, m_crosshair.depth),
                           moved(before->elevation, axes->elevation, m_crosshair.elevation)};
            m_window = {moved(before->depth, axes->depth, m_window.nearest),
                        moved(before->depth, axes->depth, m_window.deepest)};
        } else {
            m_crosshair = {placeAt(axes->lateral, 0.5), placeAt(axes->depth, 0.5),
                           placeAt(axes->elevation, 0.0)};
            m_window = firstWindow();
        }
        m_shownBscan = before ? std::min(m_shownBscan, bscans() - 1) : 0;
        m_crosshair = snapped(m_crosshair);
    }
    arrange();
    showCrosshair();
    showWindow();
    if (axes) emit lineChosen(m_crosshair.lateral);
}

ScreenAxis ViewArea::onScreen(const Axis& axis) const {
    return m_kind == Kind::Echoes ? screenAxis(axis, Lengths::Millimetres, Counted::OfEchoes)
                                  : screenAxis(axis);
}

DepthWindow ViewArea::firstWindow() const {
    const Axis& depth = m_axes->depth;
    const bool plane = m_kind == Kind::Echoes;
    const double from = plane ? 0.5 - 0.5 * kPlaneThickness : kWindowFrom;
    const double to = plane ? 0.5 + 0.5 * kPlaneThickness : kWindowTo;
    return {nearestSample(depth, placeAt(depth, from)), nearestSample(depth, placeAt(depth, to))};
}

/// The C-plane keeps its thickness and its distance from the crosshair, which moved by `depth`.
void ViewArea::takeWindowAlong(double depth) {
    const Axis& axis = m_axes->depth;
    const double last = axis.origin + static_cast<double>(axis.size - 1) * axis.spacing;
    const double by = std::clamp(depth, axis.origin - m_window.nearest, last - m_window.deepest);
    moveWindow({m_window.nearest + by, m_window.deepest + by});
}

void ViewArea::setViewNames(const QStringList& names, std::optional<std::size_t> main) {
    m_main = main;
    const QString first = names.size() > 1 ? names.front() : tr("B-scan");
    m_bscanPane->setName(first);
    m_bscanPane->setPlotColour(names.size() > 1 ? 0 : -1);
    m_further->setNames(names.mid(1));
    m_further->mark(*m_column);
    if (m_further->count() == 0) setBlinking(false);
    arrange();
}

void ViewArea::setBlinking(bool on) {
    const bool blinks = on && m_further->count() > 0;
    if (blinks == m_blink.isActive()) return;
    m_blinkSecond = false;
    blinks ? m_blink.start() : m_blink.stop();
    arrange();
}

void ViewArea::setShownBscan(std::int64_t bscan) {
    if (!m_axes) return;
    m_shownBscan = std::clamp<std::int64_t>(bscan, 0, bscans() - 1);
    const CrosshairPart held = m_onEnFace->held();
    if (held == CrosshairPart::Level || held == CrosshairPart::Both) {
        showCrosshair();
    } else {
        returnToShown();
    }
}

void ViewArea::returnToShown() {
    if (!m_axes) return;
    const Axis& axis = m_axes->elevation;
    m_crosshair.elevation = axis.origin + static_cast<double>(m_shownBscan) * axis.spacing;
    showCrosshair();
}

Crosshair ViewArea::snapped(const Crosshair& crosshair) const {
    return {nearestSample(m_axes->lateral, crosshair.lateral),
            nearestSample(m_axes->depth, crosshair.depth),
            nearestSample(m_axes->elevation, crosshair.elevation)};
}

void ViewArea::moveCrosshair(const Crosshair& crosshair) {
    if (!m_axes) return;
    const Crosshair before = m_crosshair;
    m_crosshair = snapped(crosshair);
    showCrosshair();
    if (m_kind == Kind::Echoes && m_crosshair.depth != before.depth)
        takeWindowAlong(m_crosshair.depth - before.depth);
    if (m_crosshair.lateral != before.lateral) emit lineChosen(m_crosshair.lateral);
    if (m_crosshair.elevation != before.elevation)
        emit bscanChosen(sampleAt(m_axes->elevation, m_crosshair.elevation));
}

void ViewArea::showCrosshair() {
    const auto shown = m_axes ? std::optional(m_crosshair) : std::nullopt;
    for (CrosshairOverlay* each : {m_onBscan.get(), m_onEnFace.get(), m_onSide.get()})
        each->show(shown);
    m_axes ? m_bscan->remove(*m_column) : m_bscan->add(*m_column);
    showSide();
    if (!m_axes) return;
    m_volume->setCrosshair(m_crosshair);
    QString header = tr("%1 of %2").arg(m_shownBscan + 1).arg(bscans());
    if (const ScreenAxis elevation = onScreen(m_axes->elevation);
        m_kind == Kind::Echoes && elevation.metric) {
        const double place = m_axes->elevation.origin +
                             static_cast<double>(m_shownBscan) * m_axes->elevation.spacing;
        header += tr(", elevation %1 %2")
                      .arg(QString::fromStdString(elevation.format(place * elevation.viewPerAxis)),
                           QString::fromStdString(elevation.unit));
    }
    m_bscanPane->setSubtitle(header);
}

Projection ViewArea::projection() const {
    return m_mean->isChecked() ? Projection::Mean : Projection::Maximum;
}

std::optional<DepthWindow> ViewArea::shownWindow() const { return m_windowOnBscan->window(); }

std::optional<double> ViewArea::marker() const { return m_column->lateral(); }

void ViewArea::mark(std::optional<double> lateral) {
    m_column->show(lateral);
    m_further->mark(*m_column);
}

void ViewArea::moveWindow(const DepthWindow& window) {
    m_window = window;
    showWindow();
}

void ViewArea::showWindow() {
    const bool shown = m_axes && m_showEnFace->isChecked();
    m_windowOnBscan->show(shown ? std::optional(m_window) : std::nullopt);
    if (!m_axes) return;
    const ScreenAxis depth = onScreen(m_axes->depth);
    const auto number = [&](double at) {
        const double labelled = depth.labelAt(at * depth.viewPerAxis);
        return numberText(labelled, depth.unit == "mm" ? 2 : 0);
    };
    const QString range =
        number(m_window.nearest) + QStringLiteral(" \u2013 ") + number(m_window.deepest);
    m_enFacePane->setSubtitle(depth.unit.empty()
                                  ? QString::fromStdString(depth.name) + ' ' + range
                                  : range + ' ' + QString::fromStdString(depth.unit));
    emit enFaceChanged(projection(), m_window);
}

void ViewArea::arrange() {
    const bool several = m_further->count() > 0;
    const bool many = m_axes.has_value();
    for (QAction* action : m_actions + m_entries) {
        action->setVisible(many);
        action->setEnabled(many);
    }
    for (QAction* action : {m_maximum, m_mean})
        action->setEnabled(many && m_showEnFace->isChecked());
    for (QAction* action : {m_volumeMaximum, m_composite, m_slices, m_standardLook, m_frontLook,
                            m_topLook, m_sideLook})
        action->setEnabled(many && m_showVolume->isChecked());
    m_tune->setEnabled(many && m_showVolume->isChecked() && !m_slices->isChecked());
    m_showSide->setVisible(many && !several && m_kind == Kind::Echoes);
    m_showSide->setEnabled(m_showSide->isVisible());
    placePanes();
    nameAloneActions();
    showWindow();
    showSide();
}

std::array<View*, 4> ViewArea::ofVolume() const { return {m_bscan, m_enFace, m_volume, m_side}; }

void ViewArea::setColours(const DisplayChoice& choice) {
    for (View* view : ofVolume()) {
        view->setColourMap(choice.colourMap, choice.inverted);
        view->setSmooth(choice.smooth);
        view->setGamma(choice.gamma);
    }
    m_further->setColours(choice);
}

void ViewArea::resetViews() {
    for (View* view : ofVolume()) view->resetView();
}

void ViewArea::autoRange() {
    if (m_axes && m_enFacePane->underMouse()) {
        m_enFace->autoRange();
    } else if (m_axes && m_volumePane->underMouse() &&
               m_volume->scene().mode != VolumeScene::Mode::Slices) {
        m_volume->autoRange();
    } else {
        m_bscan->autoRange();
    }
}

void ViewArea::clear() {
    setVolume(std::nullopt);
    mark(std::nullopt);
    m_region->set(std::nullopt);
    for (View* view : ofVolume()) view->clear();
    m_further->clear();
}

QImage ViewArea::grabImage() {
    return m_axes || m_further->count() > 0 ? grab().toImage() : m_bscan->grabImage();
}

} // namespace echolux
