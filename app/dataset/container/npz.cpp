// SPDX-License-Identifier: GPL-3.0-or-later
// Reads members of a .npz archive through libzip; never allocates what the archive merely claims.
#include "app/dataset/container/npz.hpp"

#include "app/dataset/container/npy.hpp"

#include <fmt/format.h>
#include <zip.h>

#include <algorithm>
#include <array>
#include <utility>

namespace echolux {

namespace {

constexpr std::string_view kSuffix = ".npy";
constexpr zip_int64_t kMaxMembers = 100000;

struct ZipClose {
    void operator()(zip_t* archive) const { zip_discard(archive); }
};
struct ZipFileClose {
    void operator()(zip_file_t* file) const { zip_fclose(file); }
};

class Archive {
public:
    explicit Archive(const std::filesystem::path& path) : m_path(path) {
        int code = 0;
        m_zip.reset(zip_open(path.c_str(), ZIP_RDONLY, &code));
        if (m_zip) return;
        zip_error_t error;
        zip_error_init_with_code(&error, code);
        const std::string reason = zip_error_strerror(&error);
        zip_error_fini(&error);
        throw fileError(path, fmt::format("its ZIP directory is missing or damaged ({}); the file "
                                          "was cut off, copy it again",
                                          reason));
    }

    const std::filesystem::path& path() const { return m_path; }
    zip_t* get() const { return m_zip.get(); }

    /// Uncompressed size, checked against what deflate can reach.
    std::uint64_t size(const std::string& member) const {
        zip_stat_t facts;
        zip_stat_init(&facts);
        if (zip_stat(get(), member.c_str(), 0, &facts) != 0 || (facts.valid & ZIP_STAT_SIZE) == 0)
            throw fileError(m_path, fmt::format("its ZIP directory has no usable entry '{}'; the "
                                                "file is damaged, copy it again",
                                                member));
        constexpr std::uint64_t kMostRatio = 1032; // of deflate, for a row of equal bytes
        if (facts.size / kMostRatio > facts.comp_size + 1)
            throw fileError(m_path, fmt::format("its entry '{}' claims {} bytes from {} compressed "
                                                "ones, which is impossible; copy it again",
                                                member, facts.size, facts.comp_size));
        return facts.size;
    }

    /// The first `out.size()` bytes after `skip` of a member; `toEnd` also reads what follows, so
    /// that its checksum is compared.
    void read(const std::string& member, std::uint64_t skip, std::span<std::byte> out,
              bool toEnd) const {
        const std::unique_ptr<zip_file_t, ZipFileClose> file(zip_fopen(get(), member.c_str(), 0));
        if (!file)
            throw fileError(m_path, fmt::format("its entry '{}' cannot be opened ({}); save it "
                                                "with numpy.savez or savez_compressed",
                                                member, zip_strerror(get())));
        std::array<std::byte, 4096> waste{};
        while (skip > 0) {
            const std::uint64_t part = std::min<std::uint64_t>(skip, waste.size());
            skip -= step(member, *file, std::span(waste).first(part));
        }
        while (!out.empty()) out = out.subspan(step(member, *file, out));
        zip_int64_t got = toEnd ? 1 : 0;
        while (got > 0) got = zip_fread(file.get(), waste.data(), waste.size());
        if (got < 0) throw damaged(member, zip_file_strerror(file.get()));
    }

private:
    std::size_t step(const std::string& member, zip_file_t& file, std::span<std::byte> out) const {
        const zip_int64_t got = zip_fread(&file, out.data(), out.size());
        if (got > 0) return static_cast<std::size_t>(got);
        throw damaged(member, got == 0 ? "it ends early" : zip_file_strerror(&file));
    }
    Error damaged(const std::string& member, const std::string& reason) const {
        return fileError(m_path, fmt::format("its entry '{}' is damaged ({}); copy the file again",
                                             member, reason));
    }

