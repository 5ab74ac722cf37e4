// SPDX-License-Identifier: GPL-3.0-or-later
// Plain and inflated streams. The time for inflating counts against the opening in progress.
#include "app/dataset/container/byte_stream.hpp"

#include "app/dataset/recording/opening.hpp"

#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <array>
#include <limits>
#include <utility>

namespace echolux {

void FileStream::read(std::span<std::byte> out) {
    m_file.read(m_at, out);
    m_at += out.size();
}

void FileStream::skip(std::uint64_t bytes) {
    m_at += std::min(bytes, std::numeric_limits<std::uint64_t>::max() - m_at);
}

struct InflateStream::State {
    const InputFile& file;
    std::uint64_t at;
    std::uint64_t end;
    std::string what;
    z_stream zlib{};
    bool ended = false;
    std::array<std::byte, 65536> buffer{};

    Error damaged(const std::string& how) const {
        return fileError(file.path(),
                         fmt::format("{} before byte {} {}; the file was cut off or damaged, copy "
                                     "it again",
                                     what, end, how));
    }

    std::size_t inflateInto(std::span<std::byte> out) {
        zlib.next_out = reinterpret_cast<Bytef*>(out.data());
        zlib.avail_out = static_cast<uInt>(out.size());
        while (zlib.avail_out > 0 && !ended) {
            if (zlib.avail_in == 0) {
                const std::uint64_t part = std::min<std::uint64_t>(end - at, buffer.size());
                if (part == 0) break;
                file.read(at, std::span(buffer).first(part));
                at += part;
                zlib.next_in = reinterpret_cast<Bytef*>(buffer.data());
                zlib.avail_in = static_cast<uInt>(part);
            }
            const int status = inflate(&zlib, Z_NO_FLUSH);
            if (status == Z_STREAM_END)
                ended = true;
            else if (status != Z_OK)
                throw damaged("does not inflate");
        }
        return out.size() - zlib.avail_out;
    }
};

InflateStream::InflateStream(const InputFile& file, std::uint64_t begin, std::uint64_t end,
                             std::string what)
    : m_state(new State{.file = file, .at = begin, .end = end, .what = std::move(what)}) {
    if (inflateInit(&m_state->zlib) != Z_OK)
        throw fileError(file.path(), "zlib has no memory; close other programs");
}

InflateStream::~InflateStream() { inflateEnd(&m_state->zlib); }

void InflateStream::read(std::span<std::byte> out) {
    constexpr std::size_t kAtOnce = std::size_t{1} << 30U;
    while (!out.empty()) {
        const auto part = out.first(std::min(out.size(), kAtOnce));
        if (m_state->inflateInto(part) != part.size()) throw m_state->damaged("ends early");
        out = out.subspan(part.size());
    }
}

void InflateStream::skip(std::uint64_t bytes) {
    std::array<std::byte, 65536> waste{};
    while (bytes > 0) {
        const std::uint64_t part = std::min<std::uint64_t>(bytes, waste.size());
        read(std::span(waste).first(part));
        bytes -= part;
        if (part == waste.size()) Opening::checkTime();
    }
}

void InflateStream::finish() {
    std::array<std::byte, 16> rest{};
    if (m_state->inflateInto(rest) == rest.size() || !m_state->ended)
        throw m_state->damaged("has no end");
}

} // namespace echolux
