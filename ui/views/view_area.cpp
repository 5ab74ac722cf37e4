// SPDX-License-Identifier: GPL-3.0-or-later
// Arrangement of the views, and what links them.
#include "ui/views/view_area.hpp"

#include "ui/controls/number_text.hpp"
#include "ui/parameters/display_group.hpp"
#include "ui/theme/theme.hpp"
#include "ui/views/further_views.hpp"
#include "ui/views/image_actions.hpp"
#include "ui/views/image_view.hpp"
#include "ui/views/view_pane.hpp"
#include "ui/views/volume_view.hpp"

#include <QSplitter>
#include <QVBoxLayout>

#include <algorithm>
#include <array>
#include <cmath>
#include <initializer_list>

namespace echolux {
namespace {

/// Parts of the depth that the window spans until somebody drags it: below the zero delay, where
/// samples begin.
constexpr double kWindowFrom = 0.04;
constexpr double kWindowTo = 0.4;
constexpr double kBesideFrom = 1.1; ///< width over height
constexpr int kBlinkMs = 500;

/// Keys of the volume's turn in a scene; the second in scenes of volumes that were mirror images.
constexpr const char* kTurn = "volume_turn";
constexpr const char* kLeftHandedTurn = "turn";

double placeOf(const Axis& axis, double fraction) {
    return axis.origin + fraction * static_cast<double>(axis.size - 1) * axis.spacing;
}
double fractionOf(const Axis& axis, double place) {
    const double length = static_cast<double>(axis.size - 1) * axis.spacing;
    return length > 0.0 ? std::clamp((place - axis.origin) / length, 0.0, 1.0) : 0.0;
}
double nearestSample(const Axis& axis, double place) {
    return axis.origin + static_cast<double>(sampleAt(axis, place)) * axis.spacing;
}

QSplitter* makeSplitter(QWidget* parent) {
    auto* splitter = new QSplitter(parent);
    splitter->setChildrenCollapsible(false);
    splitter->setHandleWidth(5);
    return splitter;
}

QVariantList listOf(std::initializer_list<double> values) {
    return QVariantList(values.begin(), values.end());
}
template <std::size_t N> std::optional<std::array<double, N>> numbersIn(const QVariant& list) {
    const QVariantList values = list.toList();
    std::array<double, N> numbers;
    if (values.size() != static_cast<qsizetype>(N)) return std::nullopt;
    std::ranges::transform(values, numbers.begin(), [](const QVariant& v) { return v.toDouble(); });
    return numbers;
}

} // namespace

ViewArea::ViewArea(QWidget* parent)
    : QWidget(parent), m_bscan(new ImageView), m_enFace(new ImageView), m_volume(new VolumeView),
      m_outer(makeSplitter(this)), m_left(makeSplitter(m_outer)), m_inner(makeSplitter(m_outer)) {
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_outer);
    m_enFace->setExposing(true);
    m_enFace->setScrubbing(true);
    m_enFace->setAccessibleName(tr("En face"));
    makeActions();
    makePanes();
    makeImageActions();
    makeRegionActions();
    connectViews();
    m_blink.setInterval(kBlinkMs);
    connect(&m_blink, &QTimer::timeout, this, [this] {
        m_blinkSecond = !m_blinkSecond;
        arrange();
    });
    arrange();
}

void ViewArea::makePanes() {
    m_bscanPane = new ViewPane(tr("B-scan"), m_bscan, m_left);
    m_left->addWidget(m_bscanPane);
    m_enFacePane = new ViewPane(tr("En face"), m_enFace, m_inner);
    m_volumePane = new ViewPane(tr("Volume"), m_volume, m_inner);
    m_enFacePane->addButtons({m_maximum, m_mean});
    m_volumePane->addButtons({m_projection, m_slices});
    m_volumePane->addMenu(tr("Look \u25be"), tr("Where the volume is seen from"),
                          {m_standardLook, m_frontLook, m_topLook, m_sideLook});
    m_inner->addWidget(m_enFacePane);
    m_inner->addWidget(m_volumePane);
    m_further = new FurtherViews(*m_bscan, *m_left, *m_inner);
    m_further->setParent(this);
    m_outer->addWidget(m_left);
    m_outer->addWidget(m_inner);
    connect(m_outer, &QSplitter::splitterMoved, this, &ViewArea::rememberSizes);
}

