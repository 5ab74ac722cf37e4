// SPDX-License-Identifier: GPL-3.0-or-later
// Reads the tag of a plugin out of its bytes, because opening a library runs its initialisers.
#include "app/pipeline/plugin_file.hpp"

#include "app/pipeline/sha256.hpp"
#include "gpu/core/error.hpp"
#include "gpu/stage/plugin.hpp"

#include <fmt/format.h>

#include <elf.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <span>
#include <string_view>
#include <system_error>

namespace echolux {
namespace {

namespace fs = std::filesystem;

constexpr std::uintmax_t kLargestPlugin = std::uintmax_t{1} << 30;

std::vector<fs::path> searchFolders(const fs::path& folder) {
    std::vector<fs::path> folders{folder.empty() ? fs::path(".") : folder};
    const char* listed = std::getenv("ECHOLUX_PLUGIN_PATH"); // NOLINT: nothing sets variables
    std::string_view rest = listed == nullptr ? "" : listed;
    while (!rest.empty()) {
        const auto end = std::min(rest.find(':'), rest.size());
        if (end > 0) folders.emplace_back(rest.substr(0, end));
        rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    return folders;
}

bool isFile(const fs::path& path) {
    std::error_code ignored;
    return fs::is_regular_file(path, ignored);
}

/// Throws Error where the tag in the bytes is not that of this program.
void checkTag(const fs::path& path, const std::vector<char>& bytes) {
    constexpr std::string_view kAnyAbi = "ECHOLUX-PLUGIN abi=";
    constexpr std::string_view kOwn = ECHOLUX_PLUGIN_TAG;
    constexpr std::size_t kLongestTag = 200;
    const std::string_view text(bytes.data(), bytes.size());
    const auto at = text.find(kAnyAbi);
    const auto end = at == std::string_view::npos ? at : text.find(';', at);
    if (end == std::string_view::npos || end - at > kLongestTag) {
        throw Error(fmt::format("{} is no Echolux plugin: it carries no tag; a plugin is a library "
                                "that was built with the macro ECHOLUX_PLUGIN.",
                                path.string()));
    }
    const std::string_view found = text.substr(at, end + 1 - at);
    if (found == kOwn) return;
    const auto value = [&](std::string_view tag) {
        return tag.substr(kAnyAbi.size(), tag.size() - kAnyAbi.size() - 1);
    };
    throw Error(fmt::format("The plugin {} was built for another Echolux: it has abi {}, and this "
                            "program has abi {}; build the plugin again with the headers of this "
                            "program.",
                            path.string(), value(found), value(kOwn)));
}

/// Throws Error where the file is shorter than its own tables say: the dynamic linker would crash.
void checkLength(const fs::path& path, const std::vector<char>& bytes) {
    const auto at = [&](std::size_t offset, auto& to) {
        if (offset > bytes.size() || bytes.size() - offset < sizeof(to)) return false;
        std::memcpy(&to, bytes.data() + offset, sizeof(to));
        return true;
    };
    Elf64_Ehdr header;
    bool isWhole = at(0, header) && std::memcmp(header.e_ident, ELFMAG, SELFMAG) == 0 &&
                   header.e_ident[EI_CLASS] == ELFCLASS64 && header.e_type == ET_DYN &&
                   header.e_phentsize == sizeof(Elf64_Phdr);
    for (std::size_t i = 0; isWhole && i < header.e_phnum; ++i) {
        Elf64_Phdr part;
        isWhole = at(header.e_phoff + i * sizeof(part), part) && part.p_offset <= bytes.size() &&
                  part.p_filesz <= bytes.size() - part.p_offset;
    }
    if (isWhole) return;
    throw Error(
        fmt::format("The plugin {} is damaged or no library of this kind of computer; build "
                    "it again.",
                    path.string()));
}

} // namespace

fs::path findPlugin(const std::string& library, const fs::path& folder) {
    std::vector<fs::path> tried;
    const auto found = [&](const fs::path& path) {
        tried.push_back(fs::absolute(path).lexically_normal());
        return isFile(path);
    };
    if (library.find('/') != std::string::npos) {
        if (found(folder / library)) return tried.back();
    } else {
        for (const fs::path& each : searchFolders(folder)) {
            for (const std::string& name : {library, library + ".so", "lib" + library,
                                            "lib" + library + ".so", library + ".py"})
                if (found(each / name)) return tried.back();
        }
    }
    std::string places;
    for (const fs::path& path : tried) places += (places.empty() ? "" : ", ") + path.string();
    throw Error(fmt::format("There is no plugin '{}'; looked for {}. Build it, correct its name, "
                            "or set ECHOLUX_PLUGIN_PATH to its folder.",
                            library, places));
}

bool isPython(const fs::path& plugin) { return plugin.extension() == ".py"; }

PluginFile readPlugin(const fs::path& path) {
    std::error_code failed;
    const std::uintmax_t size = fs::file_size(path, failed);
    PluginFile file{path, {}, {}};
    if (!failed && size <= kLargestPlugin) {
        file.bytes.resize(size);
        std::ifstream stream(path, std::ios::binary);
        stream.read(file.bytes.data(), static_cast<std::streamsize>(size));
        file.bytes.resize(static_cast<std::size_t>(std::max<std::streamsize>(stream.gcount(), 0)));
    }
    if (file.bytes.empty()) {
        throw Error(fmt::format("The plugin {} cannot be read, is empty, or is larger than 1 GiB; "
                                "check the file.",
                                path.string()));
    }
    if (isPython(path)) {
        if (std::ranges::find(file.bytes, '\0') != file.bytes.end())
            throw Error(
                fmt::format("The plugin {} is no text in Python; check the file.", path.string()));
    } else {
        checkTag(path, file.bytes);
        checkLength(path, file.bytes);
    }
    file.sha256 = sha256Of(std::as_bytes(std::span(file.bytes)));
    return file;
}

} // namespace echolux
