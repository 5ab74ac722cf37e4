// SPDX-License-Identifier: GPL-3.0-or-later
// Settings of the image view: colours and display range, how they follow the frame, the colour bar,
// zoom, and what is drawn over the image.
#include "ui/views/image_view.hpp"

#include "render/view/auto_range.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace echolux {
namespace {

/// Widens the limits, so that the ends of the colour bar can be dragged outwards.
std::pair<double, double> withRoom(std::pair<double, double> limits) {
    const double room = 0.25 * (limits.second - limits.first);
    return {limits.first - room, limits.second + room};
}

} // namespace

void ImageView::setColourMap(const QString& name, bool inverted) {
    if (name == chosenColourMap() && inverted == m_settings.inverted) return;
    if (!chooseColourMap(name)) return;
    m_settings.inverted = inverted;
    updateGradient();
    refresh();
}

void ImageView::setBeneath(const BeneathLook& look, const BlendSettings& blend) {
    if (look.colourMap == m_beneath.colourMap && look.settings == m_beneath.settings &&
        blend == m_blend) {
        return;
    }
    m_beneathMapStale = m_beneathMapStale || look.colourMap != m_beneath.colourMap;
    m_beneath = look;
    m_blend = blend;
    repaintSoon();
}

void ImageView::setParticles(const ParticleSettings& particles) {
    if (particles == m_particles) return;
    m_particles = particles;
    withCanvas([this] { m_canvas->setParticles(m_particles); });
    repaintSoon();
}

void ImageView::followBeneath() {
    const FrameSpec* spec = m_canvas->beneath();
    if (spec == nullptr) return m_beneathExtent.reset();
    if (m_beneathExtent && spec->axes == m_beneathAxes) return;
    m_beneathAxes = spec->axes;
    m_beneathExtent = pictureOf(*spec).extent();
}

void ImageView::setSmooth(bool smooth) {
    m_settings.smooth = smooth;
    refresh();
}

void ImageView::setGamma(double gamma) {
    constexpr double kMin = 0.1;
    constexpr double kMax = 10.0;
    m_settings.gamma = std::clamp(gamma, kMin, kMax);
    updateGradient();
    refresh();
}

void ImageView::setExposing(bool on) {
    if (on == m_exposing) return;
    m_exposing = on;
    m_exposure.reset();
    m_search.reset();
    updateLayout();
    refresh();
}

void ImageView::setDisplayRange(double min, double max) {
    setDisplayRangeFor(m_spec.valueRange, min, max);
    if (m_ownRange) m_ownRange->seen = m_ownRange->meant == m_spec.valueRange;
}

void ImageView::editDisplayRange(double min, double max) {
    const auto [formerMin, formerMax] = std::pair(m_settings.min, m_settings.max);
    setDisplayRange(min, max);
    emit displayRangeEdited(formerMin, formerMax);
}

void ImageView::followDisplayRange(double min, double max) {
    setDisplayRange(m_holdsAmplitudes && max > 0.0 ? std::max(min, 0.0) : min, max);
    m_followed = {min, max}; // the kind of the view's values may be known later
}

void ImageView::setDisplayRangeFor(const std::optional<ValueRange>& meant, double min, double max) {
    if (!std::isfinite(min) || !std::isfinite(max) || !(min < max)) return;
    m_isExposed = true;
    m_followed.reset();
    if (m_exposing) {
        m_chosen[m_exposure.value_or(Exposure{}).kind] = {min, max};
        const auto [low, high] = withRoom({min, max});
        m_scale = {std::min(m_scale.first, low), std::max(m_scale.second, high)};
        applyRange(min, max);
        return;
    }
    if (m_search && m_search->what == LimitsOf::Request) m_search.reset();
    m_ownRange.reset();
    if (!meant || meant->min != min || meant->max != max) m_ownRange = OwnRange{meant};
    applyRange(min, max);
}