void ViewArea::connectViews() {
    connect(m_bscan, &ImageView::displayRangeChanged, m_volume, &VolumeView::setSliceRange);
    for (ImageView* view : {m_bscan, m_enFace}) {
        connect(view, &ImageView::crosshairMoved, this, &ViewArea::moveCrosshair);
    }
    connect(m_bscan, &ImageView::depthWindowMoved, this, &ViewArea::setWindow);
    // NOTE: queued, since it is told of while painting.
    connect(
        m_bscan, &ImageView::viewChanged, this,
        [this] {
            if (m_further->count() > 0) followShape();
        },
        Qt::QueuedConnection);
}

void ViewArea::setVolume(const std::optional<FrameSpec>& volume) {
    std::optional<Axes> axes;
    if (volume) axes = Axes{volume->axes.at(0), volume->axes.at(1), volume->axes.at(2)};
    if (axes == m_axes) return;
    const std::optional<Axes> before = m_axes;
    m_axes = axes;
    if (axes) {
        const auto moved = [](const Axis& from, const Axis& to, double place) {
            return placeOf(to, fractionOf(from, place));
        };
        if (before) {
            m_crosshair = {moved(before->lateral, axes->lateral, m_crosshair.lateral),
                           moved(before->depth, axes->depth, m_crosshair.depth),
                           moved(before->elevation, axes->elevation, m_crosshair.elevation)};
            m_window = {moved(before->depth, axes->depth, m_window.nearest),
                        moved(before->depth, axes->depth, m_window.deepest)};
        } else {
            m_crosshair = {placeOf(axes->lateral, 0.5), placeOf(axes->depth, 0.5),
                           placeOf(axes->elevation, 0.0)};
            m_window = {nearestSample(axes->depth, placeOf(axes->depth, kWindowFrom)),
                        nearestSample(axes->depth, placeOf(axes->depth, kWindowTo))};
        }
        m_shownBscan = before ? std::min(m_shownBscan, bscans() - 1) : 0;
        m_crosshair = snapped(m_crosshair);
    }
    arrange();
    showCrosshair();
    showWindow();
    if (axes) emit lineChosen(m_crosshair.lateral);
}

void ViewArea::setViewNames(const QStringList& names) {
    const QString first = names.size() > 1 ? names.front() : tr("B-scan");
    m_bscanPane->setName(first);
    m_bscanPane->setPlotColour(names.size() > 1 ? 0 : -1);
    m_further->setNames(names.mid(1));
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
    const CrosshairPart held = m_enFace->heldCrosshair();
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
    if (m_crosshair.lateral != before.lateral) emit lineChosen(m_crosshair.lateral);
    if (m_crosshair.elevation != before.elevation)
        emit bscanChosen(sampleAt(m_axes->elevation, m_crosshair.elevation));
}

void ViewArea::showCrosshair() {
    const auto shown = m_axes ? std::optional(m_crosshair) : std::nullopt;
    m_bscan->setCrosshair(shown);
    m_enFace->setCrosshair(shown);
    if (!m_axes) return;
    m_volume->setCrosshair(m_crosshair);
    m_bscanPane->setSubtitle(tr("%1 of %2").arg(m_shownBscan + 1).arg(bscans()));
}

Projection ViewArea::projection() const {
    return m_mean->isChecked() ? Projection::Mean : Projection::Maximum;
}

void ViewArea::setWindow(const DepthWindow& window) {
    m_window = window;
    showWindow();
}

