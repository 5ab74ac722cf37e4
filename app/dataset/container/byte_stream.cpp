// SPDX-License-Identifier: GPL-3.0-or-later
// Plain and inflated streams. The time for inflating counts against the opening in progress.
#include "app/dataset/container/byte_stream.hpp"

#include "app/dataset/recording/opening.hpp"

#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <array>
#include <limits>
#include <optional>
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
    std::optional<std::byte> next = {}; ///< atEnd() has read it ahead
    std::array<std::byte, 65536> buffer{};

    Error damaged(const std::string& how) const {
        return fileError(file.path(),
                         fmt::format("{} before byte {} {}; the file was cut off or damaged, copy "
                                     "it again",
                                     what, end, how));
    }

    std::size_t inflateInto(std::span<std::byte> out) {
        if (out.empty()) return 0;
        std::size_t ahead = 0;
        if (next) {
            out[0] = *std::exchange(next, std::nullopt);
            ahead = 1;
        }
        const auto rest = out.subspan(ahead);
        zlib.next_out = reinterpret_cast<Bytef*>(rest.data());
        zlib.avail_out = static_cast<uInt>(rest.size());
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
            else if (status != Z_OK && status != Z_BUF_ERROR)
                throw damaged("does not inflate");
        }
        return out.size() - zlib.avail_out;
    }
};

InflateStream::InflateStream(const InputFile& file, std::uint64_t begin, std::uint64_t end,
                             Wrapper wrapper, std::string what)
    : m_state(new State{.file = file, .at = begin, .end = end, .what = std::move(what)}) {
    const int bits = wrapper == Wrapper::Zlib ? MAX_WBITS : -MAX_WBITS;
    if (inflateInit2(&m_state->zlib, bits) != Z_OK)
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

bool InflateStream::atEnd() {
    if (m_state->next) return false;
    std::byte one{};
    if (m_state->inflateInto(std::span(&one, 1)) == 0) return true;
    m_state->next = one;
    return false;
}

void InflateStream::finish() {
    std::array<std::byte, 16> rest{};
    if (m_state->inflateInto(rest) == rest.size() || !m_state->ended)
        throw m_state->damaged("has no end");
}

} // namespace echolux
