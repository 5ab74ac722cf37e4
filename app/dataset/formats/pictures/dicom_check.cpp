// SPDX-License-Identifier: GPL-3.0-or-later
// Walks data elements, items and fragments as in parts 5 and 10 of the standard. Where files break
// the rules, it takes lengths as DCMTK takes them.
#include "app/dataset/formats/pictures/dicom_check.hpp"

#include "app/dataset/container/byte_stream.hpp"
#include "app/dataset/recording/opening.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace echolux {

namespace {

constexpr std::uint64_t kDicomPreamble = 132; ///< its mark included
constexpr std::uint32_t kDicomUndefined = 0xFFFFFFFF;
constexpr std::uint32_t kDicomPixels = 0x7FE00010;
constexpr std::uint32_t kDicomItem = 0xFFFEE000;
constexpr std::uint32_t kDicomItemEnd = 0xFFFEE00D;
constexpr std::uint32_t kDicomSequenceEnd = 0xFFFEE0DD;

/// How elements are written.
struct DicomCoding {
    bool explicitVr = true;
    bool bigEndian = false;
};

struct DicomElement {
    std::uint32_t tag = 0;
    std::string vr = {}; ///< empty where none is written
    std::uint32_t length = 0;
};

bool isUpper(char c) { return c >= 'A' && c <= 'Z'; }

/// True where 2 unused bytes and a length of 4 bytes follow.
bool hasLongLength(std::string_view vr) {
    constexpr std::string_view kShort = "AE AS AT CS DA DS DT FD FL IS LO LT PN SH SL SS ST TM UI "
                                        "UL US ";
    return isUpper(vr[0]) && isUpper(vr[1]) && kShort.find(vr) == std::string_view::npos;
}

class DicomWalker {
public:
    explicit DicomWalker(const InputFile& file) : m_file(file) {}

    void walk() {
        const std::uint64_t begin = walkMeta();
        constexpr std::array<std::string_view, 3> kDeflated{
            "1.2.840.10008.1.2.1.99", "1.2.840.10008.1.2.4.95", "1.2.840.10008.1.2.4.205"};
        m_deflated = std::ranges::find(kDeflated, m_syntax) != kDeflated.end();
        if (m_deflated)
            m_stream = std::make_unique<InflateStream>(m_file, begin, m_file.size(),
                                                       InflateStream::Wrapper::None,
                                                       "its deflated data set");
        else
            m_stream = std::make_unique<FileStream>(m_file, begin);
        m_left = m_deflated ? ~std::uint64_t{0} : m_file.size() - begin;
        const DicomCoding coding = codingOf(m_syntax);
        constexpr std::uint64_t kShortest = 8; // padding may follow
        while (m_left >= kShortest && !m_stream->atEnd()) walkElement(head(coding), coding);
    }

private:
    Error wrong(const std::string& what) const {
        return fileError(m_file.path(), what + "; export the cine as DICOM again");
    }

    static std::uint64_t number(std::string_view bytes, bool bigEndian) {
        std::uint64_t value = 0;
        for (std::size_t i = 0; i < bytes.size(); ++i) {
            const std::size_t at = bigEndian ? i : bytes.size() - 1 - i;
            value = value << 8U | static_cast<unsigned char>(bytes[at]);
        }
        return value;
    }

    /// Walks group 0002, which is always explicit and little-endian. Returns where the data set
    /// begins.
    std::uint64_t walkMeta() {
        std::uint64_t at = kDicomPreamble;
        std::optional<std::uint64_t> announced;
        while (m_file.size() - at >= 8) {
            const std::string start = bytesAt(at, 8);
            if (number(start.substr(0, 2), false) != 2) break;
            const std::string vr = start.substr(4, 2);
            if (!isUpper(vr[0]) || !isUpper(vr[1])) throw wrong("its header is damaged");
            const bool isLong = hasLongLength(vr);
            const std::uint64_t length =
                isLong ? number(bytesAt(at + 8, 4), false) : number(start.substr(6, 2), false);
            at += isLong ? 12 : 8;
            if (at > m_file.size() || length > m_file.size() - at)
                throw wrong("its header is damaged");
            takeMeta(number(start.substr(2, 2), false), at, length, announced);
            at += length;
            Opening::visit();
        }
        if (announced && *announced != at)
            throw wrong("its header has another length than it says");
        if (m_syntax.empty()) throw wrong("it does not say its transfer syntax");
        return at;
    }

    void takeMeta(std::uint64_t element, std::uint64_t at, std::uint64_t length,
                  std::optional<std::uint64_t>& announced) {
        constexpr std::uint64_t kLongestName = 64;
        if (element == 0 && length == 4) announced = at + 4 + number(bytesAt(at, 4), false);
        if (element != 0x10) return;
        m_syntax = bytesAt(at, std::min(length, kLongestName));
        m_syntax.resize(
            std::min(m_syntax.find_first_of(std::string_view("\0 ", 2)), m_syntax.size()));
    }

    std::string bytesAt(std::uint64_t at, std::uint64_t count) const {
        std::string bytes(count, '\0');
        m_file.read(at, std::as_writable_bytes(std::span(bytes)));
        return bytes;
    }

