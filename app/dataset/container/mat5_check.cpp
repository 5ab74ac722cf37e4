// SPDX-License-Identifier: GPL-3.0-or-later
// Walks the elements of a MAT-file of version 5 and compares every length with what holds it.
#include "app/dataset/container/mat_value.hpp"

#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <array>
#include <bit>
#include <memory>
#include <optional>
#include <utility>

namespace echolux {

namespace {

constexpr std::uint64_t kHeaderBytes = 128;
constexpr int kMostLevels = 32;
constexpr std::uint64_t kMaxMatrices = 1000000;
constexpr std::uint64_t kMostExtents = 32;

enum Type : std::uint32_t { kInt8 = 1, kInt32 = 5, kUint32 = 6, kMatrix = 14, kCompressed = 15 };
enum Class : std::uint32_t {
    kCell = 1,
    kStruct = 2,
    kChar = 4,
    kFirstNumeric = 6,
    kLastNumeric = 15
};

std::uint64_t storageBytes(std::uint32_t type) {
    switch (type) {
    case 1:
    case 2:
    case 16: return 1; // int8, uint8, utf-8
    case 3:
    case 4:
    case 17: return 2; // int16, uint16, utf-16
    case 5:
    case 6:
    case 7:
    case 18: return 4; // int32, uint32, single, utf-32
    case 9:
    case 12:
    case 13: return 8; // double, int64, uint64
    default: return 0;
    }
}

std::uint64_t classBytes(std::uint32_t type) {
    constexpr std::array<std::uint64_t, 10> kBytes{8, 4, 1, 1, 2, 2, 4, 4, 8, 8}; // double, single,
    return kBytes[type - kFirstNumeric]; // int8, uint8, ...
}

/// Bytes in a row, from the file or inflated from it.
class Stream {
public:
    virtual ~Stream() = default;
    virtual void read(std::span<std::byte> out) = 0;
    virtual void skip(std::uint64_t bytes) = 0;
};

class FileStream : public Stream {
public:
    FileStream(const InputFile& file, std::uint64_t at) : m_file(file), m_at(at) {}
    void read(std::span<std::byte> out) override {
        m_file.read(m_at, out);
        m_at += out.size();
    }
    void skip(std::uint64_t bytes) override { m_at += bytes; }

private:
    const InputFile& m_file;
    std::uint64_t m_at;
};

class InflateStream : public Stream {
public:
    InflateStream(const InputFile& file, std::uint64_t begin, std::uint64_t end)
        : m_file(file), m_at(begin), m_end(end) {
        if (inflateInit(&m_zlib) != Z_OK) throw fileError(file.path(), "zlib has no memory");
    }
    InflateStream(const InflateStream&) = delete;
    InflateStream& operator=(const InflateStream&) = delete;
    ~InflateStream() override { inflateEnd(&m_zlib); }

    void read(std::span<std::byte> out) override {
        if (inflateInto(out) != out.size()) throw damaged("ends early");
    }
    void skip(std::uint64_t bytes) override {
        std::array<std::byte, 16384> waste{};
        while (bytes > 0) {
            const std::uint64_t part = std::min<std::uint64_t>(bytes, waste.size());
            read(std::span(waste).first(part));
            bytes -= part;
        }
    }
    /// Nothing may follow the matrix; this also compares the checksum.
    void finish() {
        std::array<std::byte, 16> rest{};
        if (inflateInto(rest) == rest.size() || !m_ended) throw damaged("has no end");
    }

private:
    Error damaged(const std::string& what) const {
        return fileError(m_file.path(), fmt::format("a compressed variable before byte {} {}; the "
                                                    "file was cut off or damaged, copy it again",
                                                    m_end, what));
    }
    std::size_t inflateInto(std::span<std::byte> out) {
        m_zlib.next_out = reinterpret_cast<Bytef*>(out.data());
        m_zlib.avail_out = static_cast<uInt>(out.size());
        while (m_zlib.avail_out > 0 && !m_ended) {
            if (m_zlib.avail_in == 0) {
                const std::uint64_t part = std::min<std::uint64_t>(m_end - m_at, m_buffer.size());
                if (part == 0) break;
                m_file.read(m_at, std::span(m_buffer).first(part));
                m_at += part;
                m_zlib.next_in = reinterpret_cast<Bytef*>(m_buffer.data());
                m_zlib.avail_in = static_cast<uInt>(part);
            }
            const int status = inflate(&m_zlib, Z_NO_FLUSH);
            if (status == Z_STREAM_END)
                m_ended = true;
            else if (status != Z_OK && status != Z_BUF_ERROR)
                throw damaged("does not inflate");
        }
        return out.size() - m_zlib.avail_out;
    }

