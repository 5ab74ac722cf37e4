// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/calibration/sound_speed.hpp"

#include "app/pipeline/snapshot.hpp"
#include "gpu/core/error.hpp"
#include "gpu/core/firing.hpp"

#include <algorithm>
#include <cstring>

namespace echolux {
namespace {

constexpr double kLowest = 0.5; ///< of the centre frequency: a wide band has a narrow peak
constexpr double kHighest = 1.7;
constexpr std::int64_t kTaps = 81;

/// Without what is imaged afterwards.
PipelineConfig channelsOf(const FrameSpec& raw) {
    PipelineConfig config;
    const auto add = [&](const char* type) -> StageConfig& {
        return config.stages.emplace_back(StageConfig{.id = type, .type = type});
    };
    add("to_float");
    if (isComplex(raw.dtype)) return config;
    add("dc_removal");
    add("bandpass").values = {{"low", kLowest * raw.centreFrequencyHz},
                              {"high", kHighest * raw.centreFrequencyHz},
                              {"taps", kTaps}};
    add("analytic");
    return config;
}

double medianOf(std::vector<double> values) {
    if (values.empty()) return 0.0;
    std::ranges::sort(values);
    const std::size_t half = values.size() / 2;
    return values.size() % 2 == 1 ? values[half] : 0.5 * (values[half - 1] + values[half]);
}

} // namespace

PipelineConfig soundSpeedChain(const FrameSpec& raw) {
    if (!raw.acquisition || raw.recordedForm != RecordedForm::Signals ||
        raw.find(AxisName::Channel) == nullptr || !(raw.centreFrequencyHz > 0.0))
        throw Error("The speed of sound is estimated from ultrasound channel data whose centre "
                    "frequency is known.");
    const Acquisition& acquisition = *raw.acquisition;
    if (isOneWay(acquisition))
        throw Error("The speed of sound is estimated from echoes, and in this recording nothing "
                    "is sent.");
    PipelineConfig config = channelsOf(raw);
    const bool hasWaves = std::ranges::all_of(acquisition.transmits, [](const Transmit& t) {
        return t.wave == Wave::Plane || t.wave == Wave::Diverging;
    });
    if (hasWaves) return config;
    if (!allAre(acquisition, Wave::Element))
        config.stages.push_back({.id = "refocus", .type = "refocus"});
    // Channels in place of delays: the waves are sent uncorrected.
    config.links.push_back(
        {{kOutputPort, config.stages.back().id}, {"delays", "transmit_synthesis"}, {}, false});
    config.stages.push_back({.id = "transmit_synthesis", .type = "transmit_synthesis"});
    return config;
}

SoundSpeedEstimator::SoundSpeedEstimator(Backend backend, const FrameSpec& raw,
                                         const sound_speed::Search& search)
    : m_runner(backend, 1), m_raw(stagingMemory(backend), raw.bytes()) {
    m_runner.apply(instantiate(soundSpeedChain(raw), raw));
    const Exec exec = m_runner.exec(0);
    const FrameSpec& channels = m_runner.snapshot()->stages.back().plan.outputs.front();
    m_search = std::make_unique<sound_speed::SpeedSearch>(exec, channels, search);
}

sound_speed::Estimate SoundSpeedEstimator::estimate(std::span<const std::byte> raw) {
    std::memcpy(m_raw.data(), raw.data(), m_raw.bytes());
    const int slot = m_runner.enqueue({.raw = m_raw.as<std::byte>()});
    const ConstTensorView channels = m_runner.viewOutput(slot, 0);
    sound_speed::Estimate found = m_search->estimate(m_runner.exec(slot), channels.as<Complex>());
    m_runner.wait(slot);
    return found;
}

SoundSpeedOfFrames ofFrames(std::span<const sound_speed::Estimate> estimates) {
    SoundSpeedOfFrames all;
    all.frames = estimates.size();
    std::vector<double> speeds, errors;
    const auto take = [&](bool alsoDoubted) {
        for (const sound_speed::Estimate& each : estimates) {
            if (!alsoDoubted && !each.isSure()) continue;
            speeds.push_back(each.speedMps);
            errors.push_back(each.errorMps);
        }
    };
    take(false);
    all.sure = speeds.size();
    if (all.sure == 0) {
        take(true);
        if (!estimates.empty()) all.doubt = estimates.back().doubt;
    }
    all.speedMps = medianOf(speeds);
    all.errorMps = medianOf(errors);
    return all;
}

} // namespace echolux
