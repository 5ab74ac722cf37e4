// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/dataset/container/inflated.hpp"

#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <array>
#include <limits>

namespace echolux {

namespace {

/// Reads a file from `offset` on and inflates it.
class FileInflater {
public:
    FileInflater(const InputFile& file, std::uint64_t offset) : m_file(file), m_at(offset) {
        constexpr int kAnyWrapper = 15 + 32;
        m_sound = inflateInit2(&m_stream, kAnyWrapper) == Z_OK;
    }
    FileInflater(const FileInflater&) = delete;
    FileInflater& operator=(const FileInflater&) = delete;
    ~FileInflater() { inflateEnd(&m_stream); }

    /// Fills `out` and returns the number of bytes.
    std::size_t fill(std::span<std::byte> out) {
        std::size_t done = 0;
        while (done < out.size() && m_sound) {
            if (m_stream.avail_in == 0 && !refill()) break;
            const auto room = static_cast<uInt>(
                std::min<std::size_t>(out.size() - done, std::numeric_limits<uInt>::max()));
            m_stream.next_out = reinterpret_cast<Bytef*>(out.data() + done);
            m_stream.avail_out = room;
            const int state = inflate(&m_stream, Z_NO_FLUSH);
            done += room - m_stream.avail_out;
            m_sound = state == Z_OK;
        }
        return done;
    }

private:
    bool refill() {
        const std::uint64_t left = m_file.size() - std::min(m_file.size(), m_at);
        const auto part = std::min<std::uint64_t>(left, m_input.size());
        if (part == 0) return false;
        m_file.read(m_at, std::as_writable_bytes(std::span(m_input)).first(part));
        m_at += part;
        m_stream.next_in = m_input.data();
        m_stream.avail_in = static_cast<uInt>(part);
        return true;
    }

    const InputFile& m_file;
    std::uint64_t m_at;
    std::array<Bytef, 65536> m_input{};
    z_stream m_stream{};
    bool m_sound = false;
};

} // namespace

std::vector<std::byte> inflated(const InputFile& file, std::uint64_t offset, std::uint64_t bytes) {
    constexpr std::uint64_t kMostRatio = 1032; // highest of deflate, for a run of equal bytes
    const std::uint64_t stored = file.size() - std::min(file.size(), offset);
    if (bytes / kMostRatio > stored + 1)
        throw fileError(file.path(), fmt::format("its header claims {} bytes of samples from {} "
                                                 "compressed ones, which is impossible; copy it "
                                                 "again",
                                                 bytes, stored));
    checkLoadSize(file.path(), "its compressed samples", bytes);
    std::vector<std::byte> result(bytes);
    const std::size_t got = FileInflater(file, offset).fill(result);
    if (got < result.size())
        throw fileError(file.path(), fmt::format("its compressed samples are damaged or end after "
                                                 "{} of {} bytes; copy it again",
                                                 got, bytes));
    return result;
}

std::string inflatedBeginning(const InputFile& file, std::uint64_t offset, std::size_t most) {
    std::string result(most, '\0');
    result.resize(FileInflater(file, offset).fill(std::as_writable_bytes(std::span(result))));
    return result;
}

} // namespace echolux
