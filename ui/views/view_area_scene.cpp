// SPDX-License-Identifier: GPL-3.0-or-later
// Saves and restores the user's arrangement of the views.
#include "ui/views/axis_part.hpp"
#include "ui/views/drawn_region.hpp"
#include "ui/views/image_actions.hpp"
#include "ui/views/image_view.hpp"
#include "ui/views/view_area.hpp"
#include "ui/views/volume_view.hpp"

#include <QVariantList>

#include <algorithm>
#include <array>
#include <cmath>
#include <initializer_list>

namespace echolux {
namespace {

/// Keys of the volume's rotation in a scene. The second is from scenes in which volumes were
/// mirrored.
constexpr const char* kTurn = "volume_turn";
constexpr const char* kLeftHandedTurn = "turn";
constexpr const char* kDepthCue = "depth_cue";

QVariantList listOf(std::initializer_list<double> values) {
    return QVariantList(values.begin(), values.end());
}
/// NaN where the value is no number.
double numberIn(const QVariant& value) {
    bool known = false;
    const double number = value.toDouble(&known);
    return known ? number : std::nan("");
}
template <std::size_t N> std::optional<std::array<double, N>> numbersIn(const QVariant& list) {
    const QVariantList values = list.toList();
    std::array<double, N> numbers;
    if (values.size() != static_cast<qsizetype>(N)) return std::nullopt;
    std::ranges::transform(values, numbers.begin(), [](const QVariant& v) { return v.toDouble(); });
    return numbers;
}

} // namespace

QVariantMap ViewArea::state() const {
    return {{"en_face", m_showEnFace->isChecked()},
            {"side", m_showSide->isChecked()},
            {"volume", m_showVolume->isChecked()},
            {"mean", m_mean->isChecked()},
            {"slices", m_slices->isChecked()},
            {"composite", m_composite->isChecked()},
            {kDepthCue, m_volume->scene().depthCue},
            {"opacity", m_volume->scene().opacity},
            {"scale_bar", m_imageActions->scaleBar()->isChecked()},
            {"beam_geometry", m_imageActions->beams()->isChecked()},
            {"stretched", m_imageActions->stretch()->isChecked()},
            {"column_in_pictures", m_imageActions->columnInPictures()->isChecked()}};
}

void ViewArea::restore(const QVariantMap& state) {
    m_showEnFace->setChecked(state.value("en_face", true).toBool());
    m_showSide->setChecked(state.value("side", true).toBool());
    m_showVolume->setChecked(state.value("volume", true).toBool());
    (state.value("mean").toBool() ? m_mean : m_maximum)->setChecked(true);
    QAction* projection = state.value("composite").toBool() ? m_composite : m_volumeMaximum;
    (state.value("slices").toBool() ? m_slices : projection)->setChecked(true);
    setShading(numberIn(state.value(kDepthCue, VolumeView::kDepthCue)),
               numberIn(state.value("opacity", VolumeView::kOpacity)));
    m_imageActions->scaleBar()->setChecked(state.value("scale_bar").toBool());
    m_imageActions->beams()->setChecked(state.value("beam_geometry").toBool());
    m_imageActions->stretch()->setChecked(state.value("stretched").toBool());
    m_imageActions->columnInPictures()->setChecked(
        state.value("column_in_pictures", true).toBool());
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
    if (const auto& region = m_region->region()) {
        QVariantList corners;
        for (const Vec2& corner : region->outline) corners << corner.x << corner.y;
        scene["region"] = corners;
        scene["region_is_rectangle"] = region->rectangle;
    }
    if (const auto picked = marker(); picked && !m_axes) scene["picked"] = *picked;
    if (!m_axes) return scene;
    scene["depth_window"] =
        listOf({partOf(m_axes->depth, m_window.nearest), partOf(m_axes->depth, m_window.deepest)});
    scene["crosshair"] = listOf(
        {partOf(m_axes->lateral, m_crosshair.lateral), partOf(m_axes->depth, m_crosshair.depth)});
    return scene;
}

void ViewArea::restoreScene(const QVariantMap& scene) {
    QVariantMap arranged = scene;
    if (!scene.contains(kDepthCue)) arranged[kDepthCue] = 0.0; // an old scene without one
    restore(arranged);
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
    m_region->set(region);
    bool known = false;
    const double picked = scene["picked"].toDouble(&known);
    if (known && std::isfinite(picked)) emit lineRestored(picked);
    if (!m_axes) return;
    const auto at = [](const Axis& axis, double part) {
        return placeAt(axis, std::clamp(part, 0.0, 1.0));
    };
    if (const auto place = numbersIn<2>(scene["crosshair"])) {
        moveCrosshair({at(m_axes->lateral, (*place)[0]), at(m_axes->depth, (*place)[1]),
                       m_crosshair.elevation});
    }
    // Set after the crosshair, because the crosshair moves a C-plane.
    const auto window = numbersIn<2>(scene["depth_window"]);
    if (window && (*window)[0] <= (*window)[1])
        moveWindow({at(m_axes->depth, (*window)[0]), at(m_axes->depth, (*window)[1])});
}

} // namespace echolux
