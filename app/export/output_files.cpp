// SPDX-License-Identifier: GPL-3.0-or-later
// Writes partial files and renames them at the end.
#include "app/export/output_files.hpp"

#include "gpu/core/error.hpp"

#include <fmt/format.h>

#include <system_error>
#include <utility>

namespace echolux {

OutputFiles::OutputFiles(std::filesystem::path target, std::filesystem::path recording,
                         bool replace)
    : m_target(std::move(target)), m_recording(std::move(recording)), m_replace(replace) {
    add(m_target);
}

std::filesystem::path OutputFiles::add(const std::filesystem::path& place) {
    std::error_code none;
    const auto refused = [&](const std::string& why) {
        return Error(fmt::format("Cannot write '{}': {}.", place.string(), why));
    };
    if (std::filesystem::equivalent(place, m_recording, none))
        throw refused("it is the recording itself; choose another name");
    const std::filesystem::path folder = place.parent_path();
    if (!folder.empty() && !std::filesystem::is_directory(folder, none))
        throw refused(fmt::format("there is no folder '{}'; make it, or choose another one",
                                  folder.string()));
    const auto status = std::filesystem::symlink_status(place, none);
    if (std::filesystem::exists(status)) {
        if (std::filesystem::is_directory(place, none))
            throw refused("it is a folder; name a file");
        if (!m_replace)
            throw refused("the file exists; choose another name, or replace it with --force");
        if (!std::filesystem::is_regular_file(place, none))
            throw refused("there is something else than a file; choose another name");
    }
    m_files.emplace_back(place);
    return m_files.back().name();
}

std::filesystem::path OutputFiles::beside(const std::string& ending) {
    return add(std::filesystem::path(m_target).replace_extension(ending));
}

std::filesystem::path OutputFiles::scratch() {
    m_scratch.emplace_back(m_target);
    return m_scratch.back().name();
}

std::vector<std::filesystem::path> OutputFiles::commit() {
    std::vector<std::filesystem::path> places;
    for (PartialFile& file : m_files) {
        file.commit();
        places.push_back(file.place());
    }
    m_files.clear();
    m_scratch.clear();
    return places;
}

ByteWriter::ByteWriter(const OutputFiles& files, const std::filesystem::path& partial)
    : m_files(files), m_stream(partial, std::ios::binary | std::ios::trunc) {
    if (!m_stream) m_files.refuse();
}

void ByteWriter::write(std::string_view bytes) {
    if (!m_stream.write(bytes.data(), static_cast<std::streamsize>(bytes.size()))) m_files.refuse();
}

void ByteWriter::write(std::span<const std::byte> bytes) {
    write(std::string_view(reinterpret_cast<const char*>(bytes.data()), bytes.size()));
}

void ByteWriter::close() {
    m_stream.close();
    if (!m_stream) m_files.refuse();
}

} // namespace echolux
