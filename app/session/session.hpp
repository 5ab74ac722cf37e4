// SPDX-License-Identifier: GPL-3.0-or-later
// The state machine behind the window: nothing is open, or one recording is imaged live. Where an
// action fails, what was open stays as it was.
#pragma once

#include "app/session/prepared_engine.hpp"

#include <filesystem>
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
    Engine& engine() { return *m_open.engine; } ///< precondition: isOpen()
    /// The open engine, for the preparation of the next one on any thread: it may have to give its
    /// memory back. Null where nothing is open.
    std::shared_ptr<Engine> shared() { return m_open.engine; }

    /// Takes over what prepareEngine() made; its engine is not null. Returns what was open before,
    /// with its callbacks detached. Destroying that may wait for a read in progress.
    PreparedEngine adopt(PreparedEngine next);

    // Edits take effect at the next frame boundary. A refused edit throws Error and changes
    // nothing.
    SnapshotPtr snapshot() const; ///< precondition: isOpen()
    void setValue(std::string_view stage, std::string_view key, const ParamValue& value);
    void setBypass(std::string_view stage, bool bypass);
    void resetParameters();
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
