// SPDX-License-Identifier: GPL-3.0-or-later
// All numbers are big-endian, but the pixels of an image may be either.
#include "app/network/igtl_message.hpp"

#include "gpu/core/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

namespace echolux {
namespace {

constexpr std::size_t kTypeBytes = 12;
constexpr std::size_t kDeviceBytes = 20;
constexpr std::size_t kImageHeaderBytes = 72;
constexpr std::size_t kTransformBytes = 48;
constexpr std::size_t kExtendedBytes = 12;
constexpr std::size_t kCommandNameBytes = 20;
constexpr std::uint16_t kUtf8 = 106; ///< number of the encoding, after IANA
constexpr std::uint8_t kLittleEndian = 2;
constexpr std::uint8_t kRightAnteriorSuperior = 1;
constexpr std::uint8_t kLeftPosteriorSuperior = 2;

/// Reads numbers one after the other. Throws Error at the end of the bytes.
class Reader {
public:
    explicit Reader(std::span<const std::byte> bytes) : m_bytes(bytes) {}

    std::span<const std::byte> take(std::size_t count) {
        if (count > m_bytes.size()) throw Error("A message is shorter than its header says.");
        const auto taken = m_bytes.first(count);
        m_bytes = m_bytes.subspan(count);
        return taken;
    }
    template <class Unsigned> Unsigned number() {
        Unsigned value = 0;
        for (const std::byte each : take(sizeof(Unsigned)))
            value = static_cast<Unsigned>(value << 8U | std::to_integer<Unsigned>(each));
        return value;
    }
    double real() { return static_cast<double>(std::bit_cast<float>(number<std::uint32_t>())); }
    std::string text(std::size_t most) {
        const auto bytes = take(most);
        const auto end = std::ranges::find(bytes, std::byte{0});
        std::string text;
        for (auto at = bytes.begin(); at != end; ++at) {
            const char letter = std::to_integer<char>(*at);
            text += letter >= ' ' && letter <= '~' ? letter : '?';
        }
        return text;
    }
    std::string bytes(std::size_t count) {
        const auto taken = take(count);
        return {reinterpret_cast<const char*>(taken.data()), taken.size()};
    }
    std::size_t left() const { return m_bytes.size(); }

private:
    std::span<const std::byte> m_bytes;
};

class Writer {
public:
    template <class Unsigned> void number(Unsigned value) {
        for (std::size_t shift = 8 * sizeof(Unsigned); shift > 0; shift -= 8)
            bytes.push_back(static_cast<std::byte>(value >> (shift - 8)));
    }
    void real(double value) { number(std::bit_cast<std::uint32_t>(static_cast<float>(value))); }
    void text(std::string_view text, std::size_t length) {
        for (std::size_t i = 0; i < length; ++i)
            bytes.push_back(static_cast<std::byte>(i < text.size() ? text[i] : '\0'));
    }

