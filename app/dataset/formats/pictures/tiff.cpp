// SPDX-License-Identifier: GPL-3.0-or-later
// How the pages of a TIFF belong together: by OME-XML (schema 2016-06; lengths in um unless it says
// otherwise), by ImageJ's "key=value" lines, else as frames one after the other.
#include "app/dataset/formats/pictures/tiff.hpp"

#include "app/dataset/container/text_array.hpp"
#include "app/dataset/container/xml_text.hpp"
#include "app/dataset/formats/pictures/picture_file.hpp"
#include "app/dataset/formats/pictures/tiff_file.hpp"
#include "app/dataset/recording/counted.hpp"

#include <fmt/format.h>
#include <pugixml.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace echolux {

namespace {

using Role = PictureAxis::Role;

/// Sizes and lengths are 0 where unknown.
struct PageOrder {
    std::string order = "ZCT"; ///< the fastest first
    std::int64_t planes = 1;
    std::int64_t channels = 1;
    std::int64_t frames = 1;
    PictureAxis lateral{.role = Role::Lateral};
    PictureAxis depth{.role = Role::Depth};
    PictureAxis elevation{.role = Role::Elevation};
    double frameIntervalS = 0.0;

    std::int64_t sizeOf(char letter) const {
        return letter == 'Z' ? planes : letter == 'C' ? channels : frames;
    }
    /// Page of a frame's plane, in the first channel.
    std::int64_t page(std::int64_t frame, std::int64_t plane) const {
        std::int64_t index = 0;
        std::int64_t step = 1;
        for (const char letter : order) {
            index += step * (letter == 'Z' ? plane : letter == 'T' ? frame : 0);
            step *= sizeOf(letter);
        }
        return index;
    }
};

/// "mm", "um", ... as metres. Micrometres where no unit is given, 0 where the unit is no length.
double omeUnit(const pugi::xml_node& node, const std::string& attribute) {
    const pugi::xml_attribute unit = node.attribute(attribute.c_str());
    return unit ? metresOf(unit.value()).value_or(0.0) : 1e-6;
}

double finiteOr0(double value) { return std::isfinite(value) ? value : 0.0; }

void takeOmePlace(const pugi::xml_node& pixels, const std::string& letter, PictureAxis& axis) {
    const std::string size = "PhysicalSize" + letter;
    const std::string position = "Position" + letter;
    const pugi::xml_node plane = pixels.child("Plane");
    axis.spacingM = std::max(0.0, finiteOr0(pixels.attribute(size.c_str()).as_double()) *
                                      omeUnit(pixels, size + "Unit"));
    axis.originM = finiteOr0(plane.attribute(position.c_str()).as_double()) *
                   omeUnit(plane, position + "Unit");
}

/// Codes of 16 bit have the values that the text gives. Without such a text they are the
/// brightnesses of a picture, whatever it shows.
void takeGreyRange(const ElementType& type, const std::string& text, PictureFile& picture) {
    if (!picture.form || type.kind != ElementType::Kind::Unsigned || type.bytes != 2) return;
    const RecordedForm form = *picture.form;
    picture.form = RecordedForm::Picture;
    const std::size_t at = text.find(kGreyRangeMark);
    if (at == std::string::npos) return;
    std::string pair = text.substr(at + kGreyRangeMark.size());
    pair = pair.substr(0, pair.find_first_not_of("0123456789.eE+-:"));
    std::ranges::replace(pair, ':', ' ');
    const auto values = numbersIn(pair);
    constexpr double kMost = 1e30;
    constexpr double kLeastSpan = 1e-30;
    if (!values || values->size() != 2 || std::abs((*values)[1] - (*values)[0]) < kLeastSpan ||
        std::ranges::any_of(*values, [](double value) { return std::abs(value) > kMost; })) {
        picture.info.warnings.emplace_back("The values of black and white that the file names are "
                                           "no two numbers; it is shown as a picture.");
        return;
    }
    constexpr double kWhite = 65535.0;
    const auto [black, white] = std::pair((*values)[0], (*values)[1]);
    FrameSpec& frame = picture.info.frame;
    picture.form = form;
    frame.codeScale = (white - black) / kWhite;
    frame.codeOffset = -black / frame.codeScale;
    const auto [least, most] = std::minmax(black, white);
    if (form == RecordedForm::Decibels)
        frame.valueRange = ValueRange{least, most, "dB", "as recorded"};
    if (form == RecordedForm::Picture) frame.valueRange = ValueRange{least, most, "", ""};
}

std::optional<PageOrder> omeOrder(const TiffFile& file, PictureFile& picture) {
    const std::string text = file.description();
    if (text.find("<OME") == std::string::npos) return std::nullopt;
    checkXml(file.path(), "its OME-XML", text);
    pugi::xml_document document;
    const auto result =
        document.load_buffer(text.data(), text.size(), pugi::parse_minimal | pugi::parse_escapes);
    const pugi::xml_node image = document.child("OME").child("Image");
    const pugi::xml_node pixels = image.child("Pixels");
    if (!result || !pixels) {
        picture.info.warnings.emplace_back("The OME-XML of the file is damaged and is left out.");
        return std::nullopt;
    }
    PageOrder order;
    const auto size = [&](const char* name) {
        constexpr long long kMost = 1 << 30;
        const long long value = pixels.attribute(name).as_llong(1);
        if (value < 1 || value > kMost)
            throw fileError(file.path(), fmt::format("its OME-XML gives '{}' as '{}'; export it "
                                                     "again",
                                                     name, pixels.attribute(name).value()));
        return static_cast<std::int64_t>(value);
    };
    order.planes = size("SizeZ");
    order.frames = size("SizeT");
    order.channels = file.page().perPixel > 1 ? 1 : size("SizeC");
    const std::string letters = pixels.attribute("DimensionOrder").value();
    if (letters.size() == 5 && letters.starts_with("XY") &&
        std::ranges::is_permutation(letters.substr(2), std::string_view("ZCT")))
        order.order = letters.substr(2);
    takeOmePlace(pixels, "X", order.lateral);
    takeOmePlace(pixels, "Y", order.depth);
    takeOmePlace(pixels, "Z", order.elevation);
    order.frameIntervalS = std::max(0.0, finiteOr0(pixels.attribute("TimeIncrement").as_double()));
    const std::string description = image.child_value("Description");
    picture.form = formNamed(description);
    takeGreyRange(file.page().type, description, picture);
    if (order.channels > 1)
        picture.info.warnings.push_back(
            fmt::format("Of its {} channels the first is shown.", order.channels));
    return order;
}

/// The value after "key=" on a line of its own.
std::string imageJValue(const std::string& text, const std::string& key) {
    std::size_t at = text.find("\n" + key + "=");
    if (at == std::string::npos) return {};
    at += key.size() + 2;
    return std::string(trimmed(std::string_view(text).substr(at, text.find('\n', at) - at)));
}

/// A unit with the micro sign, which ImageJ writes as a letter or by its code, as "u".
std::string imageJUnit(const std::string& text, const std::string& key) {
    std::string unit = imageJValue(text, key);
    for (const std::string_view micro : {"\xc2\xb5", "\\u00B5"})
        if (unit.starts_with(micro)) unit.replace(0, micro.size(), "u");
    return unit;
}

/// Seconds where ImageJ's `tunit` is missing; 0 where it is no unit of time.
double imageJSeconds(const std::string& unit) {
    struct TimeUnit {
        double seconds;
        std::string_view names; ///< each with a blank on both sides
    };
    constexpr std::array kUnits{
        TimeUnit{1.0, " s sec second seconds "},
        TimeUnit{1e-3, " ms msec millisecond milliseconds "},
        TimeUnit{1e-6, " us usec microsecond microseconds "},
        TimeUnit{1e-9, " ns nsec "},
        TimeUnit{60.0, " min minute minutes "},
        TimeUnit{3600.0, " h hr hour hours "},
    };
    if (unit.empty()) return 1.0;
    const auto at = std::ranges::find_if(kUnits, [&](const TimeUnit& each) {
        return each.names.find(' ' + unit + ' ') != std::string_view::npos;
    });
    return at == kUnits.end() ? 0.0 : at->seconds;
}

std::optional<PageOrder> imageJOrder(const TiffFile& file, std::vector<std::string>& warnings) {
    const std::string text = file.description();
    if (!text.starts_with("ImageJ=")) return std::nullopt;
    const auto number = [&](const char* key, double fallback) {
        const auto values = numbersIn(imageJValue(text, key));
        const bool sound = values && values->size() == 1 && (*values)[0] > 0.0;
        return sound ? (*values)[0] : fallback;
    };
    PageOrder order{.order = "CZT"};
    constexpr double kMost = 1e9;
    order.channels = static_cast<std::int64_t>(std::min(number("channels", 1.0), kMost));
    order.planes = static_cast<std::int64_t>(std::min(number("slices", 1.0), kMost));
    order.frames = static_cast<std::int64_t>(std::min(number("frames", 1.0), kMost));
    const double metres = metresOf(imageJUnit(text, "unit")).value_or(0.0);
    if (file.pixelsPerUnitX() > 0.0) order.lateral.spacingM = metres / file.pixelsPerUnitX();
    if (file.pixelsPerUnitY() > 0.0) order.depth.spacingM = metres / file.pixelsPerUnitY();
    order.elevation.spacingM = metres * number("spacing", 0.0);
    const double interval = number("finterval", 0.0);
    const std::string timeUnit = imageJUnit(text, "tunit");
    order.frameIntervalS = interval * imageJSeconds(timeUnit);
    if (interval > 0.0 && !(order.frameIntervalS > 0.0))
        warnings.push_back(
            fmt::format("Its time from frame to frame is {:g} '{}', which is no unit "
                        "of time; the frame rate is unknown.",
                        interval, timeUnit));
    return order;
}

PageOrder plainOrder(const TiffFile& file) {
    PageOrder order;
    order.frames = static_cast<std::int64_t>(file.pages());
    if (file.pixelsPerCmX() > 0.0) {
        order.lateral.spacingM = 1e-2 / file.pixelsPerCmX();
        order.depth.spacingM = 1e-2 / file.pixelsPerCmY();
    }
    return order;
}

PageOrder orderOf(const TiffFile& file, PictureFile& picture) {
    if (auto order = omeOrder(file, picture)) return *order;
    picture.form = formNamed(file.description());
    takeGreyRange(file.page().type, file.description(), picture);
    // NOTE: stacks that ImageJ wrote as one page instead of one page per plane are not read.
    if (auto order = imageJOrder(file, picture.info.warnings)) return *order;
    return plainOrder(file);
}

} // namespace

