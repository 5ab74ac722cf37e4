// SPDX-License-Identifier: GPL-3.0-or-later
// A DICOM file of pictures, through DCMTK. Only for sources that are compiled with
// ECHOLUX_HAS_DCMTK.
#pragma once

#include "app/dataset/formats/pictures/dicom_palette.hpp"
#include "gpu/core/error.hpp"

#include <dcmtk/config/osconfig.h>
#include <dcmtk/dcmdata/dctk.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace echolux {

/// How the values of one pixel lie in an uncompressed frame.
struct DicomPixels {
    std::uint32_t rows = 0;
    std::uint32_t columns = 0;
    std::uint32_t perPixel = 1;
    std::uint32_t bytes = 1; ///< of one value
    bool planar = false;
    bool halved = false; ///< YBR_FULL_422 as stored: Y Y Cb Cr

    std::string model;

    bool isPalette() const { return model == "PALETTE COLOR"; }
    std::uint32_t bytesPerGrey() const { return isPalette() ? 1 : bytes; }
    std::uint64_t greyBytes() const { return std::uint64_t{rows} * columns * bytesPerGrey(); }
    std::uint64_t frameBytes() const {
        return std::uint64_t{rows} * columns * bytes * (halved ? 2 : perPixel);
    }
};

class DicomFile {
public:
    /// Throws Error where it holds no pictures that Echolux reads.
    explicit DicomFile(const std::filesystem::path& path);

    DcmDataset& data() { return *m_file.getDataset(); }
    const DicomPixels& pixels() const { return m_pixels; }
    std::int64_t frames() const { return m_frames; }
    const std::filesystem::path& path() const { return m_path; }
    Error wrong(const std::string& what) const;
    /// 0 where there is no such number.
    static double number(DcmItem& item, const DcmTagKey& tag);
    /// All values of a tag; empty where one of them is no number.
    std::vector<double> numbers(const DcmTagKey& tag);
    std::string text(const DcmTagKey& tag);

    /// Reads the brightness, [row][column].
    void read(std::int64_t frame, std::span<std::byte> out);

private:
    void check(const OFCondition& condition, const std::string& what) const;
    void takePixels();
    DicomPalette palette();
    void checkSize() const;
    /// The fragments of a frame, one after the other.
    std::vector<std::uint8_t> compressedBytes(std::int64_t frame);
    /// Throws Error where the decoder would leave the frame or take far more memory.
    void checkCompressed(std::int64_t frame);
    void makeGrey(bool firstIsBrightness, std::span<std::byte> out) const;

    std::filesystem::path m_path;
    DcmFileFormat m_file;
    DcmPixelData* m_pixelData = nullptr;
    DicomPixels m_pixels;
    DicomPalette m_palette;
    std::int64_t m_frames = 1;
    bool m_compressed = false;
    bool m_runLengths = false;
    std::vector<std::byte> m_block;
    std::int64_t m_next = 0; ///< frame whose fragments begin at m_fragment
    Uint32 m_fragment = 0;
};

} // namespace echolux
