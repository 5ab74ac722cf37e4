// SPDX-License-Identifier: GPL-3.0-or-later
// Finds the best plan for the docks.
#include "ui/window/dock_plan.hpp"

#include <algorithm>
#include <optional>
#include <tuple>
#include <utility>

namespace echolux {
namespace {

/// The place of a dock, relative to the dock before it.
enum class Step { SamePlace, NextPlace, NextColumn };
constexpr int kSteps = 3;

/// The steps are digits of `code`.
DockPlan planOf(std::size_t docks, std::size_t code) {
    using Tabs = DockPlan::Tabs;
    DockPlan plan{{DockPlan::Column{Tabs{0}}}};
    for (std::size_t dock = 1; dock < docks; ++dock, code /= kSteps) {
        const Step step = static_cast<Step>(code % kSteps);
        if (step == Step::NextColumn) {
            plan.columns.push_back(DockPlan::Column{Tabs{dock}});
        } else if (step == Step::NextPlace) {
            plan.columns.back().push_back(Tabs{dock});
        } else {
            plan.columns.back().back().push_back(dock);
        }
    }
    return plan;
}

QSize sizeOf(const DockPlan::Column& column, const std::vector<QSize>& least, int gap) {
    QSize all(0, static_cast<int>(column.size() - 1) * gap);
    for (const DockPlan::Tabs& tabs : column) {
        int height = 0;
        for (const std::size_t dock : tabs) {
            all.setWidth(std::max(all.width(), least[dock].width()));
            height = std::max(height, least[dock].height());
        }
        all.rheight() += height;
    }
    return all;
}

/// Nothing where the plan does not fit. The greater of two ranks is the better plan.
std::optional<std::tuple<int, int, int, int>>
rankOf(const DockPlan& plan, const std::vector<QSize>& least, QSize room, int gap) {
    int width = static_cast<int>(plan.columns.size() - 1) * gap;
    int tallest = 0;
    std::size_t places = 0;
    std::size_t mostTabs = 0;
    for (const DockPlan::Column& column : plan.columns) {
        const QSize size = sizeOf(column, least, gap);
        width += size.width();
        tallest = std::max(tallest, size.height());
        places += column.size();
        for (const DockPlan::Tabs& tabs : column) mostTabs = std::max(mostTabs, tabs.size());
    }
    if (width > room.width() || tallest > room.height()) return std::nullopt;
    return std::tuple(static_cast<int>(places), -static_cast<int>(plan.columns.size()),
                      -static_cast<int>(mostTabs), -tallest);
}

} // namespace

DockPlan planDocks(const std::vector<QSize>& least, QSize room, int gap) {
    if (least.empty()) return {};
    std::size_t codes = 1;
    for (std::size_t dock = 1; dock < least.size(); ++dock) codes *= kSteps;
    DockPlan best = planOf(least.size(), 0);
    std::optional<std::tuple<int, int, int, int>> bestRank;
    for (std::size_t code = 0; code < codes; ++code) {
        DockPlan plan = planOf(least.size(), code);
        const auto rank = rankOf(plan, least, room, gap);
        if (!rank || (bestRank && *rank <= *bestRank)) continue;
        bestRank = rank;
        best = std::move(plan);
    }
    return best;
}

} // namespace echolux
