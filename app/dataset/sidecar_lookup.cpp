// SPDX-License-Identifier: GPL-3.0-or-later
// Where a sidecar comes from: the command line, the folder of the data, or the program itself.
#include "app/dataset/sidecar.hpp"

#include "embedded/shippedSidecars.hpp"

#include <fmt/format.h>

#include <sstream>
#include <system_error>

namespace echolux {

namespace {

constexpr std::uint64_t kMaxSidecarBytes = std::uint64_t{1} << 20U;

std::string readText(const std::filesystem::path& path) {
    const InputFile file(path);
    if (file.size() > kMaxSidecarBytes)
        throw fileError(path, fmt::format("a sidecar of {} bytes is no sidecar; give the data file "
                                          "and its sidecar the right way round",
                                          file.size()));
    std::string text(file.size(), '\0');
    file.read(0, std::as_writable_bytes(std::span(text)));
    return text;
}

bool isFile(const std::filesystem::path& path) {
    std::error_code ignored;
    return std::filesystem::is_regular_file(path, ignored);
}

/// NAME.toml may belong to something else; a sidecar has a [data] table.
bool looksLikeSidecar(const std::string& text) {
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);)
        if (line.starts_with("[data]") || line.starts_with("data.") || line.starts_with("data ="))
            return true;
    return false;
}

} // namespace

std::optional<Sidecar> findSidecar(const std::filesystem::path& file, std::uint64_t fileSize,
                                   const std::optional<std::filesystem::path>& given) {
    if (given) return parseSidecar(readText(*given), given->string());
    std::filesystem::path beside = file;
    beside += ".toml";
    if (isFile(beside)) return parseSidecar(readText(beside), beside.string());
    beside = file;
    beside.replace_extension(".toml");
    if (beside != file && isFile(beside)) {
        const std::string text = readText(beside);
        if (looksLikeSidecar(text)) return parseSidecar(text, beside.string());
    }
    for (const EmbeddedFile& shipped : shippedSidecars()) {
        Sidecar sidecar = parseSidecar(std::string(shipped.text), std::string(shipped.name));
        if (sidecar.matchName == file.filename().string() && sidecar.matchSize == fileSize)
            return sidecar;
    }
    return std::nullopt;
}

} // namespace echolux
