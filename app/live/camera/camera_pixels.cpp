// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/live/camera/camera_pixels.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <vector>

namespace echolux {
namespace {

using Packing = CameraPixels::Packing;

constexpr int kByteBits = 8;
constexpr std::array kFormats{CameraPixels{"Mono8", 8, Packing::Whole},
                              CameraPixels{"Mono10", 10, Packing::Whole},
                              CameraPixels{"Mono12", 12, Packing::Whole},
                              CameraPixels{"Mono14", 14, Packing::Whole},
                              CameraPixels{"Mono16", 16, Packing::Whole},
                              CameraPixels{"Mono10p", 10, Packing::Stream},
                              CameraPixels{"Mono12p", 12, Packing::Stream},
                              CameraPixels{"Mono10Packed", 10, Packing::Pairs},
                              CameraPixels{"Mono12Packed", 12, Packing::Pairs}};

void put(std::span<std::byte> out, std::int64_t pixel, unsigned code) {
    const auto value = static_cast<std::uint16_t>(code);
    std::memcpy(out.data() + static_cast<std::size_t>(pixel) * sizeof value, &value, sizeof value);
}

void readStream(int bits, std::span<const std::byte> in, std::int64_t count,
                std::span<std::byte> out) {
    const unsigned mask = (1U << bits) - 1U;
    unsigned held = 0;
    int heldBits = 0;
    std::size_t next = 0;
    for (std::int64_t pixel = 0; pixel < count; ++pixel) {
        for (; heldBits < bits; heldBits += kByteBits)
            held |= std::to_integer<unsigned>(in[next++]) << heldBits;
        put(out, pixel, held & mask);
        held >>= bits;
        heldBits -= bits;
    }
}

void readPairs(int bits, std::span<const std::byte> in, std::int64_t count,
               std::span<std::byte> out) {
    constexpr std::size_t kPairBytes = 3;
    constexpr int kHalfByte = 4;
    const int lowBits = bits - kByteBits;
    const unsigned mask = (1U << lowBits) - 1U;
    for (std::int64_t pixel = 0; pixel < count; ++pixel) {
        const auto at = static_cast<std::size_t>(pixel / 2) * kPairBytes;
        const bool isSecond = pixel % 2 != 0;
        const auto high = std::to_integer<unsigned>(in[at + (isSecond ? 2 : 0)]);
        const auto low = std::to_integer<unsigned>(in[at + 1]) >> (isSecond ? kHalfByte : 0);
        put(out, pixel, high << lowBits | (low & mask));
    }
}

} // namespace

std::size_t CameraPixels::bytes(std::int64_t count) const {
    const auto pixels = static_cast<std::size_t>(count);
    switch (packing) {
    case Packing::Whole: return bits > kByteBits ? 2 * pixels : pixels;
    case Packing::Stream: return (pixels * static_cast<std::size_t>(bits) + 7) / 8;
    case Packing::Pairs: break;
    }
    return pixels / 2 * 3 + pixels % 2 * 2;
}

DType CameraPixels::codes(std::int64_t width) const {
    if (bits == kByteBits) return DType::U8;
    // The stages read this packing themselves where a line begins with a whole byte.
    if (bits == 12 && packing == Packing::Stream && width % 2 == 0) return DType::Packed12;
    return DType::U16;
}

std::optional<CameraPixels> cameraPixelsNamed(std::string_view name) {
    const auto* const found = std::ranges::find(kFormats, name, &CameraPixels::name);
    if (found == kFormats.end()) return std::nullopt;
    return *found;
}

std::string cameraPixelNames() {
    std::vector<std::string_view> names;
    for (const CameraPixels& format : kFormats) names.push_back(format.name);
    return fmt::format("{}", fmt::join(names, ", "));
}

void readCameraPixels(const CameraPixels& pixels, std::int64_t width, std::span<const std::byte> in,
                      std::int64_t count, std::span<std::byte> out) {
    if (pixels.packing == Packing::Whole || pixels.codes(width) == DType::Packed12)
        std::ranges::copy(in.first(pixels.bytes(count)), out.begin());
    else if (pixels.packing == Packing::Stream)
        readStream(pixels.bits, in, count, out);
    else
        readPairs(pixels.bits, in, count, out);
}

} // namespace echolux
