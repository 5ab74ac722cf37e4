// SPDX-License-Identifier: GPL-3.0-or-later
// Reads members of a .npz archive through libzip. It allocates no memory for a size that the
// archive only claims.
#include "app/dataset/container/npz.hpp"

#include "app/dataset/container/npy.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace echolux {

namespace {

constexpr std::string_view kSuffix = ".npy";

class MemberArray : public ArraySource {
public:
    MemberArray(std::shared_ptr<Archive> archive, Archive::Member member)
        : m_archive(std::move(archive)), m_member(std::move(member)) {
        const NpyHeader header = readNpyHeader(
            m_archive->path(), fmt::format("its array '{}'", m_member.name),
            m_archive->size(m_member), [this](std::uint64_t offset, std::span<std::byte> out) {
                m_archive->read(m_member, offset, out);
            });
        m_layout = header.layout;
        m_offset = header.dataOffset;
    }
    /// A compressed member can only be read from its beginning.
    bool canSlice(std::size_t) const override { return false; }
    void read(std::span<std::byte> out) override {
        m_archive->read(m_member, m_offset, out);
        toNativeOrder(m_layout.type, out);
    }
    void readSlice(std::size_t, std::int64_t, std::span<std::byte>) override {
        throw Error("A member of a .npz archive is read whole.");
    }

private:
    std::shared_ptr<Archive> m_archive;
    Archive::Member m_member;
    std::uint64_t m_offset = 0;
};

class Npz : public ArrayContainer {
public:
    explicit Npz(std::shared_ptr<Archive> archive) : m_archive(std::move(archive)) {
        for (const Archive::Member& member : m_archive->members())
            if (!member.name.ends_with(kSuffix))
                throw fileError(m_archive->path(),
                                fmt::format("it is a ZIP archive that holds '{}', neither a .npz "
                                            "of NumPy arrays nor a Thorlabs .oct with its "
                                            "Header.xml; choose a recording",
                                            member.name.substr(0, 80)));
        if (m_archive->members().empty())
            throw fileError(m_archive->path(), "it is an empty ZIP archive; save the arrays again");
    }
    bool has(const std::string& where) const override { return member(where) != nullptr; }
    std::unique_ptr<ArraySource> open(const std::string& where) override {
        const Archive::Member* found = member(where);
        if (found == nullptr)
            throw fileError(m_archive->path(),
                            fmt::format("it holds no array '{}', but {}; correct the name in the "
                                        "sidecar",
                                        where, list()));
        return std::make_unique<MemberArray>(m_archive, *found);
    }
    std::string list() const override {
        constexpr std::size_t kMostListed = 12;
        const auto& members = m_archive->members();
        std::string text;
        for (std::size_t i = 0; i < std::min(members.size(), kMostListed); ++i)
            text += fmt::format("{}'{}'", i == 0 ? "" : ", ", nameOf(members[i]));
        return members.size() > kMostListed ? text + ", ..." : text;
    }
    std::vector<std::string> names() const override {
        std::vector<std::string> names;
        for (const Archive::Member& each : m_archive->members()) names.push_back(nameOf(each));
        return names;
    }

private:
    static std::string nameOf(const Archive::Member& member) {
        return member.name.substr(0, member.name.size() - kSuffix.size());
    }
    const Archive::Member* member(const std::string& where) const {
        const auto& members = m_archive->members();
        const auto found = std::ranges::find_if(
            members, [&](const Archive::Member& each) { return nameOf(each) == where; });
        return found == members.end() ? nullptr : &*found;
    }

    std::shared_ptr<Archive> m_archive;
};

} // namespace

std::unique_ptr<ArrayContainer> openNpz(std::shared_ptr<Archive> archive) {
    return std::make_unique<Npz>(std::move(archive));
}

std::unique_ptr<ArrayContainer> openNpz(const std::filesystem::path& path) {
    return openNpz(std::make_shared<Archive>(path));
}

} // namespace echolux
