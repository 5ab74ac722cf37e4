// SPDX-License-Identifier: GPL-3.0-or-later
// The state machine behind the window: nothing is open, or one recording is imaged live. Where an
// action fails, what was open stays as it was.
#pragma once

#include "app/session/prepared_engine.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace echolux {

/// All calls come from one thread, the window's. The callbacks come from other threads.
class Session {
public:
    Session(BackendChoice backend, Engine::Callbacks callbacks,
            int inFlight = EnginePlace::kUsualInFlight);

    /// The backend that computes, or that will compute the next recording.
    const BackendChoice& backend() const { return m_backend; }
    EnginePlace place() const { return placeOn(m_backend); } ///< where the next engine computes
    EnginePlace placeOn(const BackendChoice& choice) const {
        return {choice.backend, choice.gpu, m_inFlight};
    }
    bool isOpen() const { return m_open.engine != nullptr; }
    Engine& engine() { return *m_open.engine; } ///< for tests; precondition: isOpen()
    /// The open engine, for work on other threads, also the preparation of the next one: this one
    /// may have to give its memory back. Null where nothing is open.
    std::shared_ptr<Engine> shared() { return m_open.engine; }

    // What desks use of the open recording. Precondition, where nothing else is said: isOpen().
    const RecordingInfo& recording() const { return m_open.engine->info(); }
    Player& player() { return m_open.engine->player(); }
    bool isPlaying() const; ///< false where nothing is open
    LiveRecording* live();  ///< null for a file, and where nothing is open
    /// The images of view number `view`: which frame and which B-scan of it are shown.
    Mailbox& mailbox(std::size_t view = 0) { return m_open.engine->mailbox(view); }
    VolumeStore& volume() { return m_open.engine->volume(); }
    std::optional<VolumeProgress> volumeProgress() const; ///< null where nothing is open, too
    Look& look(const LookType& type) { return m_open.engine->look(type); }
    template <class L> L& look() { return m_open.engine->look<L>(); }
    Statistics statistics() { return m_open.engine->statistics(); }
    FrameTraces& traces() { return m_open.engine->traces(); }
    void timeSeparately(bool separately) { m_open.engine->timeSeparately(separately); }
    /// Sinks of images of the first view, or of raw frames; see Engine::addSink().
    template <class Sink> void addSink(Sink& sink) { m_open.engine->addSink(sink); }
    template <class Sink> void removeSink(Sink& sink) { m_open.engine->removeSink(sink); }

    /// Takes over what prepareEngine() made; its engine is not null. Returns what was open before,
    /// with its callbacks detached. Destroying that may wait for a read in progress.
    PreparedEngine adopt(PreparedEngine next);

    // Edits take effect at the next frame boundary. A refused edit throws Error and changes
    // nothing.
    SnapshotPtr snapshot() const;                                  ///< precondition: isOpen()
    std::uint64_t edits() const { return m_open.engine->edits(); } ///< see Engine::edits()
    void giveUpStale(); ///< see Engine::giveUpStale(); does nothing where nothing is open
    void setValue(std::string_view stage, std::string_view key, const ParamValue& value);
    void setBypass(std::string_view stage, bool bypass);
    void applyPipeline(const PipelineConfig& pipeline);
    /// Puts other facts about the device that recorded the spectra in force, together with the
    /// pipeline that goes with them: both, or neither.
    void applyCalibration(std::shared_ptr<const Spectrometer> facts,
                          const PipelineConfig& pipeline);
    /// The facts in force: the recording's own ones until applyCalibration(). Null for channel
    /// data.
    std::shared_ptr<const Spectrometer> spectrometer() const;

private:
    void post(SnapshotPtr next);

    BackendChoice m_backend;
    int m_inFlight;
    Engine::Callbacks m_callbacks;
    PreparedEngine m_open;
};

} // namespace echolux
