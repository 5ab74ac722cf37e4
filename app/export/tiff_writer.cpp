// SPDX-License-Identifier: GPL-3.0-or-later
// TIFF: colour pictures, 16 bit grey or 32 bit values. The latter two have OME-XML with the
// distance of pixels. One page per frame, or per plane of a volume.
#include "app/dataset/formats/pictures/picture_file.hpp"
#include "app/export/facts.hpp"
#include "app/export/picture.hpp"
#include "app/export/volume_grid.hpp"
#include "gpu/core/error.hpp"

#include <fmt/format.h>

#include <tiffio.h>

#include <algorithm>
#include <cstring>
#include <optional>

namespace echolux {
namespace {

const std::string kPictureContent{nameOf(RecordedForm::Picture)};

std::string escaped(const std::string& text) {
    std::string out;
    for (const char c : text) {
        switch (c) {
        case '<': out += "&lt;"; break;
        case '>': out += "&gt;"; break;
        case '&': out += "&amp;"; break;
        case '"': out += "&quot;"; break;
        default: out += c;
        }
    }
    return out;
}

/// Size in µm along an axis in mm; nothing where its scale is unknown.
std::string physicalSize(const ImageAxis& axis, char letter) {
    if (axis.unit != "mm" || axis.spacing <= 0.0) return {};
    return fmt::format(" PhysicalSize{0}=\"{1:.9g}\" PhysicalSize{0}Unit=\"µm\"", letter,
                       1e3 * axis.spacing);
}

/// The meaning of the samples, and for grey ones the values of black and white, from which their
/// values follow. Grey samples with a curved scale are a picture.
std::string contentText(const ExportSubject& subject, const std::optional<ValueRange>& greys) {
    if (!greys) return fmt::format("echolux_content={}", contentOf(subject));
    if (subject.look.gamma != 1.0) return fmt::format("echolux_content={}", kPictureContent);
    const bool inverted = subject.look.inverted;
    return fmt::format("echolux_content={}; {}{:.9g}:{:.9g}", contentOf(subject), kGreyRangeMark,
                       inverted ? greys->max : greys->min, inverted ? greys->min : greys->max);
}

/// https://docs.openmicroscopy.org/ome-model, schema 2016-06. `greys`: for 16 bit samples.
std::string omeXml(const ExportSubject& subject, const VolumeGrid& volume,
                   const std::optional<ValueRange>& greys) {
    const ImageGrid& grid = volume.grid;
    std::string text = fmt::format(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>"
        "<OME xmlns=\"http://www.openmicroscopy.org/Schemas/OME/2016-06\" "
        "xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\" "
        "xsi:schemaLocation=\"http://www.openmicroscopy.org/Schemas/OME/2016-06 "
        "http://www.openmicroscopy.org/Schemas/OME/2016-06/ome.xsd\">"
        "<Image ID=\"Image:0\" Name=\"echolux {}\"><Description>{}; {}</Description><Pixels "
        "ID=\"Pixels:0\" DimensionOrder=\"XYZCT\" Type=\"{}\" "
        "SizeX=\"{}\" SizeY=\"{}\" SizeZ=\"{}\" SizeC=\"1\" SizeT=\"{}\" BigEndian=\"false\"",
        contentOf(subject), escaped(descriptionOf(subject)), contentText(subject, greys),
        greys ? "uint16" : "float", grid.lateral.size, grid.depth.size, grid.elevation.size,
        volume.volumes);
    text += physicalSize(grid.lateral, 'X') + physicalSize(grid.depth, 'Y') +
            physicalSize(grid.elevation, 'Z');
    const double each = static_cast<double>(subject.frames) / static_cast<double>(volume.volumes);
    if (subject.frameRateHz > 0.0)
        text += fmt::format(" TimeIncrement=\"{:.9g}\" TimeIncrementUnit=\"s\"",
                            each / subject.frameRateHz);
    text += fmt::format("><Channel ID=\"Channel:0:0\" SamplesPerPixel=\"1\"/>"
                        "<TiffData IFD=\"0\" PlaneCount=\"{}\"/>",
                        grid.elevation.size * volume.volumes);
    for (std::int64_t t = 0; t < volume.volumes; ++t) {
        for (std::int64_t z = 0; z < grid.elevation.size; ++z) {
            text += fmt::format("<Plane TheZ=\"{}\" TheC=\"0\" TheT=\"{}\"", z, t);
            const auto place = [&](const ImageAxis& axis, char letter, double at) {
                if (axis.unit == "mm")
                    text += fmt::format(" Position{0}=\"{1:.9g}\" Position{0}Unit=\"µm\"", letter,
                                        1e3 * at);
            };
            place(grid.lateral, 'X', grid.lateral.origin);
            place(grid.depth, 'Y', grid.depth.origin);
            place(grid.elevation, 'Z',
                  grid.elevation.origin + static_cast<double>(z) * grid.elevation.spacing);
            text += "/>";
        }
    }
    return text + "</Pixels></Image></OME>";
}

class TiffWriter : public FrameWriter {
public:
    TiffWriter(const ExportSubject& subject, OutputFiles& files)
        : m_subject(subject), m_files(files), m_maker(subject.frame, subject.look),
          m_bits(subject.look.depthBits) {
        TIFFSetWarningHandler(nullptr);
        TIFFSetErrorHandler(nullptr);
        const double bytes =
            4.0 * static_cast<double>(subject.frame.count()) * static_cast<double>(subject.frames);
        m_tiff = TIFFOpen(files.partial().c_str(), bytes > 3.5e9 ? "w8l" : "wl");
        if (m_tiff == nullptr) files.refuse();
    }
    ~TiffWriter() override {
        if (m_tiff != nullptr) TIFFClose(m_tiff);
    }
    void add(std::span<const std::byte> frame) override {
        if (m_bits == 8)
            writeColours(m_maker.draw(frame));
        else
            writeValues(frame);
    }
    void finish() override {
        const bool written = TIFFFlush(m_tiff) != 0;
        TIFFClose(std::exchange(m_tiff, nullptr));
        if (!written) m_files.refuse();
    }

private:
    void beginPage(std::size_t width, std::size_t height, int bits, int samples) {
        TIFFSetField(m_tiff, TIFFTAG_IMAGEWIDTH, static_cast<std::uint32_t>(width));
        TIFFSetField(m_tiff, TIFFTAG_IMAGELENGTH, static_cast<std::uint32_t>(height));
        TIFFSetField(m_tiff, TIFFTAG_BITSPERSAMPLE, bits);
        TIFFSetField(m_tiff, TIFFTAG_SAMPLESPERPIXEL, samples);
        TIFFSetField(m_tiff, TIFFTAG_PHOTOMETRIC,
                     samples == 3 ? PHOTOMETRIC_RGB : PHOTOMETRIC_MINISBLACK);
        TIFFSetField(m_tiff, TIFFTAG_PLANARCONFIG, PLANARCONFIG_CONTIG);
        TIFFSetField(m_tiff, TIFFTAG_ORIENTATION, ORIENTATION_TOPLEFT);
        TIFFSetField(m_tiff, TIFFTAG_COMPRESSION, COMPRESSION_ADOBE_DEFLATE);
        TIFFSetField(m_tiff, TIFFTAG_SAMPLEFORMAT,
                     bits == 32 ? SAMPLEFORMAT_IEEEFP : SAMPLEFORMAT_UINT);
        TIFFSetField(m_tiff, TIFFTAG_ROWSPERSTRIP,
                     TIFFDefaultStripSize(m_tiff, static_cast<std::uint32_t>(-1)));
        TIFFSetField(m_tiff, TIFFTAG_SOFTWARE, m_subject.program.c_str());
        if (m_page++ > 0) return;
        TIFFSetField(m_tiff, TIFFTAG_IMAGEDESCRIPTION, m_description.c_str());
    }
    void setResolution(double perCmX, double perCmY) {
        TIFFSetField(m_tiff, TIFFTAG_RESOLUTIONUNIT, RESUNIT_CENTIMETER);
        TIFFSetField(m_tiff, TIFFTAG_XRESOLUTION, perCmX);
        TIFFSetField(m_tiff, TIFFTAG_YRESOLUTION, perCmY);
    }
    void writeRow(void* row, std::size_t at) {
        if (TIFFWriteScanline(m_tiff, row, static_cast<std::uint32_t>(at), 0) < 0) m_files.refuse();
    }
    void endPage() {
        if (TIFFWriteDirectory(m_tiff) == 0) m_files.refuse();
    }

