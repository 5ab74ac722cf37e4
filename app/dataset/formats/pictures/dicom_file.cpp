// SPDX-License-Identifier: GPL-3.0-or-later
#ifdef ECHOLUX_HAS_DCMTK

#include "app/dataset/formats/pictures/dicom_file.hpp"

#include "app/dataset/formats/pictures/dicom_frame_check.hpp"
#include "app/dataset/recording/input_file.hpp"
#include "app/dataset/recording/parser.hpp"

#include <dcmtk/dcmdata/dccodec.h>
#include <dcmtk/dcmdata/dcpixseq.h>
#include <dcmtk/dcmdata/dcpxitem.h>
#include <dcmtk/dcmdata/dcrledrg.h>
#include <dcmtk/dcmjpeg/djdecode.h>
#include <dcmtk/oflog/oflog.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <mutex>

namespace echolux {

DicomFile::DicomFile(const std::filesystem::path& path) : m_path(path) {
    noteParser(Parser::Dcmtk);
    static std::once_flag once;
    std::call_once(once, [] {
        OFLog::configure(OFLogger::OFF_LOG_LEVEL);
        DJDecoderRegistration::registerCodecs(EDC_photometricInterpretation, EUC_default,
                                              EPC_colorByPixel);
        DcmRLEDecoderRegistration::registerCodecs();
    });
    check(m_file.loadFile(path.c_str()), "it cannot be read");
    DcmElement* element = nullptr;
    if (data().findAndGetElement(DCM_PixelData, element).bad()) throw wrong("it holds no pictures");
    m_pixelData = OFdynamic_cast(DcmPixelData*, element);
    if (m_pixelData == nullptr) throw wrong("its pictures are damaged");
    takePixels();
}

Error DicomFile::wrong(const std::string& what) const {
    return fileError(m_path, what + "; export the cine as DICOM again");
}

double DicomFile::number(DcmItem& item, const DcmTagKey& tag) {
    double value = 0.0;
    if (item.findAndGetFloat64(tag, value).good()) return std::isfinite(value) ? value : 0.0;
    Sint32 whole = 0;
    if (item.findAndGetSint32(tag, whole).good()) return whole;
    Uint32 positive = 0;
    if (item.findAndGetUint32(tag, positive).good()) return positive;
    Uint16 few = 0;
    return item.findAndGetUint16(tag, few).good() ? few : 0.0;
}

std::vector<double> DicomFile::numbers(const DcmTagKey& tag) {
    std::vector<double> values;
    double value = 0.0;
    while (data().findAndGetFloat64(tag, value, values.size()).good()) {
        if (!std::isfinite(value)) return {};
        values.push_back(value);
    }
    return values;
}

std::string DicomFile::text(const DcmTagKey& tag) {
    OFString value;
    if (data().findAndGetOFString(tag, value).bad()) return {};
    std::string plain(value.c_str());
    std::erase_if(plain, [](char c) { return c < ' ' || c > '~'; });
    return plain;
}

void DicomFile::read(std::int64_t frame, std::span<std::byte> out) {
    m_block.resize(m_pixels.frameBytes() + m_pixels.frameBytes() % 2);
    const std::string failed = fmt::format("frame {} cannot be decoded", frame + 1);
    if (m_pixels.halved) { // NOTE: DCMTK takes the pixels of all frames to have three values.
        const auto bytes = static_cast<Uint32>(m_pixels.frameBytes());
        check(
            m_pixelData->getPartialValue(m_block.data(), static_cast<Uint32>(frame) * bytes, bytes),
            failed);
        return makeGrey(true, out);
    }
    if (m_compressed) checkCompressed(frame);
    OFString model;
    Uint32 fragment = frame == m_next ? m_fragment : 0;
    check(m_pixelData->getUncompressedFrame(&data(), static_cast<Uint32>(frame), fragment,
                                            m_block.data(), static_cast<Uint32>(m_block.size()),
                                            model, nullptr),
          failed);
    m_next = frame + 1;
    m_fragment = fragment;
    const bool rgb = model == "RGB";
    makeGrey(!rgb, out);
}

std::vector<std::uint8_t> DicomFile::compressedBytes(std::int64_t frame) {
    const std::string what = fmt::format("the fragments of frame {} are damaged", frame + 1);
    E_TransferSyntax syntax = EXS_Unknown;
    const DcmRepresentationParameter* parameter = nullptr;
    m_pixelData->getOriginalRepresentationKey(syntax, parameter);
    DcmPixelSequence* fragments = nullptr;
    check(m_pixelData->getEncapsulatedRepresentation(syntax, parameter, fragments), what);
    const auto startOf = [&](std::int64_t which) {
        auto start = static_cast<Uint32>(fragments->card());
        if (which < m_frames)
            check(DcmCodec::determineStartFragment(static_cast<Uint32>(which),
                                                   static_cast<Sint32>(m_frames), fragments, start),
                  what);
        return start;
    };
    std::vector<std::uint8_t> bytes;
    const Uint32 end = startOf(frame + 1);
    for (Uint32 at = startOf(frame); at < end; ++at) {
        DcmPixelItem* item = nullptr;
        Uint8* values = nullptr;
        check(fragments->getItem(item, at), what);
        if (item->getLength() == 0) continue;
        check(item->getUint8Array(values), what);
        bytes.insert(bytes.end(), values, values + item->getLength());
        if (m_runLengths) break; // a frame of run lengths is one fragment, PS3.5 A.4.2
    }
    return bytes;
}

void DicomFile::checkCompressed(std::int64_t frame) {
    const std::vector<std::uint8_t> bytes = compressedBytes(frame);
    const std::string fault = m_runLengths
                                  ? faultOfRunLengths(bytes, m_pixels.perPixel * m_pixels.bytes)
                                  : faultOfJpeg(bytes, {.rows = m_pixels.rows,
                                                        .columns = m_pixels.columns,
                                                        .components = m_pixels.perPixel});
    if (!fault.empty())
        throw wrong(fmt::format("frame {} cannot be decoded: {}", frame + 1, fault));
}

void DicomFile::check(const OFCondition& condition, const std::string& what) const {
    if (condition.bad()) throw wrong(fmt::format("{} ({})", what, condition.text()));
}

void DicomFile::takePixels() {
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
    const bool grey = m_pixels.perPixel == 1 &&
                      (m_pixels.model.starts_with("MONOCHROME") || m_pixels.isPalette());
    const bool colours =
        m_pixels.perPixel == 3 && (m_pixels.model == "RGB" || m_pixels.model.starts_with("YBR"));
    const E_TransferSyntax syntax = data().getOriginalXfer();
    m_compressed = DcmXfer(syntax).isEncapsulated();
    // NOTE: the decoder gives the colours of JPEG pictures pixel by pixel and as RGB.
    m_runLengths = syntax == EXS_RLELossless;
    if (m_compressed && !m_runLengths) m_pixels.planar = false;
    if (m_compressed && !m_pixelData->canChooseRepresentation(EXS_LittleEndianExplicit, nullptr))
        throw fileError(m_path, fmt::format("its pictures are compressed as {}, which Echolux "
                                            "does not decode; export them uncompressed or as "
                                            "JPEG",
                                            DcmXfer(syntax).getXferName()));
    if (m_pixels.rows == 0 || m_pixels.columns == 0 || (!grey && !colours) ||
        (bits != 8 && (bits != 16 || !grey)) || field(DCM_PixelRepresentation, 0) != 0)
        throw wrong(fmt::format("its pictures of {} by {} pixels, {} bits and {} values of "
                                "'{}' are none that Echolux reads",
                                m_pixels.columns, m_pixels.rows, bits, m_pixels.perPixel,
                                m_pixels.model));
    if (m_pixels.isPalette()) m_palette = palette();
    m_pixels.halved = !m_compressed && m_pixels.model == "YBR_FULL_422";
    m_frames =
        std::max<std::int64_t>(static_cast<std::int64_t>(number(data(), DCM_NumberOfFrames)), 1);
    checkSize();
}

DicomPalette DicomFile::palette() {
    DicomPalette found;
    const std::array<DcmTagKey, 3> kinds{DCM_RedPaletteColorLookupTableDescriptor,
                                         DCM_GreenPaletteColorLookupTableDescriptor,
                                         DCM_BluePaletteColorLookupTableDescriptor};
    const std::array<DcmTagKey, 3> tables{DCM_RedPaletteColorLookupTableData,
                                          DCM_GreenPaletteColorLookupTableData,
                                          DCM_BluePaletteColorLookupTableData};
    for (std::size_t i = 0; i < kinds.size(); ++i) {
        DicomPalette::Colour& colour = found.colours[i];
        std::array<Uint16, 3> facts{};
        for (unsigned long at = 0; at < facts.size(); ++at)
            check(data().findAndGetUint16(kinds[i], facts[at], at),
                  "its palette has no description");
        const Uint16* words = nullptr;
        unsigned long count = 0;
        check(data().findAndGetUint16Array(tables[i], words, &count),
              "its palette has no plain table of colours");
        colour.describe(facts[0], facts[1], facts[2]);
        if (!colour.take({words, count})) throw wrong("its palette is cut off");
    }
    return found;
}

/// NOTE: each compressed frame takes at least one fragment of the file.
void DicomFile::checkSize() const {
    constexpr std::uint64_t kMostRatio = 4000;
    const std::uint64_t held = InputFile(m_path).size();
    // NOTE: the decoder of progressive JPEG keeps 2 bytes per value of 1 byte.
    checkLoadSize(m_path, "one frame", m_pixels.frameBytes() * (m_compressed ? 3 : 1));
    const auto frames = static_cast<std::uint64_t>(m_frames);
    const bool tooMany = m_compressed ? frames > held || m_pixels.frameBytes() / kMostRatio > held
                                      : frames > held / m_pixels.frameBytes();
    if (tooMany)
        throw wrong(fmt::format("it claims {} frames of {} by {} pixels, more than its {} "
                                "bytes can hold",
                                m_frames, m_pixels.columns, m_pixels.rows, held));
}

void DicomFile::makeGrey(bool firstIsBrightness, std::span<std::byte> out) const {
    if (m_pixels.isPalette()) {
        for (std::size_t i = 0; i < out.size(); ++i) {
            unsigned index = std::to_integer<unsigned>(m_block[i * m_pixels.bytes]);
            if (m_pixels.bytes == 2) index += std::to_integer<unsigned>(m_block[2 * i + 1]) << 8U;
            out[i] = static_cast<std::byte>(m_palette.greyOf(index));
        }
        return;
    }
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

} // namespace echolux

#endif
