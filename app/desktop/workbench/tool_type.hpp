// SPDX-License-Identifier: GPL-3.0-or-later
// The contract of tools: the docks but that of the parameters.
#pragma once

#include <QObject>
#include <QWidget>

#include <memory>
#include <span>

namespace echolux {

class Workbench;

/// All there is to say of one tool. Its dock, menu entry and place in saved layouts come from here.
struct ToolType {
    const char* id;                          ///< in saved layouts; the folder below app/tools, too
    const char* title;                       ///< on its tab and in the menu of docks
    enum class Place { Open, Closed } place; ///< in the standard layout
    /// What the dock holds. It needs nothing but Qt, for it is made before the session. Its actions
    /// stand in the menu Pipeline, too.
    QWidget* (*makePanel)();
    /// Brings the panel to life. The tool goes before panel and workbench.
    std::unique_ptr<QObject> (*makeTool)(QWidget& panel, Workbench& bench);
};

/// Of a `Tool` that is made of its `Panel` and the workbench.
template <class Panel, class Tool> ToolType
toolType(const char* id, const char* title, ToolType::Place place = ToolType::Place::Closed) {
    return {id, title, place, []() -> QWidget* { return new Panel; },
            [](QWidget& panel, Workbench& bench) -> std::unique_ptr<QObject> {
                return std::make_unique<Tool>(static_cast<Panel&>(panel), bench);
            }};
}

/// Those of app/tools/tools.def, in its order.
std::span<const ToolType> toolTypes();

} // namespace echolux
