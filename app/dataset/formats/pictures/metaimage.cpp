// SPDX-License-Identifier: GPL-3.0-or-later
// Keys as ITK's MetaIO writes them; lengths in mm. "Kinds" tells images of one place over time, as
// in sequences of tracked ultrasound.
#include "app/dataset/formats/pictures/metaimage.hpp"

#include "app/dataset/container/text_array.hpp"
#include "app/dataset/formats/pictures/picture_file.hpp"
#include "app/dataset/formats/pictures/plus_sequence.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <sstream>
#include <utility>

namespace echolux {

namespace {

constexpr std::size_t kMostHeaderBytes = std::size_t{1} << 22U; // sequences have lines per frame
constexpr std::string_view kDataFile = "ElementDataFile";

struct MetaTypeName {
    std::string_view name;
    ElementType type;
};
using MetaKind = ElementType::Kind;
const std::array kMetaTypes{
    MetaTypeName{"MET_CHAR", {MetaKind::Signed, 1}},
    MetaTypeName{"MET_UCHAR", {MetaKind::Unsigned, 1}},
    MetaTypeName{"MET_SHORT", {MetaKind::Signed, 2}},
    MetaTypeName{"MET_USHORT", {MetaKind::Unsigned, 2}},
    MetaTypeName{"MET_INT", {MetaKind::Signed, 4}},
    MetaTypeName{"MET_UINT", {MetaKind::Unsigned, 4}},
    MetaTypeName{"MET_LONG", {MetaKind::Signed, 4}},
    MetaTypeName{"MET_ULONG", {MetaKind::Unsigned, 4}},
    MetaTypeName{"MET_LONG_LONG", {MetaKind::Signed, 8}},
    MetaTypeName{"MET_ULONG_LONG", {MetaKind::Unsigned, 8}},
    MetaTypeName{"MET_FLOAT", {MetaKind::Real, 4}},
    MetaTypeName{"MET_DOUBLE", {MetaKind::Real, 8}},
};

class MetaHeader {
public:
    explicit MetaHeader(const InputFile& file) : m_path(file.path()) {
        const std::string text = beginningOf(file, kMostHeaderBytes);
        std::size_t at = 0;
        while (at < text.size()) {
            const std::size_t end = std::min(text.find('\n', at), text.size());
            const std::string_view line = std::string_view(text).substr(at, end - at);
            at = end + 1;
            const std::size_t equals = line.find('=');
            if (equals == std::string_view::npos) continue;
            const std::string key(trimmed(line.substr(0, equals)));
            m_values[key] = trimmed(line.substr(equals + 1));
            if (key == kDataFile) {
                m_end = std::min(at, text.size());
                return;
            }
        }
        throw wrong(fmt::format("its header does not end with '{}'", kDataFile));
    }

