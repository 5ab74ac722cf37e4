// SPDX-License-Identifier: GPL-3.0-or-later
// The facts in descriptions of images.
#include "app/dataset/sidecar/row_kinds.hpp"

#include <utility>

namespace echolux {

namespace {

constexpr std::string_view kOfValues = "Values";
constexpr std::string_view kOfDepths = "Depth";
constexpr std::string_view kOfLines = "Lines";

DescriptionRows<ImageImport> makeImageRows() {
    using enum RowKind;
    using Import = ImageImport;
    using Lines = Import::Lines;
    const auto pairs = [](const Import& import) { return import.pairs(); };
    const auto sideBySide = [](const Import& import) { return import.lines == Lines::SideBySide; };
    const auto fan = [](const Import& import) { return import.lines == Lines::FanOut; };
    const auto planes = [](const Import& import) {
        return axisOf(import, ArrayAxis::Elevation) != nullptr;
    };
    const auto timed = [](const Import& import) { return import.samplingFrequencyHz > 0.0; };
    const auto stepped = [](const Import& import) { return import.depthStepM > 0.0; };
    DescriptionRows<Import> rows = storageRows<Import>(imageRoles, {{"frame", "Frames"},
                                                                    {"elevation", "Planes"},
                                                                    {"depth", "Depths"},
                                                                    {"lateral", "Lines"},
                                                                    {"iq", "I and Q"},
                                                                    {"none", "\u2013"}});
    const auto add = [&](DescriptionRow<Import> row) { rows.push_back(std::move(row)); };
    rows.back().heading = kOfValues;
    add(choice<Import, RecordedForm>(
        {&fact::kForm, Choice, kOfValues, "image", true}, &Import::form,
        {{{"beamformed", "Signals (RF, I/Q)"}, RecordedForm::Beamformed},
         {{"envelope", "Amplitudes"}, RecordedForm::Envelope},
         {{"decibels", "Levels in dB"}, RecordedForm::Decibels},
         {{"picture", "Brightnesses"}, RecordedForm::Picture}},
        always<Import>));
    add(number<Import>({&fact::kCodeScale, Place, kOfValues, "data"}, &Import::codeScale,
                       always<Import>));
    add(numbers<Import>(
        {&fact::kShownRange, Numbers, kOfValues, "image"}, &Import::shownRangeDb,
        [](const Import& import) { return import.form == RecordedForm::Decibels; }));
    add(number<Import>({&fact::kDemodulation, Number, kOfValues, "image"},
                       &Import::demodulationFrequencyHz, pairs));
    add(number<Import>({&fact::kCentreFrequency, Number, kOfValues, "image"},
                       &Import::centreFrequencyHz, always<Import>));
    add(number<Import>({&fact::kFrameRate, Number, kOfValues, "image"}, &Import::frameRateHz,
                       always<Import>));
    add(number<Import>({&fact::kDepthStep, Number, kOfDepths, "image"}, &Import::depthStepM,
                       std::not_fn(timed)));
    add(number<Import>({&fact::kSamplingFrequency, Number, kOfDepths, "image"},
                       &Import::samplingFrequencyHz, std::not_fn(stepped)));
    add(number<Import>({&fact::kSoundSpeed, Number, kOfDepths, "", true}, &Import::soundSpeedMps,
                       timed));
    add(number<Import>({&fact::kDepthFirst, Place, kOfDepths, "image"}, &Import::depthFirstM,
                       [=](const Import& import) { return timed(import) || stepped(import); }));
    add(choice<Import, Lines>(
        {&fact::kLines, Choice, kOfLines, nullptr}, &Import::lines,
        {{{"no", "Side by side"}, Lines::SideBySide}, {{"yes", "In a sector"}, Lines::FanOut}},
        always<Import>));
    add(number<Import>({&fact::kLateralStep, Number, kOfLines, "image"}, &Import::lateralStepM,
                       sideBySide));
    add(middle<Import>(
        {&fact::kLateralFirst, Middle, kOfLines, "image"}, &Import::lateralFirstM,
        [=](const Import& import) { return sideBySide(import) && import.lateralStepM > 0.0; }));
    add(numbers<Import>({&fact::kAngles, Numbers, kOfLines, nullptr, true}, &Import::anglesRad,
                        fan));
    add(number<Import>({&fact::kRadius, Place, kOfLines, "image"}, &Import::radiusM, fan));
    add({{&fact::kApex, Numbers, kOfLines, "image"},
         [](const Import& import) {
             return std::vector{import.apexXM, import.apexZM};
         },
         [](Import& import, const RowValue& value) -> std::string {
             const auto* apex = std::get_if<std::vector<double>>(&value);
             if (apex != nullptr && apex->size() != 2) return "is no pair x,z";
             import.apexXM = apex == nullptr ? 0.0 : apex->front();
             import.apexZM = apex == nullptr ? 0.0 : apex->back();
             return {};
         },
         fan});
    add(number<Import>({&fact::kElevationStep, Number, kOfLines, "image"}, &Import::elevationStepM,
                       planes));
    add(middle<Import>(
        {&fact::kElevationFirst, Middle, kOfLines, "image"}, &Import::elevationFirstM,
        [=](const Import& import) { return planes(import) && import.elevationStepM > 0.0; }));
    return rows;
}

} // namespace

const DescriptionRows<ImageImport>& imageRows() {
    static const DescriptionRows<ImageImport> kRows = makeImageRows();
    return kRows;
}

} // namespace echolux
