// SPDX-License-Identifier: GPL-3.0-or-later
// Opens a recording and makes its first image, away from the window's thread.
#pragma once

#include "app/dataset/calibration/calibration.hpp"
#include "app/live/open_live.hpp"
#include "app/session/engine.hpp"

#include <bitset>
#include <condition_variable>
#include <filesystem>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

namespace echolux {

struct OpenRequest {
    std::filesystem::path file; ///< or the address of a live source, see isLiveAddress()
    OpenOptions options{};
    std::optional<PipelineConfig> pipeline{}; ///< null: the shipped one that suits the data
    std::optional<Calibration> calibration{}; ///< replaces the recording's own
    /// Where `pipeline` is null, this function chooses it once the raw frames are known. May throw
    /// Error.
    std::function<PipelineConfig(const FrameSpec& raw)> choosePipeline{};
    /// Of a live source: the latest frames that stay in memory.
    double keptSeconds = LivePlace{}.seconds;
    std::size_t mostKeptBytes = LivePlace{}.mostBytes;
    LookTypes looks{}; ///< that will be asked for, see Engine

    bool isLive() const { return isLiveAddress(file.native()); }
    /// "Opening scan.h5", or "Waiting for the writer of shared:probe".
    std::string openingText() const;
};

/// Opens the file or the live source, of which at least one frame has come. `stop`: as for
/// liveSource().
std::unique_ptr<Recording> openFrames(const OpenRequest& request, const EnginePlace& place,
                                      const std::stop_token& stop = {});

/// The facts `own` with those of the calibration in place of them. Throws Error where the
/// calibration does not fit lines like those of `raw`.
std::shared_ptr<const Spectrometer>
calibrated(const Spectrometer& own, const Calibration& calibration, const FrameSpec& raw);

/// Receives an engine's callbacks before anybody listens, and passes them on from attach() on.
class CallbackRelay {
public:
    /// The callbacks to hand to the engine; they keep the relay alive.
    static Engine::Callbacks callbacksOf(const std::shared_ptr<CallbackRelay>& relay);

    /// True once there is an image, false where `stop` came first; throws Error where the engine
    /// failed.
    bool waitForImage(const std::stop_token& stop);
    /// Calls `target` from now on, first with what has happened already.
    void attach(Engine::Callbacks target);
    void detach(); ///< calls nobody from now on

private:
    void imageReady(std::size_t view);
    void volumeChanged();
    void failed(const std::string& sentence);
    void looked();
    void warned(const std::string& sentence);

    std::mutex m_mutex;
    std::condition_variable_any m_happened;
    std::bitset<kMostViews> m_imaged; ///< views that have an image
    bool m_volumeChanged = false;
    std::optional<std::string> m_failure; ///< not passed on yet
    std::vector<std::string> m_warnings;  ///< not told yet
    std::optional<Engine::Callbacks> m_target;
};

/// Suspends an engine, and resumes it when destroyed.
class Suspension {
public:
    Suspension() = default;
    explicit Suspension(std::shared_ptr<Engine> engine) : m_engine(std::move(engine)) {
        m_engine->suspend();
    }
    Suspension(Suspension&&) noexcept = default;
    Suspension& operator=(Suspension&& other) noexcept {
        std::swap(m_engine, other.m_engine);
        return *this;
    }
    ~Suspension() {
        if (m_engine) m_engine->resume();
    }
    void release() { m_engine.reset(); } ///< the engine stays suspended

private:
    std::shared_ptr<Engine> m_engine;
};

/// An engine that is frozen on its first frame. The image of this frame waits in the mailbox.
struct PreparedEngine {
    std::shared_ptr<CallbackRelay> relay;
    Suspension suspended;           ///< the engine that had to give its memory back; it resumes
                                    ///< where `engine` is dropped
    std::shared_ptr<Engine> engine; ///< null: the preparation was given up
    std::optional<BackendChoice> choice{}; ///< where the engine computes; null: where the session
                                           ///< computes
};

/// Any thread. Throws Error where the file, the pipeline or the first frame cannot be used. Gives
/// up between two steps once `stop` is requested. Where it can be requested, shared memory is
/// waited for until then. Where memory does not suffice beside the engine `open` (which may be
/// gone), it suspends that engine.
PreparedEngine prepareEngine(const OpenRequest& request, const EnginePlace& place,
                             const std::stop_token& stop = {},
                             const std::weak_ptr<Engine>& open = {});

/// Returns what `make` returns. Where memory does not suffice, it suspends `open`, calls `make`
/// again, and `suspended` keeps the engine suspended.
std::unique_ptr<Engine> makeBeside(const std::weak_ptr<Engine>& open, Suspension& suspended,
                                   const std::function<std::unique_ptr<Engine>()>& make);

} // namespace echolux