void ImageView::resetDisplayRange() {
    if (m_spec.valueRange && !m_exposing) {
        setDisplayRange(m_spec.valueRange->min, m_spec.valueRange->max);
    } else {
        autoRange();
    }
}

void ImageView::applyRange(double min, double max) {
    if (m_settings.min == min && m_settings.max == max) return;
    m_settings.min = min;
    m_settings.max = max;
    refresh();
    emit displayRangeChanged(min, max);
}

void ImageView::followExposure(const Exposure& exposure) {
    if (m_exposure == exposure) return;
    const bool otherKind = !m_exposure || m_exposure->kind != exposure.kind;
    m_exposure = exposure;
    if (otherKind || !m_chosen.contains(exposure.kind)) expose();
}

void ImageView::restoreChosenLimits(const ChosenLimits& limits) {
    m_chosen = limits;
    std::erase_if(m_chosen,
                  [](const auto& each) { return !(each.second.first < each.second.second); });
    if (m_exposing) expose();
}

std::optional<std::pair<double, double>> ImageView::chosenLimit() const {
    const auto chosen = m_chosen.find(m_exposure.value_or(Exposure{}).kind);
    return chosen != m_chosen.end() ? std::optional(chosen->second) : std::nullopt;
}

/// Applies the limits that the user chose for pictures of this kind, if there are any. Then starts
/// the search for the limits of this picture.
void ImageView::expose() {
    if (const auto chosen = chosenLimit(); chosen && m_hasImage) {
        m_isExposed = true;
        applyRange(chosen->first, chosen->second);
    }
    findLimits(LimitsOf::Exposure);
}

void ImageView::autoRange() {
    if (m_exposing) {
        m_chosen.erase(m_exposure.value_or(Exposure{}).kind);
        expose();
        return;
    }
    findLimits(LimitsOf::Request);
}

void ImageView::findLimits(LimitsOf what) {
    if (!m_canvas || !m_hasImage) return;
    const Content levels = m_exposing ? Content::ProjectedDecibels : Content::Decibels;
    m_search = {what, unitOf(m_spec.valueRange) == "dB" ? levels : Content::Amplitudes};
    makeCurrent();
    m_canvas->askForLevels(m_search->content);
    repaintSoon();
}

/// The context must be current.
void ImageView::takeLimits() {
    if (!m_search) return;
    const auto levels = m_canvas->takeLevels();
    if (!levels && m_canvas->levelsPending()) {
        repaintSoon();
        return;
    }
    const Search search = *m_search;
    m_search.reset();
    if (!levels) return;
    if (const auto found = echolux::autoRange(*levels, search.content))
        useLimits(search.what, *found);
}

void ImageView::useLimits(LimitsOf what, std::pair<double, double> found) {
    m_isExposed = true;
    switch (what) {
    case LimitsOf::Exposure: {
        const auto [min, max] = chosenLimit().value_or(found);
        const auto [low, high] = withRoom(found);
        m_scale = {std::min(low, min), std::max(high, max)};
        m_overlayStale = true;
        applyRange(min, max);
        return;
    }
    case LimitsOf::Request: {
        const auto [min, max] = std::pair(m_settings.min, m_settings.max);
        if (!m_spec.valueRange) {
            m_scale = found;
            emit scaleFound(found.first, found.second);
        }
        setDisplayRange(found.first, found.second);
        emit autoRangeFound(min, max);
        return;
    }
    case LimitsOf::FirstFrame:
        if (found.first < 0.0 && found.second > 0.0 && rangeUnit().isEmpty()) { // 0 in the middle
            found.second = std::max(-found.first, found.second);
            found.first = -found.second;
        }
        m_scale = found;
        m_overlayStale = true;
        if (!m_spec.valueRange) emit scaleFound(found.first, found.second);
        m_holdsAmplitudes = !m_spec.valueRange && found.first >= 0.0;
        if (!m_ownRange) applyRange(found.first, found.second);
        if (m_followed) followDisplayRange(m_followed->first, m_followed->second);
        return;
    }
}

