// SPDX-License-Identifier: GPL-3.0-or-later
// Reads and writes the list of allowed plugins.
#include "app/pipeline/plugin_consents.hpp"

#include "gpu/core/error.hpp"
#include "gpu/core/whole_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <system_error>
#include <utility>

namespace echolux {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kHashDigits = 64;
constexpr const char* kGap = "  "; ///< between hash and path, as sha256sum writes it

} // namespace

fs::path usualConsentFile() {
    const auto folder = [](const char* variable) {
        const char* value = std::getenv(variable); // NOLINT: nothing sets variables
        return fs::path(value == nullptr ? "" : value);
    };
    fs::path settings = folder("XDG_CONFIG_HOME");
    if (settings.empty()) settings = folder("HOME") / ".config";
    return settings / "Echolux" / "plugins.sha256";
}

PluginConsents::PluginConsents(fs::path file) : m_file(std::move(file)) {}

bool PluginConsents::allows(const PluginConsentEntry& plugin) const {
    const auto entries = all();
    return std::ranges::find(entries, plugin) != entries.end();
}

void PluginConsents::allow(const PluginConsentEntry& plugin) const {
    // The list has a line for each plugin, so a path of two lines would allow another file, too.
    if (plugin.path.string().find('\n') != std::string::npos) {
        throw Error(
            "A plugin whose path has a line break cannot be allowed; rename the file or its "
            "folder.");
    }
    auto entries = all();
    std::erase_if(entries, [&](const auto& each) { return each.path == plugin.path; });
    entries.push_back(plugin);
    write(entries);
}

bool PluginConsents::forget(const fs::path& path) const {
    auto entries = all();
    if (std::erase_if(entries, [&](const auto& each) { return each.path == path; }) == 0)
        return false;
    write(entries);
    return true;
}

std::vector<PluginConsentEntry> PluginConsents::all() const {
    std::vector<PluginConsentEntry> entries;
    std::ifstream file(m_file);
    for (std::string line; std::getline(file, line);) {
        if (line.size() > kHashDigits + 2 && line.compare(kHashDigits, 2, kGap) == 0)
            entries.push_back({line.substr(0, kHashDigits), line.substr(kHashDigits + 2)});
    }
    return entries;
}

void PluginConsents::write(const std::vector<PluginConsentEntry>& entries) const {
    std::error_code ignored;
    fs::create_directories(m_file.parent_path(), ignored);
    std::string text;
    for (const PluginConsentEntry& each : entries)
        text += fmt::format("{}{}{}\n", each.sha256, kGap, each.path.string());
    writeWhole(m_file, text);
}

} // namespace echolux
