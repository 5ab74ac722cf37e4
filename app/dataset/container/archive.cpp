// SPDX-License-Identifier: GPL-3.0-or-later
// Reads archives through libzip, and reports its errors as sentences.
#include "app/dataset/container/archive.hpp"

#include "app/dataset/recording/opening.hpp"
#include "app/dataset/recording/parser.hpp"

#include <fmt/format.h>
#include <zip.h>

#include <algorithm>
#include <array>
#include <cctype>

namespace echolux {

namespace {

constexpr std::size_t kMemberNameShown = 80;
/// Shorter distances are read instead of skipped, so that the checksum is still compared.
constexpr std::uint64_t kSeekFrom = std::uint64_t{16} << 20U;

} // namespace

std::string normalMemberName(std::string_view name) {
    constexpr std::string_view kMiddleDot = "\xc2\xb7";
    std::string normal;
    for (std::size_t i = 0; i < name.size(); ++i) {
        if (name.substr(i).starts_with(kMiddleDot)) {
            normal += '/';
            i += kMiddleDot.size() - 1;
        } else if (name[i] == '\\') {
            normal += '/';
        } else {
            normal += static_cast<char>(std::tolower(static_cast<unsigned char>(name[i])));
        }
    }
    return normal;
}

void Archive::Close::operator()(zip* archive) const { zip_discard(archive); }
void Archive::Close::operator()(zip_file* file) const { zip_fclose(file); }

Archive::Archive(const std::filesystem::path& path) : m_path(path) {
    noteParser(Parser::Libzip);
    int code = 0;
    m_zip.reset(zip_open(path.c_str(), ZIP_RDONLY, &code));
    if (!m_zip) {
        zip_error_t error;
        zip_error_init_with_code(&error, code);
        const std::string reason = zip_error_strerror(&error);
        zip_error_fini(&error);
        throw fileError(path, fmt::format("its ZIP directory is missing or damaged ({}); the file "
                                          "was cut off, copy it again",
                                          reason));
    }
    const zip_int64_t count = zip_get_num_entries(m_zip.get(), 0);
    for (zip_int64_t i = 0; i < count; ++i) {
        Opening::visit();
        const auto index = static_cast<zip_uint64_t>(i);
        const char* name = zip_get_name(m_zip.get(), index, 0);
        m_members.push_back({name != nullptr ? name : "", index});
        m_places.emplace(normalMemberName(m_members.back().name), m_members.size() - 1);
    }
}

// NOTE: an open member must be closed before its archive.
Archive::~Archive() { m_file.reset(); }

const Archive::Member* Archive::find(std::string_view name) const {
    const auto at = m_places.find(normalMemberName(name));
    return at == m_places.end() ? nullptr : &m_members[at->second];
}

Archive::Facts Archive::factsOf(const Member& member) const {
    const std::string name = member.name.substr(0, kMemberNameShown);
    zip_stat_t facts;
    zip_stat_init(&facts);
    const zip_uint64_t wanted =
        ZIP_STAT_SIZE | ZIP_STAT_COMP_SIZE | ZIP_STAT_COMP_METHOD | ZIP_STAT_ENCRYPTION_METHOD;
    if (zip_stat_index(m_zip.get(), member.index, 0, &facts) != 0 ||
        (facts.valid & wanted) != wanted)
        throw fileError(m_path, fmt::format("its ZIP directory has no usable entry '{}'; the file "
                                            "is damaged, copy it again",
                                            name));
    if (facts.encryption_method != ZIP_EM_NONE)
        throw fileError(m_path, fmt::format("its entry '{}' is encrypted; save it without a "
                                            "password",
                                            name));
    if (facts.comp_method != ZIP_CM_STORE && facts.comp_method != ZIP_CM_DEFLATE)
        throw fileError(m_path, fmt::format("its entry '{}' is compressed by method {}, but "
                                            "Echolux reads stored and deflated ones; pack it again",
                                            name, facts.comp_method));
    constexpr std::uint64_t kMostRatio = 1032; // highest of deflate, for a run of equal bytes
    const bool stored = facts.comp_method == ZIP_CM_STORE;
    const bool impossible =
        stored ? facts.size != facts.comp_size : facts.size / kMostRatio > facts.comp_size + 1;
    if (impossible)
        throw fileError(m_path, fmt::format("its entry '{}' claims {} bytes from {} compressed "
                                            "ones, which is impossible; copy it again",
                                            name, facts.size, facts.comp_size));
    return {facts.size, stored};
}

void Archive::openMember(const Member& member) {
    m_file.reset();
    const Facts facts = factsOf(member);
    m_end = facts.size;
    m_isStored = facts.stored;
    m_file.reset(zip_fopen_index(m_zip.get(), member.index, 0));
    if (!m_file)
        throw fileError(m_path, fmt::format("its entry '{}' cannot be opened ({}); copy the file "
                                            "again",
                                            member.name.substr(0, kMemberNameShown),
                                            zip_strerror(m_zip.get())));
    m_open = member.index;
    m_at = 0;
}

void Archive::skipTo(const Member& member, std::uint64_t offset) {
    if (!m_file || m_open != member.index || offset < m_at) openMember(member);
    if (m_isStored && offset - m_at > kSeekFrom) {
        zip_fseek(m_file.get(), static_cast<zip_int64_t>(offset), SEEK_SET); // else reading fails
        m_at = offset;
    }
    std::array<std::byte, 16384> waste{};
    while (m_at < offset)
        step(member, std::span(waste).first(std::min<std::uint64_t>(offset - m_at, waste.size())));
}

void Archive::read(const Member& member, std::uint64_t skip, std::span<std::byte> out) {
    try {
        skipTo(member, skip);
        while (!out.empty()) out = out.subspan(step(member, out));
        if (m_at < m_end) return;
        std::byte none{}; // libzip compares the checksum when one more byte is read
        if (zip_fread(m_file.get(), &none, 1) < 0)
            throw damaged(member, zip_file_strerror(m_file.get()));
    } catch (const Error&) {
        m_file.reset();
        throw;
    }
}

std::size_t Archive::step(const Member& member, std::span<std::byte> out) {
    Opening::checkTime();
    const zip_int64_t got = zip_fread(m_file.get(), out.data(), out.size());
    if (got <= 0)
        throw damaged(member, got == 0 ? "it ends early" : zip_file_strerror(m_file.get()));
    m_at += static_cast<std::uint64_t>(got);
    return static_cast<std::size_t>(got);
}

Error Archive::damaged(const Member& member, const std::string& reason) const {
    return fileError(m_path, fmt::format("its entry '{}' is damaged ({}); copy the file again",
                                         member.name.substr(0, kMemberNameShown), reason));
}

} // namespace echolux
