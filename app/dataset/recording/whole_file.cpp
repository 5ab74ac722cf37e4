// SPDX-License-Identifier: GPL-3.0-or-later
// Writes a file beside the target and renames it.
#include "app/dataset/recording/whole_file.hpp"

#include "gpu/core/error.hpp"

#include <fmt/format.h>

#include <fstream>
#include <string>
#include <system_error>

namespace echolux {

void writeWhole(const std::filesystem::path& path, std::string_view head, std::string_view body) {
    const std::filesystem::path partial = path.string() + ".partial";
    std::ofstream file(partial, std::ios::binary);
    for (const std::string_view part : {head, body})
        file.write(part.data(), static_cast<std::streamsize>(part.size()));
    file.close();
    std::error_code code;
    if (file) std::filesystem::rename(partial, path, code);
    if (!file || code) {
        std::filesystem::remove(partial, code);
        throw Error(fmt::format(
            "{} cannot be written; check the folder, its permissions and the free space.",
            path.string()));
    }
}

} // namespace echolux
