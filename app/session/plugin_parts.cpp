// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/session/plugin_parts.hpp"

#include "app/dataset/plugins/plugin_readers.hpp"
#include "app/live/plugin_sources.hpp"
#include "app/pipeline/plugins.hpp"
#include "app/session/plugin_views.hpp"
#include "gpu/stage/plugin.hpp"

#include <functional>
#include <string>

namespace echolux {

void takePluginParts() {
    setPluginTaker(
        [](const PluginContents& contents, const std::string& plugin) -> std::function<void()> {
            return [readers = takeReaders(contents.readers, plugin),
                    sources = takeSources(contents.sources, plugin),
                    views = takeViews(contents.views, plugin)] {
                readers();
                sources();
                views();
            };
        });
}

} // namespace echolux