void ViewArea::showWindow() {
    const bool shown = m_axes && m_showEnFace->isChecked();
    m_bscan->setDepthWindow(shown ? std::optional(m_window) : std::nullopt);
    if (!m_axes) return;
    const ScreenAxis depth = screenAxis(m_axes->depth);
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
    const bool many = m_axes.has_value() && !several;
    for (QAction* action : m_actions) {
        action->setVisible(many);
        action->setEnabled(many);
    }
    for (QAction* action : {m_maximum, m_mean})
        action->setEnabled(many && m_showEnFace->isChecked());
    for (QAction* action :
         {m_projection, m_slices, m_standardLook, m_frontLook, m_topLook, m_sideLook})
        action->setEnabled(many && m_showVolume->isChecked());
    const bool enFace = many && m_showEnFace->isChecked();
    const bool volume = many && m_showVolume->isChecked();
    m_bscanPane->setHeaderShown(many || several);
    m_enFacePane->setVisible(enFace);
    m_volumePane->setVisible(volume);
    const bool blinks = m_blink.isActive();
    for (int i = 0; i < m_further->count(); ++i)
        m_further->pane(i).setVisible(!blinks || (i == 0 && m_blinkSecond));
    m_left->setVisible(!blinks || !m_blinkSecond);
    m_inner->setVisible(enFace || volume || (several && (!blinks || m_blinkSecond)));

    const bool beside = standsBeside();
    m_outer->setOrientation(beside ? Qt::Horizontal : Qt::Vertical);
    m_inner->setOrientation(beside ? Qt::Vertical : Qt::Horizontal);
    m_left->setOrientation(m_inner->orientation());
    const int room = beside ? width() : height();
    const int first = several ? room / 2 : static_cast<int>(m_bscanShare[beside ? 0 : 1] * room);
    m_outer->setSizes({first, room - first});
    for (QSplitter* column : {m_left, m_inner}) {
        QList<int> sizes;
        sizes.fill(room, column->count());
        column->setSizes(sizes);
    }
    showWindow();
}

/// Of a pipeline's views so that the images are as large as may be.
bool ViewArea::standsBeside() const {
    const bool wide = width() > kBesideFrom * height();
    const Rect& image = m_bscan->view().image();
    if (m_further->count() == 0 || !m_bscan->hasImage() || !(image.height() > 0.0)) return wide;
    const double beside = std::min(0.5 * width() / image.width(), height() / image.height());
    const double above = std::min(width() / image.width(), 0.5 * height() / image.height());
    return beside >= above;
}

void ViewArea::rememberSizes() {
    if (m_further->count() > 0) return;
    const QList<int> sizes = m_outer->sizes();
    const int sum = sizes[0] + sizes[1];
    if (sum <= 0 || sizes[1] == 0) return;
    m_bscanShare[m_outer->orientation() == Qt::Horizontal ? 0 : 1] =
        static_cast<double>(sizes[0]) / sum;
}

void ViewArea::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    followShape();
}

void ViewArea::followShape() {
    const bool beside = standsBeside();
    if (beside != (m_outer->orientation() == Qt::Horizontal)) arrange();
}

void ViewArea::setColours(const DisplayChoice& choice) {
    for (ImageView* view : {m_bscan, m_enFace}) {
        view->setColourMap(choice.colourMap, choice.inverted);
        view->setSmooth(choice.smooth);
        view->setGamma(choice.gamma);
    }
    m_further->setColours(choice);
    m_volume->setColourMap(choice.colourMap, choice.inverted);
    m_volume->setSmooth(choice.smooth);
    m_volume->setGamma(choice.gamma);
}

void ViewArea::resetViews() {
    m_bscan->resetView();
    m_enFace->resetView();
    m_volume->look(VolumeView::Look::Standard);
}

void ViewArea::autoRange() {
    if (m_axes && m_enFacePane->underMouse()) {
        m_enFace->autoRange();
    } else if (m_axes && m_volumePane->underMouse() &&
               m_volume->scene().mode == VolumeScene::Mode::Projection) {
        m_volume->autoRange();
    } else {
        m_bscan->autoRange();
    }
}

void ViewArea::clear() {
    setVolume(std::nullopt);
    m_bscan->clear();
    m_enFace->clear();
    m_further->clear();
    m_volume->clear();
}

QImage ViewArea::grabImage() {
    return m_axes || m_further->count() > 0 ? grab().toImage() : m_bscan->grabImage();
}

QVariantMap ViewArea::state() const {
    return {{"en_face", m_showEnFace->isChecked()},
            {"volume", m_showVolume->isChecked()},
            {"mean", m_mean->isChecked()},
            {"slices", m_slices->isChecked()},
            {"bscan_beside", m_bscanShare[0]},
            {"bscan_above", m_bscanShare[1]},
            {"scale_bar", m_imageActions->scaleBar()->isChecked()},
            {"stretched", m_imageActions->stretch()->isChecked()}};
}

