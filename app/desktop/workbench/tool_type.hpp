// SPDX-License-Identifier: GPL-3.0-or-later
// The contract of tools. Every dock but that of the parameters is a tool.
#pragma once

#include "app/session/look/look.hpp"

#include <QObject>
#include <QWidget>

#include <memory>
#include <span>

namespace echolux {

class Workbench;

/// Everything the window knows about a tool. Dock, menu entry and place in saved layouts come from
/// here.
struct ToolType {
    const char* id;    ///< key in saved layouts, and folder below app/tools
    const char* title; ///< on the tab and in the menu of docks
    /// Open: has a place in the standard layout, where it opens when it is needed.
    enum class Place { Open, Closed } place;
    /// Creates the content of the dock. It may use only Qt, because it is created before the
    /// session. Its actions are also in a menu. Null: the tool has no dock of its own
    /// and calls Workbench::addDock().
    QWidget* (*makePanel)();
    /// Creates the tool of a panel. The tool is destroyed before panel and workbench.
    std::unique_ptr<QObject> (*makeTool)(QWidget* panel, Workbench& bench);
    const char* group = ""; ///< a menu of its own within the menu of docks; empty: none
    LookTypes looks = {};   ///< that the tool asks for
    enum class Menu { Pipeline, Measure } menu = Menu::Pipeline; ///< of the panel's actions
};

template <class Tool> LookTypes looksOf() {
    if constexpr (requires { typename Tool::Looks; }) {
        return Tool::Looks::types();
    } else {
        return {};
    }
}

/// Type of a `Tool` whose constructor takes its `Panel` and the workbench.
template <class Panel, class Tool>
ToolType toolType(const char* id, const char* title,
                  ToolType::Place place = ToolType::Place::Closed, const char* group = "") {
    return {id,
            title,
            place,
            []() -> QWidget* { return new Panel; },
            [](QWidget* panel, Workbench& bench) -> std::unique_ptr<QObject> {
                return std::make_unique<Tool>(static_cast<Panel&>(*panel), bench);
            },
            group,
            looksOf<Tool>()};
}

/// The tools of app/tools/tools.def, in its order.
std::span<const ToolType> toolTypes();
/// The looks of all tools.
LookTypes toolLooks();

} // namespace echolux
