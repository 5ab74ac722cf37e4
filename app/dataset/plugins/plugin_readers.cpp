// SPDX-License-Identifier: GPL-3.0-or-later
// Keeps the readers in the order in which their plugins were loaded.
#include "app/dataset/plugins/plugin_readers.hpp"

#include "app/dataset/plugins/guarded_recording.hpp"
#include "gpu/core/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <mutex>
#include <span>
#include <utility>
#include <vector>

namespace echolux {
namespace {

/// A copy of a reader, and the path of its plugin.
struct PluginReader {
    FileReader reader;
    std::string name;
    std::string plugin;

    std::string who() const {
        return fmt::format("the reader '{}' of the plugin {}", name, plugin);
    }
};

struct PluginReaders {
    std::mutex mutex;
    std::vector<PluginReader> list;
};

PluginReaders& pluginReaders() {
    static PluginReaders kReaders;
    return kReaders;
}

std::vector<PluginReader> readersNow() {
    const std::scoped_lock lock(pluginReaders().mutex);
    return pluginReaders().list;
}

/// Replaces the readers of the plugin where they stand, or adds them at the end.
void put(std::vector<PluginReader> taken, const std::string& plugin) noexcept {
    const std::scoped_lock lock(pluginReaders().mutex);
    std::vector<PluginReader>& list = pluginReaders().list;
    const auto first = std::ranges::find(list, plugin, &PluginReader::plugin);
    const auto at = first - list.begin();
    std::erase_if(list, [&](const PluginReader& each) { return each.plugin == plugin; });
    list.insert(list.begin() + at, std::make_move_iterator(taken.begin()),
                std::make_move_iterator(taken.end()));
}

bool recognises(const PluginReader& reader, const InputFile& file) {
    bool known = false;
    guard(file.path(), reader.who(), [&] { known = reader.reader.recognises(file); });
    return known;
}

/// Empty where no reader of `others` recognises the file, too.
std::string ambiguity(const PluginReader& chosen, std::span<const PluginReader> others,
                      const InputFile& file) {
    const auto known = [&](const PluginReader& reader) {
        try {
            return recognises(reader, file);
        } catch (const Error&) {
            return false;
        }
    };
    const auto second = std::ranges::find_if(others, known);
    if (second == others.end()) return {};
    return fmt::format("The file was opened by {}; {} recognises it, too, but was loaded later.",
                       chosen.who(), second->who());
}

} // namespace

std::function<void()> takeReaders(std::span<const FileReader* const> readers,
                                  const std::string& plugin) {
    std::vector<PluginReader> taken;
    std::vector<PluginReader> others = readersNow();
    std::erase_if(others, [&](const PluginReader& each) { return each.plugin == plugin; });
    for (const FileReader* reader : readers) {
        if (reader == nullptr || reader->recognises == nullptr || reader->open == nullptr ||
            reader->name.empty())
            throw Error(fmt::format("The plugin {} brings a reader without a name or without code; "
                                    "correct it and build it again.",
                                    plugin));
        for (const auto* known : {&others, &taken}) {
            const auto same = std::ranges::find(*known, reader->name, &PluginReader::name);
            if (same != known->end())
                throw Error(fmt::format("The plugin {} brings the reader '{}', but the plugin {} "
                                        "has a reader of that name already; one of them must "
                                        "change.",
                                        plugin, reader->name, same->plugin));
        }
        taken.push_back({*reader, std::string(reader->name), plugin});
    }
    return [taken, plugin] { put(taken, plugin); };
}

std::unique_ptr<Recording> openByPlugin(const std::shared_ptr<const InputFile>& file,
                                        const OpenOptions& options) {
    const std::vector<PluginReader> readers = readersNow();
    const auto first = std::ranges::find_if(
        readers, [&](const PluginReader& reader) { return recognises(reader, *file); });
    if (first == readers.end()) return nullptr;
    std::unique_ptr<Recording> opened;
    guard(file->path(), first->who(), [&] { opened = first->reader.open(file, options); });
    return guardedRecording(std::move(opened), file->path(), first->who(),
                            ambiguity(*first, {first + 1, readers.end()}, *file));
}

} // namespace echolux
