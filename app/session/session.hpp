// SPDX-License-Identifier: GPL-3.0-or-later
// The state machine behind the window: nothing open, or one recording imaged live. Whatever fails
// leaves what was open as it was.
#pragma once

#include "app/session/prepared_engine.hpp"

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace echolux {

/// All calls from one thread (the window's); the callbacks come from others.
class Session {
public:
    Session(BackendChoice backend, Engine::Callbacks callbacks,
            int inFlight = EnginePlace::kUsualInFlight);

    /// That computes, or would where nothing is open.
    const BackendChoice& backend() const { return m_backend; }
    EnginePlace place() const { return placeOn(m_backend); } ///< for the next engine
    EnginePlace placeOn(const BackendChoice& choice) const {
        return {choice.backend, choice.gpu, m_inFlight};
    }
    bool isOpen() const { return m_open.engine != nullptr; }
    Engine& engine() { return *m_open.engine; } ///< precondition: isOpen()
    /// What may have to make room for the next, wherever that is prepared; null where nothing is
    /// open.
    std::shared_ptr<Engine> shared() { return m_open.engine; }

    /// Takes over what prepareEngine() made (engine not null) and returns what was open, silenced;
    /// closing that may wait for a read in progress.
    PreparedEngine adopt(PreparedEngine next);

    // Edits take effect at the next frame boundary. Each throws Error and changes nothing where
    // refused.
    SnapshotPtr snapshot() const; ///< precondition: isOpen()
    void setValue(std::string_view stage, std::string_view key, const ParamValue& value);
    void setBypass(std::string_view stage, bool bypass);
    void resetParameters();
    void applyPipeline(const PipelineConfig& pipeline);
    /// Other facts about the device that recorded the spectra, and the pipeline that goes with
    /// them; both in force, or neither.
    void applyCalibration(std::shared_ptr<const Spectrometer> facts,
                          const PipelineConfig& pipeline);
    /// The facts in force: the recording's own until applyCalibration(); null for channel data.
    std::shared_ptr<const Spectrometer> spectrometer() const;

private:
    void post(SnapshotPtr next);

    BackendChoice m_backend;
    int m_inFlight;
    Engine::Callbacks m_callbacks;
    PreparedEngine m_open;
};

} // namespace echolux
