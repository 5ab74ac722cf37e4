// SPDX-License-Identifier: GPL-3.0-or-later
// How cameras store codes: the monochrome formats of the Pixel Format Naming Convention (PFNC) of
// the European Machine Vision Association.
#pragma once

#include "gpu/core/dtype.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace echolux {

struct CameraPixels {
    enum class Packing : std::uint8_t {
        Whole,  ///< one or two bytes a pixel, little-endian, the low bits used
        Stream, ///< "p": bit after bit without a gap, lowest first
        Pairs ///< "Packed", GigE Vision: two pixels in three bytes, the low bits in the middle one
    };
    std::string_view name = "Mono8";
    int bits = 8;
    Packing packing = Packing::Whole;

    /// Bytes that `count` pixels take, without padding.
    std::size_t bytes(std::int64_t count) const;
    /// Samples of a frame whose lines are `width` pixels long.
    DType codes(std::int64_t width) const;
};

/// Empty for formats that are not monochrome, or unknown.
std::optional<CameraPixels> cameraPixelsNamed(std::string_view name);
/// "Mono8, Mono10, ..."
std::string cameraPixelNames();

/// Codes of `count` pixels. `in` has pixels.bytes(count) bytes. `out` has room for them as
/// pixels.codes(width) says.
void readCameraPixels(const CameraPixels& pixels, std::int64_t width, std::span<const std::byte> in,
                      std::int64_t count, std::span<std::byte> out);

} // namespace echolux
