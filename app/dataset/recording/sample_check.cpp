// SPDX-License-Identifier: GPL-3.0-or-later
// Finds samples that are no numbers and spectra without content. Looks at a recording's first
// frame.
#include "app/dataset/recording/sample_check.hpp"
#include "app/dataset/recording/doubts.hpp"
#include "app/dataset/recording/live_frames.hpp"

#include "app/dataset/recording/input_file.hpp"
#include "app/dataset/recording/opening.hpp"
#include "app/dataset/recording/opening_warnings.hpp"
#include "gpu/core/code_to_float.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>
#include <vector>

namespace echolux {

namespace {

bool isFloatingPoint(DType type) { return type == DType::F32 || type == DType::ComplexF32; }

bool holdsSpectra(const FrameSpec& frame) {
    return frame.spectrometer != nullptr && !frame.axes.empty() &&
           frame.axes.back().name == AxisName::Sample && frame.axes.back().size > 0;
}

/// NaN and infinite values; 0 for samples that are not of floating point.
std::int64_t countNotFinite(DType type, std::span<const std::byte> samples) {
    if (!isFloatingPoint(type)) return 0;
    const std::span values(reinterpret_cast<const float*>(samples.data()),
                           samples.size() / sizeof(float));
    return std::ranges::count_if(values, [](float value) { return !std::isfinite(value); });
}

/// In recorded images NaN says that a pixel has no data, as beside a sector.
bool hasOnlyGaps(const FrameSpec& frame, std::span<const std::byte> samples) {
    const bool isPicture = frame.recordedForm == RecordedForm::Envelope ||
                           frame.recordedForm == RecordedForm::Decibels ||
                           frame.recordedForm == RecordedForm::Picture;
    if (!isPicture || frame.dtype != DType::F32) return false;
    const std::span values(reinterpret_cast<const float*>(samples.data()),
                           samples.size() / sizeof(float));
    return std::ranges::none_of(values, [](float value) { return std::isinf(value); }) &&
           std::ranges::any_of(values, [](float value) { return std::isfinite(value); });
}

std::optional<std::string> notFiniteWarning(const RecordingInfo& info, std::int64_t index,
                                            std::span<const std::byte> samples) {
    const std::int64_t bad = countNotFinite(info.frame.dtype, samples);
    if (bad == 0 || hasOnlyGaps(info.frame, samples)) return std::nullopt;
    return fmt::format("{}: {} of {} values of frame {} are not finite numbers; pixels that they "
                       "reach stay empty.",
                       info.path.filename().string(), bad, samples.size() / sizeof(float),
                       index + 1);
}

/// Calls `look` with a function that gives real sample i as a number, and returns its result.
template <class Look>
auto withSamples(DType type, std::span<const std::byte> samples, const Look& look) {
    const auto plain = [&](auto zero) {
        const auto* values = reinterpret_cast<const decltype(zero)*>(samples.data());
        return look([values](std::int64_t i) { return static_cast<float>(values[i]); });
    };
    switch (type) {
    case DType::U8: return plain(std::uint8_t{});
    case DType::I16: return plain(std::int16_t{});
    case DType::U16: return plain(std::uint16_t{});
    case DType::Packed12:
        return look([bytes = reinterpret_cast<const std::uint8_t*>(samples.data())](
                        std::int64_t i) { return static_cast<float>(packed12At(bytes, i)); });
    default: return plain(0.0F);
    }
}

/// NOTE: this reads only a few samples of a sound frame, so it may run for every frame.
std::optional<std::string> constantWarning(const RecordingInfo& info, std::int64_t index,
                                           std::span<const std::byte> samples) {
    if (!holdsSpectra(info.frame) || isComplex(info.frame.dtype)) return std::nullopt;
    const std::int64_t length = info.frame.axes.back().size;
    const std::int64_t count = info.frame.count();
    const std::string name = info.path.filename().string();
    return withSamples(info.frame.dtype, samples, [&](auto at) -> std::optional<std::string> {
        const auto all = [count](std::int64_t first, auto holds) {
            for (std::int64_t i = first; i < count; ++i) {
                if (!holds(i)) return false;
            }
            return true;
        };
        if (all(1, [&](std::int64_t i) { return i % length == 0 || at(i) == at(i - 1); })) {
            return fmt::format("{}: no spectrum of frame {} changes along its "
                               "samples, the first is {:g} throughout, so there is nothing to "
                               "image; check the detector, and what the file's sample type and "
                               "sizes are said to be.",
                               name, index + 1, at(0));
        }
        if (count > length &&
            all(length, [&](std::int64_t i) { return at(i) == at(i - length); })) {
            return fmt::format("{}: all {} spectra of frame {} are the same, so "
                               "nothing is left where their mean is subtracted; check the scan, "
                               "or subtract no background.",
                               name, count / length, index + 1);
        }
        return std::nullopt;
    });
}

/// True where the samples are codes of a converter: integers, or floats with a known
/// converterRange. codeScale must be a power of two, as for codes with unused low bits; any other
/// factor means a unit of the recording's own.
bool countsCodes(const FrameSpec& frame) {
    int exponent = 0;
    const bool converted = !isFloatingPoint(frame.dtype) || frame.converterRange.has_value();
    return converted && std::frexp(frame.codeScale, &exponent) == 0.5;
}

} // namespace

std::optional<std::string> frameWarning(const RecordingInfo& info, std::int64_t index,
                                        std::span<const std::byte> samples) {
    if (auto warning = notFiniteWarning(info, index, samples)) return warning;
    return constantWarning(info, index, samples);
}

void Recording::inspectFirstFrame() {
    for (std::string& warning : takeOpeningWarnings())
        m_info.warnings.push_back(std::move(warning));
    if (const auto kept = Opening::largestKept())
        m_info.notes.emplace_back("Kept in memory", *kept);
    if (m_info.frameRateHz > 0.0) m_info.frame.frameIntervalS = 1.0 / m_info.frameRateHz;
    for (std::string& doubt : doubtsAbout(m_info)) m_info.warnings.push_back(std::move(doubt));
    const bool mustBeRead = isFloatingPoint(m_info.frame.dtype) || holdsSpectra(m_info.frame);
    if (!mustBeRead && m_info.frame.recordedForm != RecordedForm::Signals) return;
    std::vector<std::byte> samples;
    LiveFrames* frames = live();
    try {
        checkLoadSize(m_info.path, "one frame", m_info.frame.bytes());
        samples.resize(m_info.frame.bytes());
        readFrame(frames != nullptr ? frames->kept().first : 0, samples);
    } catch (const Error&) {
        if (mustBeRead && (m_info.frameCount == 1 || samples.empty())) throw;
        return; // a damaged frame affects only itself
    }
    for (std::string& doubt : doubtsAboutSamples(m_info, samples))
        m_info.warnings.push_back(std::move(doubt));
    if (holdsSpectra(m_info.frame) && !isComplex(m_info.frame.dtype)) {
        auto facts = std::make_shared<Spectrometer>(*m_info.frame.spectrometer);
        facts->countsCodes = countsCodes(m_info.frame);
        m_info.frame.spectrometer = std::move(facts);
    }
    if (!m_info.firstFrameSound) return; // the reader has said what is wrong with it
    const auto warning = frameWarning(m_info, 0, samples);
    if (!warning) return;
    const auto values = static_cast<std::int64_t>(samples.size() / sizeof(float));
    if (countNotFinite(m_info.frame.dtype, samples) == values)
        throw fileError(m_info.path, "its first frame holds no finite number, only NaN or "
                                     "infinity; export the samples again");
    m_info.warnings.push_back(*warning);
    m_info.firstFrameSound = false;
}

} // namespace echolux
