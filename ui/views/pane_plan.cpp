// SPDX-License-Identifier: GPL-3.0-or-later
// Tries all rows and columns.
#include "ui/views/pane_plan.hpp"

#include <algorithm>
#include <numeric>
#include <optional>

namespace echolux {
namespace {

constexpr double kNearlyEqual = 0.95; ///< of the largest area
constexpr double kInsideGain = 1.1;   ///< least gain of area by bars inside

/// A size in directions of the lines.
struct Extent {
    double along = 0.0;
    double across = 0.0;
};

Extent turned(QSizeF size, bool rows) {
    return rows ? Extent{size.width(), size.height()} : Extent{size.height(), size.width()};
}
QSizeF turnedBack(Extent extent, bool rows) {
    return rows ? QSizeF(extent.along, extent.across) : QSizeF(extent.across, extent.along);
}

double areaOf(QSizeF size) { return size.width() * size.height(); }

/// One row or column.
struct Line {
    std::size_t first, count;
    double shapes = 0.0;       ///< sum of the images' lengths along the line, per extent across it
    double aroundAlong = 0.0;  ///< sum
    double aroundAcross = 0.0; ///< the largest
    double most = 0.0;         ///< extent of the images across the line where the line is full
    double across = 0.0;       ///< the extent that the images get
};

/// Extents across the lines. All lines get the same, and what one cannot use goes to the others.
void share(std::vector<Line>& lines, double room) {
    std::vector<Line*> byNeed;
    for (Line& line : lines) byNeed.push_back(&line);
    std::ranges::sort(byNeed, {}, &Line::most);
    for (std::size_t i = 0; i < byNeed.size(); ++i) {
        const double part = room / static_cast<double>(byNeed.size() - i);
        byNeed[i]->across = std::max(0.0, std::min(byNeed[i]->most, part));
        room -= byNeed[i]->across;
    }
}

class Planner {
public:
    explicit Planner(const PaneWishes& wishes) : m_wishes(wishes) {}

    PanePlan plan(const PaneLines& lines) const {
        const std::vector<QSizeF> around = m_wishes.around(lines);
        const Extent room = turned(m_wishes.room, lines.rows);
        std::vector<Line> all = measured(lines, around, room.along);
        double rest = room.across - m_wishes.gap * static_cast<double>(all.size() - 1);
        for (const Line& line : all) rest -= line.aroundAcross;
        share(all, rest);
        for (const Line& line : all) rest -= line.across;
        PanePlan plan{lines, {}, {}, 0.0};
        for (const Line& line : all)
            place(plan, line, around, room.along, rest / static_cast<double>(all.size()));
        for (const QSizeF& image : plan.images) plan.area += areaOf(image);
        return plan;
    }

private:
    double shapeAlong(std::size_t pane, bool rows) const {
        const double shape = m_wishes.images[pane].shape;
        return rows ? shape : 1.0 / shape;
    }
    double gaps(const Line& line) const {
        return m_wishes.gap * static_cast<double>(line.count - 1);
    }

    std::vector<Line> measured(const PaneLines& lines, const std::vector<QSizeF>& around,
                               double room) const {
        std::vector<Line> all;
        std::size_t first = 0;
        for (const std::size_t count : lines.counts) {
            Line line{first, count};
            for (std::size_t pane = first; pane < first + count; ++pane) {
                const Extent own = turned(around[pane], lines.rows);
                line.shapes += shapeAlong(pane, lines.rows);
                line.aroundAlong += own.along;
                line.aroundAcross = std::max(line.aroundAcross, own.across);
            }
            line.most = std::max(0.0, (room - gaps(line) - line.aroundAlong) / line.shapes);
            all.push_back(line);
            first += count;
        }
        return all;
    }

    /// What a line leaves free goes to images that take any shape, otherwise to all of its panes.
    void place(PanePlan& plan, const Line& line, const std::vector<QSizeF>& around, double room,
               double spareAcross) const {
        const bool rows = plan.lines.rows;
        const auto fills = [&](std::size_t pane) { return m_wishes.images[pane].fills; };
        std::size_t takers = 0;
        for (std::size_t pane = line.first; pane < line.first + line.count; ++pane)
            takers += fills(pane) ? 1 : 0;
        const double spare = room - gaps(line) - line.aroundAlong - line.across * line.shapes;
        const double part = spare / static_cast<double>(takers > 0 ? takers : line.count);
        const double across = line.across + line.aroundAcross + spareAcross;
        for (std::size_t pane = line.first; pane < line.first + line.count; ++pane) {
            const Extent own = turned(around[pane], rows);
            const double image = line.across * shapeAlong(pane, rows);
            const double gain = takers == 0 || fills(pane) ? part : 0.0;
            plan.panes.push_back(turnedBack({image + own.along + gain, across}, rows));
            const Extent drawn = fills(pane) ? Extent{image + gain, across - own.across}
                                             : Extent{image, line.across};
            plan.images.push_back(turnedBack(drawn, rows));
        }
    }

    const PaneWishes& m_wishes;
};

/// All rows and all columns of so many panes.
std::vector<PaneLines> allLines(std::size_t panes, bool barsInside) {
    std::vector<PaneLines> all;
    for (const bool rows : {true, false}) {
        for (std::size_t ends = 0; ends < std::size_t{1} << (panes - 1); ++ends) {
            PaneLines lines{rows, {1}, barsInside};
            for (std::size_t pane = 1; pane < panes; ++pane) {
                if ((ends >> (pane - 1) & 1) != 0)
                    lines.counts.push_back(1);
                else
                    ++lines.counts.back();
            }
            all.push_back(std::move(lines));
        }
    }
    return all;
}

/// True where the first image is the largest, but for rounding.
bool firstLeads(const PanePlan& plan) {
    constexpr double kRounding = 0.99;
    return std::ranges::all_of(plan.images, [&](const QSizeF& each) {
        return kRounding * areaOf(each) <= areaOf(plan.images.front());
    });
}

PanePlan best(const PaneWishes& wishes, bool barsInside) {
    const Planner planner(wishes);
    std::vector<PanePlan> plans;
    for (const PaneLines& lines : allLines(wishes.images.size(), barsInside))
        plans.push_back(planner.plan(lines));
    if (wishes.firstIsMain && std::ranges::any_of(plans, firstLeads))
        std::erase_if(plans, [](const PanePlan& plan) { return !firstLeads(plan); });
    const double most = std::ranges::max(plans, {}, &PanePlan::area).area;
    std::erase_if(plans, [&](const PanePlan& plan) { return plan.area < kNearlyEqual * most; });
    return *std::ranges::max_element(
        plans, {}, [](const PanePlan& plan) { return areaOf(plan.images.front()); });
}

} // namespace

PanePlan planPanes(const PaneWishes& wishes) {
    PanePlan outside = best(wishes, false);
    PanePlan inside = best(wishes, true);
    return inside.area > kInsideGain * outside.area ? inside : outside;
}

} // namespace echolux
