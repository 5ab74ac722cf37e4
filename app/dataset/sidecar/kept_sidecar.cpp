// SPDX-License-Identifier: GPL-3.0-or-later
// Stores a sidecar beside the file or in the user's data folder.
#include "app/dataset/sidecar/kept_sidecar.hpp"

#include "app/dataset/frames/raw_import.hpp"
#include "app/dataset/sidecar/sidecar.hpp"
#include "gpu/core/error.hpp"
#include "gpu/core/whole_file.hpp"

#include <fmt/format.h>

#include <fstream>
#include <system_error>

namespace echolux {

namespace {

bool isOwn(const std::filesystem::path& path) {
    std::ifstream file(path);
    std::string line;
    return std::getline(file, line) && line.starts_with(kOwnMark);
}

} // namespace

std::filesystem::path keepSidecar(const std::filesystem::path& file, std::uint64_t fileSize,
                                  const std::string& about, const std::string& text) {
    const std::filesystem::path path = rawImportPath(file);
    const std::string whole = fmt::format("{}{}\n{}", kOwnMark, about, text);
    std::error_code ignored;
    const bool stands = std::filesystem::exists(std::filesystem::symlink_status(path, ignored));
    if (stands && !isOwn(path))
        throw Error(fmt::format("'{}' stands there already and was not written here; move it away "
                                "or rename it first.",
                                path.string()));
    try {
        writeWhole(path, whole);
        return path;
    } catch (const Error&) {
        // A sidecar beside the file would be found before one stored elsewhere.
        const auto kept = keptSidecarPath(file, fileSize);
        if (stands || !kept) throw;
        std::filesystem::create_directories(kept->parent_path(), ignored);
        writeWhole(*kept, whole);
        return *kept;
    }
}

} // namespace echolux