    std::filesystem::path m_path;
    std::unique_ptr<zip_t, ZipClose> m_zip;
};

/// Has the archive a Header.xml whose root is Ocity?
bool isThorlabs(const Archive& archive) {
    constexpr const char* kHeader = "Header.xml";
    if (zip_name_locate(archive.get(), kHeader, ZIP_FL_NOCASE) < 0) return false;
    constexpr std::uint64_t kBeginning = 1024;
    std::string head(std::min(kBeginning, archive.size(kHeader)), '\0');
    archive.read(kHeader, 0, std::as_writable_bytes(std::span(head)), false);
    return head.find("<Ocity") != std::string::npos;
}

class MemberArray : public ArraySource {
public:
    MemberArray(std::shared_ptr<const Archive> archive, std::string member)
        : m_archive(std::move(archive)), m_member(std::move(member)) {
        const NpyHeader header = readNpyHeader(
            m_archive->path(), fmt::format("its array '{}'", m_member), m_archive->size(m_member),
            [this](std::uint64_t offset, std::span<std::byte> out) {
                m_archive->read(m_member, offset, out, false);
            });
        m_layout = header.layout;
        m_offset = header.dataOffset;
    }
    /// A compressed member can only be read from its beginning.
    bool canSlice(std::size_t) const override { return false; }
    void read(std::span<std::byte> out) override {
        m_archive->read(m_member, m_offset, out, true);
        toNativeOrder(m_layout.type, out);
    }
    void readSlice(std::size_t, std::int64_t, std::span<std::byte>) override {
        throw Error("A member of a .npz archive is read whole.");
    }

private:
    std::shared_ptr<const Archive> m_archive;
    std::string m_member;
    std::uint64_t m_offset = 0;
};

class Npz : public ArrayContainer {
public:
    explicit Npz(const std::filesystem::path& path) : m_archive(std::make_shared<Archive>(path)) {
        const zip_int64_t count = zip_get_num_entries(m_archive->get(), 0);
        for (zip_int64_t i = 0; i < std::min(count, kMaxMembers); ++i) {
            const char* name = zip_get_name(m_archive->get(), static_cast<zip_uint64_t>(i), 0);
            const std::string_view text = name != nullptr ? name : "";
            if (!text.ends_with(kSuffix) && isThorlabs(*m_archive))
                throw fileError(path, "it is a Thorlabs OCT recording (.oct, a ZIP archive with "
                                      "Header.xml), a format that Echolux does not read yet; save "
                                      "its spectra as .npy or headerless binary and describe them "
                                      "in a sidecar ('echolux help sidecar')");
            if (!text.ends_with(kSuffix))
                throw fileError(path,
                                fmt::format("it is a ZIP archive that holds '{}', not a .npz of "
                                            "NumPy arrays; choose a recording",
                                            text.substr(0, 80)));
            m_names.emplace_back(text.substr(0, text.size() - kSuffix.size()));
        }
        if (m_names.empty())
            throw fileError(path, "it is an empty ZIP archive; save the arrays again");
    }
    bool has(const std::string& where) const override {
        return std::ranges::find(m_names, where) != m_names.end();
    }
    std::unique_ptr<ArraySource> open(const std::string& where) override {
        if (!has(where))
            throw fileError(m_archive->path(),
                            fmt::format("it holds no array '{}', but {}; correct the name in the "
                                        "sidecar",
                                        where, list()));
        return std::make_unique<MemberArray>(m_archive, where + std::string(kSuffix));
    }
    std::string list() const override {
        constexpr std::size_t kMostListed = 12;
        std::string text;
        for (std::size_t i = 0; i < std::min(m_names.size(), kMostListed); ++i)
            text += fmt::format("{}'{}'", i == 0 ? "" : ", ", m_names[i]);
        return m_names.size() > kMostListed ? text + ", ..." : text;
    }
    std::vector<std::string> names() const override { return m_names; }

private:
    std::shared_ptr<const Archive> m_archive;
    std::vector<std::string> m_names;
};

} // namespace

std::unique_ptr<ArrayContainer> openNpz(const std::filesystem::path& path) {
    return std::make_unique<Npz>(path);
}

} // namespace echolux
