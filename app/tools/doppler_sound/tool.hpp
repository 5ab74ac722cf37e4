// SPDX-License-Identifier: GPL-3.0-or-later
// The dock "Doppler sound" at work: pulses of the gate, a few times per second, become sound.
#pragma once

#include "app/session/gate_pulses.hpp"
#include "app/sound/doppler_sound.hpp"
#include "app/sound/loudness.hpp"
#include "app/sound/sound_ring.hpp"
#include "app/tools/doppler_sound/look.hpp"
#include "app/tools/doppler_sound/speaker.hpp"

#include <QObject>
#include <QTimer>

#include <functional>
#include <memory>
#include <optional>
#include <vector>

class QSettings;

namespace echolux {

class DopplerSoundPanel;
class Workbench;

/// Works while the switch of its panel is on, also where the dock is behind another one. While
/// frames do not run it is silent.
class DopplerSoundTool : public QObject {
    Q_OBJECT
public:
    using Looks = LookList<PulsesLook>;

    DopplerSoundTool(DopplerSoundPanel& panel, Workbench& bench);
    ~DopplerSoundTool() override;

    /// In place of Speaker::preferred().
    using MakeSpeaker = std::function<std::unique_ptr<Speaker>(QString& why)>;
    void setSpeakers(const MakeSpeaker& make) { m_makeSpeaker = make; }

private:
    struct Output { ///< what plays
        std::unique_ptr<SoundRing> ring;
        Loudness loudness;
        std::unique_ptr<Speaker> speaker; ///< last member: its thread reads the ring
    };
    void play(bool on);
    void follow();
    void add(const LatestPulses& latest, const GatePulses& gate);
    void show();
    QString whyNot(const std::optional<GatePulses>& gate) const;

    DopplerSoundPanel& m_panel;
    Workbench& m_bench;
    MakeSpeaker m_makeSpeaker;
    QTimer m_timer;
    std::optional<Output> m_output;
    std::optional<DopplerSound> m_sound;
    std::shared_ptr<const LatestPulses> m_heard;
    std::vector<StereoSample> m_samples; ///< kept for its memory
};

} // namespace echolux
