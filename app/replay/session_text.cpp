// SPDX-License-Identifier: GPL-3.0-or-later
// Reads and writes sessions.
#include "app/replay/session_text.hpp"

#include "app/pipeline/sha256.hpp"
#include "gpu/core/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <system_error>

namespace echolux {
namespace {

constexpr std::string_view kFirstLine = "echolux session 1";
constexpr std::string_view kAnyFirstLine = "echolux session ";
constexpr std::string_view kIndent = "  ";
constexpr std::uintmax_t kMostBytes = std::uintmax_t{16} << 20U;

bool isOfId(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '.' || c == '-';
}

std::string_view trimmed(std::string_view text) {
    const auto first = text.find_first_not_of(" \t\r");
    if (first == std::string_view::npos) return {};
    return text.substr(first, text.find_last_not_of(" \t\r") - first + 1);
}

[[noreturn]] void refuse(const std::string& origin, int line, const std::string& why) {
    throw Error(fmt::format("{}, line {}: {}.", origin, line, why));
}

/// True for letters that a program or a terminal might obey.
bool isControl(char c) { return (c >= 0 && c < ' ' && c != '\t') || c == '\x7f'; }

/// Takes the first line off.
std::string_view nextLine(std::string_view& rest) {
    const std::string_view line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(line.size() + 1, rest.size()));
    return line;
}

} // namespace

bool takesText(std::string_view id) {
    using namespace session_words;
    return id == kParameters || id == kPipelineText || id == kCalibration || id.starts_with(kPart);
}

SessionEntry parseEntry(std::string_view line) {
    const std::string_view text = trimmed(line);
    if (std::ranges::any_of(text, isControl))
        throw Error("an entry holds a control character; take it out");
    const auto end = std::ranges::find_if_not(text, isOfId) - text.begin();
    const auto id = text.substr(0, static_cast<std::size_t>(end));
    const std::string_view rest = text.substr(id.size());
    if (id.empty() || (!rest.empty() && rest.front() != ' ' && rest.front() != '\t'))
        throw Error(fmt::format("'{}' begins with no name of an entry; write a name and a value, "
                                "for example 'parameters.beamform.f_number 1.5'",
                                text.substr(0, 80)));
    return {.id = std::string(id), .value = std::string(trimmed(rest))};
}

std::vector<SessionEntry> parseSession(std::string_view text, const std::string& origin) {
    const std::string_view head = trimmed(nextLine(text));
    if (head != kFirstLine) {
        if (head.starts_with(kAnyFirstLine))
            refuse(origin, 1, "it was written by a newer Echolux; update the program");
        refuse(origin, 1, fmt::format("it is no session, which begins with '{}'", kFirstLine));
    }
    return parseEntries(text, origin, 2);
}

std::vector<SessionEntry> parseEntries(std::string_view text, const std::string& origin,
                                       int firstLine) {
    std::vector<SessionEntry> entries;
    for (int number = firstLine; !text.empty(); ++number) {
        const std::string_view line = nextLine(text);
        if (line.starts_with(kIndent) && !entries.empty() && takesText(entries.back().id)) {
            std::string_view below = line.substr(kIndent.size());
            if (below.ends_with('\r')) below.remove_suffix(1);
            if (std::ranges::any_of(below, isControl))
                refuse(origin, number, "the text holds a control character; take it out");
            entries.back().text += std::string(below) + '\n';
            continue;
        }
        const std::string_view entry = trimmed(line);
        if (entry.empty() || entry.front() == '#') continue;
        if (line.starts_with(kIndent))
            refuse(origin, number,
                   fmt::format("no text belongs below '{}'; begin entries without spaces",
                               entries.empty() ? "nothing" : entries.back().id));
        try {
            entries.push_back(parseEntry(entry));
        } catch (const Error& error) {
            refuse(origin, number, error.what());
        }
        entries.back().line = number;
    }
    return entries;
}

std::vector<SessionEntry> loadSession(const std::string& path) {
    const std::string name = std::filesystem::path(path).filename().string();
    std::error_code failure;
    const auto size = std::filesystem::file_size(path, failure);
    std::ifstream file(path, std::ios::binary);
    if (failure || !file)
        throw Error(fmt::format("The session '{}' cannot be read; check its name.", path));
    if (size > kMostBytes)
        throw Error(fmt::format("{} has {} MB, and a session at most 16; choose another file.",
                                name, size >> 20U));
    return parseSession(std::string(std::istreambuf_iterator<char>(file), {}), name);
}

std::string toText(const SessionEntry& entry) {
    if (trimmed(entry.value) != entry.value || std::ranges::any_of(entry.value, isControl))
        throw Error(fmt::format("A session cannot hold the value of '{}': it begins or ends with a "
                                "space, or holds a line break",
                                entry.id));
    std::string text = entry.id;
    if (!entry.value.empty()) text += ' ' + entry.value;
    text += '\n';
    for (std::string_view rest = entry.text; !rest.empty();)
        text += fmt::format("{}{}\n", kIndent, nextLine(rest));
    return text;
}

std::string toText(std::span<const SessionEntry> entries) {
    std::string text = fmt::format("{}\n", kFirstLine);
    for (const SessionEntry& entry : entries) text += toText(entry);
    return text;
}

std::string digestOf(std::span<const float> values) { return sha256Of(std::as_bytes(values)); }

} // namespace echolux
