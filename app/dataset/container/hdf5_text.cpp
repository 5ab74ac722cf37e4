// SPDX-License-Identifier: GPL-3.0-or-later
// Object headers, attribute messages and global heaps: HDF5 File Format Specification 3.0, sections
// IV.A.1, IV.A.2.m and III.E.
#include "app/dataset/container/hdf5_text.hpp"

#include "app/dataset/container/hdf5_handle.hpp"
#include "app/dataset/container/hdf5_text_list.hpp"
#include "app/dataset/container/hdf5_type_check.hpp"
#include "app/dataset/container/hdf5_whole.hpp"
#include "app/dataset/container/little_endian.hpp"
#include "app/dataset/recording/opening.hpp"

#include <algorithm>
#include <cstdint>
#include <deque>
#include <span>
#include <utility>
#include <vector>

namespace echolux {

namespace {

constexpr std::uint64_t kLongestText = std::uint64_t{1} << 20U;
constexpr std::uint64_t kMostBlock = std::uint64_t{1} << 20U; ///< of an object header
constexpr std::size_t kReference = 16;                        ///< length, address, index

using Bytes = std::vector<std::byte>;

bool startsWith(std::span<const std::byte> bytes, const char* signature) {
    for (std::size_t i = 0; signature[i] != '\0'; ++i)
        if (i >= bytes.size() || bytes[i] != static_cast<std::byte>(signature[i])) return false;
    return true;
}

/// Empty where the bytes lie outside the file.
Bytes bytesAt(const InputFile& file, std::uint64_t at, std::uint64_t count) {
    if (at > file.size() || count > file.size() - at) return {};
    Bytes bytes(count);
    file.read(at, bytes);
    return bytes;
}

/// The text in a global heap. `reference` holds a length, the address of the heap and an index.
std::optional<std::string> heapText(const InputFile& file, std::uint64_t base,
                                    std::span<const std::byte> reference) {
    constexpr std::uint64_t kHead = 16; // bytes of the header of a heap, and of each object
    const std::uint64_t length = numberAt(reference, 0, 4);
    const std::uint64_t heap = base + numberAt(reference, 4, 8);
    const std::uint64_t index = numberAt(reference, 12, 4);
    if (length == 0) return std::string();
    if (length > kLongestText || heap < base) return std::nullopt;
    const Bytes head = bytesAt(file, heap, kHead);
    if (!startsWith(head, "GCOL")) return std::nullopt;
    const std::uint64_t size = numberAt(head, 8, 8);
    if (size < kHead || size > file.size() - heap) return std::nullopt;
    std::uint64_t at = kHead;
    while (at + kHead <= size) {
        const Bytes object = bytesAt(file, heap + at, kHead);
        if (object.empty() || numberAt(object, 0, 2) == 0) return std::nullopt;
        const std::uint64_t bytes = numberAt(object, 8, 8);
        at += kHead;
        if (bytes > size - at) return std::nullopt;
        if (numberAt(object, 0, 2) == index) {
            if (length > bytes) return std::nullopt;
            const Bytes text = bytesAt(file, heap + at, length);
            std::string copy(reinterpret_cast<const char*>(text.data()), text.size());
            return copy.substr(0, copy.find('\0'));
        }
        at += (bytes + 7) / 8 * 8;
    }
    return std::nullopt;
}

/// The value of an attribute message of this name; empty where the message has another name.
std::span<const std::byte> valueOf(std::span<const std::byte> message, const std::string& name) {
    constexpr std::size_t kHead = 8;
    if (message.size() < kHead) return {};
    const std::uint64_t version = numberAt(message, 0, 1);
    if (version < 1 || version > 3) return {};
    std::size_t at = version == 3 ? kHead + 1 : kHead; // after the character set
    const auto padded = [&](std::uint64_t size) {
        return static_cast<std::size_t>(version == 1 ? (size + 7) / 8 * 8 : size);
    };
    const std::uint64_t nameSize = numberAt(message, 2, 2);
    const std::size_t value =
        at + padded(nameSize) + padded(numberAt(message, 4, 2)) + padded(numberAt(message, 6, 2));
    if (value > message.size() || nameSize != name.size() + 1) return {};
    const std::string found(reinterpret_cast<const char*>(&message[at]), name.size());
    return found == name ? message.subspan(value) : std::span<const std::byte>{};
}

/// True where all parts of an attribute message, and the value that they describe, lie in the
/// message. HDF5 itself checks other versions and shared parts.
bool fitsMessage(std::span<const std::byte> message) {
    constexpr std::size_t kHead = 8;
    if (message.size() < kHead) return false;
    const std::uint64_t version = numberAt(message, 0, 1);
    if (version < 1 || version > 3) return true;
    const auto padded = [&](std::uint64_t size) {
        return static_cast<std::size_t>(version == 1 ? (size + 7) / 8 * 8 : size);
    };
    const std::size_t nameAt = version == 3 ? kHead + 1 : kHead;
    const std::size_t typeAt = nameAt + padded(numberAt(message, 2, 2));
    const std::size_t spaceAt = typeAt + padded(numberAt(message, 4, 2));
    const std::size_t valueAt = spaceAt + padded(numberAt(message, 6, 2));
    if (valueAt > message.size()) return false;
    const auto name = message.subspan(nameAt, typeAt - nameAt);
    if (std::ranges::find(name, std::byte{0}) == name.end()) return false;
    if (version > 1 && (numberAt(message, 1, 1) & 3U) != 0) return true;
    constexpr std::size_t kLeastType = 8;
    constexpr std::size_t kLeastSpace = 4;
    if (spaceAt - typeAt < kLeastType || valueAt - spaceAt < kLeastSpace) return false;
    if (!datatypeFits(message.subspan(typeAt, spaceAt - typeAt))) return false;
    const bool old = numberAt(message, spaceAt, 1) == 1;
    constexpr std::uint64_t kNoValue = 2;
    if (!old && numberAt(message, spaceAt + 3, 1) == kNoValue) return true;
    const std::size_t rank = numberAt(message, spaceAt + 1, 1);
    const std::size_t extentsAt = spaceAt + (old ? 8 : 4);
    if (extentsAt + 8 * rank > valueAt) return false;
    std::uint64_t bytes = numberAt(message, typeAt + 4, 4);
    for (std::size_t i = 0; i < rank; ++i) {
        const std::uint64_t extent = numberAt(message, extentsAt + 8 * i, 8);
        if (extent != 0 && bytes > message.size() / extent) return false;
        bytes *= extent;
    }
    return bytes <= message.size() - valueAt;
}

/// Walks the messages of an object's header, in all its blocks.
class ObjectHeader {
public:
    ObjectHeader(const InputFile& file, std::uint64_t base, std::uint64_t address)
        : m_file(file), m_base(base) {
        constexpr std::uint64_t kFirst = 64; // enough for both kinds of header
        const std::uint64_t at = base + address;
        if (at < base || at > file.size()) return;
        const Bytes head = bytesAt(file, at, std::min(kFirst, file.size() - at));
        if (head.size() < 32) return;
        if (startsWith(head, "OHDR")) {
            const std::uint64_t flags = numberAt(head, 5, 1);
            const std::size_t sizeAt =
                6 + ((flags & 0x20U) != 0 ? 16 : 0) + ((flags & 0x10U) != 0 ? 4 : 0);
            const std::size_t width = std::size_t{1} << (flags & 3U);
            m_new = true;
            m_ordered = (flags & 4U) != 0;
            m_blocks.push_back({at + sizeAt + width, numberAt(head, sizeAt, width)});
        } else if (numberAt(head, 0, 1) == 1) {
            m_blocks.push_back({at + 16, numberAt(head, 8, 4)});
        }
    }

