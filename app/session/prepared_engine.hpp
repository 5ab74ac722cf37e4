// SPDX-License-Identifier: GPL-3.0-or-later
// Opening a recording up to its first image, away from the window's thread.
#pragma once

#include "app/dataset/calibration/calibration.hpp"
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
    std::filesystem::path file;
    OpenOptions options{};
    std::optional<PipelineConfig> pipeline{}; ///< null: the shipped one that suits the data
    std::optional<Calibration> calibration{}; ///< in place of what the recording says
    /// Where `pipeline` is null: chooses it once the raw frames are known; may throw Error.
    std::function<PipelineConfig(const FrameSpec& raw)> choosePipeline{};
};

/// `own` facts of lines like those of `raw`, with the calibration in their place. Throws Error
/// where it does not fit.
std::shared_ptr<const Spectrometer>
calibrated(const Spectrometer& own, const Calibration& calibration, const FrameSpec& raw);

/// Takes an engine's callbacks before anybody wants them, and passes them on from then.
class CallbackRelay {
public:
    /// The callbacks to hand to the engine; they keep the relay alive.
    static Engine::Callbacks callbacksOf(const std::shared_ptr<CallbackRelay>& relay);

    /// True once there is an image, false where `stop` came first; throws Error where the engine
    /// failed.
    bool waitForImage(const std::stop_token& stop);
    /// From here on `target` is called, beginning with what has happened already.
    void attach(Engine::Callbacks target);
    void detach(); ///< nobody is called any more

private:
    void imageReady(std::size_t view);
    void volumeChanged();
    void failed(const std::string& sentence);
    void columnReady();
    void warned(const std::string& sentence);

    std::mutex m_mutex;
    std::condition_variable_any m_happened;
    std::bitset<kMostViews> m_imaged; ///< views
    bool m_volumeChanged = false;
    std::optional<std::string> m_failure; ///< not told yet
    std::vector<std::string> m_warnings;  ///< not told yet
    std::optional<Engine::Callbacks> m_target;
};

/// Keeps an engine suspended, and has it go on when destroyed.
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
    void release() { m_engine.reset(); } ///< it stays suspended

private:
    std::shared_ptr<Engine> m_engine;
};

/// Frozen on its first frame; that image waits in the mailbox.
struct PreparedEngine {
    std::shared_ptr<CallbackRelay> relay;
    Suspension suspended;           ///< what had to make room; goes on where `engine` is dropped
    std::shared_ptr<Engine> engine; ///< null: given up
    std::optional<BackendChoice> choice{}; ///< where it computes; null: where the session does
};

/// Any thread. Throws Error where the file, the pipeline or its first frame is no good; gives up
/// between two steps where `stop` is requested. Where memory does not suffice beside the engine
/// that is `open` (may be gone), that one is suspended.
PreparedEngine prepareEngine(const OpenRequest& request, const EnginePlace& place,
                             const std::stop_token& stop = {},
                             const std::weak_ptr<Engine>& open = {});

/// What `make` returns; where memory does not suffice, once more with `open` suspended, which
/// `suspended` then keeps so.
std::unique_ptr<Engine> makeBeside(const std::weak_ptr<Engine>& open, Suspension& suspended,
                                   const std::function<std::unique_ptr<Engine>()>& make);

} // namespace echolux