    void writeColours(const QImage& drawn) {
        const QImage picture = drawn.convertToFormat(QImage::Format_RGB888);
        if (m_page == 0) m_description = descriptionOf(m_subject);
        beginPage(static_cast<std::size_t>(picture.width()),
                  static_cast<std::size_t>(picture.height()), 8, 3);
        setResolution(1e-2 * drawn.dotsPerMeterX(), 1e-2 * drawn.dotsPerMeterY());
        std::vector<uchar> row(static_cast<std::size_t>(3 * picture.width()));
        for (int y = 0; y < picture.height(); ++y) {
            std::copy_n(picture.constScanLine(y), row.size(), row.begin());
            writeRow(row.data(), static_cast<std::size_t>(y));
        }
        endPage();
    }

    /// Writes every plane of the frame, [depth][lateral].
    void writeValues(std::span<const std::byte> frame) {
        FrameSpec plain = m_subject.frame;
        const std::vector<float> values = valuesOf(plain, frame);
        plain.dtype = DType::F32;
        HostFrameData rows{plain, rowsOf(plain, std::as_bytes(std::span(values)))};
        std::optional<ValueRange> greyRange;
        if (m_bits == 16) greyRange = m_maker.rangeFor(rows);
        if (m_page == 0) m_description = omeXml(m_subject, VolumeGrid(m_subject), greyRange);
        const ImageGrid grid(plain);
        const auto width = static_cast<std::size_t>(grid.lateral.size);
        const auto height = static_cast<std::size_t>(grid.depth.size);
        auto* at = reinterpret_cast<float*>(rows.bytes.data());
        std::vector<std::uint16_t> greys(width);
        for (std::int64_t z = 0; z < grid.elevation.size; ++z) {
            beginPage(width, height, m_bits, 1);
            if (grid.lateral.unit == "mm" && grid.depth.unit == "mm")
                setResolution(10.0 / grid.lateral.spacing, 10.0 / grid.depth.spacing);
            for (std::size_t y = 0; y < height; ++y, at += width) {
                if (m_bits == 32) {
                    writeRow(at, y);
                    continue;
                }
                std::transform(at, at + width, greys.begin(), [&](float value) {
                    return greyOf(value, m_subject.look, *greyRange);
                });
                writeRow(greys.data(), y);
            }
            endPage();
        }
    }

    ExportSubject m_subject;
    OutputFiles& m_files;
    PictureMaker m_maker;
    int m_bits;
    TIFF* m_tiff = nullptr;
    std::string m_description; ///< for the first page
    std::int64_t m_page = 0;
};

} // namespace

std::unique_ptr<FrameWriter> makeTiffWriter(const ExportSubject& subject, OutputFiles& files) {
    const std::string remark = PictureMaker(subject.frame, subject.look).remark();
    if (subject.look.depthBits != 8) {
        checkVolume(subject, files, "A TIFF of 16 or 32 bits");
        remarkOnScale(subject, VolumeGrid(subject));
    } else if (!remark.empty() && subject.remarks != nullptr) {
        subject.remarks->push_back(remark);
    }
    return std::make_unique<TiffWriter>(subject, files);
}

} // namespace echolux
