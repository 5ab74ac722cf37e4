// SPDX-License-Identifier: GPL-3.0-or-later
// DICOM files, element by element.
#pragma once

#include "tests/dataset/crafted_files.hpp"
#include "tests/dataset/damage_attempts.hpp"

namespace echolux::test {

/// A sanitizer ends the process by a status of its own.
inline constexpr const char* kDcmtkFails = kSanitized ? "DCMTK ended too early" : "DCMTK crashed";

namespace dicom {

inline constexpr std::uint32_t kOpen = 0xFFFFFFFF; ///< a length that a mark ends

inline std::string number(std::uint64_t value, int bytes, bool big = false) {
    std::string text;
    for (int i = 0; i < bytes; ++i)
        text += static_cast<char>(value >> (8 * (big ? bytes - 1 - i : i)) & 0xFFU);
    return text;
}
inline std::string tag(std::uint32_t tag, bool big = false) {
    return number(tag >> 16U, 2, big) + number(tag & 0xFFFFU, 2, big);
}
/// Explicit, with a short length.
inline std::string element(std::uint32_t at, const std::string& vr, const std::string& value,
                           bool big = false) {
    return tag(at, big) + vr + number(value.size(), 2, big) + value;
}
/// Explicit, with a long length, which may lie.
inline std::string longElement(std::uint32_t at, const std::string& vr, std::uint32_t length,
                               const std::string& value, bool big = false) {
    return tag(at, big) + vr + std::string(2, '\0') + number(length, 4, big) + value;
}
inline std::string plain(std::uint32_t at, std::uint32_t length, const std::string& value,
                         bool big = false) {
    return tag(at, big) + number(length, 4, big) + value;
}
inline constexpr std::uint32_t kItem = 0xFFFEE000;
inline constexpr std::uint32_t kSequence = 0x00081140;

/// The preamble and a header that names the transfer syntax.
inline std::string file(std::string syntax, const std::string& data) {
    if (syntax.size() % 2 != 0) syntax += '\0';
    const std::string name = element(0x00020010, "UI", syntax);
    return std::string(128, '\0') + "DICM" + element(0x00020000, "UL", number(name.size(), 4)) +
           name + data;
}
inline const std::string kImplicit = "1.2.840.10008.1.2";
inline const std::string kExplicit = "1.2.840.10008.1.2.1";
inline const std::string kBig = "1.2.840.10008.1.2.2";
inline const std::string kDeflated = "1.2.840.10008.1.2.1.99";
inline const std::string kJpeg = "1.2.840.10008.1.2.4.50";
inline const std::string kProgressive = "1.2.840.10008.1.2.4.55";
inline const std::string kRunLengths = "1.2.840.10008.1.2.5";

/// Grey pictures of so many rows and columns.
inline std::string pictures(std::uint32_t rows, std::uint32_t columns, const std::string& frames) {
    return element(0x00280002, "US", number(1, 2)) + element(0x00280004, "CS", "MONOCHROME2 ") +
           element(0x00280008, "IS", frames) + element(0x00280010, "US", number(rows, 2)) +
           element(0x00280011, "US", number(columns, 2)) + element(0x00280100, "US", number(8, 2)) +
           element(0x00280101, "US", number(8, 2)) + element(0x00280102, "US", number(7, 2)) +
           element(0x00280103, "US", number(0, 2));
}
inline std::string pixels(std::uint32_t length, const std::string& value) {
    return longElement(0x7FE00010, "OB", length, value);
}
/// One compressed frame, behind an empty table of offsets.
inline std::string compressed(std::string frame) {
    if (frame.size() % 2 != 0) frame += '\0';
    return pixels(kOpen, plain(kItem, 0, "") +
                             plain(kItem, static_cast<std::uint32_t>(frame.size()), frame) +
                             plain(0xFFFEE0DD, 0, ""));
}
/// Run lengths of 64 x 64 zeros whose only segment is said to begin at `offset`.
inline std::string runLengths(std::uint32_t offset) {
    return number(1, 4) + number(offset, 4) + std::string(56, '\0') +
           repeated(std::string("\x81\0", 2), 64);
}
/// A JPEG picture of one component: its headers, and `scans` scans without data.
inline std::string jpegPicture(std::uint64_t rows, std::uint64_t columns, std::size_t scans) {
    const std::string header = number(11, 2, true) + number(8, 1) + number(rows, 2, true) +
                               number(columns, 2, true) + std::string("\1\1\x11\0", 4);
    const std::string scan("\xFF\xDA\0\x08\1\1\0\0\0\0\0", 11);
    return "\xFF\xD8\xFF\xC2" + header + repeated(scan, scans) + "\xFF\xD9";
}
/// Sequences in each other whose ends are never written, or only by lengths.
inline std::string openSequences(std::size_t levels, bool big = false) {
    return repeated(longElement(kSequence, "SQ", kOpen, plain(kItem, kOpen, "", big), big), levels);
}
inline std::string measuredSequences(std::size_t levels, bool isExplicit) {
    std::string inner;
    std::vector<std::string> heads;
    std::uint32_t length = 0;
    for (std::size_t i = 0; i < levels; ++i) {
        const std::string item = plain(kItem, length, "");
        length += static_cast<std::uint32_t>(item.size());
        heads.push_back(
            (isExplicit ? longElement(kSequence, "SQ", length, "") : plain(kSequence, length, "")) +
            item);
        length += isExplicit ? 12 : 8;
    }
    for (auto head = heads.rbegin(); head != heads.rend(); ++head) inner += *head;
    return inner;
}

} // namespace dicom

inline std::vector<Crafted> craftedDicom() {
    using namespace dicom;
    const auto one = [](std::string name, std::string says, std::string syntax,
                        std::function<std::string()> data) {
        return ofBytes(
            std::move(name), std::move(says),
            [syntax = std::move(syntax), data = std::move(data)] { return file(syntax, data()); });
    };
    const std::string four(4, '\1');
    return {
        one("sequences_deep", kDcmtkFails, kExplicit, [] { return openSequences(100'000); }),
        one("sequences_65_deep", "it cannot be read", kExplicit, [] { return openSequences(65); }),
        one("sequences_by_length", kDcmtkFails, kExplicit,
            [] { return measuredSequences(20'000, true); }),
        one("implicit_by_length", kDcmtkFails, kImplicit,
            [] { return measuredSequences(20'000, false); }),
        one("implicit_open", kDcmtkFails, kImplicit,
            [] { return repeated(plain(kSequence, kOpen, plain(kItem, kOpen, "")), 100'000); }),
        one("big_endian_deep", kDcmtkFails, kBig, [] { return openSequences(100'000, true); }),
        one("unknown_deep", kDcmtkFails, kExplicit,
            [] {
                return longElement(0x00091001, "UN", kOpen, plain(kItem, kOpen, "")) +
                       repeated(plain(0x00091001, kOpen, plain(kItem, kOpen, "")), 100'000);
            }),
        one("deflated_deep", kDcmtkFails, kDeflated,
            [] { return deflated(openSequences(100'000), -MAX_WBITS); }),
        one("deflated_zeros", "", kDeflated,
            [] {
                return deflatedZeros(pictures(1000, 1000, "200 ") +
                                         longElement(0x7FE00010, "OB", kTooMuch, ""),
                                     kTooMuch, -MAX_WBITS);
            }),
        one("pictures_elsewhere_deflated_deep", kDcmtkFails, "1.2.840.10008.1.2.4.95",
            [] { return deflated(openSequences(100'000), -MAX_WBITS); }),
        one("deflated_cut", "", kDeflated,
            [] {
                return deflated(pictures(2, 2, "1 ") + pixels(4, "abcd"), -MAX_WBITS).substr(0, 40);
            }),
        one("many_elements", "no pictures", kExplicit,
            [] { return repeated(element(0x00080008, "CS", ""), 110'000); }),
        one("many_items", "it cannot be read", kExplicit,
            [] {
                return longElement(kSequence, "SQ", kOpen, repeated(plain(kItem, 0, ""), 110'000));
            }),
        one("absurd_pictures", "of memory", kExplicit,
            [=] { return pictures(65535, 65535, "1 ") + pixels(4, four); }),
        one("absurd_frames", "more than its", kExplicit,
            [=] { return pictures(2, 2, "2000000000") + pixels(4, four); }),
        one("pixels_longer_than_the_file", "it cannot be read", kExplicit,
            [=] { return pictures(2, 2, "1 ") + pixels(0x7FFFFFF0, four); }),
        one("sequence_longer_than_the_file", "it cannot be read", kExplicit,
            [] { return longElement(kSequence, "SQ", 0x7FFFFFF0, plain(kItem, 0, "")); }),
        one("item_longer_than_its_sequence", "", kExplicit,
            [=] {
                return longElement(kSequence, "SQ", 8, plain(kItem, 64, "")) +
                       pictures(2, 2, "1 ") + pixels(4, four);
            }),
        one("sequence_of_no_items", "it cannot be read", kExplicit,
            [=] {
                return longElement(kSequence, "SQ", kOpen, element(0x00080008, "CS", "ab")) +
                       pictures(2, 2, "1 ") + pixels(4, four);
            }),
        one("fragments_without_end", "", kJpeg,
            [] { return pictures(2, 2, "1 ") + pixels(kOpen, plain(kItem, 0, "")); }),
        one("fragment_longer_than_the_file", "it cannot be read", kJpeg,
            [] { return pictures(2, 2, "1 ") + pixels(kOpen, plain(kItem, 0x7FFFFFF0, "")); }),
        one("many_frames_of_nothing", "", kJpeg,
            [] {
                return pictures(512, 512, "50000 ") +
                       pixels(kOpen,
                              repeated(plain(kItem, 0, ""), 50'001) + plain(0xFFFEE0DD, 0, ""));
            }),
        one("run_lengths_elsewhere", "lies outside", kRunLengths,
            [] { return pictures(64, 64, "1 ") + compressed(runLengths(0xFFFFFFF0)); }),
        one("run_lengths_behind_the_end", "lies outside", kRunLengths,
            [] { return pictures(64, 64, "1 ") + compressed(runLengths(70'000)); }),
        one("run_lengths_within_the_header", "lies outside", kRunLengths,
            [] { return pictures(64, 64, "1 ") + compressed(runLengths(8)); }),
        one("run_lengths_in_too_many_segments", "4 segments", kRunLengths,
            [] {
                return pictures(64, 64, "1 ") + compressed(number(4, 4) + runLengths(64).substr(4));
            }),
        one("jpeg_larger_than_the_file_says", "65500 by 65500", kProgressive,
            [] { return pictures(64, 64, "1 ") + compressed(jpegPicture(65500, 65500, 1)); }),
        one("jpeg_of_many_scans", "more than 100 scans", kProgressive,
            [] { return pictures(64, 64, "1 ") + compressed(jpegPicture(64, 64, 5000)); }),
        one("no_such_syntax", kDcmtkFails, "1.2.3.4", [] { return openSequences(100'000); }),
        ofBytes("no_syntax", kDcmtkFails,
                [] { return std::string(128, '\0') + "DICM" + openSequences(100'000); }),
        ofBytes("header_length_lies", kDcmtkFails,
                [] {
                    std::string whole = file(kExplicit, openSequences(100'000));
                    whole[140] = '\x7f';
                    return whole;
                }),
    };
}

} // namespace echolux::test