    std::vector<std::byte> bytes;
};

constexpr std::array<std::uint64_t, 256> crcTable() {
    constexpr std::uint64_t kPolynomial = 0x42F0E1EBA9EA3693;
    std::array<std::uint64_t, 256> table{};
    for (std::uint64_t i = 0; i < table.size(); ++i) {
        std::uint64_t value = i << 56U;
        for (int bit = 0; bit < 8; ++bit)
            value = (value >> 63U) != 0 ? value << 1U ^ kPolynomial : value << 1U;
        table[i] = value;
    }
    return table;
}

/// Seconds, and 2^32 parts of a second.
constexpr double kParts = 4294967296.0;
std::int64_t nanosecondsOf(std::uint64_t time) {
    return static_cast<std::int64_t>(time >> 32U) * 1'000'000'000 +
           std::llround(static_cast<double>(time & 0xffffffffU) / kParts * 1e9);
}
std::uint64_t timeOf(std::int64_t nanoseconds) {
    const auto seconds = static_cast<std::uint64_t>(nanoseconds / 1'000'000'000);
    const double rest = static_cast<double>(nanoseconds % 1'000'000'000) * 1e-9;
    return seconds << 32U | static_cast<std::uint64_t>(rest * kParts);
}

/// Header and body.
std::vector<std::byte> messageOf(std::uint16_t version, std::string_view type,
                                 std::string_view device, std::int64_t timeNs,
                                 std::span<const std::byte> body) {
    Writer message;
    message.bytes.reserve(kIgtlHeaderBytes + body.size());
    message.number(version);
    message.text(type, kTypeBytes);
    message.text(device.substr(0, kDeviceBytes - 1), kDeviceBytes);
    message.number(timeOf(timeNs));
    message.number(static_cast<std::uint64_t>(body.size()));
    message.number(igtlCrc(body));
    message.bytes.insert(message.bytes.end(), body.begin(), body.end());
    return message.bytes;
}

} // namespace

std::uint64_t igtlCrc(std::span<const std::byte> bytes) {
    static constexpr std::array<std::uint64_t, 256> kTable = crcTable();
    std::uint64_t crc = 0;
    for (const std::byte each : bytes)
        crc = kTable[(crc >> 56U) ^ std::to_integer<std::uint64_t>(each)] ^ crc << 8U;
    return crc;
}

std::size_t bytesOf(IgtlScalar scalar) {
    switch (scalar) {
    case IgtlScalar::Int8:
    case IgtlScalar::Uint8: return 1;
    case IgtlScalar::Int16:
    case IgtlScalar::Uint16: return 2;
    case IgtlScalar::Int32:
    case IgtlScalar::Uint32:
    case IgtlScalar::Float32: return 4;
    case IgtlScalar::Float64: return 8;
    }
    return 0;
}

IgtlHeader readIgtlHeader(std::span<const std::byte, kIgtlHeaderBytes> bytes) {
    constexpr int kNewest = 3;
    Reader reader(bytes);
    IgtlHeader header;
    header.version = reader.number<std::uint16_t>();
    header.type = reader.text(kTypeBytes);
    header.device = reader.text(kDeviceBytes);
    header.timeNs = nanosecondsOf(reader.number<std::uint64_t>());
    header.bodyBytes = reader.number<std::uint64_t>();
    header.crc = reader.number<std::uint64_t>();
    if (header.version < 1 || header.version > kNewest || header.type.empty())
        throw Error(fmt::format("What came is no message of OpenIGTLink 1 to {}.", kNewest));
    return header;
}

std::span<const std::byte> igtlContent(const IgtlHeader& header, std::span<const std::byte> body) {
    if (igtlCrc(body) != header.crc)
        throw Error(fmt::format("The check sum of a message '{}' is wrong.", header.type));
    if (header.version < 2) return body;
    Reader reader(body);
    const std::size_t extended = reader.number<std::uint16_t>();
    const std::size_t metaHeader = reader.number<std::uint16_t>();
    const std::size_t meta = reader.number<std::uint32_t>();
    if (extended < kExtendedBytes || extended > body.size() ||
        metaHeader + meta > body.size() - extended)
        throw Error(fmt::format("The extended header of a message '{}' does not fit its size.",
                                header.type));
    return body.subspan(extended, body.size() - extended - metaHeader - meta);
}

IgtlImage readIgtlImage(std::span<const std::byte> content) {
    Reader reader(content);
    IgtlImage image;
    reader.number<std::uint16_t>(); // of this form
    image.components = reader.number<std::uint8_t>();
    image.scalar = static_cast<IgtlScalar>(reader.number<std::uint8_t>());
    image.bigEndian = reader.number<std::uint8_t>() != kLittleEndian;
    image.isLps = reader.number<std::uint8_t>() == kLeftPosteriorSuperior;
    std::array<std::int64_t, 3> offset{};
    std::array<std::int64_t, 3> part{};
    for (std::int64_t& each : image.size) each = reader.number<std::uint16_t>();
    for (auto& axis : image.step)
        for (double& each : axis) each = reader.real();
    for (double& each : image.centre) each = reader.real();
    for (std::int64_t& each : offset) each = reader.number<std::uint16_t>();
    for (std::int64_t& each : part) each = reader.number<std::uint16_t>();
    if (part != image.size || offset != std::array<std::int64_t, 3>{})
        throw Error("A message holds a part of an image; send whole ones.");
    const std::size_t each = bytesOf(image.scalar) * static_cast<std::size_t>(image.components);
    const auto pixels = static_cast<std::size_t>(image.size[0] * image.size[1] * image.size[2]);
    if (each == 0 || pixels == 0 || reader.left() / each < pixels)
        throw Error(fmt::format("The sizes {} x {} x {} of an image do not fit its message.",
                                image.size[0], image.size[1], image.size[2]));
    image.pixels = reader.take(each * pixels);
    return image;
}

IgtlArray readIgtlArray(std::span<const std::byte> content) {
    Reader reader(content);
    IgtlArray array;
    array.scalar = static_cast<IgtlScalar>(reader.number<std::uint8_t>());
    array.shape.resize(reader.number<std::uint8_t>());
    std::size_t bytes = bytesOf(array.scalar);
    for (std::int64_t& each : array.shape) {
        each = reader.number<std::uint16_t>();
        bytes *= static_cast<std::size_t>(each);
        if (bytes == 0 || bytes > reader.left())
            throw Error("The sizes of an array do not fit its message.");
    }
    array.samples = reader.take(bytes);
    return array;
}

IgtlTransform readIgtlTransform(std::span<const std::byte> content) {
    if (content.size() != kTransformBytes)
        throw Error(fmt::format("A transform has {} bytes instead of {}.", content.size(),
                                kTransformBytes));
    Reader reader(content);
    IgtlTransform transform{};
    for (auto& column : transform)
        for (double& each : column) each = reader.real();
    return transform;
}

std::vector<std::byte> writeIgtlImage(const IgtlImage& image, std::string_view device,
                                      std::int64_t timeNs) {
    Writer body;
    body.bytes.reserve(kImageHeaderBytes + image.pixels.size());
    body.number<std::uint16_t>(1);
    body.number(static_cast<std::uint8_t>(image.components));
    body.number(static_cast<std::uint8_t>(image.scalar));
    body.number(kLittleEndian);
    body.number(kRightAnteriorSuperior);
    const auto sizes = [&] {
        for (const std::int64_t each : image.size) body.number(static_cast<std::uint16_t>(each));
    };
    sizes();
    for (const auto& axis : image.step)
        for (const double each : axis) body.real(each);
    for (const double each : image.centre) body.real(each);
    for (int i = 0; i < 3; ++i) body.number<std::uint16_t>(0);
    sizes();
    body.bytes.insert(body.bytes.end(), image.pixels.begin(), image.pixels.end());
    return messageOf(1, "IMAGE", device, timeNs, body.bytes);
}

IgtlText readIgtlString(std::span<const std::byte> content) {
    Reader reader(content);
    reader.number<std::uint16_t>(); // encoding
    const std::size_t length = reader.number<std::uint16_t>();
    return {.text = reader.bytes(length)};
}

IgtlText readIgtlCommand(std::span<const std::byte> content) {
    Reader reader(content);
    IgtlText command{.number = reader.number<std::uint32_t>()};
    command.name = reader.text(kCommandNameBytes);
    reader.number<std::uint16_t>(); // encoding
    const std::size_t length = reader.number<std::uint32_t>();
    command.text = reader.bytes(length);
    return command;
}

std::vector<std::byte> writeIgtlString(std::string_view text, std::string_view device,
                                       std::int64_t timeNs) {
    const std::string_view whole = text.substr(0, 0xffff);
    Writer body;
    body.number(kUtf8);
    body.number(static_cast<std::uint16_t>(whole.size()));
    body.text(whole, whole.size());
    return messageOf(1, "STRING", device, timeNs, body.bytes);
}

std::vector<std::byte> writeIgtlAnswer(const IgtlText& answer, std::string_view device,
                                       std::int64_t timeNs) {
    Writer body;
    body.number(static_cast<std::uint16_t>(kExtendedBytes));
    body.number<std::uint16_t>(0); // metadata: none
    body.number<std::uint32_t>(0);
    body.number<std::uint32_t>(0); // number of the message
    body.number(answer.number);
    body.text(answer.name, kCommandNameBytes);
    body.number(kUtf8);
    body.number(static_cast<std::uint32_t>(answer.text.size()));
    body.text(answer.text, answer.text.size());
    return messageOf(2, "RTS_COMMAND", device, timeNs, body.bytes);
}

} // namespace echolux
