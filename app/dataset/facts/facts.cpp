// SPDX-License-Identifier: GPL-3.0-or-later
// The table of facts.
#include "app/dataset/facts/facts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <numbers>
#include <utility>

namespace echolux {

namespace {

constexpr std::array<MistakenUnit, 3> kSteps{{{"um", 1e-6}, {"mm", 1e-3}, {"nm", 1e-9}}};
constexpr std::array<MistakenUnit, 3> kTimes{{{"us", 1e-6}, {"ms", 1e-3}, {"ns", 1e-9}}};

constexpr Unit kNumber{};
constexpr Unit kRatio{.mistaken = {{{"percent", 1e-2}}}};
constexpr Unit kBytes{.shown = "bytes"};
constexpr Unit kBits{.shown = "bits"};
constexpr Unit kDecibels{"dB", "db", "dB"};
constexpr Unit kDegrees{"rad", "rad", "deg", 180.0 / std::numbers::pi};
constexpr Unit kMillimetres{"m", "m", "mm", 1e3, {{{"mm", 1e-3}, {"um", 1e-6}, {"cm", 1e-2}}}};
constexpr Unit kMicrometres{"m", "m", "um", 1e6, kSteps};
constexpr Unit kNanometres{"m", "m", "nm", 1e9, {{{"nm", 1e-9}, {"um", 1e-6}, {"mm", 1e-3}}}};
constexpr Unit kMicroseconds{"s", "s", "us", 1e6, kTimes};
constexpr Unit kSeconds{"s", "s", "s", 1.0, kTimes};
constexpr Unit kMegahertz{"Hz", "hz", "MHz", 1e-6, {{{"MHz", 1e6}, {"kHz", 1e3}, {"GHz", 1e9}}}};
constexpr Unit kHertz{"Hz", "hz", "Hz", 1.0, {{{"mHz", 1e-3}, {"kHz", 1e3}}}};
constexpr Unit kMetresPerSecond{
    "m/s", "mps", "m/s", 1.0, {{{"km/s (mm/us)", 1e3}, {"mm/s", 1e-3}, {"cm/s", 1e-2}}}};

template <class Part> Part& ownCopy(std::shared_ptr<const Part>& shared) {
    auto copy = shared ? std::make_shared<Part>(*shared) : std::make_shared<Part>();
    Part& own = *copy;
    shared = std::move(copy);
    return own;
}

template <double FrameSpec::*Member> constexpr FactPlace inFrame() {
    return {[](const FrameSpec& spec) { return spec.*Member; },
            [](FrameSpec& spec, double value) { spec.*Member = value; }};
}

template <double Acquisition::*Member> constexpr FactPlace inAcquisition() {
    return {
        [](const FrameSpec& spec) { return spec.acquisition ? (*spec.acquisition).*Member : 0.0; },
        [](FrameSpec& spec, double value) { ownAcquisition(spec).*Member = value; }};
}

template <double Probe::*Member> constexpr FactPlace inProbe() {
    return {[](const FrameSpec& spec) {
                return spec.acquisition ? spec.acquisition->probe.*Member : 0.0;
            },
            [](FrameSpec& spec, double value) { ownAcquisition(spec).probe.*Member = value; }};
}

template <double Spectrometer::*Member> constexpr FactPlace inSpectrometer() {
    return {[](const FrameSpec& spec) {
                return spec.spectrometer ? (*spec.spectrometer).*Member : 0.0;
            },
            [](FrameSpec& spec, double value) { ownSpectrometer(spec).*Member = value; }};
}

double samplingFrequency(const FrameSpec& spec) {
    const Axis* axis = spec.find(AxisName::Sample);
    return axis != nullptr && axis->unit == "s" ? spec.samplingFrequencyHz() : 0.0;
}

double centreFrequency(const FrameSpec& spec) { return spec.centreFrequencyHz; }
void setCentreFrequency(FrameSpec& spec, double value) {
    spec.centreFrequencyHz = value;
    if (spec.acquisition) ownAcquisition(spec).probe.centreFrequencyHz = value;
}

double lineSpacing(const FrameSpec& spec) {
    const Axis* lateral = spec.spectrometer ? spec.find(AxisName::Lateral) : nullptr;
    return lateral != nullptr && lateral->unit == "m" ? lateral->spacing : 0.0;
}

double bscanSpacing(const FrameSpec& spec) { return spec.stack.spacingM; }
void setBscanSpacing(FrameSpec& spec, double metres) { spec.stack.spacingM = metres; }

constexpr FactPlace kCentreFrequencyPlace{centreFrequency, setCentreFrequency};
constexpr FactPlace kBscanSpacingPlace{bscanSpacing, setBscanSpacing};
constexpr FactPlace kSamplingPlace{samplingFrequency};
constexpr FactPlace kLineSpacingPlace{lineSpacing};

} // namespace

Acquisition& ownAcquisition(FrameSpec& spec) {
    const bool isNew = spec.acquisition == nullptr;
    Acquisition& own = ownCopy(spec.acquisition);
    if (isNew) own.probe.centreFrequencyHz = spec.centreFrequencyHz;
    return own;
}

Spectrometer& ownSpectrometer(FrameSpec& spec) { return ownCopy(spec.spectrometer); }

namespace fact {

#define FACT(name, key, option, inWords, label, help, unit, least, most, place, details)           \
    const Fact name{key, option, inWords, label, help, &unit, {least, most}, place, details};
#include "app/dataset/facts/facts.def"
#undef FACT

} // namespace fact

std::span<const Fact* const> allFacts() {
#define FACT(name, ...) &fact::name,
    static constexpr std::array kAll{
#include "app/dataset/facts/facts.def"
    };
#undef FACT
    return kAll;
}

std::string nameWithUnit(const Fact& fact) {
    return fact.unit->suffix.empty() ? std::string(fact.key)
                                     : fmt::format("{}_{}", fact.key, fact.unit->suffix);
}

std::string labelOf(const Fact& fact) {
    std::string label(fact.label.empty() ? fact.name : fact.label);
    if (label.front() >= 'a' && label.front() <= 'z') label.front() -= 'a' - 'A';
    return label;
}

std::string questionOf(const Fact& fact) {
    const std::string help = fact.help.empty() ? labelOf(fact) : std::string(fact.help);
    return fact.unit->si.empty() ? help : fmt::format("{}, {}", help, fact.unit->shown);
}

std::string shownValue(const Fact& fact, double value) {
    if (value == 0.0) return "unknown";
    return fmt::format("{:.6g}{}{}", value * fact.unit->shownPerSi,
                       fact.unit->shown.empty() ? "" : " ", fact.unit->shown);
}

} // namespace echolux