    std::optional<Bytes> attribute(const std::string& name) {
        std::optional<Bytes> found;
        findMessage([&](Message kind, std::span<const std::byte> message) {
            if (kind != Message::Attribute) return false;
            const auto value = valueOf(message, name);
            if (!value.empty()) found.emplace(value.begin(), value.end());
            return found.has_value();
        });
        return found;
    }

    bool isSound() {
        return !findMessage([](Message kind, std::span<const std::byte> message) {
            return kind == Message::Attribute ? !fitsMessage(message) : !datatypeFits(message);
        });
    }

private:
    struct Block {
        std::uint64_t at = 0;
        std::uint64_t size = 0;
    };

    enum class Message : std::uint64_t { Datatype = 0x03, Attribute = 0x0C, Continuation = 0x10 };

    /// True where a message of a type or an attribute is not shared and `is` is true for it.
    template <class Is> bool findMessage(Is is) {
        constexpr int kMostBlocks = 64;
        for (int i = 0; i < kMostBlocks && !m_blocks.empty(); ++i) {
            const Block block = m_blocks.front();
            m_blocks.pop_front();
            if (block.size > kMostBlock) continue;
            if (inBlock(bytesAt(m_file, block.at, block.size), is)) return true;
        }
        return false;
    }

    template <class Is> bool inBlock(std::span<const std::byte> bytes, Is is) {
        const std::size_t head = m_new ? (m_ordered ? 6 : 4) : 8;
        std::size_t at = 0;
        if (startsWith(bytes, "OCHK")) { // the block ends with a checksum
            at = 4;
            bytes = bytes.first(std::max<std::size_t>(bytes.size(), 8) - 4);
        }
        while (at + head <= bytes.size()) {
            const Message kind{numberAt(bytes, at, m_new ? 1 : 2)};
            const std::uint64_t size = numberAt(bytes, at + (m_new ? 1 : 2), 2);
            const bool shared = (numberAt(bytes, at + (m_new ? 3 : 4), 1) & 2U) != 0;
            at += head;
            if (size > bytes.size() - at) return false;
            const auto message = bytes.subspan(at, size);
            at += size;
            if (kind == Message::Continuation && size >= 16)
                m_blocks.push_back({m_base + numberAt(message, 0, 8), numberAt(message, 8, 8)});
            const bool isOf = kind == Message::Attribute || kind == Message::Datatype;
            if (isOf && !shared && is(kind, message)) return true;
        }
        return false;
    }

