// SPDX-License-Identifier: GPL-3.0-or-later
// Checks sizes, finite values and monotonic curves of OCT recordings.
#include "app/dataset/frames/spectra_check.hpp"

#include "app/dataset/recording/input_file.hpp"
#include "gpu/oct/oct_limits.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>

namespace echolux {

namespace {

/// Fewer samples make no depth.
constexpr std::int64_t kLeastSamples = 4;

template <class Number> std::optional<std::string>
contradictionInVector(const char* name, const std::vector<Number>& all, std::int64_t samples) {
    if (all.empty()) return std::nullopt;
    if (static_cast<std::int64_t>(all.size()) != samples)
        return fmt::format("its {} has {} values for lines of {} samples", name, all.size(),
                           samples);
    const auto bad = std::ranges::find_if(all, [](Number v) { return !std::isfinite(v); });
    if (bad != all.end())
        return fmt::format("value {} of its {} is no finite number", bad - all.begin(), name);
    return std::nullopt;
}

bool plausibleLength(double metres) { return std::isfinite(metres) && metres >= 0.0; }

} // namespace

std::optional<std::string> contradictionInMonotonic(std::span<const double> values) {
    const auto bad = std::ranges::find_if(values, [](double v) { return !std::isfinite(v); });
    if (bad != values.end())
        return fmt::format("value {} is no finite number", bad - values.begin());
    if (values.size() < 2) return "there are fewer than two values";
    const double sense = values.back() > values.front() ? 1.0 : -1.0;
    for (std::size_t i = 1; i < values.size(); ++i)
        if (sense * (values[i] - values[i - 1]) <= 0.0)
            return fmt::format("values {} and {} are {:g} and {:g}: not monotonic", i - 1, i,
                               values[i - 1], values[i]);
    return std::nullopt;
}

std::optional<std::string> contradictionInCurve(std::span<const double> positions,
                                                std::int64_t samples) {
    if (auto wrong = contradictionInMonotonic(positions)) return wrong;
    const auto highest = static_cast<double>(samples); // one sample beyond the line
    for (std::size_t i = 0; i < positions.size(); ++i)
        if (positions[i] < -1.0 || positions[i] > highest)
            return fmt::format("value {} is {:g}, outside the {} samples of a line", i,
                               positions[i], samples);
    for (std::size_t i = 1; i < positions.size(); ++i)
        if (std::abs(positions[i] - positions[i - 1]) > oct::kLongestCurveStep)
            return fmt::format("values {} and {} are {:g} and {:g}, more than {:g} samples apart",
                               i - 1, i, positions[i - 1], positions[i], oct::kLongestCurveStep);
    return std::nullopt;
}

std::optional<std::string> contradictionIn(const Spectrometer& facts, std::int64_t samples) {
    if (!plausibleLength(facts.centreWavelengthM) || !plausibleLength(facts.bandwidthM) ||
        (facts.centreWavelengthM > 0.0 && facts.bandwidthM >= 2.0 * facts.centreWavelengthM))
        return fmt::format("its centre wavelength of {:g} m and bandwidth of {:g} m make no sense",
                           facts.centreWavelengthM, facts.bandwidthM);
    if (auto wrong = contradictionInVector("background", facts.background, samples)) return wrong;
    if (auto wrong = contradictionInVector("resampling curve", facts.resampling, samples))
        return wrong;
    if (auto wrong = contradictionInVector("dispersion phase", facts.dispersionRad, samples))
        return wrong;
    if (facts.resampling.empty()) return std::nullopt;
    if (auto wrong = contradictionInCurve(facts.resampling, samples))
        return fmt::format("of its resampling curve {}", *wrong);
    return std::nullopt;
}

std::optional<std::string> contradictionInSpectra(const FrameSpec& frame) {
    if (!frame.spectrometer) return "nothing is said of its spectrometer";
    if (frame.stack.bscansPerVolume < 1)
        return fmt::format("its volumes have {} B-scans", frame.stack.bscansPerVolume);
    if (frame.stack.repeats < 1)
        return fmt::format("it holds {} B-scans at each place", frame.stack.repeats);
    if (frame.stack.bscansPerVolume > 1 && frame.stack.bscansPerVolume % frame.stack.repeats != 0)
        return fmt::format("its volumes have {} B-scans, which are not a multiple of the {} at "
                           "each place",
                           frame.stack.bscansPerVolume, frame.stack.repeats);
    if (!plausibleLength(frame.stack.spacingM))
        return fmt::format("its B-scans are {:g} m apart", frame.stack.spacingM);
    if (frame.axes.empty() || frame.axes.back().name != AxisName::Sample)
        return "its samples are not the fastest axis";
    for (std::size_t i = 0; i + 1 < frame.axes.size(); ++i)
        if (frame.axes[i].name != AxisName::Lateral && frame.axes[i].name != AxisName::Elevation)
            return fmt::format("spectra have no axis '{}'", nameOf(frame.axes[i].name));
    const std::int64_t samples = frame.sizeOf(AxisName::Sample);
    if (samples < kLeastSamples)
        return fmt::format("its lines have {} samples, fewer than a depth profile needs", samples);
    return contradictionIn(*frame.spectrometer, samples);
}

bool isConstant(std::span<const float> spectrum) {
    return std::ranges::all_of(spectrum, [&](float value) { return value == spectrum.front(); });
}

void checkSpectra(RecordingInfo& info) {
    if (info.frameCount < 1) throw fileError(info.path, "it holds no B-scan; record it again");
    for (const Axis& axis : info.frame.axes)
        if (axis.size < 1 || !std::isfinite(axis.spacing) || axis.spacing == 0.0)
            throw fileError(info.path,
                            fmt::format("its {} axis has {} entries and the spacing {:g}; correct "
                                        "what describes it",
                                        nameOf(axis.name), axis.size, axis.spacing));
    if (const auto wrong = contradictionInSpectra(info.frame))
        throw fileError(info.path, *wrong + "; correct what describes it, or record it again");
    const Spectrometer& facts = *info.frame.spectrometer;
    if (facts.background.empty() || !isConstant(facts.background)) return;
    auto without = std::make_shared<Spectrometer>(facts);
    without->background.clear();
    info.warnings.push_back(
        fmt::format("The background is {:g} at every sample, so it is left out; take one from the "
                    "mean of the lines or capture it.",
                    facts.background.front()));
    info.frame.spectrometer = std::move(without);
    std::erase_if(info.notes, [](const auto& note) { return note.first == kBackgroundNote; });
}

} // namespace echolux
