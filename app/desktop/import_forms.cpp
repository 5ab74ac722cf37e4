// SPDX-License-Identifier: GPL-3.0-or-later
// Converts between the units of the form and SI units.
#include "app/desktop/import_forms.hpp"

#include "gpu/core/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <utility>

namespace echolux {
namespace {

constexpr double kNmPerM = 1e9;

struct TypeOf {
    const char* id;
    std::optional<ElementType> element; ///< nothing: packed 12 bits
};
using Kind = ElementType::Kind;
const std::array<TypeOf, 9> kTypes = {{{"u8", ElementType{Kind::Unsigned, 1}},
                                       {"u16", ElementType{Kind::Unsigned, 2}},
                                       {"i16", ElementType{Kind::Signed, 2}},
                                       {"i8", ElementType{Kind::Signed, 1}},
                                       {"packed12", std::nullopt},
                                       {"u32", ElementType{Kind::Unsigned, 4}},
                                       {"i32", ElementType{Kind::Signed, 4}},
                                       {"f32", ElementType{Kind::Real, 4}},
                                       {"f64", ElementType{Kind::Real, 8}}}};

/// Null where the form has no such type.
const char* typeIdOf(std::optional<ElementType> element) {
    if (element) element->bigEndian = false;
    const auto type =
        std::ranges::find_if(kTypes, [&](const TypeOf& each) { return each.element == element; });
    return type == kTypes.end() ? nullptr : type->id;
}

int asInt(std::uint64_t value) {
    return static_cast<int>(std::min<std::uint64_t>(value, INT32_MAX));
}

constexpr double kDegree = std::numbers::pi / 180.0;
constexpr double kMega = 1e6;
constexpr double kMilli = 1e-3;

constexpr std::array<std::pair<const char*, ChannelImport::Array>, 3> kProbes{
    {{"linear", ChannelImport::Array::Linear},
     {"convex", ChannelImport::Array::Convex},
     {"matrix", ChannelImport::Array::Matrix}}};
constexpr std::array<std::pair<const char*, Wave>, 4> kWaves{{{"plane", Wave::Plane},
                                                              {"focused", Wave::Focused},
                                                              {"diverging", Wave::Diverging},
                                                              {"element", Wave::Element}}};

template <class Table> auto valueOf(const Table& table, const QString& id) {
    for (const auto& [name, value] : table)
        if (id == name) return value;
    return table.front().second;
}
template <class Table, class Value> QString idOf(const Table& table, Value value) {
    for (const auto& [name, each] : table)
        if (each == value) return name;
    return {};
}

constexpr std::array<std::pair<const char*, RecordedForm>, 4> kForms{
    {{"beamformed", RecordedForm::Beamformed},
     {"envelope", RecordedForm::Envelope},
     {"decibels", RecordedForm::Decibels},
     {"picture", RecordedForm::Picture}}};

std::vector<double> numbersIn(const QString& text, double unit, const char* what) {
    const QString plain = text.trimmed();
    if (plain.isEmpty()) return {};
    const auto numbers = parseNumbers(plain.toStdString(), unit);
    if (!numbers)
        throw Error(fmt::format("{} '{}' is neither a number, nor a list such as -10, 0, 10, nor "
                                "first:last:step.",
                                what, plain.toStdString()));
    return *numbers;
}

/// Nothing means that the middle is at 0.
std::optional<double> placeIn(const QString& text, const char* what) {
    const auto numbers = numbersIn(text, kMilli, what);
    if (numbers.size() > 1) throw Error(fmt::format("{} is one number, not several.", what));
    return numbers.empty() ? std::nullopt : std::optional(numbers.front());
}
QString textOf(const std::optional<double>& place) {
    return place ? QString::fromStdString(numbersText({*place}, kMilli)) : QString();
}

void takeStorage(ImportArray& import, const ArrayFormValues& form, const ImportRoles& roles,
                 bool headerless, bool complexElements) {
    import.complexElements = complexElements;
    if (headerless) {
        const auto type =
            std::ranges::find_if(kTypes, [&](const TypeOf& each) { return form.type == each.id; });
        import.type = type != kTypes.end() && type->element ? *type->element : ElementType{};
        import.type->bigEndian = form.bigEndian && import.type->bytes > 1;
        import.headerBytes = static_cast<std::uint64_t>(form.headerBytes);
        import.trailerBytes = static_cast<std::uint64_t>(form.trailerBytes);
    } else {
        import.name = form.array.toStdString();
    }
    import.codeOffset = form.codeOffset;
    for (const ArrayFormAxis& axis : form.axes)
        import.axes.push_back(
            {parseImportAxis(axis.role.toStdString(), roles).value_or(std::nullopt),
             axis.size == 0 ? -1 : axis.size});
}

/// Nothing where the form has no such type or not as many axes.
std::optional<ArrayFormValues> storageOf(const ImportArray& import) {
    const char* type = import.headerless() ? typeIdOf(import.type) : "i16";
    if (type == nullptr || import.axes.size() > ArrayFields::kMostAxes) return std::nullopt;
    ArrayFormValues form;
    form.array = QString::fromStdString(import.name);
    form.type = type;
    form.bigEndian = import.headerless() && import.type->bigEndian;
    form.headerBytes = asInt(import.headerBytes);
    form.trailerBytes = asInt(import.trailerBytes);
    form.codeOffset = import.codeOffset;
    for (const ImportAxis& axis : import.axes)
        form.axes.push_back({QString::fromStdString(std::string(nameOf(axis))),
                             axis.size < 0 ? 0 : asInt(static_cast<std::uint64_t>(axis.size))});
    return form;
}

} // namespace

RawImport importOf(const RawImportForm& form, bool headerless,
                   const std::vector<std::int64_t>& shape) {
    RawImport import;
    import.inArray = !headerless;
    if (import.inArray) {
        import.array = form.array.toStdString();
        import.shape = shape;
    }
    const auto type =
        std::ranges::find_if(kTypes, [&](const TypeOf& each) { return form.type == each.id; });
    if (type != kTypes.end()) import.type.element = type->element;
    if (import.type.element && import.type.element->bytes > 1)
        import.type.element->bigEndian = form.bigEndian;
    import.samplesPerLine = form.samples;
    import.linesPerBscan = form.lines;
    import.bscansPerVolume = form.bscansPerVolume;
    import.bscansPerPlace = form.bscansPerPlace;
    import.backgroundLines = form.backgroundLines;
    import.backgroundPerBscan = form.backgroundPerBscan;
    import.headerBytes = static_cast<std::uint64_t>(form.headerBytes);
    import.trailerBytes = static_cast<std::uint64_t>(form.trailerBytes);
    import.shift = headerless && form.type.startsWith('f') ? 0 : form.shift;
    import.centreWavelengthM = form.centreWavelengthNm / kNmPerM;
    import.bandwidthM = form.bandwidthNm / kNmPerM;
    import.refractiveIndex = form.refractiveIndex;
    return import;
}

/// Nothing where the form has no such type.
std::optional<RawImportForm> formOf(const RawImport& import) {
    const char* type = typeIdOf(import.type.element);
    if (type == nullptr || std::string_view(type) == "i8") return std::nullopt;
    const auto whole = [](auto value) { return asInt(static_cast<std::uint64_t>(value)); };
    return RawImportForm{.array = QString::fromStdString(import.array),
                         .type = type,
                         .bigEndian = import.type.element && import.type.element->bigEndian,
                         .samples = whole(import.samplesPerLine),
                         .lines = whole(import.linesPerBscan),
                         .bscansPerVolume = whole(import.bscansPerVolume),
                         .bscansPerPlace = whole(import.bscansPerPlace),
                         .backgroundLines = whole(import.backgroundLines),
                         .backgroundPerBscan = import.backgroundPerBscan,
                         .headerBytes = whole(import.headerBytes),
                         .trailerBytes = whole(import.trailerBytes),
                         .shift = import.shift,
                         .centreWavelengthNm = import.centreWavelengthM * kNmPerM,
                         .bandwidthNm = import.bandwidthM * kNmPerM,
                         .refractiveIndex = import.refractiveIndex};
}

ChannelImport importOf(const ChannelFormValues& form, bool headerless, bool complexElements) {
    ChannelImport import;
    takeStorage(import, form, channelRoles(), headerless, complexElements);
    import.samplingFrequencyHz = form.samplingMHz * kMega;
    import.centreFrequencyHz = form.centreMHz * kMega;
    import.demodulationFrequencyHz = import.pairs() ? form.demodulationMHz * kMega : 0.0;
    import.conjugate = form.conjugate && import.pairs();
    import.firstSampleS = numbersIn(form.firstSampleUs, 1e-6, "The time of the first sample");
    if (import.firstSampleS.empty()) import.firstSampleS = {0.0};
    import.firstElementFires = form.firstElementFires;
    import.frameRateHz = form.frameRateHz;
    import.soundSpeedMps = form.soundSpeedMps;
    import.array = valueOf(kProbes, form.probe);
    import.pitchM = form.pitchMm * kMilli;
    import.radiusM = form.radiusMm * kMilli;
    import.columns = form.columns;
    import.rows = form.rows;
    import.wave = valueOf(kWaves, form.wave);
    import.anglesRad = numbersIn(form.anglesDeg, kDegree, "The list of angles");
    import.focusM = form.focusMm * kMilli;
    return import;
}

std::optional<ChannelFormValues> formOf(const ChannelImport& import) {
    const auto storage = storageOf(import);
    if (!storage) return std::nullopt;
    ChannelFormValues form{*storage};
    form.conjugate = import.conjugate;
    form.samplingMHz = import.samplingFrequencyHz * 1e-6;
    form.centreMHz = import.centreFrequencyHz * 1e-6;
    form.demodulationMHz = import.demodulationFrequencyHz * 1e-6;
    form.firstSampleUs = QString::fromStdString(numbersText(import.firstSampleS, 1e-6));
    form.firstElementFires = import.firstElementFires;
    form.frameRateHz = import.frameRateHz;
    form.soundSpeedMps = import.soundSpeedMps;
    form.probe = idOf(kProbes, import.array);
    form.pitchMm = import.pitchM * 1e3;
    form.radiusMm = import.radiusM * 1e3;
    form.columns = asInt(static_cast<std::uint64_t>(import.columns));
    form.rows = asInt(static_cast<std::uint64_t>(import.rows));
    form.wave = idOf(kWaves, import.wave);
    form.anglesDeg = QString::fromStdString(numbersText(import.anglesRad, kDegree));
    form.focusMm = import.focusM * 1e3;
    return form;
}

ImageImport importOf(const ImageFormValues& form, bool headerless, bool complexElements) {
    ImageImport import;
    takeStorage(import, form, imageRoles(), headerless, complexElements);
    import.form = valueOf(kForms, form.form);
    import.codeScale = form.codeScale;
    if (import.form == RecordedForm::Decibels)
        import.shownRangeDb = numbersIn(form.shownRangeDb, 1.0, "The shown range");
    import.conjugate = form.conjugate && import.pairs();
    import.centreFrequencyHz = form.centreMHz * kMega;
    import.demodulationFrequencyHz = import.pairs() ? form.demodulationMHz * kMega : 0.0;
    import.frameRateHz = form.frameRateHz;
    if (form.sampled)
        import.samplingFrequencyHz = form.samplingMHz * kMega;
    else
        import.depthStepM = form.depthStepMm * kMilli;
    import.soundSpeedMps = form.soundSpeedMps;
    import.depthFirstM = form.depthFirstMm * kMilli;
    if (form.fanOut) {
        import.lines = ImageImport::Lines::FanOut;
        import.anglesRad = numbersIn(form.anglesDeg, kDegree, "The list of angles");
        import.radiusM = form.radiusMm * kMilli;
        const auto apex = numbersIn(form.apexMm, kMilli, "The apex");
        if (!apex.empty() && apex.size() != 2)
            throw Error("The apex is two numbers, x and z in mm.");
        import.apexXM = apex.empty() ? 0.0 : apex[0];
        import.apexZM = apex.empty() ? 0.0 : apex[1];
    } else {
        import.lateralStepM = form.lineStepMm * kMilli;
        import.lateralFirstM = placeIn(form.lineFirstMm, "The place of the first line");
    }
    import.elevationStepM = form.planeStepMm * kMilli;
    import.elevationFirstM = placeIn(form.planeFirstMm, "The place of the first plane");
    return import;
}

std::optional<ImageFormValues> formOf(const ImageImport& import) {
    const auto storage = storageOf(import);
    if (!storage) return std::nullopt;
    ImageFormValues form{*storage};
    form.form = idOf(kForms, import.form);
    form.codeScale = import.codeScale;
    if (!import.shownRangeDb.empty())
        form.shownRangeDb = QString::fromStdString(numbersText(import.shownRangeDb));
    form.conjugate = import.conjugate;
    form.centreMHz = import.centreFrequencyHz / kMega;
    form.demodulationMHz = import.demodulationFrequencyHz / kMega;
    form.frameRateHz = import.frameRateHz;
    form.sampled = import.samplingFrequencyHz > 0.0;
    form.depthStepMm = import.depthStepM / kMilli;
    form.samplingMHz = import.samplingFrequencyHz / kMega;
    form.soundSpeedMps = import.soundSpeedMps;
    form.depthFirstMm = import.depthFirstM / kMilli;
    form.fanOut = import.lines == ImageImport::Lines::FanOut;
    form.lineStepMm = import.lateralStepM / kMilli;
    form.lineFirstMm = textOf(import.lateralFirstM);
    if (!import.anglesRad.empty())
        form.anglesDeg = QString::fromStdString(numbersText(import.anglesRad, kDegree));
    form.radiusMm = import.radiusM / kMilli;
    if (import.apexXM != 0.0 || import.apexZM != 0.0)
        form.apexMm = QString::fromStdString(numbersText({import.apexXM, import.apexZM}, kMilli));
    form.planeStepMm = import.elevationStepM / kMilli;
    form.planeFirstMm = textOf(import.elevationFirstM);
    return form;
}

} // namespace echolux