    const InputFile& m_file;
    std::uint64_t m_at;
    std::uint64_t m_end;
    z_stream m_zlib{};
    bool m_ended = false;
    std::array<std::byte, 16384> m_buffer{};
};

struct Tag {
    std::uint32_t type = 0;
    std::uint64_t bytes = 0;
    std::optional<std::uint32_t> small; ///< the data of a small element
};

class Walker {
public:
    explicit Walker(const InputFile& file) : m_file(file) {
        std::array<std::byte, 2> mark{};
        file.read(126, mark);
        m_swap = (mark[0] == std::byte{'M'}) != (std::endian::native == std::endian::big);
    }

    void walkFile() {
        std::uint64_t at = kHeaderBytes;
        while (at < m_file.size()) {
            FileStream stream(m_file, at);
            m_at = at;
            const std::uint32_t type = word(stream);
            const std::uint64_t bytes = word(stream);
            at += 8;
            if (bytes > m_file.size() - at)
                throw damaged(fmt::format("a variable of {} bytes where only {} follow", bytes,
                                          m_file.size() - at));
            if (type == kCompressed) {
                InflateStream inflated(m_file, at, at + bytes);
                const std::uint32_t inner = word(inflated);
                const std::uint64_t innerBytes = word(inflated);
                if (inner != kMatrix) throw damaged("compressed data that are no variable");
                walkMatrix(inflated, innerBytes, 0);
                inflated.finish();
            } else if (type == kMatrix) {
                walkMatrix(stream, bytes, 0);
            } else {
                throw damaged(
                    fmt::format("an element of type {} where a variable should be", type));
            }
            at += bytes;
        }
        if (at == kHeaderBytes) throw damaged("no variable after its header");
    }

private:
    Error damaged(const std::string& what) const {
        return fileError(m_file.path(),
                         fmt::format("at byte {} the MAT-file has {}; it was cut off "
                                     "or damaged, copy it again",
                                     m_at, what));
    }

    std::uint32_t word(Stream& stream) const {
        std::uint32_t value = 0;
        stream.read(std::as_writable_bytes(std::span(&value, 1)));
        return m_swap ? __builtin_bswap32(value) : value;
    }

    static void take(std::uint64_t& budget, std::uint64_t bytes, const Walker& walker) {
        if (bytes > budget) throw walker.damaged("an element longer than the variable around it");
        budget -= bytes;
    }

    Tag tag(Stream& stream, std::uint64_t& budget) const {
        take(budget, 8, *this);
        const std::uint32_t first = word(stream);
        const std::uint32_t second = word(stream);
        if (first >> 16U == 0) return {first, second, std::nullopt};
        if (first >> 16U > 4) throw damaged("a small element of more than 4 bytes");
        return {first & 0xFFFFU, first >> 16U, second};
    }

    static std::uint64_t padded(std::uint64_t bytes) { return (bytes + 7) / 8 * 8; }

    /// Passes over the data of an element. The last one may lack its padding.
    void pass(Stream& stream, const Tag& element, std::uint64_t& budget) const {
        if (element.small) return;
        take(budget, element.bytes, *this);
        const std::uint64_t padding = std::min(padded(element.bytes) - element.bytes, budget);
        budget -= padding;
        stream.skip(element.bytes + padding);
    }

    std::vector<std::uint32_t> words(Stream& stream, const Tag& element, std::uint64_t most,
                                     std::uint64_t& budget) const {
        if (element.small) return {*element.small};
        const std::uint64_t count = element.bytes / 4;
        if (element.bytes % 4 != 0 || count == 0 || count > most)
            throw damaged(fmt::format("a list of {} bytes where at most {} were expected",
                                      element.bytes, 4 * most));
        take(budget, padded(element.bytes), *this);
        std::vector<std::uint32_t> values(count);
        for (std::uint32_t& value : values) value = word(stream);
        stream.skip(padded(element.bytes) - element.bytes);
        return values;
    }

