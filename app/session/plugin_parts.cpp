// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/session/plugin_parts.hpp"

#include "app/dataset/plugins/plugin_readers.hpp"
#include "app/pipeline/plugins.hpp"
#include "gpu/stage/plugin.hpp"

#include <string>

namespace echolux {

void takePluginParts() {
    setPluginTaker([](const PluginContents& contents, const std::string& plugin) {
        return takeReaders(contents.readers, plugin);
    });
}

} // namespace echolux
