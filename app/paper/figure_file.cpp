// SPDX-License-Identifier: GPL-3.0-or-later
// The painter's devices: a PDF page, SVG, a picture.
#include "app/paper/figure_file.hpp"

#include "gpu/core/error.hpp"

#include <QBuffer>
#include <QPainter>
#include <QPdfWriter>
#include <QSvgGenerator>
#include <fmt/format.h>

#include <tiffio.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <string_view>

namespace echolux {
namespace {

constexpr int kUnitsPerInch = 720;
constexpr double kMmPerInch = 25.4;
constexpr double kMostPixels = 32767.0;
constexpr std::array<std::string_view, 5> kEndings{"pdf", "svg", "png", "tif", "tiff"};

QByteArray pdfOf(const std::vector<FigurePanel>& panels, const FigureStyle& style) {
    const QSizeF size = sizeOfFigure(panels, style) / kFigureUnitsPerMm;
    QByteArray content;
    QBuffer buffer(&content);
    buffer.open(QIODevice::WriteOnly);
    QPdfWriter writer(&buffer);
    writer.setCreator("Echolux");
    writer.setResolution(kUnitsPerInch);
    writer.setPageSize(QPageSize(size, QPageSize::Millimeter, {}, QPageSize::ExactMatch));
    writer.setPageMargins({});
    QPainter painter(&writer);
    paintFigure(painter, panels, style);
    painter.end();
    return content;
}

QByteArray svgOf(const std::vector<FigurePanel>& panels, const FigureStyle& style) {
    const QSizeF size = sizeOfFigure(panels, style);
    QByteArray content;
    QBuffer buffer(&content);
    buffer.open(QIODevice::WriteOnly);
    QSvgGenerator generator;
    generator.setOutputDevice(&buffer);
    generator.setTitle(
        QString::fromStdString(panels.front().title)); // browsers show it as a tooltip
    generator.setDescription("Echolux");
    generator.setResolution(kUnitsPerInch);
    generator.setSize(size.toSize()); // written in mm
    generator.setViewBox(QRectF({0.0, 0.0}, size));
    QPainter painter(&generator);
    paintFigure(painter, panels, style);
    painter.end();
    return content;
}

/// Memory that libtiff writes to.
struct TiffMemory {
    QByteArray content;
    toff_t at = 0;
};

tmsize_t writeTo(thandle_t handle, void* data, tmsize_t size) {
    auto* memory = static_cast<TiffMemory*>(handle);
    const auto at = static_cast<qsizetype>(memory->at);
    if (memory->content.size() < at + size) memory->content.resize(at + size);
    std::memcpy(memory->content.data() + at, data, static_cast<std::size_t>(size));
    memory->at += static_cast<toff_t>(size);
    return size;
}

tmsize_t readFrom(thandle_t handle, void* data, tmsize_t size) {
    auto* memory = static_cast<TiffMemory*>(handle);
    const auto at = static_cast<qsizetype>(memory->at);
    const auto there = std::clamp<tmsize_t>(memory->content.size() - at, 0, size);
    std::memcpy(data, memory->content.constData() + at, static_cast<std::size_t>(there));
    memory->at += static_cast<toff_t>(there);
    return there;
}

toff_t seekIn(thandle_t handle, toff_t offset, int whence) {
    auto* memory = static_cast<TiffMemory*>(handle);
    if (whence == SEEK_CUR) offset += memory->at;
    if (whence == SEEK_END) offset += static_cast<toff_t>(memory->content.size());
    return memory->at = offset;
}

toff_t sizeOf(thandle_t handle) {
    return static_cast<toff_t>(static_cast<TiffMemory*>(handle)->content.size());
}

} // namespace

QByteArray tiffFile(const QImage& picture) {
    const QImage colours = picture.convertToFormat(QImage::Format_RGB888);
    TiffMemory memory;
    TIFF* tiff = TIFFClientOpen(
        "figure", "w", &memory, readFrom, writeTo, seekIn, [](thandle_t) { return 0; }, sizeOf,
        nullptr, nullptr);
    if (tiff == nullptr) throw Error("libtiff could not begin a file.");
    const double perInch = colours.dotsPerMeterX() * kMmPerInch * 1e-3;
    TIFFSetField(tiff, TIFFTAG_IMAGEWIDTH, static_cast<std::uint32_t>(colours.width()));
    TIFFSetField(tiff, TIFFTAG_IMAGELENGTH, static_cast<std::uint32_t>(colours.height()));
    TIFFSetField(tiff, TIFFTAG_BITSPERSAMPLE, 8);
    TIFFSetField(tiff, TIFFTAG_SAMPLESPERPIXEL, 3);
    TIFFSetField(tiff, TIFFTAG_PHOTOMETRIC, PHOTOMETRIC_RGB);
    TIFFSetField(tiff, TIFFTAG_PLANARCONFIG, PLANARCONFIG_CONTIG);
    TIFFSetField(tiff, TIFFTAG_COMPRESSION, COMPRESSION_LZW);
    TIFFSetField(tiff, TIFFTAG_RESOLUTIONUNIT, RESUNIT_INCH);
    TIFFSetField(tiff, TIFFTAG_XRESOLUTION, perInch);
    TIFFSetField(tiff, TIFFTAG_YRESOLUTION, perInch);
    TIFFSetField(tiff, TIFFTAG_SOFTWARE, "Echolux");
    bool written = true;
    for (int row = 0; row < colours.height(); ++row) {
        QByteArray line(reinterpret_cast<const char*>(colours.constScanLine(row)),
                        3 * static_cast<qsizetype>(colours.width()));
        written = written &&
                  TIFFWriteScanline(tiff, line.data(), static_cast<std::uint32_t>(row), 0) == 1;
    }
    TIFFClose(tiff);
    if (!written) throw Error("libtiff could not write the picture.");
    return memory.content;
}

QImage figurePicture(const std::vector<FigurePanel>& panels, const FigureStyle& style) {
    const double scale = style.dpi / kUnitsPerInch;
    const QSizeF size = sizeOfFigure(panels, style) * scale;
    if (std::max(size.width(), size.height()) > kMostPixels)
        throw Error(fmt::format("At {:g} dpi the picture would be {:.0f} x {:.0f} pixels; choose a "
                                "lower resolution, or write .pdf or .svg.",
                                style.dpi, size.width(), size.height()));
    QImage picture(static_cast<int>(std::ceil(size.width())),
                   static_cast<int>(std::ceil(size.height())), QImage::Format_RGB32);
    const int perMetre = static_cast<int>(std::lround(style.dpi / kMmPerInch * 1e3));
    picture.setDotsPerMeterX(perMetre);
    picture.setDotsPerMeterY(perMetre);
    picture.fill(style.dark ? Qt::black : Qt::white);
    QPainter painter(&picture);
    painter.scale(scale, scale);
    paintFigure(painter, panels, style);
    painter.end();
    return picture;
}

void requireFigureEnding(const std::string& ending) {
    if (std::ranges::find(kEndings, ending) == kEndings.end())
        throw Error(fmt::format("A figure cannot be written as '.{}'; choose .pdf, .svg, .png or "
                                ".tif.",
                                ending));
}

QByteArray figureFile(const std::string& ending, const std::vector<FigurePanel>& panels,
                      const FigureStyle& style) {
    requireFigureEnding(ending);
    if (ending == "pdf") return pdfOf(panels, style);
    if (ending == "svg") return svgOf(panels, style);
    if (ending == "tif" || ending == "tiff") return tiffFile(figurePicture(panels, style));
    QByteArray content;
    QBuffer buffer(&content);
    buffer.open(QIODevice::WriteOnly);
    if (!figurePicture(panels, style).save(&buffer, "PNG"))
        throw Error("The picture could not be written as PNG.");
    return content;
}

} // namespace echolux