void ViewArea::restore(const QVariantMap& state) {
    m_showEnFace->setChecked(state.value("en_face", true).toBool());
    m_showVolume->setChecked(state.value("volume", true).toBool());
    (state.value("mean").toBool() ? m_mean : m_maximum)->setChecked(true);
    (state.value("slices").toBool() ? m_slices : m_projection)->setChecked(true);
    const auto share = [&](const char* key, double& into) {
        const double value = state.value(key, into).toDouble();
        if (value > 0.1 && value < 0.9) into = value;
    };
    share("bscan_beside", m_bscanShare[0]);
    share("bscan_above", m_bscanShare[1]);
    m_imageActions->scaleBar()->setChecked(state.value("scale_bar").toBool());
    m_imageActions->stretch()->setChecked(state.value("stretched").toBool());
    arrange();
}

std::array<std::pair<ImageView*, const char*>, 2> ViewArea::lookedAt() const {
    return {{{m_bscan, "image_look"}, {m_enFace, "en_face_look"}}};
}

QVariantMap ViewArea::scene() const {
    QVariantMap scene = state();
    const Orbit& orbit = m_volume->scene().orbit;
    const Orbit::Turn& turn = orbit.turn();
    scene[kTurn] = listOf({turn[0], turn[1], turn[2], turn[3]});
    scene["zoom"] = orbit.zoom();
    QVariantMap limits;
    for (const auto& [kind, range] : m_enFace->chosenLimits())
        limits[QString::number(kind)] = listOf({range.first, range.second});
    scene["en_face_limits"] = limits;
    for (const auto& [view, key] : lookedAt()) {
        if (const auto look = view->shownLook())
            scene[key] = listOf({look->across, look->down, look->zoom});
    }
    if (const auto& region = m_bscan->region()) {
        QVariantList corners;
        for (const Vec2& corner : region->outline) corners << corner.x << corner.y;
        scene["region"] = corners;
        scene["region_is_rectangle"] = region->rectangle;
    }
    if (const auto picked = m_bscan->marker(); picked && !m_axes) scene["picked"] = *picked;
    if (!m_axes) return scene;
    scene["depth_window"] = listOf(
        {fractionOf(m_axes->depth, m_window.nearest), fractionOf(m_axes->depth, m_window.deepest)});
    scene["crosshair"] = listOf({fractionOf(m_axes->lateral, m_crosshair.lateral),
                                 fractionOf(m_axes->depth, m_crosshair.depth)});
    return scene;
}

void ViewArea::restoreScene(const QVariantMap& scene) {
    restore(scene);
    const double zoom = scene.value("zoom", 1.0).toDouble();
    if (const auto turn = numbersIn<4>(scene[kTurn])) {
        m_volume->restoreOrbit(*turn, zoom);
    } else if (const auto leftHanded = numbersIn<4>(scene[kLeftHandedTurn])) {
        m_volume->restoreOrbit(Orbit::fromLeftHanded(*leftHanded), zoom);
    }
    if (scene.contains("en_face_limits")) {
        ImageView::ChosenLimits limits;
        for (const auto& [kind, values] : scene["en_face_limits"].toMap().asKeyValueRange()) {
            if (const auto range = numbersIn<2>(values))
                limits[kind.toInt()] = {(*range)[0], (*range)[1]};
        }
        m_enFace->restoreChosenLimits(limits);
    }
    for (const auto& [view, key] : lookedAt()) {
        const auto look = numbersIn<3>(scene[key]);
        view->restoreLook(look ? ImageLook{(*look)[0], (*look)[1], (*look)[2]} : ImageLook{});
    }
    const QVariantList corners = scene["region"].toList();
    Region region{{}, scene["region_is_rectangle"].toBool() && corners.size() == 8};
    for (qsizetype i = 0; i + 1 < corners.size(); i += 2)
        region.outline.push_back({corners[i].toDouble(), corners[i + 1].toDouble()});
    m_bscan->setRegion(region);
    bool known = false;
    const double picked = scene["picked"].toDouble(&known);
    if (known && std::isfinite(picked)) emit lineRestored(picked);
    if (!m_axes) return;
    const auto at = [](const Axis& axis, double part) {
        return placeOf(axis, std::clamp(part, 0.0, 1.0));
    };
    const auto window = numbersIn<2>(scene["depth_window"]);
    if (window && (*window)[0] <= (*window)[1])
        setWindow({at(m_axes->depth, (*window)[0]), at(m_axes->depth, (*window)[1])});
    if (const auto place = numbersIn<2>(scene["crosshair"])) {
        moveCrosshair({at(m_axes->lateral, (*place)[0]), at(m_axes->depth, (*place)[1]),
                       m_crosshair.elevation});
    }
}

} // namespace echolux