    std::uint64_t end() const { return m_end; } ///< where local samples begin
    Error wrong(const std::string& what) const {
        return fileError(m_path, what + "; export it again");
    }
    /// The text of the first key that exists; empty where none exists.
    std::string text(std::initializer_list<const char*> keys) const {
        for (const char* key : keys)
            if (const auto at = m_values.find(key); at != m_values.end()) return at->second;
        return {};
    }
    bool flag(std::initializer_list<const char*> keys) const {
        const std::string value = text(keys);
        return !value.empty() && (value[0] == 'T' || value[0] == 't' || value[0] == '1');
    }
    /// No numbers, or exactly `count` of them.
    std::vector<double> numbers(std::initializer_list<const char*> keys, std::size_t count) const {
        const std::string value = text(keys);
        if (value.empty()) return {};
        const auto found = numbersIn(value);
        if (!found || found->size() != count)
            throw wrong(fmt::format("its '{}' is '{}', not {} numbers", *keys.begin(),
                                    value.substr(0, 80), count));
        return *found;
    }
    std::int64_t whole(std::initializer_list<const char*> keys, std::int64_t fallback,
                       std::int64_t most) const {
        const std::vector<double> value = numbers(keys, 1);
        if (value.empty()) return fallback;
        if (!(value[0] >= 1 && value[0] <= static_cast<double>(most)))
            throw wrong(fmt::format("its '{}' is {:g}", *keys.begin(), value[0]));
        return static_cast<std::int64_t>(value[0]);
    }

private:
    std::filesystem::path m_path;
    std::map<std::string, std::string> m_values;
    std::uint64_t m_end = 0;
};

ElementType metaTypeOf(const MetaHeader& header) {
    std::string name = header.text({"ElementType"});
    constexpr std::string_view kArrayEnd = "_ARRAY";
    if (name.ends_with(kArrayEnd)) name.resize(name.size() - kArrayEnd.size());
    const auto at = std::ranges::find_if(
        kMetaTypes, [&](const MetaTypeName& each) { return each.name == name; });
    if (at == kMetaTypes.end())
        throw header.wrong(fmt::format("its element type '{}' is no number that Echolux reads",
                                       name.substr(0, 40)));
    ElementType type = at->type;
    type.bigEndian = header.flag({"BinaryDataByteOrderMSB", "ElementByteOrderMSB"});
    return type;
}

/// True where the axis is one of time, or of images one after another.
bool countsFrames(const MetaHeader& header, std::size_t axis) {
    std::string kinds = header.text({"Kinds"});
    for (std::size_t i = 0; i < axis; ++i) {
        const std::size_t blank = kinds.find(' ');
        kinds = blank == std::string::npos ? "" : std::string(trimmed(kinds.substr(blank)));
    }
    return kinds.starts_with("list") || kinds.starts_with("time");
}

std::vector<std::string> wordsOf(const std::string& text) {
    std::istringstream stream(text);
    return {std::istream_iterator<std::string>(stream), {}};
}

std::vector<PictureAxis> metaAxesOf(const MetaHeader& header, const std::filesystem::path& path) {
    constexpr std::int64_t kMostChannels = 4;
    const auto dimensions = static_cast<std::size_t>(header.whole({"NDims"}, 0, 4));
    if (dimensions < 2) throw header.wrong("it has fewer than two axes");
    const std::vector<double> sizes = header.numbers({"DimSize"}, dimensions);
    const std::vector<double> spacing =
        header.numbers({"ElementSpacing", "ElementSize"}, dimensions);
    const std::vector<double> offset = header.numbers({"Offset", "Origin", "Position"}, dimensions);
    const std::vector<double> turn =
        header.numbers({"TransformMatrix", "Rotation", "Orientation"}, dimensions * dimensions);
    if (sizes.empty()) throw header.wrong("its header does not say 'DimSize'");
    std::vector<std::string> units = wordsOf(header.text({"echolux_units"}));
    units.resize(dimensions);
    std::vector<PictureAxis> axes;
    const std::int64_t channels = header.whole({"ElementNumberOfChannels"}, 1, kMostChannels);
    if (channels > 1) axes.push_back({.role = PictureAxis::Role::Colours, .size = channels});
    for (std::size_t i = 0; i < dimensions; ++i) {
        constexpr double kMost = 1e9;
        if (!(sizes[i] >= 1 && sizes[i] <= kMost))
            throw header.wrong(fmt::format("axis {} has {:g} entries", i + 1, sizes[i]));
        PictureAxis axis{.role = usualRole(path, i), .size = static_cast<std::int64_t>(sizes[i])};
        if (i == 2 && countsFrames(header, i)) axis.role = PictureAxis::Role::Frame;
        std::array<double, 3> step{};
        std::array<double, 3> origin{};
        for (std::size_t j = 0; j < std::min<std::size_t>(dimensions, 3); ++j) {
            const double along = turn.empty() ? (i == j ? 1.0 : 0.0) : turn[i * dimensions + j];
            step[j] = (spacing.empty() ? 0.0 : spacing[i]) * along;
            if (!offset.empty()) origin[j] = offset[j];
        }
        if (axis.role != PictureAxis::Role::Frame && units[i] != "none")
            placeAlong(axis, step, origin, 1e-3);
        axes.push_back(axis);
    }
    return axes;
}

/// Where a volume's header says how its axes lie, towards left, back and head. NOTE: coordinates of
/// sequences count in the images, or from a tracker.
std::optional<PicturePlace> metaPlaceOf(const MetaHeader& header,
                                        const std::vector<PictureAxis>& axes) {
    const auto dimensions = static_cast<std::size_t>(header.whole({"NDims"}, 0, 4));
    const auto turn =
        header.numbers({"TransformMatrix", "Rotation", "Orientation"}, dimensions * dimensions);
    const auto spacing = header.numbers({"ElementSpacing", "ElementSize"}, dimensions);
    const auto offset = header.numbers({"Offset", "Origin", "Position"}, dimensions);
    if (dimensions < 3 || turn.empty() || spacing.empty() || countsFrames(header, 2))
        return std::nullopt;
    PicturePlace place;
    if (const std::string named = header.text({"echolux_space"}); !named.empty())
        place.space = named;
    const std::size_t colours = axes.front().role == PictureAxis::Role::Colours ? 1 : 0;
    for (std::size_t i = 0; i < 3; ++i) {
        const double* along = turn.data() + i * dimensions;
        place.setStep(axes[colours + i].role, pointOf({along[0], along[1], along[2]}, spacing[i]),
                      1e-3);
    }
    if (!offset.empty()) place.first = pointOf({offset[0], offset[1], offset[2]}, 1e-3);
    return place;
}

} // namespace

bool isMetaImage(const InputFile& file) {
    constexpr std::size_t kLook = 1024;
    const std::string head = beginningOf(file, kLook);
    const auto hasKey = [&](std::string_view key) {
        std::size_t at = head.find(key);
        if (at == std::string::npos || (at > 0 && head[at - 1] != '\n')) return false;
        at = head.find_first_not_of(' ', at + key.size());
        return at != std::string::npos && head[at] == '=';
    };
    return hasKey("NDims") || (head.starts_with("ObjectType") && hasKey("ObjectType"));
}

StoredPicture readMetaImage(const std::shared_ptr<const InputFile>& file) {
    const MetaHeader header(*file);
    PictureFile picture;
    picture.info.path = file->path();
    picture.info.format = "MetaImage";
    picture.axes = metaAxesOf(header, file->path());
    picture.type = metaTypeOf(header);
    picture.form = formNamed(header.text({"echolux_content"}));
    const MetaKey key = [&](const std::string& name) { return header.text({name.c_str()}); };
    if (isPlusSequence(key)) {
        takePlusSequence(key, picture);
    } else {
        picture.place = metaPlaceOf(header, picture.axes);
        takeKeptRange(header.text({"echolux_range"}), picture);
        takeKeptRate(header.text({"echolux_frame_rate"}), picture);
    }
    if (const std::string binary = header.text({"BinaryData"});
        !binary.empty() && !header.flag({"BinaryData"}))
        throw header.wrong("its samples are text, but Echolux reads binary ones");
    const std::string where = header.text({kDataFile.data()});
    if (where.starts_with("LIST") || where.find('%') != std::string::npos)
        throw header.wrong("its samples are in several files, but Echolux reads one");
    const bool local = where == "LOCAL" || where == "Local" || where == "local";
    const auto data = local ? file : fileBeside(file->path(), where);
    const ArrayLayout layout = layoutOf(picture);
    const bool deflated = header.flag({"CompressedData"});
    std::uint64_t offset = local ? header.end() : 0;
    if (const std::string skip = header.text({"HeaderSize"}); skip == "-1" && !local && !deflated)
        offset = data->size() - std::min(data->size(), layout.bytes());
    else if (!local)
        offset = static_cast<std::uint64_t>(header.whole({"HeaderSize"}, 0, std::int64_t{1} << 40));
    return {std::move(picture), storedArray(data, offset, layout, deflated)};
}

std::unique_ptr<Recording> openMetaImage(std::shared_ptr<const InputFile> file,
                                         const OpenOptions& /*options*/) {
    StoredPicture stored = readMetaImage(file);
    return openPictures(std::move(stored.picture), std::move(stored.source));
}

} // namespace echolux
