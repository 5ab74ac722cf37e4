// SPDX-License-Identifier: GPL-3.0-or-later
// Finds the sidecar: on the command line, in the folder of the data, in the user's data folder, or
// in the program itself.
#include "app/dataset/sidecar/sidecar.hpp"

#include "embedded/shippedSidecars.hpp"
#include "gpu/core/embedded_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <sstream>
#include <string_view>
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

/// True where the text has a [data] table. Without one NAME.toml belongs to something else.
bool looksLikeSidecar(const std::string& text) {
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);)
        if (line.starts_with("[data]") || line.starts_with("data.") || line.starts_with("data ="))
            return true;
    return false;
}

std::optional<std::filesystem::path> userDataFolder() {
    const auto absolute = [](const char* variable) -> std::optional<std::filesystem::path> {
        const char* value = std::getenv(variable);
        if (value == nullptr || !std::filesystem::path(value).is_absolute()) return std::nullopt;
        return value;
    };
    if (const auto data = absolute("XDG_DATA_HOME")) return *data / "echolux";
    if (const auto home = absolute("HOME")) return *home / ".local/share/echolux";
    return std::nullopt;
}

/// FNV-1a with 64 bits, which is the same in every version of the program.
std::uint64_t fingerprint(std::string_view text) {
    std::uint64_t hash = 0xcbf29ce484222325;
    for (const char each : text) {
        hash ^= static_cast<unsigned char>(each);
        hash *= 0x100000001b3;
    }
    return hash;
}

} // namespace

std::optional<std::filesystem::path> keptSidecarPath(const std::filesystem::path& file,
                                                     std::uint64_t fileSize) {
    std::error_code unknown;
    const std::filesystem::path whole = std::filesystem::canonical(file, unknown);
    const auto folder = userDataFolder();
    if (unknown || !folder) return std::nullopt;
    constexpr std::size_t kMostOfName = 200; // file systems allow 255 bytes
    const std::string name = whole.filename().string().substr(0, kMostOfName);
    const std::uint64_t key = fingerprint(fmt::format("{}\n{}", whole.string(), fileSize));
    return *folder / "sidecars" / fmt::format("{}-{:016x}.toml", name, key);
}

bool isSidecar(const std::filesystem::path& file) { return looksLikeSidecar(readText(file)); }

std::vector<std::filesystem::path>
filesOfSidecar(const std::filesystem::path& file,
               const std::optional<std::filesystem::path>& given) {
    std::error_code unknown;
    const std::filesystem::path folder = std::filesystem::canonical(file, unknown).parent_path();
    const std::uint64_t bytes = unknown ? 0 : std::filesystem::file_size(file, unknown);
    if (unknown) return {};
    std::vector<std::filesystem::path> files;
    try {
        const auto sidecar = findSidecar(file, bytes, given);
        if (!sidecar || !sidecar->spectra) return {};
        const std::filesystem::path around = folder.parent_path();
        for (const std::string& name : namedFiles(*sidecar->spectra)) {
            const auto named = std::filesystem::canonical(file.parent_path() / name, unknown);
            const bool below = !unknown && around != around.root_path() &&
                               std::ranges::mismatch(around, named).in1 == around.end();
            if (below) files.push_back(named);
        }
    } catch (const Error&) { // NOLINT: opening the recording tells
    }
    return files;
}

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
    if (const auto kept = keptSidecarPath(file, fileSize); kept && isFile(*kept))
        return parseSidecar(readText(*kept), kept->string());
    for (const EmbeddedFile& shipped : shippedSidecars()) {
        Sidecar sidecar = parseSidecar(std::string(shipped.text), std::string(shipped.name));
        if (sidecar.matchName == file.filename().string() && sidecar.matchSize == fileSize)
            return sidecar;
    }
    return std::nullopt;
}

} // namespace echolux
