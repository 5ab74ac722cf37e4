// SPDX-License-Identifier: GPL-3.0-or-later
// Byte places as in nifti1.h. Axes are taken in their stored order: lateral, depth, elevation,
// frame. The origin of an axis is the position of the first sample, projected on the axis. sform
// gives positions, else qform: towards right, front and head.
#include "app/dataset/formats/pictures/nifti.hpp"

#include "app/dataset/container/inflated.hpp"
#include "app/dataset/formats/pictures/picture_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <utility>

namespace echolux {

namespace {

constexpr std::size_t kNiftiHead = 348;
constexpr std::size_t kNifti2Head = 540;
constexpr unsigned char kGzip[] = {0x1f, 0x8b};

/// Values at byte places, in either byte order.
class NiftiHead {
public:
    NiftiHead(std::string bytes, bool swapped) : m_bytes(std::move(bytes)), m_swapped(swapped) {}
    template <class T> T at(std::size_t place) const {
        std::array<char, sizeof(T)> bytes{};
        std::memcpy(bytes.data(), m_bytes.data() + place, sizeof(T));
        if (m_swapped) std::ranges::reverse(bytes);
        return std::bit_cast<T>(bytes);
    }
    /// 0 where it is no finite number.
    double real(std::size_t place) const {
        const double value = at<float>(place);
        return std::isfinite(value) ? value : 0.0;
    }
    std::string text(std::size_t place, std::size_t most) const {
        std::string words = m_bytes.substr(place, most);
        words.resize(std::min(words.find('\0'), words.size()));
        const bool plain = std::ranges::all_of(words, [](char c) { return c >= ' ' && c <= '~'; });
        return plain ? words : std::string();
    }
    bool bigEndian() const { return m_swapped == (std::endian::native == std::endian::little); }

private:
    std::string m_bytes;
    bool m_swapped;
};

bool isDeflated(const InputFile& file) {
    return file.size() > 2 && std::memcmp(beginningOf(file, 2).data(), kGzip, 2) == 0;
}

std::string niftiBeginning(const InputFile& file) {
    return isDeflated(file) ? inflatedBeginning(file, 0, kNiftiHead)
                            : beginningOf(file, kNiftiHead);
}

std::int32_t firstWord(const std::string& bytes, bool swapped) {
    return NiftiHead(bytes, swapped).at<std::int32_t>(0);
}

/// True where the header has the other byte order than this machine; nothing where it is no header.
std::optional<bool> swappedHead(const std::string& bytes, std::size_t length) {
    if (bytes.size() < kNiftiHead) return std::nullopt;
    for (const bool swapped : {false, true})
        if (firstWord(bytes, swapped) == static_cast<std::int32_t>(length)) return swapped;
    return std::nullopt;
}

std::string_view magicOf(const std::string& bytes, std::size_t place) {
    return std::string_view(bytes).substr(place, 3);
}

ElementType niftiTypeOf(const InputFile& file, const NiftiHead& head) {
    using Kind = ElementType::Kind;
    struct Known {
        std::int16_t code;
        ElementType type;
    };
    constexpr std::array kKnown{
        Known{2, {Kind::Unsigned, 1}},   Known{4, {Kind::Signed, 2}},
        Known{8, {Kind::Signed, 4}},     Known{16, {Kind::Real, 4}},
        Known{32, {Kind::Real, 4, 2}},   Known{64, {Kind::Real, 8}},
        Known{128, {Kind::Unsigned, 1}}, Known{256, {Kind::Signed, 1}},
        Known{512, {Kind::Unsigned, 2}}, Known{768, {Kind::Unsigned, 4}},
        Known{1024, {Kind::Signed, 8}},  Known{1280, {Kind::Unsigned, 8}},
        Known{1792, {Kind::Real, 8, 2}}, Known{2304, {Kind::Unsigned, 1}},
    };
    constexpr std::size_t kDataType = 70;
    const auto code = head.at<std::int16_t>(kDataType);
    const auto at = std::ranges::find_if(kKnown, [&](const Known& e) { return e.code == code; });
    if (at == kKnown.end())
        throw fileError(file.path(), fmt::format("its data type {} is no number that Echolux "
                                                 "reads; export it again",
                                                 code));
    ElementType type = at->type;
    type.bigEndian = type.bytes > 1 && head.bigEndian();
    return type;
}

/// Values per pixel: 3 or 4 where pixels have colours, else 1.
std::int64_t coloursOf(const NiftiHead& head) {
    const auto code = head.at<std::int16_t>(70);
    return code == 128 ? 3 : code == 2304 ? 4 : 1;
}

/// Column i: from one sample to the next along axis i; column 3: the first sample.
using Affine = std::array<std::array<double, 3>, 4>;

Affine affineOf(const NiftiHead& head) {
    Affine affine{};
    std::array<double, 3> spacing{};
    for (std::size_t i = 0; i < 3; ++i) {
        spacing[i] = std::abs(head.real(80 + 4 * i));
        affine[i][i] = spacing[i];
    }
    if (head.at<std::int16_t>(254) > 0) {
        for (std::size_t row = 0; row < 3; ++row)
            for (std::size_t column = 0; column < 4; ++column)
                affine[column][row] = head.real(280 + 16 * row + 4 * column);
        return affine;
    }
    if (head.at<std::int16_t>(252) <= 0) return affine;
    const double b = head.real(256);
    const double c = head.real(260);
    const double d = head.real(264);
    const double a = std::sqrt(std::max(0.0, 1.0 - b * b - c * c - d * d));
    const double handed = head.real(76) < 0.0 ? -1.0 : 1.0;
    affine[0] = {a * a + b * b - c * c - d * d, 2 * (b * c + a * d), 2 * (b * d - a * c)};
    affine[1] = {2 * (b * c - a * d), a * a + c * c - b * b - d * d, 2 * (c * d + a * b)};
    affine[2] = {2 * (b * d + a * c) * handed, 2 * (c * d - a * b) * handed,
                 (a * a + d * d - c * c - b * b) * handed};
    for (std::size_t i = 0; i < 3; ++i)
        for (double& part : affine[i]) part *= spacing[i];
    for (std::size_t row = 0; row < 3; ++row) affine[3][row] = head.real(268 + 4 * row);
    return affine;
}

/// Metres in the file's unit of length; 0 where the file says that it has none. NOTE: files that
/// say nothing of units mean millimetres.
double lengthUnit(const NiftiHead& head) {
    const auto units = static_cast<unsigned>(head.at<std::uint8_t>(123));
    constexpr std::array kUnits{0.0, 1.0, 1e-3, 1e-6};
    const unsigned length = units & 7U;
    if (units == 0) return 1e-3;
    return length < kUnits.size() ? kUnits[length] : 0.0;
}

/// Where the file says how its axes lie. NOTE: images without a pose have positions along their
/// axes alone; Echolux says so in their description.
std::optional<PicturePlace> niftiPlaceOf(const NiftiHead& head) {
    const bool stated = head.at<std::int16_t>(252) > 0 || head.at<std::int16_t>(254) > 0;
    const double unit = lengthUnit(head);
    if (!stated || unit == 0.0 || head.text(148, 80).ends_with(kNoPose)) return std::nullopt;
    const Affine affine = affineOf(head);
    PicturePlace place;
    constexpr std::array kRoles{PictureAxis::Role::Lateral, PictureAxis::Role::Depth,
                                PictureAxis::Role::Elevation};
    for (std::size_t i = 0; i < kRoles.size(); ++i)
        place.setStep(kRoles[i], pointOf(affine[i]), unit);
    place.first = pointOf(affine[3], unit);
    place.countLeftAndBack(true, true);
    return place;
}

double timeUnit(const NiftiHead& head) {
    switch (static_cast<unsigned>(head.at<std::uint8_t>(123)) & 56U) {
    case 16: return 1e-3;
    case 24: return 1e-6;
    default: return 1.0;
    }
}

std::vector<PictureAxis> niftiAxesOf(const InputFile& file, const NiftiHead& head) {
    constexpr std::size_t kSizes = 40;
    const auto dimensions = head.at<std::int16_t>(kSizes);
    if (dimensions < 2 || dimensions > 7)
        throw fileError(file.path(),
                        fmt::format("its head speaks of {} axes; export it again", dimensions));
    std::vector<PictureAxis> axes;
    if (coloursOf(head) > 1)
        axes.push_back({.role = PictureAxis::Role::Colours, .size = coloursOf(head)});
    const Affine affine = affineOf(head);
    for (std::size_t i = 0; i < static_cast<std::size_t>(dimensions); ++i) {
        const auto size = head.at<std::int16_t>(kSizes + 2 + 2 * i);
        if (size < 1)
            throw fileError(file.path(), fmt::format("its axis {} has {} entries; export it again",
                                                     i + 1, size));
        if (i > 3 && size == 1) continue;
        PictureAxis axis{.role = usualRole(file.path(), i), .size = size};
        if (i < 3) placeAlong(axis, affine[i], affine[3], lengthUnit(head));
        if (i == 3) axis.spacingM = std::abs(head.real(92)) * timeUnit(head); // seconds
        axes.push_back(axis);
    }
    return axes;
}

void takeValues(const NiftiHead& head, PictureFile& picture) {
    FrameSpec& frame = picture.info.frame;
    const double slope = head.real(112);
    if (slope != 0.0) {
        frame.codeScale = slope;
        frame.codeOffset = -head.real(116) / slope;
    }
    picture.form = formNamed(head.text(328, 16));
    const double most = head.real(124);
    const double least = head.real(128);
    if (least < most)
        frame.valueRange = ValueRange{
            least, most, picture.form == RecordedForm::Decibels ? "dB" : "", "as recorded"};
    if (const std::string words = head.text(148, 80); !words.empty())
        picture.info.notes.emplace_back("Description", words);
}

} // namespace

bool isNifti(const InputFile& file) {
    const std::string bytes = niftiBeginning(file);
    if (swappedHead(bytes, kNifti2Head)) return magicOf(bytes, 4) == "n+2";
    return swappedHead(bytes, kNiftiHead) &&
           (magicOf(bytes, 344) == "n+1" || magicOf(bytes, 344) == "ni1");
}

std::unique_ptr<Recording> openNifti(std::shared_ptr<const InputFile> file,
                                     const OpenOptions& /*options*/) {
    const std::string bytes = niftiBeginning(*file);
    const auto swapped = swappedHead(bytes, kNiftiHead);
    if (!swapped || magicOf(bytes, 344) != "n+1")
        throw fileError(file->path(), "it is NIfTI-2, or a NIfTI head whose samples are in another "
                                      "file; export it as NIfTI-1 in one file, .nii or .nii.gz");
    const NiftiHead head(bytes, *swapped);
    PictureFile picture;
    picture.info.path = file->path();
    picture.info.format = "NIfTI-1";
    picture.axes = niftiAxesOf(*file, head);
    picture.type = niftiTypeOf(*file, head);
    takeValues(head, picture);
    picture.place = niftiPlaceOf(head);
    const double offset = head.real(108);
    if (!(offset >= 0.0 && offset < 1e9))
        throw fileError(file->path(),
                        fmt::format("its samples begin at byte {:g}; export it again", offset));
    const auto begin = std::max<std::uint64_t>(static_cast<std::uint64_t>(offset), kNiftiHead);
    const ArrayLayout layout = layoutOf(picture);
    return openPictures(std::move(picture), isDeflated(*file)
                                                ? storedBehind(file, begin, layout)
                                                : storedArray(file, begin, layout, false));
}

} // namespace echolux
