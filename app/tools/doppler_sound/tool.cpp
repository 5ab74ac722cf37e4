// SPDX-License-Identifier: GPL-3.0-or-later
// From copies of the latest pulses to samples in the ring.
#include "app/tools/doppler_sound/tool.hpp"

#include "app/desktop/workbench/tool_type.hpp"
#include "app/desktop/workbench/workbench.hpp"
#include "app/tools/doppler_sound/panel.hpp"
#include "ui/controls/number_text.hpp"
#include "ui/lab/value_slider.hpp"

#include <QCheckBox>
#include <QSettings>

#include <algorithm>
#include <span>

namespace echolux {
namespace {

constexpr int kPeriodMs = 40;
constexpr double kBeforeS = 0.15; ///< that wait in the ring before sound begins
constexpr double kMostS = 0.6;    ///< that wait; more is dropped
constexpr const char* kVolume = "doppler_sound_volume";

std::size_t samplesIn(double seconds, int rateHz) {
    return static_cast<std::size_t>(seconds * rateHz);
}

} // namespace

namespace tools {

ToolType doppler_sound();
ToolType doppler_sound() {
    return toolType<DopplerSoundPanel, DopplerSoundTool>("doppler_sound", "Doppler sound",
                                                         ToolType::Place::Closed, "Flow");
}

} // namespace tools

DopplerSoundTool::DopplerSoundTool(DopplerSoundPanel& panel, Workbench& bench)
    : m_panel(panel), m_bench(bench), m_makeSpeaker(&Speaker::preferred) {
    m_timer.setInterval(kPeriodMs);
    connect(&m_timer, &QTimer::timeout, this, &DopplerSoundTool::follow);
    connect(&panel.playing(), &QCheckBox::toggled, this, &DopplerSoundTool::play);
    connect(&panel.volume(), &ValueSlider::valueChanged, this, [this] {
        if (m_output)
            m_output->ring->setVolume(static_cast<float>(m_panel.volume().value() / 100.0));
    });
    connect(&bench, &Workbench::recordingChanged, this, [this] {
        m_heard.reset();
        m_sound.reset();
    });
    connect(&bench, &Workbench::habitsRestored, this, [this](const QSettings& store) {
        ValueSlider& volume = m_panel.volume();
        volume.setDefault(std::clamp(store.value(kVolume, volume.value()).toDouble(), 0.0, 100.0));
    });
    connect(&bench, &Workbench::habitsKept, this,
            [this](QSettings& store) { store.setValue(kVolume, m_panel.volume().value()); });
}

DopplerSoundTool::~DopplerSoundTool() = default;

void DopplerSoundTool::play(bool on) {
    m_panel.setProblem({});
    m_panel.setState({});
    m_output.reset();
    m_sound.reset();
    m_heard.reset();
    if (!on) {
        return m_timer.stop();
    }
    QString why;
    auto speaker = m_makeSpeaker(why);
    if (speaker == nullptr) {
        m_panel.playing().setChecked(false);
        return m_panel.setProblem(why);
    }
    const int rateHz = speaker->rateHz();
    auto ring = std::make_unique<SoundRing>(samplesIn(kMostS, rateHz), samplesIn(kBeforeS, rateHz));
    ring->setVolume(static_cast<float>(m_panel.volume().value() / 100.0));
    m_output.emplace(Output{std::move(ring), Loudness(rateHz), std::move(speaker)});
    m_output->speaker->start(*m_output->ring);
    m_timer.start();
    follow();
}

/// Why nothing is heard, as a sentence; empty where there is sound.
QString DopplerSoundTool::whyNot(const std::optional<GatePulses>& gate) const {
    if (!gate) return "Open a pipeline with a gate, such as spectral_doppler, to hear its flow.";
    if (!(gate->rateHz > 0.0))
        return "The time between frames is unknown, so the flow has no pitch; describe "
               "'signal.frame_rate'.";
    return m_output->speaker->problem();
}

/// Plays what has been copied since, and asks for the next copy.
void DopplerSoundTool::follow() {
    if (!m_output || !m_bench.isOpen()) return;
    const auto gate = gatePulses(*m_bench.snapshot());
    const QString problem = whyNot(gate);
    m_panel.setProblem(problem);
    if (!problem.isEmpty() || !m_bench.isPlaying()) {
        m_output->ring->silence();
        m_heard.reset();
        m_sound.reset();
        return m_panel.setState("Silent while playback is frozen.");
    }
    auto& look = m_bench.look<PulsesLook>();
    const auto latest = look.latest();
    if (latest != nullptr && latest != m_heard && latest->asked == gate->output)
        add(*latest, *gate);
    m_heard = latest;
    look.want(gate->output);
    show();
}

/// The pulses of the frames since the last copy. The first copy only tells where sound begins.
void DopplerSoundTool::add(const LatestPulses& latest, const GatePulses& gate) {
    const DopplerSoundSetup setup{.pulseRateHz = gate.rateHz,
                                  .wallHz = gate.wallHz,
                                  .rateHz = static_cast<double>(m_output->speaker->rateHz()),
                                  .inverted = gate.inverted};
    if (!m_sound || m_sound->setup() != setup) m_sound.emplace(setup);
    if (m_heard == nullptr || m_heard->asked != latest.asked) return;
    const auto kept = static_cast<std::int64_t>(latest.pulses.size());
    const std::int64_t fresh =
        std::clamp<std::int64_t>((latest.frames - m_heard->frames) * gate.perFrame, 0, kept);
    m_samples.clear();
    m_sound->add(std::span(latest.pulses).last(static_cast<std::size_t>(fresh)), m_samples);
    m_output->loudness.level(m_samples);
    m_output->ring->write(m_samples);
}

void DopplerSoundTool::show() {
    const std::uint64_t gaps = m_output->ring->gaps();
    m_panel.setState(gaps == 0 ? QString("Plays without a gap.")
                               : QString("Gaps because frames came too slowly: %1")
                                     .arg(numberText(static_cast<double>(gaps), 0)));
}

} // namespace echolux
