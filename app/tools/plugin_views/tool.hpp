// SPDX-License-Identifier: GPL-3.0-or-later
// A dock per view that the loaded plugins bring.
#pragma once

#include "app/session/plugin_views.hpp"

#include <QObject>

#include <memory>
#include <vector>

namespace echolux {

class ViewAtWork;
class Workbench;

class PluginViewsTool : public QObject {
    Q_OBJECT
public:
    explicit PluginViewsTool(Workbench& bench);
    ~PluginViewsTool() override;

private:
    void syncFromPlugins();
    std::unique_ptr<ViewAtWork> started(const KnownView& view);

    Workbench& m_bench;
    std::vector<std::unique_ptr<ViewAtWork>> m_views;
    PluginViewsWatch m_watch;
};

} // namespace echolux
