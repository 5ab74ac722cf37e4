// SPDX-License-Identifier: GPL-3.0-or-later
// Places of the panes, and the parts that neighbouring views share.
#include "ui/views/further_views.hpp"
#include "ui/views/image_view.hpp"
#include "ui/views/pane_plan.hpp"
#include "ui/views/shared_parts.hpp"
#include "ui/views/view_area.hpp"
#include "ui/views/view_pane.hpp"
#include "ui/views/volume_view.hpp"

#include <QMenu>
#include <QSplitter>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numeric>
#include <utility>

namespace echolux {
namespace {

constexpr double kCourseShape = 1.5;  ///< preferred by a course over time, which fills any room
constexpr double kVolumeShape = 1.15; ///< about that of a box seen at an angle

PaneImage imageIn(const ViewPane& pane) {
    const auto* image = qobject_cast<const ImageView*>(&pane.view());
    if (image == nullptr) return {kVolumeShape, false};
    if (const auto shape = image->shape()) return {*shape, false};
    return {kCourseShape, true};
}

/// Places in a grid that is fine enough for all lines.
std::vector<PlacedView> placesIn(const PaneLines& lines, const std::vector<ViewPane*>& panes) {
    std::size_t fine = 1;
    for (const std::size_t count : lines.counts) fine = std::lcm(fine, count);
    std::vector<PlacedView> placed;
    std::size_t pane = 0;
    for (std::size_t line = 0; line < lines.counts.size(); ++line) {
        const auto span = static_cast<int>(fine / lines.counts[line]);
        for (int at = 0; at < static_cast<int>(lines.counts[line]); ++at) {
            auto* view = qobject_cast<ImageView*>(&panes[pane++]->view());
            const auto number = static_cast<int>(line);
            if (view == nullptr) continue;
            placed.push_back(lines.rows ? PlacedView{view, number, at * span, 1, span}
                                        : PlacedView{view, at * span, number, span, 1});
        }
    }
    return placed;
}

void setSizes(QSplitter& splitter, const std::vector<std::pair<QWidget*, double>>& children) {
    QList<int> sizes(splitter.count(), 0);
    for (const auto& [child, size] : children)
        if (const int index = splitter.indexOf(child); index >= 0)
            sizes[index] = static_cast<int>(std::lround(size));
    splitter.setSizes(sizes);
}

} // namespace

/// The panes of all views that are open, the main one first.
std::vector<ViewPane*> ViewArea::openPanes() const {
    if (m_blink.isActive()) return {m_blinkSecond ? &m_further->pane(0) : m_bscanPane};
    const bool many = m_axes.has_value();
    std::vector<ViewPane*> panes{m_bscanPane};
    for (int i = 0; i < m_further->count(); ++i) panes.push_back(&m_further->pane(i));
    const bool volume = many && m_showVolume->isChecked();
    auto main = panes.begin() + (m_main && *m_main < panes.size() ? std::ptrdiff_t(*m_main) : 0);
    std::rotate(panes.begin(), main, main + 1);
    if (volume) panes.insert(m_main ? panes.end() : panes.begin(), m_volumePane);
    if (many && m_further->count() == 0 && hasSide()) panes.push_back(m_sidePane);
    if (many && m_showEnFace->isChecked()) panes.push_back(m_enFacePane);
    return panes;
}

std::vector<ViewPane*> ViewArea::shownPanes() const {
    std::vector<ViewPane*> open = openPanes();
    return std::ranges::find(open, m_alone) == open.end() ? open : std::vector{m_alone};
}

std::vector<ViewParts> ViewArea::partsIn(const PaneLines& lines,
                                         const std::vector<PlacedView>& placed) const {
    return m_further->linked() ? sharedParts(placed, lines.barsInside)
                               : ownParts(placed.size(), lines.barsInside);
}

PanePlan ViewArea::planOf(const std::vector<ViewPane*>& panes) const {
    PaneWishes wishes;
    std::ranges::transform(panes, std::back_inserter(wishes.images),
                           [](const ViewPane* pane) { return imageIn(*pane); });
    wishes.firstIsMain = m_main.has_value() || panes.front() == m_volumePane;
    wishes.room = size();
    wishes.gap = m_board->handleWidth();
    wishes.around = [&](const PaneLines& lines) {
        const std::vector<PlacedView> placed = placesIn(lines, panes);
        const std::vector<ViewParts> parts = partsIn(lines, placed);
        std::vector<QSizeF> around;
        for (const ViewPane* pane : panes) {
            const auto at = std::ranges::find(placed, &pane->view(), &PlacedView::view);
            around.emplace_back(0.0, pane->header().height());
            if (at != placed.end())
                around.back() += ImageViewLayout::surroundings(
                    at->view->font(), parts[static_cast<std::size_t>(at - placed.begin())]);
        }
        return around;
    };
    return planPanes(wishes);
}

/// Gives each line a splitter, and each pane its place in one.
void ViewArea::fillLines(const PaneLines& lines, const std::vector<ViewPane*>& panes) {
    m_board->setOrientation(lines.rows ? Qt::Vertical : Qt::Horizontal);
    auto pane = panes.begin();
    for (std::size_t i = 0; i < m_lines.size(); ++i) {
        QSplitter* line = m_lines[i];
        const bool used = i < lines.counts.size();
        line->setVisible(used);
        if (!used) continue;
        line->setOrientation(lines.rows ? Qt::Horizontal : Qt::Vertical);
        for (int at = 0; at < static_cast<int>(lines.counts[i]); ++at, ++pane) {
            if (line->indexOf(*pane) != at) line->insertWidget(at, *pane);
            (*pane)->show();
        }
    }
}

void ViewArea::sizePanes(const PanePlan& plan, const std::vector<ViewPane*>& panes) {
    std::vector<std::pair<QWidget*, double>> lines;
    std::size_t pane = 0;
    for (std::size_t i = 0; i < plan.lines.counts.size(); ++i) {
        const QSizeF first = plan.panes[pane];
        lines.emplace_back(m_lines[i], plan.lines.rows ? first.height() : first.width());
        pane += plan.lines.counts[i];
    }
    setSizes(*m_board, lines);
    pane = 0;
    for (std::size_t i = 0; i < plan.lines.counts.size(); ++i) {
        std::vector<std::pair<QWidget*, double>> children;
        for (std::size_t at = 0; at < plan.lines.counts[i]; ++at, ++pane) {
            const QSizeF size = plan.panes[pane];
            children.emplace_back(panes[pane], plan.lines.rows ? size.width() : size.height());
        }
        setSizes(*m_lines[i], children);
    }
}

/// Lays the views out anew. Sizes that the user dragged stay as long as the same views are shown.
void ViewArea::placePanes() {
    const std::vector<ViewPane*> panes = shownPanes();
    const bool sameViews = panes == m_placed;
    if (!sameViews) m_viewsDragged = false;
    for (ViewPane* each : allPanes())
        if (std::ranges::find(panes, each) == panes.end()) each->hide();
    for (ViewPane* each : panes) each->setHeaderShown(m_axes.has_value() || m_further->count() > 0);
    PanePlan plan = planOf(panes);
    if (m_viewsDragged) plan.lines = m_placedIn;
    if (!sameViews || plan.lines != m_placedIn) fillLines(plan.lines, panes);
    m_placed = panes;
    m_placedIn = plan.lines;
    if (!m_viewsDragged) sizePanes(plan, panes);
    std::vector<PlacedView> placed = placesIn(plan.lines, panes);
    if (panes.size() == 1) {
        for (const PlacedView& each : placed) each.view->setParts(std::nullopt);
        return;
    }
    std::vector<ViewParts> parts = partsIn(plan.lines, placed);
    if (m_further->linked()) matchViewports(placed, parts);
    for (std::size_t i = 0; i < placed.size(); ++i) placed[i].view->setParts(parts[i]);
}

std::vector<ViewPane*> ViewArea::allPanes() const {
    std::vector<ViewPane*> panes{m_bscanPane, m_sidePane, m_enFacePane, m_volumePane};
    for (int i = 0; i < FurtherViews::kMost; ++i) panes.push_back(&m_further->pane(i));
    return panes;
}

void ViewArea::showAlone(ViewPane* pane) {
    m_alone = m_alone == pane ? nullptr : pane;
    arrange();
}

QAction* ViewArea::aloneEntry() const { return m_aloneMenu->menuAction(); }

/// Names the views on screen in their order.
void ViewArea::nameAloneActions() {
    const std::vector<ViewPane*> open = openPanes();
    const bool several = open.size() > 1;
    m_aloneMenu->menuAction()->setVisible(several);
    for (int i = 0; i < m_aloneActions.size(); ++i) {
        QAction* action = m_aloneActions[i];
        const auto at = static_cast<std::size_t>(i);
        const bool used = several && at < open.size();
        action->setVisible(used);
        action->setEnabled(used);
        if (!used) continue;
        action->setText(open[at]->name().replace('&', "&&"));
        action->setChecked(open[at] == m_alone);
    }
}

void ViewArea::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    placePanes();
}

} // namespace echolux
