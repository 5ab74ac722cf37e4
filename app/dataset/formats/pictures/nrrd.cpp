// SPDX-License-Identifier: GPL-3.0-or-later
// Fields as teem.sourceforge.net/nrrd/format.html defines them; lengths in mm unless "space units"
// says otherwise. Echolux adds keys: echolux_content, echolux_range, echolux_frame_rate.
#include "app/dataset/formats/pictures/nrrd.hpp"

#include "app/dataset/container/text_array.hpp"
#include "app/dataset/formats/pictures/nrrd_header.hpp"
#include "app/dataset/formats/pictures/picture_file.hpp"
#include "app/dataset/formats/pictures/plus_sequence.hpp"
#include "gpu/core/sector.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <iterator>
#include <numbers>
#include <sstream>
#include <utility>

namespace echolux {

namespace {

using Role = PictureAxis::Role;

ElementType nrrdTypeOf(const NrrdHeader& header) {
    using Kind = ElementType::Kind;
    struct Names {
        ElementType type;
        std::vector<std::string_view> names;
    };
    static const std::vector<Names> kNames{
        {{Kind::Signed, 1}, {"signed char", "int8", "int8_t"}},
        {{Kind::Unsigned, 1}, {"uchar", "unsigned char", "uint8", "uint8_t"}},
        {{Kind::Signed, 2},
         {"short", "short int", "signed short", "signed short int", "int16", "int16_t"}},
        {{Kind::Unsigned, 2},
         {"ushort", "unsigned short", "unsigned short int", "uint16", "uint16_t"}},
        {{Kind::Signed, 4}, {"int", "signed int", "int32", "int32_t"}},
        {{Kind::Unsigned, 4}, {"uint", "unsigned int", "uint32", "uint32_t"}},
        {{Kind::Signed, 8},
         {"longlong", "long long", "long long int", "signed long long", "signed long long int",
          "int64", "int64_t"}},
        {{Kind::Unsigned, 8},
         {"ulonglong", "unsigned long long", "unsigned long long int", "uint64", "uint64_t"}},
        {{Kind::Real, 4}, {"float"}},
        {{Kind::Real, 8}, {"double"}}};
    const std::string name = header.field("type");
    for (const Names& each : kNames) {
        if (std::ranges::find(each.names, name) == each.names.end()) continue;
        ElementType type = each.type;
        type.bigEndian = type.bytes > 1 && header.field("endian") == "big";
        return type;
    }
    throw header.wrong(fmt::format("its type '{}' is no number that Echolux reads", name));
}

/// The role of an axis, as far as its label or kind tells it.
std::optional<Role> namedRole(const std::string& label, const std::string& kind,
                              std::int64_t size) {
    if (label == "lateral") return Role::Lateral;
    if (label == "depth") return Role::Depth;
    if (label == "elevation") return Role::Elevation;
    if (label == "frame" || label == "time" || kind == "list" || kind == "time") return Role::Frame;
    if (kind == "complex" && size == 2) return Role::Parts;
    if (kind.ends_with("-color") || kind == "vector" || kind == "scalar") return Role::Colours;
    return std::nullopt;
}

std::vector<PictureAxis> nrrdAxesOf(const NrrdHeader& header, const std::filesystem::path& path) {
    const std::vector<std::int64_t> sizes = header.sizes();
    const auto directions = header.directions(sizes.size());
    const auto kinds = header.words("kinds", sizes.size());
    const auto labels = header.words("labels", sizes.size());
    const auto spacings = header.perAxis("spacings", sizes.size());
    const auto mins = header.perAxis("axis mins", sizes.size());
    const auto origin = header.origin();
    std::vector<PictureAxis> axes;
    std::size_t spatial = 0;
    std::size_t usual = 0; ///< axes in space, and those without a name
    for (std::size_t i = 0; i < sizes.size(); ++i) {
        const bool noPlace = !directions.empty() && !directions[i];
        std::optional<Role> role = namedRole(labels[i], kinds[i], sizes[i]);
        if (!role && noPlace) role = i == 0 && sizes[i] <= 4 ? Role::Colours : Role::Frame;
        PictureAxis axis{.role = role ? *role : usualRole(path, usual), .size = sizes[i]};
        const bool inSpace =
            axis.role == Role::Lateral || axis.role == Role::Depth || axis.role == Role::Elevation;
        const std::string unit = header.unitOf(spatial, i);
        const double metres = metresOf(unit).value_or(0.0);
        if (inSpace && !directions.empty() && directions[i])
            placeAlong(axis, *directions[i], origin, metres);
        else if (inSpace && spacings[i] > 0.0)
            placeAlong(axis, {spacings[i]}, {mins[i]}, metres);
        if (inSpace) ++spatial;
        if (inSpace || !role) ++usual;
        axes.push_back(axis);
    }
    return axes;
}

std::string lowerCase(std::string text) {
    std::ranges::transform(text, text.begin(),
                           [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return text;
}

/// Where directions in three dimensions say how the axes lie.
std::optional<PicturePlace> nrrdPlaceOf(const NrrdHeader& header,
                                        const std::vector<PictureAxis>& axes) {
    const std::string space = lowerCase(header.field("space"));
    if (space.empty() && header.field("space dimension") != "3") return std::nullopt;
    const auto directions = header.directions(axes.size());
    PicturePlace place;
    std::size_t spatial = 0;
    double unit = 0.0;
    for (std::size_t i = 0; i < directions.size(); ++i) {
        if (!directions[i]) continue;
        unit = metresOf(header.unitOf(spatial++, i)).value_or(0.0);
        const Role role = axes[i].role;
        const bool solid = role == Role::Lateral || role == Role::Depth || role == Role::Elevation;
        if (unit == 0.0 || !solid) return std::nullopt;
        place.setStep(role, pointOf(*directions[i]), unit);
    }
    place.first = pointOf(header.origin(), unit);
    const bool ras = space == "right-anterior-superior" || space == "ras";
    const bool las = space == "left-anterior-superior" || space == "las";
    const bool lps = space == "left-posterior-superior" || space == "lps";
    place.countLeftAndBack(ras, ras || las);
    if (ras || las || lps) return place;
    const std::string named = header.key("echolux_space");
    // A space without a name, whose coordinates are those of the axes, says nothing.
    const bool own = place.steps[0].x > 0.0 && place.steps[2].y > 0.0 &&
                     place.steps[0] == Point{place.steps[0].x, 0.0, 0.0} &&
                     place.steps[2] == Point{0.0, place.steps[2].y, 0.0} &&
                     place.steps[1] == Point{0.0, 0.0, std::abs(place.steps[1].z)};
    if (own && space.empty() && named.empty()) return std::nullopt;
    place.space = !space.empty() ? space : named.empty() ? "unnamed" : named;
    return place;
}

constexpr double kDegree = std::numbers::pi / 180.0;

/// Reads "apex 0 -12.5 mm, radius 40 mm". Returns false for other texts.
bool takeApex(const std::string& text, Sector& sector) {
    std::vector<double> numbers;
    std::istringstream words(text);
    for (std::string word; words >> word;)
        if (const auto found = numbersIn(word))
            std::ranges::copy(*found, std::back_inserter(numbers));
    if (numbers.size() != 3) return false;
    sector.apexXM = 1e-3 * numbers[0];
    sector.apexZM = 1e-3 * numbers[1];
    sector.radiusM = 1e-3 * numbers[2];
    return true;
}

/// Reads "x z angle x z angle ... (...)", in mm and degrees. The starts x, z are left out where
/// there is an apex. Returns false for other texts.
bool takeLines(const std::string& text, bool apex, Sector& sector) {
    const auto numbers = numbersIn(std::string_view(text).substr(0, text.find('(')));
    if (!numbers || numbers->empty() || numbers->size() % 3 != 0) return false;
    for (std::size_t i = 0; i < numbers->size(); i += 3) {
        sector.anglesRad.push_back((*numbers)[i + 2] * kDegree);
        if (!apex) sector.starts.push_back({1e-3 * (*numbers)[i], 0.0, 1e-3 * (*numbers)[i + 1]});
    }
    return true;
}

/// Takes a sector, whose angles the lateral axis gives in degrees or a list gives line by line.
void takeSector(const NrrdHeader& header, FrameSpec& frame) {
    auto sector = std::make_shared<Sector>();
    const bool apex = takeApex(header.key("echolux_sector"), *sector);
    const auto lateral = header.lateralInDegrees();
    if (!takeLines(header.key("echolux_lines"), apex, *sector)) {
        if (!apex || !lateral) return;
        for (std::int64_t i = 0; i < lateral->size; ++i)
            sector->anglesRad.push_back(
                (lateral->originM + static_cast<double>(i) * lateral->spacingM) * kDegree);
    }
    frame.sector = std::move(sector);
}

} // namespace

bool isNrrd(const InputFile& file) { return beginningOf(file, 7).starts_with("NRRD000"); }

StoredPicture readNrrd(const std::shared_ptr<const InputFile>& file) {
    const NrrdHeader header(*file);
    PictureFile picture;
    picture.info.path = file->path();
    picture.info.format = "NRRD";
    picture.axes = nrrdAxesOf(header, file->path());
    picture.type = nrrdTypeOf(header);
    picture.form = formNamed(header.key("echolux_content"));
    if (!picture.form) picture.form = formNamed(header.field("sample units"));
    const MetaKey key = [&](const std::string& name) { return header.key(name); };
    if (isPlusSequence(key))
        takePlusSequence(key, picture);
    else
        picture.place = nrrdPlaceOf(header, picture.axes);
    takeKeptRange(header.key("echolux_range"), picture);
    takeKeptRate(header.key("echolux_frame_rate"), picture);
    if (const std::string text = header.key("echolux_description"); !text.empty())
        picture.info.notes.emplace_back("Description", text.substr(0, 300));
    const std::string encoding = header.field("encoding");
    const bool deflated = encoding == "gzip" || encoding == "gz";
    if (!deflated && encoding != "raw")
        throw header.wrong(fmt::format("its encoding '{}' is neither raw nor gzip", encoding));
    const std::string named = header.dataFile();
    const auto data = named.empty() ? file : fileBeside(file->path(), named);
    const std::uint64_t begin = named.empty() ? header.end() : 0;
    const ArrayLayout layout = layoutOf(picture);
    auto source = storedArray(data, header.skipped(*data, begin, layout.bytes()), layout, deflated);
    takeSector(header, picture.info.frame); // as many angles as lines, now that all lines exist
    return {std::move(picture), std::move(source)};
}

std::unique_ptr<Recording> openNrrd(std::shared_ptr<const InputFile> file,
                                    const OpenOptions& /*options*/) {
    StoredPicture stored = readNrrd(file);
    return openPictures(std::move(stored.picture), std::move(stored.source));
}

} // namespace echolux
