// SPDX-License-Identifier: GPL-3.0-or-later
// Walks the elements of a MAT-file of version 5 and compares every length with that of the
// enclosing element.
#include "app/dataset/container/byte_stream.hpp"
#include "app/dataset/container/mat_value.hpp"
#include "app/dataset/recording/opening.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <optional>
#include <utility>

namespace echolux {

namespace {

constexpr std::uint64_t kHeaderBytes = 128;
constexpr std::uint64_t kMostExtents = 32;
constexpr std::uint64_t kValueBytes = sizeof(MatValue) + 256; ///< with matio's own value

enum Type : std::uint32_t { kInt8 = 1, kInt32 = 5, kUint32 = 6, kMatrix = 14, kCompressed = 15 };
enum Class : std::uint32_t {
    kCell = 1,
    kStruct = 2,
    kChar = 4,
    kSparse = 5,
    kFirstNumeric = 6,
    kLastNumeric = 15,
    kFunction = 16
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
                InflateStream inflated(m_file, at, at + bytes, "a compressed variable");
                const std::uint32_t inner = word(inflated);
                const std::uint64_t innerBytes = word(inflated);
                if (inner != kMatrix) throw damaged("compressed data that are no variable");
                walkMatrix(inflated, innerBytes);
                inflated.finish();
            } else if (type == kMatrix) {
                walkMatrix(stream, bytes);
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

    std::uint32_t word(ByteStream& stream) const {
        std::uint32_t value = 0;
        stream.read(std::as_writable_bytes(std::span(&value, 1)));
        return m_swap ? __builtin_bswap32(value) : value;
    }

    static void take(std::uint64_t& budget, std::uint64_t bytes, const Walker& walker) {
        if (bytes > budget) throw walker.damaged("an element longer than the variable around it");
        budget -= bytes;
    }

    Tag tag(ByteStream& stream, std::uint64_t& budget) const {
        take(budget, 8, *this);
        const std::uint32_t first = word(stream);
        const std::uint32_t second = word(stream);
        if (first >> 16U == 0) return {first, second, std::nullopt};
        if (first >> 16U > 4) throw damaged("a small element of more than 4 bytes");
        return {first & 0xFFFFU, first >> 16U, second};
    }

    static std::uint64_t padded(std::uint64_t bytes) { return (bytes + 7) / 8 * 8; }

    /// Skips the data of an element. The last one may lack its padding.
    void pass(ByteStream& stream, const Tag& element, std::uint64_t& budget) const {
        if (element.small) return;
        take(budget, element.bytes, *this);
        const std::uint64_t padding = std::min(padded(element.bytes) - element.bytes, budget);
        budget -= padding;
        stream.skip(element.bytes + padding);
    }

    std::vector<std::uint32_t> words(ByteStream& stream, const Tag& element, std::uint64_t most,
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

    void walkMatrix(ByteStream& stream, std::uint64_t budget) {
        Opening::visit();
        hold(kValueBytes);
        if (budget == 0) return; // an empty field
        const Opening::Level level;
        const Tag flags = tag(stream, budget);
        if (flags.type != kUint32 || flags.bytes != 8)
            throw damaged("a variable without array flags");
        const std::uint32_t flagWord = words(stream, flags, 2, budget)[0];
        const std::uint32_t type = flagWord & 0xFFU;
        const bool complex = (flagWord & 0x0800U) != 0;
        if (type == kCell || type == kStruct || (type >= kChar && type <= kFunction)) {
            const std::uint64_t count = dimensions(stream, budget);
            const Tag name = tag(stream, budget);
            if (name.type != kInt8 || name.bytes > 4096) throw damaged("a variable without a name");
            pass(stream, name, budget);
            if (type == kStruct)
                walkStruct(stream, budget, count);
            else if (type == kCell)
                walkChildren(stream, budget, count);
            else if (type == kSparse || type == kFunction)
                walkParts(stream, budget, type == kFunction ? count : 0);
            else
                walkNumbers(stream, budget, count, type, complex);
        }
        stream.skip(budget);
    }

    std::uint64_t dimensions(ByteStream& stream, std::uint64_t& budget) {
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

    void walkNumbers(ByteStream& stream, std::uint64_t& budget, std::uint64_t count,
                     std::uint32_t type, bool complex) {
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
            hold(count * (type == kChar ? each : classBytes(type)));
        }
    }

    /// Counts `bytes` more that stay in memory once the file is read.
    void hold(std::uint64_t bytes) {
        m_memory += bytes;
        checkLoadSize(m_file.path(), "its variables", m_memory);
    }

    void walkStruct(ByteStream& stream, std::uint64_t& budget, std::uint64_t count) {
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
        hold(std::max<std::uint64_t>(count, 1) * fields * nameWidth);
        walkChildren(stream, budget, count * fields);
    }

    void walkChildren(ByteStream& stream, std::uint64_t& budget, std::uint64_t count) {
        if (count > budget / 8) throw damaged(fmt::format("{} values in {} bytes", count, budget));
        for (std::uint64_t i = 0; i < count; ++i) {
            const Tag child = tag(stream, budget);
            if (child.type != kMatrix || child.small) throw damaged("a field that is no variable");
            take(budget, child.bytes, *this);
            walkMatrix(stream, child.bytes);
        }
    }

    /// Walks a sparse matrix or a function. Echolux leaves them out, but matio reads them. They
    /// hold elements of any kind, at least `least` of them.
    void walkParts(ByteStream& stream, std::uint64_t& budget, std::uint64_t least) {
        if (least > budget / 8) throw damaged(fmt::format("{} values in {} bytes", least, budget));
        while (budget >= 8) {
            const Tag part = tag(stream, budget);
            if (part.type == kMatrix && !part.small) {
                take(budget, part.bytes, *this);
                walkMatrix(stream, part.bytes);
                continue;
            }
            pass(stream, part, budget);
            hold(8 * part.bytes);
        }
    }

    const InputFile& m_file;
    bool m_swap = false;
    std::uint64_t m_at = 0; ///< position of the variable that is walked
    std::uint64_t m_memory = 0;
};

} // namespace

void checkMat5(const InputFile& file) { Walker(file).walkFile(); }

} // namespace echolux
