// SPDX-License-Identifier: GPL-3.0-or-later
// The facts in descriptions of spectra.
#include "app/dataset/sidecar/row_kinds.hpp"

namespace echolux {

namespace {

std::string takeSpectrumType(RawImport& import, const RowValue& value) {
    const auto* text = std::get_if<std::string>(&value);
    if (text == nullptr) return {};
    const auto type = parseSpectrumType(*text);
    if (!type) return "is no type of spectra, such as <u2, |u1, <f4 or packed12";
    import.type = *type;
    return {};
}

std::vector<RowChoice> typesOfSpectra() {
    std::vector<RowChoice> types = commonTypes();
    types.insert(types.begin() + 2, {"packed12", "12 bit packed"});
    types.push_back({"<u4", "32 bit unsigned"});
    return types;
}

DescriptionRows<RawImport> makeSpectraRows() {
    using enum RowKind;
    using Import = RawImport;
    const auto headerless = [](const Import& import) { return !import.inArray; };
    const auto background = [](const Import& import) {
        return !import.inArray && import.backgroundLines > 0;
    };
    const auto mayBeVolumes = [](const Import& import) {
        constexpr std::size_t kAxesWithVolumes = 4;
        return !import.inArray || import.shape.size() < kAxesWithVolumes;
    };
    const auto ofLight = [](const Fact& fact, double Import::*member) {
        return number<Import>({&fact, Number, kStorage, "spectrometer"}, member, always<Import>);
    };
    const auto whole = [](const Fact& fact, const char* table, bool required = false) {
        return RowFact{&fact, Whole, kStorage, table, required};
    };
    return {
        {{&fact::kType, Type, kStorage, "data", true, typesOfSpectra()},
         [](const Import& import) {
             return import.type.element ? nameOf(*import.type.element) : std::string("packed12");
         },
         takeSpectrumType,
         headerless},
        count<Import, std::uint64_t>(whole(fact::kHeader, "data"), &Import::headerBytes,
                                     headerless),
        count<Import, std::uint64_t>(whole(fact::kTrailer, "data"), &Import::trailerBytes,
                                     headerless),
        count<Import>(whole(fact::kSamples, nullptr), &Import::samplesPerLine, headerless),
        count<Import>(whole(fact::kLinesPerBscan, nullptr), &Import::linesPerBscan, headerless),
        count<Import>(whole(fact::kBscansPerVolume, "spectrometer"), &Import::bscansPerVolume,
                      mayBeVolumes),
        count<Import>(whole(fact::kBscansPerPlace, "spectrometer"), &Import::bscansPerPlace,
                      always<Import>),
        count<Import>(whole(fact::kBackgroundLines, "data"), &Import::backgroundLines, headerless),
        choice<Import, bool>(
            {&fact::kBackgroundPerBscan, Flag, kStorage, "data"}, &Import::backgroundPerBscan,
            {{{"first", "Before all B-scans"}, false}, {{"each", "Before each B-scan"}, true}},
            background),
        choice<Import, Mirrored>({&fact::kMirrored, Choice, kStorage, "data"}, &Import::mirrored,
                                 {{{"none", "None"}, Mirrored::None},
                                  {{"even", "Even B-scans"}, Mirrored::Even},
                                  {{"odd", "Odd B-scans"}, Mirrored::Odd}},
                                 headerless),
        count<Import>(whole(fact::kShift, "data"), &Import::shift,
                      [](const Import& import) {
                          const auto& element = import.type.element;
                          return import.inArray || !element ||
                                 element->kind != ElementType::Kind::Real;
                      }),
        ofLight(fact::kCentreWavelength, &Import::centreWavelengthM),
        ofLight(fact::kBandwidth, &Import::bandwidthM),
        ofLight(fact::kRefractiveIndex, &Import::refractiveIndex),
        ofLight(fact::kLineSpacing, &Import::lineSpacingM),
        ofLight(fact::kBscanSpacing, &Import::bscanSpacingM),
        ofLight(fact::kBscanRate, &Import::bscanRateHz),
    };
}

} // namespace

const DescriptionRows<RawImport>& spectraRows() {
    static const DescriptionRows<RawImport> kRows = makeSpectraRows();
    return kRows;
}

} // namespace echolux
