// SPDX-License-Identifier: GPL-3.0-or-later
// Sizes of a pipeline's views side by side or one above the other, and the parts that they share.
#include "ui/views/further_views.hpp"
#include "ui/views/image_view.hpp"
#include "ui/views/shared_parts.hpp"
#include "ui/views/view_area.hpp"
#include "ui/views/view_pane.hpp"

#include <QSplitter>

#include <algorithm>
#include <cmath>
#include <utility>

namespace echolux {
namespace {

constexpr double kBesideFrom = 1.1; ///< width over height

/// Gives each visible child the room round its viewport, and an equal part of the rest.
void divide(QSplitter& splitter, const std::vector<std::pair<QWidget*, QSizeF>>& children) {
    const bool across = splitter.orientation() == Qt::Horizontal;
    const auto along = [across](QSizeF size) { return across ? size.width() : size.height(); };
    double rest = along(splitter.size());
    rest -= static_cast<double>(splitter.handleWidth()) *
            static_cast<double>(std::max<std::size_t>(children.size(), 1) - 1);
    for (const auto& [child, around] : children) rest -= along(around);
    QList<int> sizes(splitter.count(), 0);
    for (const auto& [child, around] : children) {
        const int index = splitter.indexOf(child);
        if (index < 0) return;
        sizes[index] = static_cast<int>(
            std::lround(along(around) + rest / static_cast<double>(children.size())));
    }
    splitter.setSizes(sizes);
}

} // namespace

/// Empty where a single view is visible.
std::vector<PlacedView> ViewArea::placedViews(bool beside) const {
    const int count = m_further->count();
    if (count == 0 || m_blink.isActive()) return {};
    std::vector<PlacedView> placed;
    const auto put = [&](ImageView* view, int outer, int inner, int inners = 1) {
        placed.push_back(beside ? PlacedView{view, inner, outer, inners, 1}
                                : PlacedView{view, outer, inner, 1, inners});
    };
    const bool four = count == FurtherViews::kMost;
    put(m_bscan, 0, 0, count == 2 ? 2 : 1);
    put(&m_further->view(0), 1, 0);
    if (count > 1) put(&m_further->view(1), four ? 0 : 1, 1);
    if (four) put(&m_further->view(2), 1, 1);
    return placed;
}

std::vector<ViewParts> ViewArea::partsOf(const std::vector<PlacedView>& placed, bool beside) const {
    const int columns = beside || placed.size() > 2 ? 2 : 1;
    const bool slim = roomOfImages().width() / columns < ImageView::kNarrow;
    if (m_further->linked()) return sharedParts(placed, slim);
    ViewParts own;
    own.slim = slim;
    return std::vector<ViewParts>(placed.size(), own);
}

void ViewArea::shareParts() {
    const bool beside = m_outer->orientation() == Qt::Horizontal;
    const std::vector<PlacedView> placed = placedViews(beside);
    if (placed.empty()) {
        m_bscan->setParts(std::nullopt);
        for (int i = 0; i < m_further->count(); ++i) m_further->view(i).setParts(std::nullopt);
        return;
    }
    std::vector<ViewParts> parts = partsOf(placed, beside);
    if (!m_viewsDragged) sizeViews(placed, parts);
    if (m_further->linked()) matchViewports(placed, parts);
    for (std::size_t i = 0; i < placed.size(); ++i) placed[i].view->setParts(parts[i]);
}

/// Makes the viewports equally large.
void ViewArea::sizeViews(const std::vector<PlacedView>& placed,
                         const std::vector<ViewParts>& parts) {
    std::vector<std::pair<QWidget*, QSizeF>> left, inner, outer;
    for (std::size_t i = 0; i < placed.size(); ++i) {
        QWidget* pane = placed[i].view->parentWidget();
        const QSizeF around = ImageViewLayout::surroundings(placed[i].view->font(), parts[i]);
        const bool isLeft = pane->parentWidget() == m_left;
        if (i < 2) outer.emplace_back(isLeft ? m_left : m_inner, around);
        (isLeft ? left : inner).emplace_back(pane, around);
    }
    divide(*m_outer, outer);
    divide(*m_left, left);
    divide(*m_inner, inner);
}

/// Pixels per place of two images in this arrangement. The smaller of the two directions is fitted.
double ViewArea::scaleOfTwo(bool beside) const {
    const std::vector<PlacedView> placed = placedViews(beside);
    const std::vector<ViewParts> parts = partsOf(placed, beside);
    const Rect& image = m_bscan->view().image();
    const QSizeF header(0.0, m_bscanPane->header().height());
    QSizeF sum(m_outer->handleWidth(), m_outer->handleWidth());
    QSizeF most(0.0, 0.0);
    for (std::size_t i = 0; i < placed.size(); ++i) {
        const QSizeF around =
            ImageViewLayout::surroundings(placed[i].view->font(), parts[i]) + header;
        sum += around;
        most = most.expandedTo(around);
    }
    const QSizeF room = roomOfImages();
    const double wide = beside ? 0.5 * (room.width() - sum.width()) : room.width() - most.width();
    const double high =
        beside ? room.height() - most.height() : 0.5 * (room.height() - sum.height());
    return std::min(wide / image.width(), high / image.height());
}

bool ViewArea::isWide() const { return width() > kBesideFrom * height(); }

/// Part of the room that the pipeline's views take beside those of the volume.
double ViewArea::shareOfImages() const {
    const auto beside = static_cast<std::size_t>(m_whole->orientation() == Qt::Horizontal ? 0 : 1);
    return m_further->count() > 0 ? m_imagesShare[beside] : m_bscanShare[beside];
}

QSizeF ViewArea::roomOfImages() const {
    QSizeF room = size();
    if (m_space->isHidden()) return room;
    if (m_whole->orientation() == Qt::Horizontal)
        room.rwidth() *= shareOfImages();
    else
        room.rheight() *= shareOfImages();
    return room;
}

/// True where side by side the images of a pipeline's views become larger.
bool ViewArea::standsBeside() const {
    const Rect& image = m_bscan->view().image();
    if (m_further->count() == 0 || !m_bscan->hasImage() || !(image.height() > 0.0)) return isWide();
    if (m_further->count() == 1 && !m_blink.isActive())
        return scaleOfTwo(true) >= scaleOfTwo(false);
    const QSizeF room = roomOfImages();
    const double beside =
        std::min(0.5 * room.width() / image.width(), room.height() / image.height());
    const double above =
        std::min(room.width() / image.width(), 0.5 * room.height() / image.height());
    return beside >= above;
}

/// How the user divides the room between the images and the volume.
void ViewArea::rememberShare() {
    const QList<int> sizes = m_whole->sizes();
    const int sum = sizes[0] + sizes[1];
    if (sum <= 0 || sizes[1] == 0) return;
    const bool several = m_further->count() > 0;
    (several ? m_imagesShare : m_bscanShare)[m_whole->orientation() == Qt::Horizontal ? 0 : 1] =
        static_cast<double>(sizes[0]) / sum;
    if (several) shareParts();
}

void ViewArea::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    followShape();
}

void ViewArea::followShape() {
    const bool across = m_further->count() > 0 ? isWide() : standsBeside();
    const auto isAcross = [](const QSplitter* splitter) {
        return splitter->orientation() == Qt::Horizontal;
    };
    if (across != isAcross(m_whole) || standsBeside() != isAcross(m_outer))
        arrange();
    else if (m_further->count() > 0)
        shareParts();
}

} // namespace echolux
