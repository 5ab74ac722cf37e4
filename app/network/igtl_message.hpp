// SPDX-License-Identifier: GPL-3.0-or-later
// Messages of OpenIGTLink, versions 1 to 3, as bytes. Source: the protocol's specification,
// http://openigtlink.org/developers/spec. Lengths are in mm.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace echolux {

inline constexpr std::size_t kIgtlHeaderBytes = 58;
inline constexpr int kIgtlPort = 18944; ///< where servers usually listen

struct IgtlHeader {
    int version = 1;
    std::string type;        ///< "IMAGE", "TRANSFORM", ...
    std::string device;      ///< who sends it
    std::int64_t timeNs = 0; ///< since 1970; 0: unknown
    std::uint64_t bodyBytes = 0;
    std::uint64_t crc = 0; ///< of the body
};

/// Throws Error where this is no header.
IgtlHeader readIgtlHeader(std::span<const std::byte, kIgtlHeaderBytes> bytes);

/// The content of a body: from version 2 on without extended header and metadata. Throws Error
/// where the check sum or the sizes are wrong.
std::span<const std::byte> igtlContent(const IgtlHeader& header, std::span<const std::byte> body);

enum class IgtlScalar : std::uint8_t {
    Int8 = 2,
    Uint8 = 3,
    Int16 = 4,
    Uint16 = 5,
    Int32 = 6,
    Uint32 = 7,
    Float32 = 10,
    Float64 = 11
};
std::size_t bytesOf(IgtlScalar scalar); ///< 0 where there is no such type

/// A whole image or volume; the first axis is contiguous.
struct IgtlImage {
    IgtlScalar scalar = IgtlScalar::Uint8;
    bool bigEndian = false;
    int components = 1; ///< 1: grey, 3: colours
    std::array<std::int64_t, 3> size{1, 1, 1};
    std::array<std::array<double, 3>, 3> step{}; ///< from one pixel to the next, per axis
    std::array<double, 3> centre{};              ///< of the whole image
    bool isLps =
        false; ///< space counts to the left, the back and the head; else right, front, head
    std::span<const std::byte> pixels;
};
/// Throws Error where sizes do not fit, and where the message holds a part of an image.
IgtlImage readIgtlImage(std::span<const std::byte> content);

struct IgtlArray {
    IgtlScalar scalar = IgtlScalar::Int16;
    std::vector<std::int64_t> shape;    ///< the last axis is contiguous
    std::span<const std::byte> samples; ///< big-endian
};
/// NDARRAY. Throws Error where sizes do not fit.
IgtlArray readIgtlArray(std::span<const std::byte> content);

/// Three columns of a rotation and a position.
using IgtlTransform = std::array<std::array<double, 3>, 4>;
/// TRANSFORM. Throws Error where the size does not fit.
IgtlTransform readIgtlTransform(std::span<const std::byte> content);

/// A text that asks for something, or answers.
struct IgtlText {
    std::uint32_t number = 0; ///< of a COMMAND: its sender knows the answer by it
    std::string name = {};    ///< of a COMMAND, at most 20 letters
    std::string text = {};    ///< as it came, any bytes
};
/// STRING. Throws Error where the size does not fit.
IgtlText readIgtlString(std::span<const std::byte> content);
/// COMMAND. Throws Error where the size does not fit.
IgtlText readIgtlCommand(std::span<const std::byte> content);
/// A message STRING of version 1; at most 65535 bytes of text.
std::vector<std::byte> writeIgtlString(std::string_view text, std::string_view device,
                                       std::int64_t timeNs);
/// A message of version 2: RTS_COMMAND, the answer to the COMMAND of that number and name.
std::vector<std::byte> writeIgtlAnswer(const IgtlText& answer, std::string_view device,
                                       std::int64_t timeNs);

/// A message of version 1 with an image that is little-endian. Sizes are at most 65535.
std::vector<std::byte> writeIgtlImage(const IgtlImage& image, std::string_view device,
                                      std::int64_t timeNs);

/// Check sum of bodies: ECMA-182, begun at 0.
std::uint64_t igtlCrc(std::span<const std::byte> bytes);

} // namespace echolux
