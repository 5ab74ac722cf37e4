// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/dataset/formats/pictures/dicom_frame_check.hpp"

#include <fmt/format.h>

namespace echolux {

namespace {

std::uint32_t littleWord(std::span<const std::uint8_t> bytes, std::size_t at) {
    return bytes[at] | std::uint32_t{bytes[at + 1]} << 8U | std::uint32_t{bytes[at + 2]} << 16U |
           std::uint32_t{bytes[at + 3]} << 24U;
}

std::uint32_t bigHalf(std::span<const std::uint8_t> bytes, std::size_t at) {
    return std::uint32_t{bytes[at]} << 8U | bytes[at + 1];
}

/// SOF0 to SOF15, without DHT, JPG and DAC, which lie between them.
bool isFrameHeader(unsigned marker) {
    return marker >= 0xC0 && marker <= 0xCF && marker != 0xC4 && marker != 0xC8 && marker != 0xCC;
}

/// `segment` begins with its length.
std::string faultOfFrameHeader(std::span<const std::uint8_t> segment,
                               const JpegExpected& expected) {
    constexpr std::size_t kFixed = 8;
    if (segment.size() < kFixed) return "its JPEG header is cut off";
    const std::uint32_t rows = bigHalf(segment, 3);
    const std::uint32_t columns = bigHalf(segment, 5);
    const std::uint32_t components = segment[7];
    if (rows == expected.rows && columns == expected.columns && components == expected.components)
        return {};
    return fmt::format("its JPEG data has {} by {} pixels of {} values, but the file says {} by "
                       "{} pixels of {}",
                       columns, rows, components, expected.columns, expected.rows,
                       expected.components);
}

} // namespace

std::string faultOfRunLengths(std::span<const std::uint8_t> frame, std::uint32_t segments) {
    constexpr std::size_t kHeader = 64;
    if (frame.size() < kHeader) return "its run lengths are cut off";
    const std::uint32_t count = littleWord(frame, 0);
    if (count != segments)
        return fmt::format("it has {} segments of run lengths where {} are needed", count,
                           segments);
    std::size_t least = kHeader;
    for (std::uint32_t i = 1; i <= count; ++i) {
        const std::size_t begin = littleWord(frame, std::size_t{4} * i);
        if (begin < least || begin > frame.size())
            return fmt::format("segment {} of its run lengths lies outside it", i);
        least = begin;
    }
    return {};
}

std::string faultOfJpeg(std::span<const std::uint8_t> frame, const JpegExpected& expected) {
    constexpr unsigned kStart = 0xD8;
    constexpr unsigned kEnd = 0xD9;
    constexpr unsigned kScan = 0xDA;
    constexpr int kMostScans = 100; // a colour picture of good programs has 10
    int scans = 0;
    bool sized = false;
    std::size_t at = 0;
    while (at + 1 < frame.size()) {
        const unsigned marker = frame[at + 1];
        // Neither data of a scan nor bytes between segments are markers.
        if (frame[at] != 0xFF || marker == 0 || marker == 0xFF) {
            ++at;
            continue;
        }
        at += 2;
        if (marker == kEnd) break;
        if (marker == kStart || marker == 1 || (marker >= 0xD0 && marker <= 0xD7)) continue;
        if (at + 2 > frame.size()) break;
        const std::size_t length = bigHalf(frame, at);
        if (length < 2 || length > frame.size() - at) return "its JPEG data is cut off";
        if (isFrameHeader(marker)) {
            if (std::string fault = faultOfFrameHeader(frame.subspan(at, length), expected);
                !fault.empty())
                return fault;
            sized = true;
        }
        if (marker == kScan && ++scans > kMostScans)
            return fmt::format("its JPEG data has more than {} scans", kMostScans);
        at += length;
    }
    return sized ? std::string() : "its JPEG data does not say its size";
}

} // namespace echolux
