// SPDX-License-Identifier: GPL-3.0-or-later
// Frames are decoded one at a time. A picture may have several calibrated regions (C.8.5.5 of the
// standard's part 3); the largest one of tissue gives the scale. Data of patients are never shown.
#include "app/dataset/formats/pictures/dicom.hpp"

#include "app/dataset/formats/pictures/dicom_check.hpp"
#include "app/dataset/formats/pictures/picture_file.hpp"

#include <fmt/format.h>

#ifdef ECHOLUX_HAS_DCMTK
#include <dcmtk/config/osconfig.h>
#include <dcmtk/dcmdata/dcrledrg.h>
#include <dcmtk/dcmdata/dctk.h>
#include <dcmtk/dcmjpeg/djdecode.h>
#include <dcmtk/oflog/oflog.h>
#endif

#include <algorithm>
#include <cmath>
#include <mutex>
#include <utility>

namespace echolux {

bool isDicom(const InputFile& file) {
    constexpr std::size_t kMark = 128;
    const std::string head = beginningOf(file, kMark + 4);
    return head.size() == kMark + 4 && head.ends_with("DICM");
}

#ifdef ECHOLUX_HAS_DCMTK

namespace {

/// How the values of one pixel lie in an uncompressed frame.
struct DicomPixels {
    std::uint32_t rows = 0;
    std::uint32_t columns = 0;
    std::uint32_t perPixel = 1;
    std::uint32_t bytes = 1; ///< of one value
    bool planar = false;
    bool halved = false; ///< YBR_FULL_422 as stored: Y Y Cb Cr

    std::string model;

    std::uint64_t greyBytes() const { return std::uint64_t{rows} * columns * bytes; }
    std::uint64_t frameBytes() const { return greyBytes() * (halved ? 2 : perPixel); }
};

class DicomFile {
public:
    explicit DicomFile(const std::filesystem::path& path) : m_path(path) {
        static std::once_flag once;
        std::call_once(once, [] {
            OFLog::configure(OFLogger::OFF_LOG_LEVEL);
            DJDecoderRegistration::registerCodecs(EDC_photometricInterpretation, EUC_default,
                                                  EPC_colorByPixel);
            DcmRLEDecoderRegistration::registerCodecs();
        });
        check(m_file.loadFile(path.c_str()), "it cannot be read");
        DcmElement* element = nullptr;
        if (data().findAndGetElement(DCM_PixelData, element).bad() || element == nullptr)
            throw wrong("it holds no pictures");
        m_pixelData = OFdynamic_cast(DcmPixelData*, element);
        if (m_pixelData == nullptr) throw wrong("its pictures are damaged");
        takePixels();
    }

    DcmDataset& data() { return *m_file.getDataset(); }
    const DicomPixels& pixels() const { return m_pixels; }
    std::int64_t frames() const { return m_frames; }
    const std::filesystem::path& path() const { return m_path; }
    Error wrong(const std::string& what) const {
        return fileError(m_path, what + "; export the cine as DICOM again");
    }
    /// 0 where there is no such number.
    double number(DcmItem& item, const DcmTagKey& tag) {
        double value = 0.0;
        if (item.findAndGetFloat64(tag, value).good()) return std::isfinite(value) ? value : 0.0;
        Sint32 whole = 0;
        if (item.findAndGetSint32(tag, whole).good()) return whole;
        Uint32 positive = 0;
        if (item.findAndGetUint32(tag, positive).good()) return positive;
        Uint16 few = 0;
        return item.findAndGetUint16(tag, few).good() ? few : 0.0;
    }
    std::string text(const DcmTagKey& tag) {
        OFString value;
        if (data().findAndGetOFString(tag, value).bad()) return {};
        std::string plain(value.c_str());
        std::erase_if(plain, [](char c) { return c < ' ' || c > '~'; });
        return plain;
    }

    /// Reads the brightness, [row][column].
    void read(std::int64_t frame, std::span<std::byte> out) {
        m_block.resize(m_pixels.frameBytes() + m_pixels.frameBytes() % 2);
        OFString model;
        Uint32 fragment = frame == m_next ? m_fragment : 0;
        check(m_pixelData->getUncompressedFrame(&data(), static_cast<Uint32>(frame), fragment,
                                                m_block.data(), static_cast<Uint32>(m_block.size()),
                                                model, nullptr),
              fmt::format("frame {} cannot be decoded", frame + 1));
        m_next = frame + 1;
        m_fragment = fragment;
        const bool rgb = model == "RGB";
        makeGrey(!rgb, out);
    }

private:
    void check(const OFCondition& condition, const std::string& what) const {
        if (condition.bad()) throw wrong(fmt::format("{} ({})", what, condition.text()));
    }