void ImageView::updateGradient() {
    const ColourMap& map = colourMap(chosenColourMap().toStdString());
    constexpr int kRows = 512;
    m_gradient = QImage(1, kRows, QImage::Format_RGB32);
    for (int row = 0; row < kRows; ++row) {
        const double t = std::pow(1.0 - row / (kRows - 1.0), m_settings.gamma);
        const auto entry = static_cast<std::size_t>(std::lround(t * (ColourMap::kEntries - 1)));
        m_gradient.setPixel(
            0, row, map.colour[m_settings.inverted ? ColourMap::kEntries - 1 - entry : entry]);
    }
}

ColourBar ImageView::colourBar() const {
    ColourBar bar{m_scale.first, m_scale.second, m_settings.min, m_settings.max};
    if (m_dragScale) {
        bar.scaleMin = m_dragScale->scaleMin;
        bar.scaleMax = m_dragScale->scaleMax;
    }
    bar.scaleMin = std::min(bar.scaleMin, bar.min);
    bar.scaleMax = std::max(bar.scaleMax, bar.max);
    return bar;
}

Rect ImageView::inAxes(const Rect& places) const {
    const double across = m_picture.across.viewPerAxis;
    const double down = m_picture.down.viewPerAxis;
    return {places.left / across, places.top / down, places.right / across, places.bottom / down};
}

std::optional<Rect> ImageView::visiblePart() const {
    if (!m_hasImage) return std::nullopt;
    const Rect pixels = m_view.visibleInPixels();
    const Vec2 first = m_view.toPlace({pixels.left, pixels.top});
    const Vec2 last = m_view.toPlace({pixels.right, pixels.bottom});
    return inAxes({first.x, first.y, last.x, last.y});
}

void ImageView::setStretched(bool stretched) {
    if (stretched == m_stretched) return;
    m_stretched = stretched;
    m_view.setImage(m_picture.extent(), m_picture.sample(), aspect());
    refresh();
    emit viewChanged();
}

Aspect ImageView::aspect() const { return m_stretched ? Aspect::Fill : m_picture.aspect(); }

std::optional<double> ImageView::shape() const {
    const Rect& image = m_view.image();
    if (!m_hasImage || aspect() == Aspect::Fill || !(image.height() > 0.0)) return std::nullopt;
    return image.width() / image.height();
}

void ImageView::setScaleBar(bool shown) {
    m_scaleBar = shown;
    refresh();
}

std::optional<ImageLook> ImageView::shownLook() const {
    if (!m_hasImage || m_view.fitted()) return std::nullopt;
    const Rect& all = m_view.image();
    const Vec2 centre = m_view.centre();
    return ImageLook{(centre.x - all.left) / all.width(), (centre.y - all.top) / all.height(),
                     m_view.zoom()};
}

void ImageView::restoreLook(const ImageLook& look) {
    m_awaitedLook = look;
    if (m_hasImage) followLook();
}

/// NOTE: places have no meaning before the first frame gives the image's extent.
void ImageView::followLook() {
    const auto look = std::exchange(m_awaitedLook, std::nullopt);
    if (!look || !(look->zoom > 0.0) || !std::isfinite(look->zoom)) return;
    const Rect& all = m_view.image();
    m_view.look({all.left + std::clamp(look->across, 0.0, 1.0) * all.width(),
                 all.top + std::clamp(look->down, 0.0, 1.0) * all.height()},
                look->zoom);
    refresh();
    emit viewChanged();
}

std::string ImageView::unitOf(const std::optional<ValueRange>& range) {
    return range ? range->unit : std::string();
}

QString ImageView::rangeUnit() const { return QString::fromStdString(unitOf(m_spec.valueRange)); }

QString ImageView::zeroText() const {
    if (!m_spec.valueRange || m_spec.valueRange->reference.empty()) return {};
    return tr("0 %1 = %2").arg(rangeUnit(), QString::fromStdString(m_spec.valueRange->reference));
}

} // namespace echolux