    DicomCoding codingOf(std::string_view syntax) const {
        if (syntax == "1.2.840.10008.1.2" || syntax == "1.2.840.113619.5.2")
            return {.explicitVr = false};
        if (syntax == "1.2.840.10008.1.2.2") return {.bigEndian = true};
        if (syntax.starts_with("1.2.840.10008.1.2.")) return {};
        throw wrong(fmt::format("its transfer syntax '{}' is none that Echolux reads", syntax));
    }

    void take(std::uint64_t bytes) {
        if (bytes > m_left)
            throw wrong(
                fmt::format("an element of it needs {} bytes where {} are left", bytes, m_left));
        m_left -= bytes;
        m_read += bytes;
        if (m_deflated) Opening::keep("its deflated data set", m_read);
    }

    std::string next(std::uint64_t count) {
        take(count);
        std::string bytes(count, '\0');
        m_stream->read(std::as_writable_bytes(std::span(bytes)));
        return bytes;
    }

    void skip(std::uint64_t bytes) {
        take(bytes);
        m_stream->skip(bytes);
    }

    DicomElement head(DicomCoding coding) {
        Opening::visit();
        const std::string start = next(8);
        const auto part = [&](std::size_t at, std::size_t count) {
            return static_cast<std::uint32_t>(
                number(std::string_view(start).substr(at, count), coding.bigEndian));
        };
        DicomElement element{.tag = part(0, 2) << 16U | part(2, 2)};
        const bool plain = element.tag == kDicomItem || element.tag == kDicomItemEnd ||
                           element.tag == kDicomSequenceEnd || !coding.explicitVr;
        if (plain) {
            element.length = part(4, 4);
            return element;
        }
        element.vr = start.substr(4, 2);
        element.length = hasLongLength(element.vr)
                             ? static_cast<std::uint32_t>(number(next(4), coding.bigEndian))
                             : part(6, 2);
        return element;
    }

    void walkElement(const DicomElement& element, DicomCoding coding) {
        if (element.tag == kDicomPixels && element.length == kDicomUndefined)
            return walkFragments(coding);
        if (element.length == kDicomUndefined) {
            // An unknown element is a sequence without value representations.
            return walkSequence(element,
                                element.vr == "SQ" ? coding : DicomCoding{.explicitVr = false});
        }
        if (element.vr == "SQ") return walkSequence(element, coding);
        if (element.vr.empty() && element.length >= 8) return walkUnnamed(element, coding);
        skip(element.length);
    }

    /// Without a value representation only a dictionary tells which elements are sequences. An
    /// element that begins with an item counts as a sequence.
    void walkUnnamed(const DicomElement& element, DicomCoding coding) {
        const std::string start = next(8);
        const auto part = [&](std::size_t at) {
            return static_cast<std::uint32_t>(
                number(std::string_view(start).substr(at, 2), coding.bigEndian));
        };
        if (element.tag == kDicomPixels || (part(0) << 16U | part(2)) != kDicomItem)
            return skip(element.length - 8);
        const DicomElement first{.tag = kDicomItem,
                                 .length = static_cast<std::uint32_t>(number(
                                     std::string_view(start).substr(4, 4), coding.bigEndian))};
        walkItems(within(element.length - 8), coding, first);
    }

    void walkSequence(const DicomElement& element, DicomCoding coding) {
        walkItems(within(element.length), coding, std::nullopt);
    }

    /// How much is left of the file after an element of this length. Nothing where a mark ends the
    /// element.
    std::optional<std::uint64_t> within(std::uint32_t length) const {
        if (length == kDicomUndefined) return std::nullopt;
        if (length > m_left)
            throw wrong(
                fmt::format("a sequence of {} bytes lies where {} are left", length, m_left));
        return m_left - length;
    }

    bool reached(const std::optional<std::uint64_t>& end) const {
        if (end && m_left < *end) throw wrong("an item is longer than the sequence around it");
        return end && m_left == *end;
    }

    void walkItems(std::optional<std::uint64_t> end, DicomCoding coding,
                   std::optional<DicomElement> first) {
        const Opening::Level level;
        while (first || !reached(end)) {
            const DicomElement item = first ? *first : head(coding);
            first.reset();
            if (item.tag == kDicomSequenceEnd) return;
            if (item.tag != kDicomItem) throw wrong("a sequence holds what is no item");
            const std::optional<std::uint64_t> itemEnd = within(item.length);
            while (!reached(itemEnd)) {
                const DicomElement inner = head(coding);
                if (inner.tag == kDicomItemEnd) break;
                walkElement(inner, coding);
            }
        }
    }

    void walkFragments(DicomCoding coding) {
        while (true) {
            const DicomElement fragment = head(coding);
            if (fragment.tag == kDicomSequenceEnd) return;
            if (fragment.tag != kDicomItem || fragment.length == kDicomUndefined)
                throw wrong("its compressed pictures are damaged");
            skip(fragment.length);
        }
    }

    const InputFile& m_file;
    std::unique_ptr<ByteStream> m_stream;
    std::string m_syntax;
    bool m_deflated = false;
    std::uint64_t m_left = 0; ///< bytes of the data set
    std::uint64_t m_read = 0;
};

} // namespace

void checkDicom(const InputFile& file) { DicomWalker(file).walk(); }

} // namespace echolux