    void takePixels() {
        Uint16 value = 0;
        const auto field = [&](const DcmTagKey& tag, Uint16 fallback) {
            return data().findAndGetUint16(tag, value).good() ? value : fallback;
        };
        m_pixels.rows = field(DCM_Rows, 0);
        m_pixels.columns = field(DCM_Columns, 0);
        m_pixels.perPixel = field(DCM_SamplesPerPixel, 1);
        const unsigned bits = field(DCM_BitsAllocated, 8);
        m_pixels.bytes = bits / 8;
        m_pixels.planar = field(DCM_PlanarConfiguration, 0) == 1;
        m_pixels.model = text(DCM_PhotometricInterpretation);
        const bool grey = m_pixels.perPixel == 1 && m_pixels.model.starts_with("MONOCHROME");
        const bool colours = m_pixels.perPixel == 3 &&
                             (m_pixels.model == "RGB" || m_pixels.model.starts_with("YBR"));
        if (m_pixels.rows == 0 || m_pixels.columns == 0 || (!grey && !colours) ||
            (bits != 8 && (bits != 16 || !grey)) || field(DCM_PixelRepresentation, 0) != 0)
            throw wrong(fmt::format("its pictures of {} by {} pixels, {} bits and {} values of "
                                    "'{}' are none that Echolux reads",
                                    m_pixels.columns, m_pixels.rows, bits, m_pixels.perPixel,
                                    m_pixels.model));
        const E_TransferSyntax syntax = data().getOriginalXfer();
        m_compressed = DcmXfer(syntax).isEncapsulated();
        // NOTE: the decoder gives the colours of JPEG pictures pixel by pixel and as RGB.
        const bool jpeg = m_compressed && syntax != EXS_RLELossless;
        if (jpeg) m_pixels.planar = false;
        m_pixels.halved = !m_compressed && m_pixels.model == "YBR_FULL_422";
        m_frames = std::max<std::int64_t>(
            static_cast<std::int64_t>(number(data(), DCM_NumberOfFrames)), 1);
        checkSize();
    }

    /// NOTE: each compressed frame takes at least one fragment of the file.
    void checkSize() const {
        constexpr std::uint64_t kMostRatio = 4000;
        const std::uint64_t held = InputFile(m_path).size();
        checkLoadSize(m_path, "one frame", m_pixels.frameBytes());
        const auto frames = static_cast<std::uint64_t>(m_frames);
        const bool tooMany = m_compressed
                                 ? frames > held || m_pixels.frameBytes() / kMostRatio > held
                                 : frames > held / m_pixels.frameBytes();
        if (tooMany)
            throw wrong(fmt::format("it claims {} frames of {} by {} pixels, more than its {} "
                                    "bytes can hold",
                                    m_frames, m_pixels.columns, m_pixels.rows, held));
    }

    void makeGrey(bool firstIsBrightness, std::span<std::byte> out) const {
        if (m_pixels.perPixel == 1) {
            std::copy_n(m_block.begin(), out.size(), out.begin());
            return;
        }
        const std::size_t count = out.size();
        const auto at = [&](std::size_t pixel, std::size_t colour) {
            return std::to_integer<unsigned>(
                m_block[m_pixels.planar ? colour * count + pixel : pixel * 3 + colour]);
        };
        for (std::size_t i = 0; i < count; ++i) {
            if (m_pixels.halved)
                out[i] = m_block[i / 2 * 4 + i % 2];
            else if (firstIsBrightness)
                out[i] = static_cast<std::byte>(at(i, 0));
            else // ITU-R BT.601
                out[i] = static_cast<std::byte>(
                    (299 * at(i, 0) + 587 * at(i, 1) + 114 * at(i, 2) + 500) / 1000);
        }
    }

