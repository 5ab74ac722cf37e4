// SPDX-License-Identifier: GPL-3.0-or-later
// The facts in descriptions of channel data.
#include "app/dataset/sidecar/row_kinds.hpp"

#include <utility>

namespace echolux {

namespace {

constexpr std::string_view kOfSignal = "Signal";
constexpr std::string_view kOfArray = "Array";
constexpr std::string_view kOfTransmits = "Transmits";

/// A single transmit needs no angle.
RowValue anglesOf(const ChannelImport& import) {
    if (!import.anglesRad.empty()) return import.anglesRad;
    return sizeOf(import, ArrayAxis::Transmit, 0) == 1 ? RowValue(std::vector{0.0}) : RowValue();
}

DescriptionRows<ChannelImport> makeChannelRows() {
    using enum RowKind;
    using Import = ChannelImport;
    using Array = Import::Array;
    const auto pairs = [](const Import& import) { return import.pairs(); };
    const auto matrix = [](const Import& import) { return import.array == Array::Matrix; };
    const auto convex = [](const Import& import) { return import.array == Array::Convex; };
    const auto angled = [](const Import& import) { return import.isSteered(); };
    const auto beams = [](const Import& import) {
        return import.wave == Wave::Focused || import.wave == Wave::Diverging;
    };
    DescriptionRows<Import> rows = storageRows<Import>(channelRoles, {{"frame", "Frames"},
                                                                      {"transmit", "Transmits"},
                                                                      {"channel", "Channels"},
                                                                      {"sample", "Samples"},
                                                                      {"iq", "I and Q"},
                                                                      {"none", "\u2013"}});
    const auto add = [&](DescriptionRow<Import> row) { rows.push_back(std::move(row)); };
    rows.insert(rows.end() - 1,
                number<Import>({&fact::kSamplingFrequency, Number, kOfSignal, "signal", true},
                               &Import::samplingFrequencyHz, always<Import>));
    add(number<Import>({&fact::kDemodulation, Number, kOfSignal, "signal", true},
                       &Import::demodulationFrequencyHz, pairs));
    add(number<Import>({&fact::kCentreFrequency, Number, kOfSignal, "signal"},
                       &Import::centreFrequencyHz, always<Import>));
    add(numbers<Import>({&fact::kFirstSample, Numbers, kOfSignal, "signal", true},
                        &Import::firstSampleS, always<Import>));
    add(choice<Import, bool>({&fact::kClock, Choice, kOfSignal, "signal"},
                             &Import::firstElementFires,
                             {{{"wave_at_origin", "Wave at origin"}, false},
                              {{"first_element_fires", "First element fires"}, true}},
                             always<Import>));
    add(number<Import>({&fact::kFrameRate, Number, kOfSignal, "signal"}, &Import::frameRateHz,
                       always<Import>));
    add(number<Import>({&fact::kSoundSpeed, Number, kOfSignal, "", true}, &Import::soundSpeedMps,
                       always<Import>));
    add(choice<Import, Array>({&fact::kArray, Choice, kOfArray, nullptr}, &Import::array,
                              {{{"linear", "Linear"}, Array::Linear},
                               {{"convex", "Curved (convex)"}, Array::Convex},
                               {{"matrix", "Matrix"}, Array::Matrix}},
                              always<Import>));
    add(number<Import>({&fact::kPitch, Number, kOfArray, "probe", true}, &Import::pitchM,
                       always<Import>));
    add(number<Import>({&fact::kRadius, Number, kOfArray, "probe", true}, &Import::radiusM,
                       convex));
    add(count<Import>({&fact::kColumns, Whole, kOfArray, "probe", true}, &Import::columns, matrix));
    add(count<Import>({&fact::kRows, Whole, kOfArray, "probe", true}, &Import::rows, matrix));
    add(number<Import>({&fact::kPitchY, Number, kOfArray, "probe"}, &Import::pitchYM, matrix));
    add(choice<Import, Wave>({&fact::kWave, Choice, kOfTransmits, "transmit"}, &Import::wave,
                             {{{"plane", "Plane waves"}, Wave::Plane},
                              {{"focused", "Focused beams"}, Wave::Focused},
                              {{"diverging", "Diverging waves"}, Wave::Diverging},
                              {{"element", "One element each"}, Wave::Element},
                              {{"none", "None (photoacoustic)"}, Wave::None}},
                             always<Import>));
    add(number<Import>({&fact::kFocus, Number, kOfTransmits, "transmit", true}, &Import::focusM,
                       beams));
    add(numbers<Import>({&fact::kAngles, Numbers, kOfTransmits, "transmit", true},
                        &Import::anglesRad, angled));
    rows.back().get = anglesOf;
    return rows;
}

} // namespace

const DescriptionRows<ChannelImport>& channelRows() {
    static const DescriptionRows<ChannelImport> kRows = makeChannelRows();
    return kRows;
}

} // namespace echolux
