// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/dataset/formats/pictures/picture_file.hpp"

#include "app/dataset/container/inflated.hpp"
#include "app/dataset/container/text_array.hpp"
#include "app/dataset/formats/pictures/grey_array.hpp"
#include "app/dataset/formats/pictures/reversed_array.hpp"
#include "app/dataset/frames/array_recording.hpp"
#include "app/dataset/frames/shown_range.hpp"
#include "gpu/core/posed.hpp"
#include "gpu/core/sector.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <system_error>
#include <utility>

namespace echolux {

namespace {

using Role = PictureAxis::Role;

ArrayAxis arrayAxisOf(Role role) {
    switch (role) {
    case Role::Lateral: return ArrayAxis::Lateral;
    case Role::Depth: return ArrayAxis::Depth;
    case Role::Elevation: return ArrayAxis::Elevation;
    case Role::Parts: return ArrayAxis::Iq;
    case Role::Frame:
    case Role::Colours: break;
    }
    return ArrayAxis::Frame;
}

void place(FrameSpec& frame, AxisName name, const PictureAxis& from) {
    const auto at =
        std::ranges::find_if(frame.axes, [&](const Axis& axis) { return axis.name == name; });
    if (at == frame.axes.end() || !(from.spacingM > 0.0)) return;
    at->spacing = from.spacingM;
    at->origin = std::isfinite(from.originM) ? from.originM : 0.0;
    at->unit = "m";
}

/// The pose of the frame, whose axes `axes` has in part. Null where the file does not place them.
std::shared_ptr<const Pose> picturePoseOf(const PicturePlace& place, const FrameSpec& frame) {
    const auto originOf = [&](AxisName name) {
        const Axis* axis = frame.find(name);
        return axis != nullptr ? axis->origin : 0.0;
    };
    if (frame.sector ||
        std::ranges::any_of(frame.axes, [](const Axis& a) { return a.unit != "m"; }))
        return nullptr;
    return poseOf(
        place.steps,
        {originOf(AxisName::Lateral), originOf(AxisName::Elevation), originOf(AxisName::Depth)},
        place.first, place.space);
}

/// True where the axis has one entry and an image can do without it.
bool isIdle(const PictureAxis& axis) {
    return axis.size == 1 && axis.role != Role::Lateral && axis.role != Role::Depth;
}

/// Colours become brightness, and axes that are stored backwards are turned round.
std::unique_ptr<ArraySource> turnedUpright(PictureFile& file, std::unique_ptr<ArraySource> source) {
    if (!file.axes.empty() && file.axes.front().role == Role::Colours) {
        source = std::make_unique<GreyArray>(file.info.path, std::move(source));
        file.axes.erase(file.axes.begin());
    }
    std::vector<std::size_t> reversed; // in index order
    for (std::size_t i = 0; i < file.axes.size(); ++i)
        if (file.axes[file.axes.size() - 1 - i].reversed) reversed.push_back(i);
    if (reversed.empty()) return source;
    return std::make_unique<ReversedArray>(std::move(source), std::move(reversed));
}

/// Hz; 0 where the file does not tell the time from frame to frame.
double frameRateOf(const std::vector<PictureAxis>& axes) {
    const auto frames = std::ranges::find(axes, Role::Frame, &PictureAxis::role);
    return frames != axes.end() && frames->spacingM > 0.0 ? 1.0 / frames->spacingM : 0.0;
}

class PictureArray : public ArrayContainer {
public:
    explicit PictureArray(StoredPicture stored) : m_stored(std::move(stored)) {
        m_stored.source = turnedUpright(m_stored.picture, std::move(m_stored.source));
        m_list = m_stored.source->layout().describe();
    }
    bool has(const std::string& where) const override { return where.empty(); }
    std::unique_ptr<ArraySource> open(const std::string& /*where*/) override {
        if (m_stored.source == nullptr)
            throw fileError(m_stored.picture.info.path, "it holds one array; name it once");
        return std::move(m_stored.source);
    }
    std::string list() const override { return m_list; }
    double frameRateHz() const override { return frameRateOf(m_stored.picture.axes); }

private:
    StoredPicture m_stored;
    std::string m_list;
};

RecordedForm formOf(const PictureFile& file, bool complex) {
    if (complex) return RecordedForm::Beamformed;
    const RecordedForm form = file.form.value_or(RecordedForm::Picture);
    return form == RecordedForm::Signals ? RecordedForm::Picture : form;
}

} // namespace

void PicturePlace::setStep(PictureAxis::Role role, const Point& step, double unitM) {
    const std::size_t i = role == Role::Lateral ? 0 : role == Role::Elevation ? 1 : 2;
    steps[i] = {step.x * unitM, step.y * unitM, step.z * unitM};
}

void PicturePlace::countLeftAndBack(bool fromRightwards, bool fromFrontwards) {
    for (Point* each : {&steps[0], &steps[1], &steps[2], &first}) {
        if (fromRightwards) each->x = -each->x;
        if (fromFrontwards) each->y = -each->y;
    }
}

std::unique_ptr<ArraySource> inMemory(std::vector<std::byte> bytes, ArrayLayout layout) {
    toNativeOrder(layout.type, bytes);
    layout.type.bigEndian = false;
    return std::make_unique<MemoryArray>(std::move(bytes), std::move(layout));
}

PictureAxis::Role usualRole(const std::filesystem::path& path, std::size_t spatialAxis) {
    constexpr std::array kUsual{Role::Lateral, Role::Depth, Role::Elevation, Role::Frame};
    if (spatialAxis < kUsual.size()) return kUsual[spatialAxis];
    throw fileError(path, "it has more than four axes, but volumes over time have four; export "
                          "one series of volumes");
}

void placeAlong(PictureAxis& axis, const std::array<double, 3>& step,
                const std::array<double, 3>& origin, double unitM) {
    const double length = std::hypot(step[0], step[1], step[2]);
    if (!std::isfinite(length) || length <= 0.0) return;
    double along = 0.0;
    for (std::size_t i = 0; i < step.size(); ++i) along += origin[i] * step[i] / length;
    axis.spacingM = length * unitM;
    axis.originM = along * unitM;
}

std::optional<double> metresOf(std::string_view unit) {
    constexpr std::array<std::pair<std::string_view, double>, 10> kUnits{{{"mm", 1e-3},
                                                                          {"millimeter", 1e-3},
                                                                          {"um", 1e-6},
                                                                          {"\xc2\xb5m", 1e-6},
                                                                          {"\xce\xbcm", 1e-6},
                                                                          {"micron", 1e-6},
                                                                          {"nm", 1e-9},
                                                                          {"cm", 1e-2},
                                                                          {"m", 1.0},
                                                                          {"meter", 1.0}}};
    const auto at =
        std::ranges::find_if(kUnits, [&](const auto& each) { return each.first == unit; });
    return at == kUnits.end() ? std::nullopt : std::optional(at->second);
}

std::optional<RecordedForm> formNamed(std::string_view words) {
    constexpr std::string_view kMark = "echolux_content";
    constexpr std::string_view kProgram = "echolux ";
    constexpr std::size_t kLeastLetters = 6; // texts of a fixed length may be cut
    if (const std::size_t at = words.find(kMark); at != std::string_view::npos) {
        words.remove_prefix(at + kMark.size());
        words.remove_prefix(std::min(words.find_first_not_of(" =:\""), words.size()));
        words = words.substr(0, words.find_first_not_of("abcdefghijklmnopqrstuvwxyz"));
    } else if (words.starts_with(kProgram)) {
        words.remove_prefix(kProgram.size());
    }
    for (const RecordedForm form : {RecordedForm::Decibels, RecordedForm::Beamformed,
                                    RecordedForm::Envelope, RecordedForm::Picture})
        if (words.size() >= kLeastLetters && nameOf(form).starts_with(words)) return form;
    return words == "dB" ? std::optional(RecordedForm::Decibels) : std::nullopt;
}

void takeKeptRange(const std::string& text, PictureFile& picture) {
    const std::size_t unitAt = text.find_last_of("0123456789.");
    const auto numbers = numbersIn(std::string_view(text).substr(0, unitAt + 1));
    if (unitAt == std::string::npos || !numbers || numbers->size() != 2) return;
    if (!((*numbers)[0] < (*numbers)[1])) return;
    picture.info.frame.valueRange = ValueRange{
        (*numbers)[0], (*numbers)[1], std::string(trimmed(text.substr(unitAt + 1))), "as recorded"};
}

void takeKeptRate(const std::string& text, PictureFile& picture) {
    const auto rate = numbersIn(std::string_view(text).substr(0, text.find(' ')));
    if (!rate || rate->size() != 1 || !((*rate)[0] > 0.0)) return;
    for (PictureAxis& axis : picture.axes)
        if (axis.role == Role::Frame) axis.spacingM = 1.0 / (*rate)[0]; // seconds
}

ArrayLayout layoutOf(const PictureFile& file) {
    ArrayLayout layout{.type = file.type, .shape = {}};
    for (auto axis = file.axes.rbegin(); axis != file.axes.rend(); ++axis)
        layout.shape.push_back(axis->size);
    layout.check(file.info.path, "its samples");
    return layout;
}

std::unique_ptr<ArraySource> storedArray(std::shared_ptr<const InputFile> data,
                                         std::uint64_t offset, const ArrayLayout& layout,
                                         bool deflated) {
    if (deflated) return inMemory(inflated(*data, offset, layout.bytes()), layout);
    const std::uint64_t held = data->size() - std::min(data->size(), offset);
    if (layout.bytes() > held)
        throw fileError(data->path(),
                        fmt::format("its header describes {}, {} bytes, but {} follow; "
                                    "it was cut off, copy it again",
                                    layout.describe(), layout.bytes(), held));
    return std::make_unique<FileArray>(std::move(data), offset, layout);
}

std::unique_ptr<ArraySource> storedBehind(std::shared_ptr<const InputFile> data,
                                          std::uint64_t offset, const ArrayLayout& layout) {
    std::vector<std::byte> bytes = inflated(*data, 0, offset + layout.bytes());
    bytes.erase(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(offset));
    return inMemory(std::move(bytes), layout);
}

std::unique_ptr<Recording> openPictures(PictureFile file, std::unique_ptr<ArraySource> source) {
    RecordingInfo& info = file.info;
    source = turnedUpright(file, std::move(source));
    std::vector<PictureAxis> axes(file.axes.rbegin(), file.axes.rend()); // in index order
    std::vector<std::size_t> idle;
    for (std::size_t i = 0; i < axes.size(); ++i)
        if (isIdle(axes[i])) idle.push_back(i);
    source = withoutAxes(info.path, std::move(source), idle);
    std::erase_if(axes, isIdle);
    ArrayMapping mapping;
    for (const PictureAxis& axis : axes) mapping.axes.push_back(arrayAxisOf(axis.role));
    info.frameRateHz = frameRateOf(axes);
    const ArrayExtents extents = extentsOf(info.path, source->layout(), mapping);
    const FrameSpec facts = info.frame;
    info.frame = imageSpecOf(source->layout(), extents, formOf(file, extents.pairs));
    info.frame.codeOffset = facts.codeOffset;
    info.frame.codeScale = facts.codeScale;
    info.frame.sector = facts.sector;
    info.frameCount = extents.frames;
    for (const PictureAxis& axis : axes) {
        if (axis.role == Role::Lateral) place(info.frame, AxisName::Lateral, axis);
        if (axis.role == Role::Depth) place(info.frame, AxisName::Depth, axis);
        if (axis.role == Role::Elevation) place(info.frame, AxisName::Elevation, axis);
    }
    if (facts.sector && facts.sector->lines() > 1) placeLines(info.frame);
    if (file.place) info.frame.pose = picturePoseOf(*file.place, info.frame);
    info.frame.valueRange =
        facts.valueRange ? facts.valueRange : shownRangeOf(info.path, *source, mapping, info.frame);
    return makeArrayRecording(std::move(info), std::move(source), std::move(mapping));
}

std::shared_ptr<ArrayContainer> openPictureArray(StoredPicture stored) {
    return std::make_shared<PictureArray>(std::move(stored));
}

std::string beginningOf(const InputFile& file, std::size_t most) {
    std::string text(std::min<std::uint64_t>(file.size(), most), '\0');
    file.read(0, std::as_writable_bytes(std::span(text)));
    return text;
}

std::optional<std::vector<double>> numbersIn(std::string_view text) {
    constexpr std::string_view kBetween = " \t,()\r";
    std::vector<double> numbers;
    while (true) {
        const std::size_t begin = text.find_first_not_of(kBetween);
        if (begin == std::string_view::npos) return numbers;
        text.remove_prefix(begin);
        const std::string_view word = text.substr(0, text.find_first_of(kBetween));
        double value = 0.0;
        const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
        if (error != std::errc() || end != word.data() + word.size() || !std::isfinite(value))
            return std::nullopt;
        numbers.push_back(value);
        text.remove_prefix(word.size());
    }
}

std::shared_ptr<const InputFile> fileBeside(const std::filesystem::path& header,
                                            std::string_view named) {
    // NOTE: only the file name counts, because a header of unknown origin must not reach other
    // folders.
    const std::filesystem::path name = std::filesystem::path(named).filename();
    std::error_code ignored;
    const std::filesystem::path beside = header.parent_path() / name;
    if (name.empty() || !std::filesystem::is_regular_file(beside, ignored))
        throw fileError(header, fmt::format("its samples are in '{}', which does not lie beside "
                                            "it; copy that file too",
                                            name.string().substr(0, 200)));
    return std::make_shared<const InputFile>(beside);
}

} // namespace echolux
