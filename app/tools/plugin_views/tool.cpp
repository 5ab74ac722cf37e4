// SPDX-License-Identifier: GPL-3.0-or-later
// Docks come and go with the views of plugins.
#include "app/tools/plugin_views/tool.hpp"

#include "app/desktop/workbench/tool_type.hpp"
#include "app/desktop/workbench/workbench.hpp"
#include "app/tools/plugin_views/plot.hpp"
#include "app/tools/plugin_views/view_at_work.hpp"

#include <algorithm>
#include <string>
#include <utility>

namespace echolux {
namespace tools {

ToolType plugin_views();
ToolType plugin_views() {
    return {"plugin_views",
            "Plugin views",
            ToolType::Place::Closed,
            nullptr,
            [](QWidget*, Workbench& bench) -> std::unique_ptr<QObject> {
                return std::make_unique<PluginViewsTool>(bench);
            },
            "",
            LookList<PixelsLook>::types()};
}

} // namespace tools

/// NOTE: queued, because docks come after the layout was restored, and because any thread may load
/// a plugin.
PluginViewsTool::PluginViewsTool(Workbench& bench)
    : m_bench(bench), m_watch([this] {
          QMetaObject::invokeMethod(this, &PluginViewsTool::syncFromPlugins, Qt::QueuedConnection);
      }) {
    QMetaObject::invokeMethod(this, &PluginViewsTool::syncFromPlugins, Qt::QueuedConnection);
}

PluginViewsTool::~PluginViewsTool() = default;

void PluginViewsTool::syncFromPlugins() {
    const std::vector<KnownView> known = pluginViews();
    // A view that was loaded anew keeps its dock while its texts are the same.
    const auto keepsDock = [&](const std::unique_ptr<ViewAtWork>& each) {
        return std::ranges::any_of(known, [&](const KnownView& view) {
            return view.name == each->known().name && view.label == each->known().label &&
                   view.help == each->known().help;
        });
    };
    std::erase_if(m_views, [&](const std::unique_ptr<ViewAtWork>& each) {
        if (keepsDock(each)) return false;
        m_bench.removeDock(each->plot());
        return true;
    });
    for (const KnownView& view : known) {
        const auto same = std::ranges::find_if(
            m_views, [&](const auto& each) { return each->known().name == view.name; });
        if (same == m_views.end()) {
            m_views.push_back(started(view));
        } else if ((*same)->known().make != view.make) {
            ViewPlot& plot = (*same)->plot();
            same->reset();
            *same = std::make_unique<ViewAtWork>(view, plot, m_bench);
        }
    }
}

std::unique_ptr<ViewAtWork> PluginViewsTool::started(const KnownView& view) {
    const QString label = QString::fromStdString(view.label);
    auto* plot = new ViewPlot(label, QString::fromStdString(view.help));
    m_bench.addDock(label, QString::fromStdString("plugin_view." + view.name), plot);
    return std::make_unique<ViewAtWork>(view, *plot, m_bench);
}

} // namespace echolux
