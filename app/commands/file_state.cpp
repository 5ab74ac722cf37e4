// SPDX-License-Identifier: GPL-3.0-or-later
// Hashes files, and only those that were written to.
#include "app/commands/file_state.hpp"

#include "app/export/file_sha256.hpp"

#include <fmt/format.h>

#include <algorithm>

#include <sys/stat.h>
#include <time.h>

namespace echolux {
namespace {

using nlohmann::ordered_json;

std::int64_t nanosecondsOf(const timespec& time) {
    return std::int64_t{time.tv_sec} * 1'000'000'000 + time.tv_nsec;
}

std::int64_t nowNs() {
    timespec now{};
    ::clock_gettime(CLOCK_REALTIME, &now);
    return nanosecondsOf(now);
}

std::string seenOf(const struct stat& facts) {
    return fmt::format("{}:{}:{}", facts.st_ino, nanosecondsOf(facts.st_mtim),
                       nanosecondsOf(facts.st_ctim));
}

/// True where the last write is so old that the next one has other times on every file system.
bool isSettled(const struct stat& facts, std::int64_t atNs) {
    constexpr std::int64_t kCoarsestNs = 2'100'000'000; // FAT counts by two seconds
    return nanosecondsOf(facts.st_ctim) + kCoarsestNs < atNs;
}

template <class T> T valueIn(const ordered_json& object, const char* key, T otherwise) {
    try {
        return object.value(key, otherwise);
    } catch (const ordered_json::exception&) { // of another type
        return otherwise;
    }
}

} // namespace

FileState stateOf(const std::filesystem::path& file, const std::vector<FileState>& known) {
    FileState state{.file = file, .exists = false, .size = 0, .sha256 = {}, .seen = {}};
    struct stat facts {};
    if (::stat(file.c_str(), &facts) != 0) return state;
    const std::int64_t at = nowNs();
    state.exists = true;
    state.size = static_cast<std::uint64_t>(facts.st_size);
    const std::string seen = seenOf(facts);
    if (isSettled(facts, at)) state.seen = seen;
    const auto former = std::ranges::find(known, file, &FileState::file);
    if (former != known.end() && former->seen == seen && former->size == state.size) {
        state.sha256 = former->sha256;
        return state;
    }
    state.sha256 = fileSha256(QString::fromStdString(file.string())).toStdString();
    if (state.sha256.starts_with("sampled:"))
        state.sha256 += fmt::format(":{}", nanosecondsOf(facts.st_mtim));
    return state;
}

bool sameContent(const FileState& a, const FileState& b) {
    return a.exists == b.exists && a.size == b.size && a.sha256 == b.sha256;
}

ordered_json toJson(const std::vector<FileState>& states) {
    ordered_json list = ordered_json::array();
    for (const FileState& each : states) {
        ordered_json entry{{"file", each.file.string()}};
        if (each.exists)
            entry.update({{"size", each.size}, {"sha256", each.sha256}, {"seen", each.seen}});
        else
            entry["missing"] = true;
        list.push_back(std::move(entry));
    }
    return list;
}

std::vector<FileState> statesIn(const ordered_json& list) {
    std::vector<FileState> states;
    if (!list.is_array()) return states;
    for (const ordered_json& each : list) {
        if (!each.is_object()) continue;
        FileState state;
        state.file = valueIn(each, "file", std::string());
        state.exists = !valueIn(each, "missing", false);
        state.size = valueIn(each, "size", std::uint64_t{0});
        state.sha256 = valueIn(each, "sha256", std::string());
        state.seen = valueIn(each, "seen", std::string());
        states.push_back(std::move(state));
    }
    return states;
}

} // namespace echolux
