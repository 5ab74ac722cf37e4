// SPDX-License-Identifier: GPL-3.0-or-later
// Reads the pages of a TIFF file with libtiff.
#pragma once

#include "app/dataset/container/array_source.hpp"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

struct tiff;

namespace echolux {

/// Properties that pages must share with the first page.
struct TiffPage {
    std::uint32_t width = 0;
    std::uint32_t height = 0;
    std::uint16_t perPixel = 1; ///< values per pixel
    bool planar = false;        ///< each value of a pixel lies in a plane of its own
    bool tiled = false;
    ElementType type;
    bool operator==(const TiffPage&) const = default;
    std::uint64_t bytes() const { return std::uint64_t{width} * height * perPixel * type.size(); }
};

class TiffFile {
public:
    /// Throws where the file is damaged, or where its first page has a form that Echolux does not
    /// read.
    explicit TiffFile(const std::filesystem::path& path);
    ~TiffFile();
    TiffFile(const TiffFile&) = delete;
    TiffFile& operator=(const TiffFile&) = delete;

    const std::filesystem::path& path() const { return m_path; }
    const TiffPage& page() const { return m_page; }
    std::size_t pages() const { return m_places.size(); } ///< pages that are like the first one
    /// Pages of another size or form, which are left out.
    std::size_t otherPages() const { return m_others; }
    std::string description() const { return m_description; } ///< description of the first page
    double pixelsPerCmX() const { return m_perCmX; }          ///< 0 = unknown
    double pixelsPerCmY() const { return m_perCmY; }
    /// In a unit that only ImageJ's description names.
    double pixelsPerUnitX() const { return m_perUnitX; }
    double pixelsPerUnitY() const { return m_perUnitY; }
    /// Reads one page as [height][width][perPixel] in this machine's byte order. Throws where it is
    /// damaged.
    void read(std::size_t page, std::span<std::byte> out);

private:
    struct Close {
        void operator()(tiff* file) const;
    };
    TiffPage currentPage() const;
    void takeResolution();
    void readStrips(std::span<std::byte> out, std::uint16_t plane);
    void readTiles(std::span<std::byte> out, std::uint16_t plane);
    Error wrong(const std::string& what) const;

    std::filesystem::path m_path;
    std::uint64_t m_fileBytes = 0;
    std::string m_said; ///< libtiff's message about the last failure
    std::unique_ptr<tiff, Close> m_tiff;
    TiffPage m_page;
    std::vector<std::uint64_t> m_places; ///< file offsets of the pages' directories
    std::size_t m_others = 0;
    std::string m_description;
    double m_perCmX = 0.0;
    double m_perCmY = 0.0;
    double m_perUnitX = 0.0;
    double m_perUnitY = 0.0;
};

/// Chosen pages as an array [outer axes...][height][width][perPixel].
class TiffArray : public ArraySource {
public:
    /// `pages` are in the order of the outer axes, the last axis fastest.
    TiffArray(std::shared_ptr<TiffFile> file, const std::vector<std::int64_t>& outer,
              std::vector<std::size_t> pages);
    bool canSlice(std::size_t axis) const override { return axis == 0; }
    void read(std::span<std::byte> out) override;
    void readSlice(std::size_t axis, std::int64_t index, std::span<std::byte> out) override;

private:
    void readPages(std::size_t first, std::span<std::byte> out);
    std::shared_ptr<TiffFile> m_file;
    std::vector<std::size_t> m_pages;
};

} // namespace echolux