    void walkMatrix(Stream& stream, std::uint64_t budget, int depth) {
        if (budget == 0) return; // an empty field
        if (depth > kMostLevels) throw damaged(fmt::format("more than {} levels", kMostLevels));
        if (++m_matrices > kMaxMatrices)
            throw damaged(fmt::format("more than {} values", kMaxMatrices));
        const Tag flags = tag(stream, budget);
        if (flags.type != kUint32 || flags.bytes != 8 || flags.small)
            throw damaged("a variable without array flags");
        const std::uint32_t flagWord = words(stream, flags, 2, budget)[0];
        const std::uint32_t type = flagWord & 0xFFU;
        const bool complex = (flagWord & 0x0800U) != 0;
        if (type == kCell || type == kStruct || type == kChar ||
            (type >= kFirstNumeric && type <= kLastNumeric)) {
            const std::uint64_t count = dimensions(stream, budget);
            const Tag name = tag(stream, budget);
            if (name.type != kInt8 || name.bytes > 4096) throw damaged("a variable without a name");
            pass(stream, name, budget);
            if (type == kStruct)
                walkStruct(stream, budget, count, depth);
            else if (type == kCell)
                walkChildren(stream, budget, count, depth);
            else
                walkNumbers(stream, budget, count, type, complex);
        }
        stream.skip(budget);
    }

    std::uint64_t dimensions(Stream& stream, std::uint64_t& budget) {
        const Tag element = tag(stream, budget);
        if (element.type != kInt32 || element.small) throw damaged("a variable without dimensions");
        std::uint64_t count = 1;
        for (const std::uint32_t extent : words(stream, element, kMostExtents, budget)) {
            if (extent > 0x7FFFFFFFU) throw damaged("a negative dimension");
            if (extent != 0 && count > (std::uint64_t{1} << 48U) / extent)
                throw damaged("dimensions larger than any file");
            count *= extent;
        }
        return count;
    }

    void walkNumbers(Stream& stream, std::uint64_t& budget, std::uint64_t count, std::uint32_t type,
                     bool complex) {
        if (count == 0) return;
        for (int part = 0; part < (complex ? 2 : 1); ++part) {
            const Tag data = tag(stream, budget);
            const std::uint64_t each = storageBytes(data.type);
            if (each == 0) throw damaged(fmt::format("numbers of the unknown type {}", data.type));
            const bool fits =
                type == kChar ? data.bytes / each >= count : data.bytes == count * each;
            if (!fits)
                throw damaged(fmt::format("{} bytes of numbers where {} numbers of {} bytes were "
                                          "announced",
                                          data.bytes, count, each));
            pass(stream, data, budget);
            m_memory += count * (type == kChar ? each : classBytes(type));
        }
        checkLoadSize(m_file.path(), "its variables", m_memory);
    }

    void walkStruct(Stream& stream, std::uint64_t& budget, std::uint64_t count, int depth) {
        const Tag width = tag(stream, budget);
        if (width.type != kInt32 || width.bytes != 4)
            throw damaged("a struct without the width of its names");
        const std::uint32_t nameWidth = words(stream, width, 1, budget)[0];
        const Tag names = tag(stream, budget);
        if (names.type != kInt8 || nameWidth == 0 || nameWidth > 4096 ||
            names.bytes % nameWidth != 0)
            throw damaged("a struct with damaged field names");
        pass(stream, names, budget);
        const std::uint64_t fields = names.bytes / nameWidth;
        if (fields != 0 && count > budget / fields)
            throw damaged(
                fmt::format("a struct array of {} entries, more than it has bytes", count));
        walkChildren(stream, budget, count * fields, depth);
    }

    void walkChildren(Stream& stream, std::uint64_t& budget, std::uint64_t count, int depth) {
        if (count > budget / 8) throw damaged(fmt::format("{} values in {} bytes", count, budget));
        for (std::uint64_t i = 0; i < count; ++i) {
            const Tag child = tag(stream, budget);
            if (child.type != kMatrix || child.small) throw damaged("a field that is no variable");
            take(budget, child.bytes, *this);
            walkMatrix(stream, child.bytes, depth + 1);
        }
    }

    const InputFile& m_file;
    bool m_swap = false;
    std::uint64_t m_at = 0; ///< of the variable that is walked
    std::uint64_t m_matrices = 0;
    std::uint64_t m_memory = 0;
};

} // namespace

void checkMat5(const InputFile& file) { Walker(file).walkFile(); }

} // namespace echolux