    std::filesystem::path m_path;
    DcmFileFormat m_file;
    DcmPixelData* m_pixelData = nullptr;
    DicomPixels m_pixels;
    std::int64_t m_frames = 1;
    bool m_compressed = false;
    std::vector<std::byte> m_block;
    std::int64_t m_next = 0; ///< frame whose fragments begin at m_fragment
    Uint32 m_fragment = 0;
};

class DicomFrames : public ArraySource {
public:
    explicit DicomFrames(std::shared_ptr<DicomFile> file) : m_file(std::move(file)) {
        const DicomPixels& pixels = m_file->pixels();
        m_layout.type = {.kind = ElementType::Kind::Unsigned,
                         .bytes = static_cast<int>(pixels.bytes)};
        m_layout.shape = {m_file->frames(), pixels.rows, pixels.columns};
        m_layout.check(m_file->path(), "its frames");
    }
    bool canSlice(std::size_t axis) const override { return axis == 0; }
    void read(std::span<std::byte> out) override {
        const std::size_t bytes = m_file->pixels().greyBytes();
        for (std::size_t i = 0; i * bytes < out.size(); ++i)
            m_file->read(static_cast<std::int64_t>(i), out.subspan(i * bytes, bytes));
    }
    void readSlice(std::size_t, std::int64_t index, std::span<std::byte> out) override {
        m_file->read(index, out);
    }

private:
    std::shared_ptr<DicomFile> m_file;
};

/// The largest region of tissue (2D) whose pixels have a size in cm.
DcmItem* calibratedRegion(DicomFile& file) {
    constexpr double kTissue = 1;
    constexpr double kCentimetres = 3;
    DcmSequenceOfItems* regions = nullptr;
    if (file.data().findAndGetSequence(DCM_SequenceOfUltrasoundRegions, regions).bad() ||
        regions == nullptr)
        return nullptr;
    DcmItem* best = nullptr;
    double most = 0.0;
    for (unsigned long i = 0; i < regions->card(); ++i) {
        DcmItem* region = regions->getItem(i);
        const bool placed = file.number(*region, DCM_RegionSpatialFormat) == kTissue &&
                            file.number(*region, DCM_PhysicalUnitsXDirection) == kCentimetres &&
                            file.number(*region, DCM_PhysicalUnitsYDirection) == kCentimetres;
        const double area = (file.number(*region, DCM_RegionLocationMaxX1) -
                             file.number(*region, DCM_RegionLocationMinX0)) *
                            (file.number(*region, DCM_RegionLocationMaxY1) -
                             file.number(*region, DCM_RegionLocationMinY0));
        if (!placed || area <= most) continue;
        most = area;
        best = region;
    }
    return best;
}

/// Depth 0 is the region's top, unless a reference pixel says otherwise. Lateral 0 is the region's
/// middle.
void takePlaces(DicomFile& file, PictureAxis& lateral, PictureAxis& depth) {
    DcmItem* region = calibratedRegion(file);
    if (region == nullptr) {
        double perRow = 0.0;
        double perColumn = 0.0;
        const bool known = file.data().findAndGetFloat64(DCM_PixelSpacing, perRow, 0).good() &&
                           file.data().findAndGetFloat64(DCM_PixelSpacing, perColumn, 1).good();
        if (!known || !(perRow > 0.0) || !(perColumn > 0.0)) return;
        placeAlong(lateral, {perColumn}, {}, 1e-3);
        placeAlong(depth, {perRow}, {}, 1e-3);
        return;
    }
    const double stepX = std::abs(file.number(*region, DCM_PhysicalDeltaX));
    const double stepY = std::abs(file.number(*region, DCM_PhysicalDeltaY));
    const double left = file.number(*region, DCM_RegionLocationMinX0);
    const double top = file.number(*region, DCM_RegionLocationMinY0);
    const double right = file.number(*region, DCM_RegionLocationMaxX1);
    const bool reference = region->tagExists(DCM_ReferencePixelX0) != 0;
    const double zeroX =
        reference ? left + file.number(*region, DCM_ReferencePixelX0) : 0.5 * (left + right);
    const double zeroY = reference ? top + file.number(*region, DCM_ReferencePixelY0) : top;
    const double atX = reference ? file.number(*region, DCM_ReferencePixelPhysicalValueX) : 0.0;
    const double atY = reference ? file.number(*region, DCM_ReferencePixelPhysicalValueY) : 0.0;
    placeAlong(lateral, {stepX}, {atX - zeroX * stepX}, 1e-2);
    placeAlong(depth, {stepY}, {atY - zeroY * stepY}, 1e-2);
}

/// Seconds from frame to frame; 0 = unknown.
double intervalOf(DicomFile& file) {
    if (const double ms = file.number(file.data(), DCM_FrameTime); ms > 0.0) return 1e-3 * ms;
    for (const DcmTagKey& tag : {DCM_CineRate, DCM_RecommendedDisplayFrameRate})
        if (const double rate = file.number(file.data(), tag); rate > 0.0) return 1.0 / rate;
    return 0.0;
}

} // namespace

std::unique_ptr<Recording> openDicom(std::shared_ptr<const InputFile> file,
                                     const OpenOptions& /*options*/) {
    using Role = PictureAxis::Role;
    checkDicom(*file);
    const auto dicom = std::make_shared<DicomFile>(file->path());
    const DicomPixels& pixels = dicom->pixels();
    PictureFile picture;
    picture.info.path = file->path();
    picture.info.format = "DICOM";
    PictureAxis lateral{.role = Role::Lateral, .size = pixels.columns};
    PictureAxis depth{.role = Role::Depth, .size = pixels.rows};
    takePlaces(*dicom, lateral, depth);
    picture.axes = {lateral,
                    depth,
                    {.role = Role::Frame, .size = dicom->frames(), .spacingM = intervalOf(*dicom)}};
    if (pixels.model == "MONOCHROME1") { // 0 is white
        picture.info.frame.codeOffset = pixels.bytes == 1 ? 255.0 : 65535.0;
        picture.info.frame.codeScale = -1.0;
    }
    if (const std::string device = dicom->text(DCM_ManufacturerModelName); !device.empty())
        picture.info.notes.emplace_back("Device", device);
    std::vector<std::byte> first(pixels.greyBytes());
    dicom->read(0, first); // reports what cannot be decoded
    return openPictures(std::move(picture), std::make_unique<DicomFrames>(dicom));
}

#else

std::unique_ptr<Recording> openDicom(std::shared_ptr<const InputFile> file,
                                     const OpenOptions& /*options*/) {
    throw fileError(file->path(), "it is DICOM, which this build of Echolux does not read; build "
                                  "it with DCMTK (libdcmtk-dev), or export the cine as TIFF");
}

#endif

} // namespace echolux