bool isTiff(const InputFile& file) {
    using namespace std::string_view_literals;
    const std::string head = beginningOf(file, 4);
    for (const std::string_view start : {"II*\0"sv, "MM\0*"sv, "II+\0"sv, "MM\0+"sv})
        if (head == start) return true;
    return false;
}

std::unique_ptr<Recording> openTiff(std::shared_ptr<const InputFile> file,
                                    const OpenOptions& /*options*/) {
    const auto tiff = std::make_shared<TiffFile>(file->path());
    PictureFile picture;
    picture.info.path = file->path();
    PageOrder order = orderOf(*tiff, picture);
    picture.info.format =
        tiff->description().find("<OME") == std::string::npos ? "TIFF" : "OME-TIFF";
    const auto held = static_cast<std::int64_t>(tiff->pages());
    // Three numbers of at most 2^30 each might overflow together.
    const double needed = static_cast<double>(order.planes) * static_cast<double>(order.channels) *
                          static_cast<double>(order.frames);
    if (needed > static_cast<double>(held))
        throw fileError(file->path(), fmt::format("its description needs {:g} pages, but it has "
                                                  "{}; export it as one file",
                                                  needed, counted(held, "page")));
    if (tiff->otherPages() > 0)
        picture.info.warnings.push_back(
            fmt::format("{} of another size than the first {} left out.",
                        counted(static_cast<std::int64_t>(tiff->otherPages()), "page"),
                        tiff->otherPages() == 1 ? "is" : "are"));
    std::vector<std::size_t> pages;
    for (std::int64_t t = 0; t < order.frames; ++t)
        for (std::int64_t z = 0; z < order.planes; ++z)
            pages.push_back(static_cast<std::size_t>(order.page(t, z)));
    order.lateral.size = tiff->page().width;
    order.depth.size = tiff->page().height;
    order.elevation.size = order.planes;
    if (tiff->page().perPixel > 1)
        picture.axes.push_back({.role = Role::Colours, .size = tiff->page().perPixel});
    picture.axes.insert(picture.axes.end(), {order.lateral, order.depth, order.elevation});
    picture.axes.push_back(
        {.role = Role::Frame, .size = order.frames, .spacingM = order.frameIntervalS});
    return openPictures(std::move(picture),
                        std::make_unique<TiffArray>(
                            tiff, std::vector<std::int64_t>{order.frames, order.planes}, pages));
}

} // namespace echolux
