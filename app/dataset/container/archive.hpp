// SPDX-License-Identifier: GPL-3.0-or-later
// Reads members of a ZIP archive with libzip. Nothing is unpacked to a disk. Sizes that the archive
// states are checked before memory is allocated.
#pragma once

#include "app/dataset/recording/input_file.hpp"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

struct zip;
struct zip_file;

namespace echolux {

/// The name in normal form: lower case, with '/' between parts. Archives may have '/', '\' or the
/// middle dot that code page 437 makes of '\'.
std::string normalMemberName(std::string_view name);

class Archive {
public:
    struct Member {
        std::string name; ///< as stored
        std::uint64_t index = 0;
    };

    /// Throws where the archive's directory is missing or damaged.
    explicit Archive(const std::filesystem::path& path);
    ~Archive();
    Archive(const Archive&) = delete;
    Archive& operator=(const Archive&) = delete;

    const std::filesystem::path& path() const { return m_path; }
    const std::vector<Member>& members() const { return m_members; }
    /// The first member whose normal name is that of `name`; null where there is none.
    const Member* find(std::string_view name) const;
    /// Size in bytes after decompression. Throws where deflate cannot reach this size, and where
    /// the member is encrypted or compressed in another way.
    std::uint64_t size(const Member& member) const { return factsOf(member).size; }
    /// Fills `out` with the bytes after the first `skip`. Continuing where the last call ended
    /// costs nothing extra; going back in a compressed member inflates it again from its beginning.
    /// At a member's end its checksum is compared. Throws where the member is damaged.
    void read(const Member& member, std::uint64_t skip, std::span<std::byte> out);

private:
    struct Close {
        void operator()(zip* archive) const;
        void operator()(zip_file* file) const;
    };
    struct Facts {
        std::uint64_t size;
        bool stored; ///< as it is; else deflated
    };
    Facts factsOf(const Member& member) const;
    void openMember(const Member& member);
    void skipTo(const Member& member, std::uint64_t offset);
    std::size_t step(const Member& member, std::span<std::byte> out);
    Error damaged(const Member& member, const std::string& reason) const;

    std::filesystem::path m_path;
    std::unique_ptr<zip, Close> m_zip;
    std::vector<Member> m_members;
    std::unordered_map<std::string, std::size_t> m_places; ///< index in m_members by normal name
    std::unique_ptr<zip_file, Close> m_file;               ///< the member m_open, at the position
                                                           ///< m_at
    std::uint64_t m_open = 0;
    std::uint64_t m_at = 0;
    std::uint64_t m_end = 0;
    bool m_isStored = false; ///< only in such a member can be skipped
};

} // namespace echolux