    const InputFile& m_file;
    std::uint64_t m_base;
    bool m_new = false;     ///< version 2
    bool m_ordered = false; ///< messages store the order in which they were made
    std::deque<Block> m_blocks;
};

#if H5_VERSION_GE(1, 12, 0)
using ObjectInfo = H5O_info1_t;
#else
using ObjectInfo = H5O_info_t;
#endif

/// Origin of the addresses in a file; empty where addresses or lengths do not have 8 bytes.
std::optional<std::uint64_t> originOf(hid_t file, const InputFile& bytes) {
    const Hdf5Handle plist(H5Fget_create_plist(file));
    hsize_t userBlock = 0;
    std::size_t addressBytes = 0;
    std::size_t lengthBytes = 0;
    if (!plist || H5Pget_userblock(plist.get(), &userBlock) < 0 ||
        H5Pget_sizes(plist.get(), &addressBytes, &lengthBytes) < 0)
        return std::nullopt;
    const bool known = addressBytes == 8 && lengthBytes == 8 && userBlock <= bytes.size();
    return known ? std::optional<std::uint64_t>(userBlock) : std::nullopt;
}

/// The bytes of a dataset that is stored in one piece, at most `count` of them.
Bytes contiguousBytes(const InputFile& file, hid_t dataset, std::uint64_t count) {
    const Hdf5Handle plist(H5Dget_create_plist(dataset));
    if (!plist || H5Pget_layout(plist.get()) != H5D_CONTIGUOUS) return {};
    const haddr_t at = H5Dget_offset(dataset);
    return at == HADDR_UNDEF ? Bytes{} : bytesAt(file, at, count);
}

/// Texts of fixed length, one after the other.
std::vector<std::string> fixedTexts(hid_t dataset, hid_t type, std::size_t count) {
    const Hdf5Handle plist(H5Dget_create_plist(dataset));
    const std::size_t width = H5Tget_size(type);
    if (!plist || H5Pget_nfilters(plist.get()) != 0 || width > kLongestText / count) return {};
    std::string cells(width * count, '\0');
    const Hdf5Whole whole(dataset);
    if (whole.count() != count || !whole.read(type, cells.data())) return {};
    std::vector<std::string> texts;
    for (std::size_t i = 0; i < count; ++i) {
        const std::string cell = cells.substr(i * width, width);
        texts.push_back(cell.substr(0, cell.find('\0')));
    }
    return texts;
}

} // namespace

Hdf5Texts::Hdf5Texts(hid_t file, const InputFile& bytes) : m_bytes(bytes) {
    const auto origin = originOf(file, bytes);
    m_known = origin.has_value();
    m_base = origin.value_or(0);
}

bool Hdf5Texts::isHeaderSound(hid_t file, const std::string& where) const {
    ObjectInfo info{};
    if (!m_known ||
        H5Oget_info_by_name2(file, where.c_str(), &info, H5O_INFO_BASIC, H5P_DEFAULT) < 0)
        return true;
    return ObjectHeader(m_bytes, m_base, info.addr).isSound();
}

bool Hdf5Texts::isTreeSound(hid_t file, const std::string& where, int levels) const {
    constexpr std::size_t kMost = 4096; // children of one group
    Opening::visit();
    if (!isHeaderSound(file, where)) return false;
    const Hdf5Handle group(levels > 0 ? H5Gopen2(file, where.c_str(), H5P_DEFAULT) : -1);
    if (!group) return true; // a dataset
    std::vector<std::string> names;
    const auto visit = [](hid_t, const char* name, const H5L_info_t* link, void* into) -> herr_t {
        auto& found = *static_cast<std::vector<std::string>*>(into);
        if (link->type == H5L_TYPE_HARD) found.emplace_back(name);
        return found.size() < kMost ? 0 : 1;
    };
    H5Literate(group.get(), H5_INDEX_NAME, H5_ITER_NATIVE, nullptr, visit, &names);
    const std::string below = where == "/" ? where : where + "/";
    return std::ranges::all_of(names, [&](const std::string& name) {
        return isTreeSound(file, below + name, levels - 1);
    });
}

std::optional<std::string> Hdf5Texts::ofDataset(hid_t dataset) const {
    if (!m_known) return std::nullopt;
    const Bytes reference = contiguousBytes(m_bytes, dataset, kReference);
    if (reference.empty()) return std::nullopt;
    return heapText(m_bytes, m_base, reference);
}

std::vector<std::string> textsOf(hid_t file, const InputFile& bytes, hid_t dataset) {
    constexpr hssize_t kMostTexts = 4096;
    const Hdf5Handle type(H5Dget_type(dataset));
    const Hdf5Handle space(H5Dget_space(dataset));
    const hssize_t points = space ? H5Sget_simple_extent_npoints(space.get()) : 0;
    if (!type || H5Tget_class(type.get()) != H5T_STRING || points < 1 || points > kMostTexts)
        return {};
    const auto count = static_cast<std::size_t>(points);
    if (H5Tis_variable_str(type.get()) <= 0) return fixedTexts(dataset, type.get(), count);
    const auto origin = originOf(file, bytes);
    if (!origin) return {};
    const Bytes references = contiguousBytes(bytes, dataset, kReference * count);
    std::vector<std::string> texts;
    for (std::size_t at = 0; at < references.size(); at += kReference) {
        Opening::visit();
        auto text = heapText(bytes, *origin, std::span(references).subspan(at, kReference));
        if (!text) return {};
        texts.push_back(std::move(*text));
    }
    return texts;
}

std::optional<std::string> Hdf5Texts::ofAttribute(hid_t file, const std::string& where,
                                                  const std::string& name) const {
    ObjectInfo info{};
    if (!m_known ||
        H5Oget_info_by_name2(file, where.c_str(), &info, H5O_INFO_BASIC, H5P_DEFAULT) < 0)
        return std::nullopt;
    const auto value = ObjectHeader(m_bytes, m_base, info.addr).attribute(name);
    if (!value || value->size() < kReference) return std::nullopt;
    return heapText(m_bytes, m_base, std::span(*value).first(kReference));
}

} // namespace echolux
