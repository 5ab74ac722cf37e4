// SPDX-License-Identifier: GPL-3.0-or-later
// What a file holds, by size and hash, and how one sees later that it is still the same.
#pragma once

#include <nlohmann/json.hpp>

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace echolux {

struct FileState {
    std::filesystem::path file;
    bool exists = false;
    std::uint64_t size = 0;
    std::string sha256; ///< see fileSha256(); with the time of the last write where it is sampled
    /// Inode and times. While they stay, nobody has written to the file. Empty where it was written
    /// so shortly before it was read that a later write might leave the same times.
    std::string seen;
};

/// Reads the file, unless `known` holds it and nobody has written to it since.
FileState stateOf(const std::filesystem::path& file, const std::vector<FileState>& known);

/// Size and content agree, or both are missing.
bool sameContent(const FileState& a, const FileState& b);

nlohmann::ordered_json toJson(const std::vector<FileState>& states);
/// Entries that are damaged are left out.
std::vector<FileState> statesIn(const nlohmann::ordered_json& list);

} // namespace echolux
