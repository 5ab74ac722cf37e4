// SPDX-License-Identifier: GPL-3.0-or-later
// Checks a compressed DICOM frame before DCMTK decodes it: DCMTK believes the offsets of run
// lengths, and its JPEG decoder the size that the JPEG header claims.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace echolux {

/// What is wrong with a frame of run lengths (PS3.5, annex G), as the end of a sentence. Empty
/// where its segments lie in it, one after the other.
std::string faultOfRunLengths(std::span<const std::uint8_t> frame, std::uint32_t segments);

/// What the data element of the pictures says about each frame.
struct JpegExpected {
    std::uint32_t rows = 0;
    std::uint32_t columns = 0;
    std::uint32_t components = 1;
};

/// What is wrong with a JPEG frame (ISO 10918-1, annex B). Empty where its headers agree with
/// `expected` and it has few enough scans.
std::string faultOfJpeg(std::span<const std::uint8_t> frame, const JpegExpected& expected);

} // namespace echolux
