// SPDX-License-Identifier: GPL-3.0-or-later
// Places of the further views, and what they have in common.
#include "ui/views/further_views.hpp"

#include "ui/parameters/display_group.hpp"
#include "ui/views/image_view.hpp"
#include "ui/views/view_pane.hpp"

namespace echolux {
namespace {

/// True where both have "lateral" columns, or both "channel" columns, or both columns of time.
bool sameColumns(const FrameSpec& a, const FrameSpec& b) {
    for (const AxisName name : {AxisName::Lateral, AxisName::Channel, AxisName::SlowTime}) {
        if ((a.find(name) != nullptr) != (b.find(name) != nullptr)) return false;
    }
    return true;
}

/// A look is no look of a view with other axes: a time is no place.
bool sharesLook(const ImageView& a, const ImageView& b) {
    if (!a.hasImage() || !b.hasImage()) return true;
    return sameColumns(a.spec(), b.spec());
}

} // namespace

FurtherViews::FurtherViews(ImageView& first, QWidget& room) : m_first(first) {
    for (std::size_t i = 0; i < m_views.size(); ++i) {
        m_views[i] = new ImageView;
        m_panes[i] = new ViewPane({}, m_views[i], &room);
        m_panes[i]->setPlotColour(static_cast<int>(i) + 1);
        m_panes[i]->hide();
        connect(m_views[i], &ImageView::viewChanged, this, [this, i] { follow(*m_views[i]); });
        connect(m_views[i], &ImageView::pointerMoved, this, [this, i] { point(*m_views[i]); });
        connect(m_views[i], &ImageView::columnPicked, this, [this, i](double lateral) {
            if (sameColumns(m_views[i]->spec(), m_first.spec())) emit columnPicked(lateral);
        });
        connect(m_views[i], &ImageView::frameTaken, this, [this, i] {
            colour(static_cast<int>(i));
            lead(*m_views[i]);
        });
        connect(m_views[i], &ImageView::displayRangeEdited, this,
                [this, i] { leadFrom(*m_views[i]); });
        connect(m_views[i], &ImageView::displayRangeChanged, this, &FurtherViews::looksChanged);
    }
    connect(&first, &ImageView::displayRangeChanged, this, &FurtherViews::looksChanged);
    connect(this, &FurtherViews::looksChanged, this, &FurtherViews::showBeneath);
    connect(&first, &ImageView::viewChanged, this, [this] { follow(m_first); });
    connect(&first, &ImageView::pointerMoved, this, [this] { point(m_first); });
    connect(&first, &ImageView::displayRangeChanged, this, [this](double min, double max) {
        for (int i = 0; m_linked && i < m_count; ++i) {
            if (view(i).spec().valueRange == m_first.spec().valueRange)
                view(i).followDisplayRange(min, max);
        }
    });
}

bool FurtherViews::sharesLimits(const ImageView& view) const {
    const auto& range = view.spec().valueRange;
    return m_linked && m_first.hasImage() && range && range == m_first.spec().valueRange;
}

/// The frames of the view may have set other limits.
void FurtherViews::lead(ImageView& view) const {
    const bool same =
        view.displayMin() == m_first.displayMin() && view.displayMax() == m_first.displayMax();
    if (!same && sharesLimits(view))
        view.setDisplayRange(m_first.displayMin(), m_first.displayMax());
}

void FurtherViews::leadFrom(const ImageView& view) {
    if (!sharesLimits(view)) return;
    const double formerMin = m_first.displayMin();
    const double formerMax = m_first.displayMax();
    m_first.setDisplayRange(view.displayMin(), view.displayMax());
    emit m_first.displayRangeEdited(formerMin, formerMax);
}

ViewPane& FurtherViews::pane(int index) { return *m_panes[static_cast<std::size_t>(index)]; }

void FurtherViews::setNames(const QStringList& names) {
    m_count = static_cast<int>(std::min<qsizetype>(names.size(), kMost));
    for (int i = 0; i < kMost; ++i) {
        const auto at = static_cast<std::size_t>(i);
        if (i < m_count) m_panes[at]->setName(names[i]);
        if (i >= m_count) m_views[at]->clear();
    }
    follow(m_first);
}

void FurtherViews::setColours(const DisplayChoice& choice) {
    m_colourMap = choice.colourMap;
    m_inverted = choice.inverted;
    m_smooth = choice.smooth;
    m_blend = {choice.opacity, choice.priority};
    for (int i = 0; i < kMost; ++i) {
        colour(i);
        view(i).setGamma(choice.gamma);
    }
    const ParticleSettings particles{choice.particles ? choice.particleCount : 0,
                                     choice.particlePace};
    m_first.setParticles(particles);
    for (ImageView* each : m_views) each->setParticles(particles);
    emit looksChanged();
}

void FurtherViews::colour(int index) {
    const auto& range = view(index).spec().valueRange;
    const bool isSigned = range && range->min < 0.0 && range->min == -range->max;
    const bool hasSpeeds = range && (range->unit == "cm/s" || range->unit == "mm/s" ||
                                     range->unit == "mm/frame" || range->unit == "rad");
    const bool isDirection = range && range->unit == "deg";
    const bool isRate =
        range && range->unit.starts_with("1/");           // of a tissue; black and white are levels
    const bool isHot = hasSpeeds || view(index).isOver(); // greys are beneath
    view(index).setColourMap(isSigned && hasSpeeds ? QStringLiteral("red-blue")
                             : isSigned            ? QStringLiteral("blue-orange")
                             : isDirection         ? QStringLiteral("hue")
                             : isRate              ? QStringLiteral("viridis")
                             : isHot               ? QStringLiteral("hot")
                                                   : m_colourMap,
                             !isSigned && !isDirection && !isRate && !isHot && m_inverted);
    // NOTE: between a direction and none, or across 360 degrees, no value is a mean.
    view(index).setSmooth(m_smooth && !isDirection);
}

void FurtherViews::setBeneath(const std::vector<std::optional<std::size_t>>& beneath) {
    m_beneath = beneath;
    showBeneath();
}

void FurtherViews::showBeneath() {
    const auto viewAt = [&](std::size_t number) -> ImageView& {
        return number == 0 ? m_first : *m_views[number - 1];
    };
    for (std::size_t i = 0; i < m_beneath.size(); ++i)
        if (m_beneath[i]) viewAt(i).setBeneath(viewAt(*m_beneath[i]).asBeneath(), m_blend);
}

void FurtherViews::clear() {
    for (ImageView* view : m_views) view->clear();
}

void FurtherViews::setLinked(bool linked) {
    m_linked = linked;
    follow(m_first);
    point(m_first);
    for (int i = 0; i < m_count; ++i) lead(view(i));
    emit looksChanged();
}

void FurtherViews::mark(Overlay& column) {
    for (int i = 0; i < kMost; ++i) {
        const bool same = i < m_count && sameColumns(view(i).spec(), m_first.spec());
        same ? view(i).add(column) : view(i).remove(column);
    }
}

void FurtherViews::point(const ImageView& from) {
    const auto place = m_linked ? from.pointed() : std::nullopt;
    const auto show = [&](ImageView& in) {
        if (&in == &from) return in.setGhost(std::nullopt);
        const bool same = place && in.hasImage() && in.picture().sameAxes(from.picture());
        in.setGhost(same ? place : std::nullopt);
    };
    show(m_first);
    for (int i = 0; i < m_count; ++i) show(view(i));
}

/// Gives the leader's look (centre and zoom) to the other views, if the views are linked.
void FurtherViews::follow(const ImageView& leader) {
    emit looksChanged();
    if (!m_linked || m_following || !leader.hasImage()) return;
    m_following = true;
    const ImageLook look = leader.shownLook().value_or(ImageLook{});
    if (&leader != &m_first && sharesLook(leader, m_first)) m_first.restoreLook(look);
    for (int i = 0; i < m_count; ++i)
        if (&view(i) != &leader && sharesLook(leader, view(i))) view(i).restoreLook(look);
    m_following = false;
}

} // namespace echolux
