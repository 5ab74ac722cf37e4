// SPDX-License-Identifier: GPL-3.0-or-later
// libtiff with limits: the sizes of a page are compared with the file's size, and no single
// allocation of libtiff may be large.
#include "app/dataset/formats/pictures/tiff_file.hpp"

#include "app/dataset/recording/opening.hpp"
#include "app/dataset/recording/parser.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdarg>
#include <cstdio>
#include <cstring>
#include <utility>

#include <tiffio.h>

namespace echolux {

namespace {

constexpr tmsize_t kMostAllocation = tmsize_t{512} << 20;
/// Bytes of pixels per byte of the file. No codec compresses images as far as this.
constexpr std::uint64_t kMostPixelRatio = 4000;

int keepWords(TIFF*, void* said, const char*, const char* format, va_list arguments) {
    std::array<char, 256> text{};
    std::vsnprintf(text.data(), text.size(), format, arguments);
    *static_cast<std::string*>(said) = text.data();
    return 1;
}
int dropWords(TIFF*, void*, const char*, const char*, va_list) { return 1; }

std::uint16_t fieldOr(TIFF* file, std::uint32_t tag, std::uint16_t fallback) {
    std::uint16_t value = fallback;
    return TIFFGetFieldDefaulted(file, tag, &value) == 1 ? value : fallback;
}

/// Nothing where samples are no whole number of bytes.
std::optional<ElementType> tiffTypeOf(TIFF* file) {
    using Kind = ElementType::Kind;
    const std::uint16_t bits = fieldOr(file, TIFFTAG_BITSPERSAMPLE, 1);
    const bool whole = bits == 8 || bits == 16 || bits == 32 || bits == 64;
    const int bytes = bits / 8;
    switch (fieldOr(file, TIFFTAG_SAMPLEFORMAT, SAMPLEFORMAT_UINT)) {
    case SAMPLEFORMAT_IEEEFP:
        if (bits != 32 && bits != 64) return std::nullopt;
        return ElementType{.kind = Kind::Real, .bytes = bytes};
    case SAMPLEFORMAT_COMPLEXIEEEFP:
        if (bits != 64 && bits != 128) return std::nullopt;
        return ElementType{.kind = Kind::Real, .bytes = bytes / 2, .components = 2};
    case SAMPLEFORMAT_INT:
        if (!whole) return std::nullopt;
        return ElementType{.kind = Kind::Signed, .bytes = bytes};
    case SAMPLEFORMAT_UINT:
    case SAMPLEFORMAT_VOID:
        if (!whole) return std::nullopt;
        return ElementType{.kind = Kind::Unsigned, .bytes = bytes};
    default: return std::nullopt;
    }
}

/// The position behind the last byte of the page's strips or tiles.
std::uint64_t endOfPage(TIFF* file) {
    const std::uint32_t count =
        TIFFIsTiled(file) != 0 ? TIFFNumberOfTiles(file) : TIFFNumberOfStrips(file);
    if (count == 0) return 0;
    const std::uint64_t begin = TIFFGetStrileOffset(file, count - 1);
    const std::uint64_t bytes = TIFFGetStrileByteCount(file, count - 1);
    return begin + std::min(bytes, ~std::uint64_t{0} - begin);
}

struct FreeOptions {
    void operator()(TIFFOpenOptions* options) const { TIFFOpenOptionsFree(options); }
};

} // namespace

void TiffFile::Close::operator()(tiff* file) const { TIFFClose(file); }

Error TiffFile::wrong(const std::string& what) const { return fileError(m_path, what); }

TiffFile::TiffFile(const std::filesystem::path& path)
    : m_path(path), m_fileBytes(InputFile(path).size()) {
    noteParser(Parser::Libtiff);
    const std::unique_ptr<TIFFOpenOptions, FreeOptions> options(TIFFOpenOptionsAlloc());
    TIFFOpenOptionsSetMaxSingleMemAlloc(options.get(), kMostAllocation);
    TIFFOpenOptionsSetErrorHandlerExtR(options.get(), keepWords, &m_said);
    TIFFOpenOptionsSetWarningHandlerExtR(options.get(), dropWords, nullptr);
    m_tiff.reset(TIFFOpenExt(path.c_str(), "rm", options.get()));
    if (!m_tiff)
        throw wrong(fmt::format("its first TIFF page is damaged ({}); copy it again", m_said));
    m_page = currentPage();
    const auto photometric = fieldOr(m_tiff.get(), TIFFTAG_PHOTOMETRIC, PHOTOMETRIC_MINISBLACK);
    if (photometric == PHOTOMETRIC_PALETTE)
        throw wrong("its pixels are numbers of colours in a table; export it as grey or RGB");
    if (m_page.bytes() / kMostPixelRatio > m_fileBytes)
        throw wrong(fmt::format("its first page claims {} by {} pixels, more than its {} bytes can "
                                "hold; copy it again",
                                m_page.width, m_page.height, m_fileBytes));
    checkLoadSize(m_path, "one page", m_page.bytes());
    const char* text = nullptr;
    TIFFGetField(m_tiff.get(), TIFFTAG_IMAGEDESCRIPTION, &text);
    if (text != nullptr) m_description = text;
    takeResolution();
    m_said.clear();
    do {
        Opening::visit();
        std::uint32_t width = 0;
        std::uint32_t height = 0;
        TIFFGetField(m_tiff.get(), TIFFTAG_IMAGEWIDTH, &width);
        TIFFGetField(m_tiff.get(), TIFFTAG_IMAGELENGTH, &height);
        const bool same =
            width == m_page.width && height == m_page.height && currentPage() == m_page;
        if (same && endOfPage(m_tiff.get()) > m_fileBytes)
            throw wrong(
                fmt::format("page {} goes on to byte {}, but it has {}; it was cut off, copy "
                            "it again",
                            m_places.size() + m_others + 1, endOfPage(m_tiff.get()), m_fileBytes));
        if (same)
            m_places.push_back(TIFFCurrentDirOffset(m_tiff.get()));
        else
            ++m_others;
    } while (TIFFReadDirectory(m_tiff.get()) == 1);
    if (!m_said.empty())
        throw wrong(fmt::format("page {} is damaged ({}); copy it again",
                                m_places.size() + m_others + 1, m_said));
}

TiffFile::~TiffFile() = default;

TiffPage TiffFile::currentPage() const {
    TIFF* file = m_tiff.get();
    TiffPage page;
    TIFFGetField(file, TIFFTAG_IMAGEWIDTH, &page.width);
    TIFFGetField(file, TIFFTAG_IMAGELENGTH, &page.height);
    page.perPixel = fieldOr(file, TIFFTAG_SAMPLESPERPIXEL, 1);
    page.planar = page.perPixel > 1 &&
                  fieldOr(file, TIFFTAG_PLANARCONFIG, PLANARCONFIG_CONTIG) == PLANARCONFIG_SEPARATE;
    page.tiled = TIFFIsTiled(file) != 0;
    const auto type = tiffTypeOf(file);
    if (!type)
        throw wrong(fmt::format("its pixels have values of {} bits in a form that Echolux does not "
                                "read; export it with 8, 16 or 32 bits",
                                fieldOr(file, TIFFTAG_BITSPERSAMPLE, 1)));
    page.type = *type;
    if (page.width == 0 || page.height == 0 || page.perPixel == 0)
        throw wrong("it has a page without pixels; copy it again");
    if (fieldOr(file, TIFFTAG_COMPRESSION, COMPRESSION_NONE) == COMPRESSION_JPEG &&
        page.perPixel == 3)
        TIFFSetField(file, TIFFTAG_JPEGCOLORMODE, JPEGCOLORMODE_RGB);
    return page;
}

void TiffFile::takeResolution() {
    float x = 0.0F;
    float y = 0.0F;
    TIFFGetField(m_tiff.get(), TIFFTAG_XRESOLUTION, &x);
    TIFFGetField(m_tiff.get(), TIFFTAG_YRESOLUTION, &y);
    if (!(x > 0.0F) || !(y > 0.0F)) return;
    m_perUnitX = x;
    m_perUnitY = y;
    // NOTE: inches count dots of screens and printers, which say nothing of the size of the object.
    if (fieldOr(m_tiff.get(), TIFFTAG_RESOLUTIONUNIT, RESUNIT_INCH) != RESUNIT_CENTIMETER) return;
    m_perCmX = x;
    m_perCmY = y;
}

void TiffFile::read(std::size_t page, std::span<std::byte> out) {
    m_said.clear();
    if (TIFFSetSubDirectory(m_tiff.get(), m_places[page]) != 1 || currentPage() != m_page)
        throw wrong(fmt::format("page {} is damaged ({}); copy it again", page + 1, m_said));
    std::ranges::fill(out, std::byte{});
    const std::uint16_t planes = m_page.planar ? m_page.perPixel : std::uint16_t{1};
    for (std::uint16_t plane = 0; plane < planes; ++plane) {
        m_said.clear();
        if (m_page.tiled)
            readTiles(out, plane);
        else
            readStrips(out, plane);
    }
}

namespace {

/// Writes `count` values of `bytes` each to `out`, `perPixel` values apart.
void spread(const std::byte* in, std::size_t count, std::size_t bytes, std::size_t perPixel,
            std::byte* out) {
    if (perPixel == 1) {
        std::memcpy(out, in, count * bytes);
        return;
    }
    for (std::size_t i = 0; i < count; ++i)
        std::memcpy(out + i * perPixel * bytes, in + i * bytes, bytes);
}

} // namespace

void TiffFile::readStrips(std::span<std::byte> out, std::uint16_t plane) {
    const std::size_t bytes = m_page.type.size();
    const std::size_t apart = m_page.planar ? m_page.perPixel : 1;
    const std::size_t rowValues = std::size_t{m_page.width} * (m_page.planar ? 1 : m_page.perPixel);
    const tmsize_t line = TIFFScanlineSize(m_tiff.get());
    if (line < 0 || static_cast<std::size_t>(line) != rowValues * bytes)
        throw wrong("its rows are not as long as its pixels need; export it without compression");
    std::vector<std::byte> row(rowValues * bytes);
    for (std::uint32_t y = 0; y < m_page.height; ++y) {
        if (TIFFReadScanline(m_tiff.get(), row.data(), y, plane) != 1)
            throw wrong(
                fmt::format("a page is damaged at row {} ({}); copy it again", y + 1, m_said));
        spread(row.data(), rowValues, bytes, apart,
               out.data() + (std::size_t{y} * m_page.width * m_page.perPixel + plane) * bytes);
    }
}

void TiffFile::readTiles(std::span<std::byte> out, std::uint16_t plane) {
    std::uint32_t tileWidth = 0;
    std::uint32_t tileHeight = 0;
    TIFFGetField(m_tiff.get(), TIFFTAG_TILEWIDTH, &tileWidth);
    TIFFGetField(m_tiff.get(), TIFFTAG_TILELENGTH, &tileHeight);
    const std::size_t bytes = m_page.type.size();
    const std::size_t apart = m_page.planar ? m_page.perPixel : 1;
    const std::size_t perPixel = m_page.planar ? 1 : m_page.perPixel;
    const tmsize_t size = TIFFTileSize(m_tiff.get());
    if (tileWidth == 0 || tileHeight == 0 || size <= 0 || size > kMostAllocation ||
        static_cast<std::uint64_t>(size) !=
            std::uint64_t{tileWidth} * tileHeight * perPixel * bytes)
        throw wrong("its tiles are not as large as their pixels need; copy it again");
    std::vector<std::byte> tile(static_cast<std::size_t>(size));
    for (std::uint32_t y = 0; y < m_page.height; y += tileHeight)
        for (std::uint32_t x = 0; x < m_page.width; x += tileWidth) {
            if (TIFFReadTile(m_tiff.get(), tile.data(), x, y, 0, plane) < 0)
                throw wrong(
                    fmt::format("a page is damaged at row {} ({}); copy it again", y + 1, m_said));
            const std::size_t columns = std::min(tileWidth, m_page.width - x);
            for (std::uint32_t r = 0; r < std::min(tileHeight, m_page.height - y); ++r) {
                const std::size_t at =
                    (std::size_t{y + r} * m_page.width + x) * m_page.perPixel + plane;
                spread(tile.data() + std::size_t{r} * tileWidth * perPixel * bytes,
                       columns * perPixel, bytes, apart, out.data() + at * bytes);
            }
        }
}

TiffArray::TiffArray(std::shared_ptr<TiffFile> file, const std::vector<std::int64_t>& outer,
                     std::vector<std::size_t> pages)
    : m_file(std::move(file)), m_pages(std::move(pages)) {
    const TiffPage& page = m_file->page();
    m_layout.type = page.type;
    m_layout.shape = outer;
    m_layout.shape.push_back(page.height);
    m_layout.shape.push_back(page.width);
    if (page.perPixel > 1) m_layout.shape.push_back(page.perPixel);
    m_layout.check(m_file->path(), "its pages");
}

void TiffArray::read(std::span<std::byte> out) { readPages(0, out); }

void TiffArray::readSlice(std::size_t, std::int64_t index, std::span<std::byte> out) {
    const std::size_t perSlice = out.size() / m_file->page().bytes();
    readPages(static_cast<std::size_t>(index) * perSlice, out);
}

void TiffArray::readPages(std::size_t first, std::span<std::byte> out) {
    const auto bytes = static_cast<std::size_t>(m_file->page().bytes());
    for (std::size_t i = 0; i * bytes < out.size(); ++i)
        m_file->read(m_pages[first + i], out.subspan(i * bytes, bytes));
}

} // namespace echolux
