// SPDX-License-Identifier: GPL-3.0-or-later
// Frames are decoded one at a time. Data of patients are never shown.
#include "app/dataset/formats/pictures/dicom.hpp"

#include "app/dataset/formats/pictures/dicom_regions.hpp"
#include "app/dataset/formats/pictures/picture_file.hpp"
#include "app/dataset/recording/track_choice.hpp"

#include <fmt/format.h>

#ifdef ECHOLUX_HAS_DCMTK
#include "app/dataset/formats/pictures/dicom_file.hpp"
#endif

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace echolux {

bool isDicom(const InputFile& file) {
    constexpr std::size_t kMark = 128;
    const std::string head = beginningOf(file, kMark + 4);
    return head.size() == kMark + 4 && head.ends_with("DICM");
}

#ifdef ECHOLUX_HAS_DCMTK

namespace {

/// The frames of a part of the picture.
class DicomFrames : public ArraySource {
public:
    DicomFrames(std::shared_ptr<DicomFile> file, DicomPart part)
        : m_file(std::move(file)), m_part(std::move(part)), m_whole(m_file->pixels().greyBytes()) {
        m_layout.type = {.kind = ElementType::Kind::Unsigned,
                         .bytes = static_cast<int>(m_file->pixels().bytesPerGrey())};
        m_layout.shape = {m_file->frames(), m_part.rows, m_part.columns};
        m_layout.check(m_file->path(), "its frames");
    }
    bool canSlice(std::size_t axis) const override { return axis == 0; }
    void read(std::span<std::byte> out) override {
        const auto bytes = out.size() / static_cast<std::size_t>(m_layout.shape[0]);
        for (std::int64_t i = 0; i < m_layout.shape[0]; ++i)
            readSlice(0, i, out.subspan(static_cast<std::size_t>(i) * bytes, bytes));
    }
    void readSlice(std::size_t, std::int64_t index, std::span<std::byte> out) override {
        m_file->read(index, m_whole);
        const DicomPixels& pixels = m_file->pixels();
        const auto line = static_cast<std::size_t>(m_part.columns) * pixels.bytesPerGrey();
        const std::size_t stored = std::size_t{pixels.columns} * pixels.bytesPerGrey();
        const std::byte* from = m_whole.data() + static_cast<std::size_t>(m_part.top) * stored +
                                static_cast<std::size_t>(m_part.left) * pixels.bytesPerGrey();
        for (std::size_t row = 0; row < static_cast<std::size_t>(m_part.rows); ++row)
            std::copy_n(from + row * stored, line, out.data() + row * line);
    }

private:
    std::shared_ptr<DicomFile> m_file;
    DicomPart m_part;
    std::vector<std::byte> m_whole; ///< the last frame
};

std::vector<DicomRegion> regionsOf(DicomFile& file) {
    constexpr double kCentimetres = 3;
    DcmSequenceOfItems* found = nullptr;
    if (file.data().findAndGetSequence(DCM_SequenceOfUltrasoundRegions, found).bad()) return {};
    std::vector<DicomRegion> regions;
    for (unsigned long i = 0; i < found->card(); ++i) {
        DcmItem& item = *found->getItem(i);
        const auto number = [&](const DcmTagKey& tag) { return file.number(item, tag); };
        DicomRegion region;
        if (const double kind = number(DCM_RegionSpatialFormat); kind >= 1 && kind <= 4)
            region.kind = static_cast<DicomRegion::Kind>(static_cast<int>(kind));
        region.metricAcross = number(DCM_PhysicalUnitsXDirection) == kCentimetres;
        region.metricDown = number(DCM_PhysicalUnitsYDirection) == kCentimetres;
        region.left = number(DCM_RegionLocationMinX0);
        region.top = number(DCM_RegionLocationMinY0);
        region.right = number(DCM_RegionLocationMaxX1);
        region.bottom = number(DCM_RegionLocationMaxY1);
        region.stepX = std::abs(number(DCM_PhysicalDeltaX));
        region.stepY = std::abs(number(DCM_PhysicalDeltaY));
        if (item.tagExists(DCM_ReferencePixelX0) != 0)
            region.reference = DicomRegion::Reference{
                number(DCM_ReferencePixelX0), number(DCM_ReferencePixelY0),
                number(DCM_ReferencePixelPhysicalValueX), number(DCM_ReferencePixelPhysicalValueY)};
        regions.push_back(region);
    }
    return regions;
}

/// The size of pixels where the file has no regions, which would say more.
void takePixelSpacing(DicomFile& file, PictureAxis& lateral, PictureAxis& depth) {
    const std::vector<double> spacing = file.numbers(DCM_PixelSpacing); // of rows, of columns
    if (spacing.size() != 2 || !(spacing[0] > 0.0) || !(spacing[1] > 0.0)) return;
    placeAlong(lateral, {spacing[1]}, {}, 1e-3);
    placeAlong(depth, {spacing[0]}, {}, 1e-3);
}

/// Where the picture lies in the patient, if its pixels have a length.
std::optional<PicturePlace> dicomPlaceOf(DicomFile& file, const DicomPart& part,
                                         const PictureAxis& lateral, const PictureAxis& depth) {
    const std::vector<double> turn = file.numbers(DCM_ImageOrientationPatient);
    const std::vector<double> at = file.numbers(DCM_ImagePositionPatient);
    if (turn.size() != 6 || at.size() != 3) return std::nullopt;
    PicturePlace place;
    place.setStep(lateral.role, pointOf({turn[0], turn[1], turn[2]}), lateral.spacingM);
    place.setStep(depth.role, pointOf({turn[3], turn[4], turn[5]}), depth.spacingM);
    const auto moved = [&](double from, double Point::*along) {
        return 1e-3 * from + static_cast<double>(part.left) * place.steps[0].*along +
               static_cast<double>(part.top) * place.steps[2].*along;
    };
    place.first = {moved(at[0], &Point::x), moved(at[1], &Point::y), moved(at[2], &Point::z)};
    return place;
}

/// Seconds from frame to frame; 0 = unknown. Where they vary, their mean with a warning.
double intervalOf(DicomFile& file, std::vector<std::string>& warnings) {
    if (const double ms = file.number(file.data(), DCM_FrameTime); ms > 0.0) return 1e-3 * ms;
    std::vector<double> steps = file.numbers(DCM_FrameTimeVector); // ms, the first one is 0
    if (steps.size() > 1) {
        steps.erase(steps.begin());
        const auto [least, most] = std::ranges::minmax(steps);
        const double mean =
            std::accumulate(steps.begin(), steps.end(), 0.0) / static_cast<double>(steps.size());
        constexpr double kEven = 0.1;
        if (least < (1.0 - kEven) * mean || most > (1.0 + kEven) * mean)
            warnings.push_back(fmt::format("The frames were taken {:.4g} to {:.4g} ms apart; the "
                                           "frame rate is their mean.",
                                           least, most));
        if (mean > 0.0) return 1e-3 * mean;
    }
    for (const DcmTagKey& tag : {DCM_CineRate, DCM_RecommendedDisplayFrameRate})
        if (const double rate = file.number(file.data(), tag); rate > 0.0) return 1.0 / rate;
    return 0.0;
}

} // namespace

std::unique_ptr<Recording> openDicom(std::shared_ptr<const InputFile> file,
                                     const OpenOptions& options) {
    using Role = PictureAxis::Role;
    const auto dicom = std::make_shared<DicomFile>(file->path());
    const DicomPixels& pixels = dicom->pixels();
    PictureFile picture;
    RecordingInfo& info = picture.info;
    info.path = file->path();
    info.format = "DICOM";
    const std::vector<DicomRegion> regions = regionsOf(*dicom);
    const std::vector<DicomPart> parts = partsOf(regions, pixels.columns, pixels.rows);
    for (const DicomPart& each : parts) info.tracks.push_back(each.name);
    info.track = chosenTrack(info.path, info.tracks, options);
    const DicomPart& part = parts[info.track];
    if (parts.size() > 1 && !options.track)
        info.warnings.push_back(
            fmt::format("The picture has {} regions with scales of their own, and this is {}; "
                        "choose another as a track.",
                        parts.size() - 1, part.name));
    PictureAxis lateral{.role = Role::Lateral, .size = part.columns};
    PictureAxis depth{.role = Role::Depth, .size = part.rows};
    takePlaces(part, lateral, depth);
    if (regions.empty()) takePixelSpacing(*dicom, lateral, depth);
    picture.place = dicomPlaceOf(*dicom, part, lateral, depth);
    picture.axes = {lateral,
                    depth,
                    {.role = Role::Frame,
                     .size = dicom->frames(),
                     .spacingM = intervalOf(*dicom, info.warnings)}};
    if (pixels.model == "MONOCHROME1") { // 0 is white
        info.frame.codeOffset = pixels.bytes == 1 ? 255.0 : 65535.0;
        info.frame.codeScale = -1.0;
    }
    if (const std::string device = dicom->text(DCM_ManufacturerModelName); !device.empty())
        info.notes.emplace_back("Device", device);
    std::vector<std::byte> first(pixels.greyBytes());
    dicom->read(0, first); // reports what cannot be decoded
    return openPictures(std::move(picture), std::make_unique<DicomFrames>(dicom, part));
}

#else

std::unique_ptr<Recording> openDicom(std::shared_ptr<const InputFile> file,
                                     const OpenOptions& /*options*/) {
    throw fileError(file->path(), "it is DICOM, which this build of Echolux does not read; build "
                                  "it with DCMTK (libdcmtk-dev), or export the cine as TIFF");
}

#endif

} // namespace echolux
