// SPDX-License-Identifier: GPL-3.0-or-later
// Compares facts with what is plausible.
#include "app/dataset/recording/doubts.hpp"

#include "app/dataset/recording/converter_range.hpp"
#include "gpu/core/code_to_float.hpp"
#include "gpu/core/firing.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <initializer_list>
#include <set>

namespace echolux {
namespace {

bool isPlausible(const Fact& fact, double value) {
    constexpr double kRounding = 1e-9; // of 1 / (1 / f), say
    const auto& [least, most] = fact.plausible;
    return most == 0.0 || (value >= least * (1.0 - kRounding) && value <= most * (1.0 + kRounding));
}

std::string withUnit(double value, std::string_view unit) {
    return fmt::format("{:.5g}{}{}", value, unit.empty() ? "" : " ", unit);
}

/// Collects sentences.
class Doubts {
public:
    void about(const Fact& fact, double value) {
        auto doubt = doubtAbout(fact, value);
        if (!doubt) return;
        m_sentences.push_back(std::move(*doubt));
        m_doubted.insert(&fact);
    }
    /// True where there is a doubt about one of these.
    bool anyOf(std::initializer_list<const Fact*> facts) const {
        return std::ranges::any_of(facts,
                                   [&](const Fact* fact) { return m_doubted.contains(fact); });
    }
    std::vector<std::string> sentences() && { return std::move(m_sentences); }

private:
    std::vector<std::string> m_sentences;
    std::set<const Fact*> m_doubted;
};

double farthestElementM(const Probe& probe) {
    double most = 0.0;
    for (const Point& element : probe.elements)
        most = std::max({most, std::abs(element.x), std::abs(element.y), std::abs(element.z)});
    return most;
}

void doubtSignals(const FrameSpec& frame, Doubts& doubts) {
    const Acquisition& acquisition = *frame.acquisition;
    if (!doubts.anyOf({&fact::kPitch}))
        doubts.about(fact::kAperture, farthestElementM(acquisition.probe));
    double first = 0.0;
    for (const Transmit& transmit : acquisition.transmits)
        if (std::abs(transmit.firstSampleS) > std::abs(first)) first = transmit.firstSampleS;
    doubts.about(fact::kFirstSample, first);
    const double fs = frame.samplingFrequencyHz();
    if (fs <= 0.0 ||
        doubts.anyOf({&fact::kSoundSpeed, &fact::kSamplingFrequency, &fact::kFirstSample}))
        return;
    const double last =
        std::max(first, 0.0) + static_cast<double>(frame.sizeOf(AxisName::Sample)) / fs;
    doubts.about(fact::kDepth, acquisition.soundSpeedMps / waysOf(acquisition) * last);
}

void doubtImages(const FrameSpec& frame, Doubts& doubts) {
    const Axis* depth = frame.find(AxisName::Depth);
    if (depth != nullptr && depth->unit == "m") {
        const double last = depth->origin + static_cast<double>(depth->size) * depth->spacing;
        doubts.about(fact::kDepth, std::max(std::abs(depth->origin), std::abs(last)));
    }
    const Axis* lateral = frame.find(AxisName::Lateral);
    if (lateral != nullptr && lateral->unit == "m")
        doubts.about(fact::kWidth, static_cast<double>(lateral->size) * lateral->spacing);
}

/// Calls `look` with a function that gives part i of the samples as a number: of pairs, the parts
/// are I, Q, I, Q, ...
template <class Look>
void withParts(DType type, std::span<const std::byte> samples, const Look& look) {
    const auto plain = [&](auto zero) {
        using T = decltype(zero);
        const auto* values = reinterpret_cast<const T*>(samples.data());
        look([values](std::size_t i) { return static_cast<float>(values[i]); },
             samples.size() / sizeof(T));
    };
    switch (type) {
    case DType::U8: return plain(std::uint8_t{});
    case DType::I16:
    case DType::ComplexI16: return plain(std::int16_t{});
    case DType::U16: return plain(std::uint16_t{});
    case DType::F32:
    case DType::ComplexF32: return plain(0.0F);
    case DType::Packed12: {
        const auto* bytes = reinterpret_cast<const std::uint8_t*>(samples.data());
        return look(
            [bytes](std::size_t i) {
                return static_cast<float>(packed12At(bytes, static_cast<std::int64_t>(i)));
            },
            samples.size() / 3 * 2);
    }
    }
}

struct AtFullScale {
    std::int64_t samples = 0;
    std::int64_t longestRun = 0;
};

/// Unsigned codes are dark or silent at their lowest, so only the highest counts there. Programs
/// that cut off signed codes do so evenly, at -32767 and 32767, say.
template <class At> AtFullScale countAtFullScale(const At& at, std::size_t parts,
                                                 std::size_t perSample, std::size_t perLine,
                                                 const ConverterRange& range) {
    const auto highest = static_cast<float>(range.highest);
    const bool isSigned = range.lowest < 0.0;
    const auto lowest = static_cast<float>(std::max(range.lowest, -range.highest));
    AtFullScale found;
    for (std::size_t line = 0; line + perLine <= parts; line += perLine)
        for (std::size_t part = 0; part < perSample; ++part) {
            std::int64_t run = 0;
            for (std::size_t i = line + part; i < line + perLine; i += perSample) {
                const float value = at(i);
                const bool full = value >= highest || (isSigned && value <= lowest);
                run = full ? run + 1 : 0;
                found.samples += full ? 1 : 0;
                found.longestRun = std::max(found.longestRun, run);
            }
        }
    return found;
}

} // namespace

std::optional<std::string> doubtAbout(const Fact& fact, double value, std::string_view advice) {
    const double size = std::abs(value);
    if (size == 0.0 || isPlausible(fact, size)) return std::nullopt;
    const Unit& unit = *fact.unit;
    std::string sentence = fmt::format("The {} is {}, but {:.5g} to {} are plausible; ", fact.name,
                                       withUnit(value * unit.shownPerSi, unit.shown),
                                       fact.plausible.least * unit.shownPerSi,
                                       withUnit(fact.plausible.most * unit.shownPerSi, unit.shown));
    const auto meant = std::ranges::find_if(unit.mistaken, [&](const MistakenUnit& each) {
        return each.factor > 0.0 && isPlausible(fact, size * each.factor);
    });
    if (meant != unit.mistaken.end())
        return fmt::format("{}{} would be, so check the unit: it is taken {}.", sentence,
                           withUnit(value, meant->name),
                           unit.si.empty() ? "as a plain number" : fmt::format("in {}", unit.si));
    return fmt::format("{}{}{}.", sentence, advice,
                       unit.si.empty() ? "" : fmt::format(" and its unit, {}", unit.si));
}

std::vector<std::string> doubtsAbout(const RecordingInfo& info) {
    Doubts doubts;
    const FrameSpec& frame = info.frame;
    for (const Fact* fact : allFacts())
        if (fact->place.get != nullptr) doubts.about(*fact, fact->place.get(frame));
    if (frame.recordedForm != RecordedForm::Signals)
        doubtImages(frame, doubts);
    else if (frame.acquisition != nullptr)
        doubtSignals(frame, doubts);
    doubts.about(fact::kFrameRate, info.frameRateHz);
    return std::move(doubts).sentences();
}

std::vector<std::string> doubtsAboutSamples(const RecordingInfo& info,
                                            std::span<const std::byte> samples) {
    const FrameSpec& frame = info.frame;
    std::vector<std::string> doubts;
    const auto range = frame.converterRange ? frame.converterRange : fullRangeOf(frame.dtype);
    const bool isFloat = frame.dtype == DType::F32 || frame.dtype == DType::ComplexF32;
    const bool isSignal = frame.recordedForm == RecordedForm::Signals && !frame.axes.empty() &&
                          frame.axes.back().size > 0;
    withParts(frame.dtype, samples, [&](const auto& at, std::size_t parts) {
        if (isFloat) {
            float largest = 0.0F;
            for (std::size_t i = 0; i < parts; ++i)
                if (const float size = std::abs(at(i)); std::isfinite(size))
                    largest = std::max(largest, size);
            if (auto doubt = doubtAbout(fact::kLargestSample, largest,
                                        "check the sample type, the byte order and the scale"))
                doubts.push_back(std::move(*doubt));
        }
        if (!range || !isSignal) return;
        const std::size_t perSample = isComplex(frame.dtype) ? 2 : 1;
        const auto line = static_cast<std::size_t>(frame.axes.back().size) * perSample;
        const AtFullScale found = countAtFullScale(at, parts, perSample, line, *range);
        // NOTE: the crest of an unclipped wave may round to the same code twice.
        constexpr std::int64_t kPlausibleRun = 2;
        if (found.longestRun > kPlausibleRun)
            doubts.push_back(fmt::format(
                "{} of {} samples of the first frame are at full scale ({:g} to {:g}), up to {} "
                "in a row, but at most {} in a row are plausible; the converter has cut them off, "
                "so record with less gain.",
                found.samples, parts, range->lowest, range->highest, found.longestRun,
                kPlausibleRun));
    });
    return doubts;
}

} // namespace echolux
