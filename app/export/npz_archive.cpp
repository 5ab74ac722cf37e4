// SPDX-License-Identifier: GPL-3.0-or-later
// Writes members through libzip.
#include "app/export/npz_archive.hpp"

#include "app/dataset/container/npy_writer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace echolux {
namespace {

// The earliest date of a ZIP archive, 1 January 1980, which NumPy writes, too. With the time of
// writing the same frames would give other bytes.
constexpr zip_uint16_t kDate = (1U << 5U) + 1U;
constexpr zip_uint16_t kTime = 0;

} // namespace

std::string npyOf(const NumberFact& array) {
    std::string bytes = npyHeader("<f8", array.extent);
    bytes.append(reinterpret_cast<const char*>(array.values.data()),
                 array.values.size() * sizeof(double));
    return bytes;
}

std::string npyOf(const TextFact& text) {
    const std::size_t length = std::max<std::size_t>(text.text.size(), 1);
    std::string bytes = npyHeader(fmt::format("<U{}", length), {});
    for (std::size_t i = 0; i < length; ++i) {
        const char c = i < text.text.size() ? text.text[i] : '\0';
        bytes += static_cast<unsigned char>(c) < 128 ? c : '?';
        bytes.append(3, '\0');
    }
    return bytes;
}

NpzArchive::NpzArchive(const OutputFiles& files) : m_files(files) {
    int code = 0;
    m_archive = zip_open(m_files.partial().c_str(), ZIP_CREATE | ZIP_TRUNCATE, &code);
    if (m_archive == nullptr) m_files.refuse();
}

NpzArchive::~NpzArchive() {
    if (m_archive != nullptr) zip_discard(m_archive);
}

void NpzArchive::put(const std::string& name, zip_source_t* source) {
    if (source == nullptr) m_files.refuse(zip_strerror(m_archive));
    const zip_int64_t index =
        zip_file_add(m_archive, (name + ".npy").c_str(), source, ZIP_FL_ENC_UTF_8);
    if (index < 0) {
        zip_source_free(source);
        m_files.refuse(zip_strerror(m_archive));
    }
    zip_set_file_compression(m_archive, static_cast<zip_uint64_t>(index), ZIP_CM_STORE, 0);
    zip_file_set_dostime(m_archive, static_cast<zip_uint64_t>(index), kTime, kDate, 0);
}

void NpzArchive::putFile(const std::string& name, const std::filesystem::path& npy) {
    put(name, zip_source_file(m_archive, npy.c_str(), 0, -1));
}

void NpzArchive::put(const std::string& name, std::string bytes) {
    m_bytes.push_back(std::make_unique<std::string>(std::move(bytes)));
    const std::string& kept = *m_bytes.back();
    put(name, zip_source_buffer(m_archive, kept.data(), kept.size(), 0));
}

void NpzArchive::finish() {
    if (zip_close(m_archive) != 0) m_files.refuse(zip_strerror(m_archive));
    m_archive = nullptr;
}

} // namespace echolux
