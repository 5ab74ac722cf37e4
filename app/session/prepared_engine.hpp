// SPDX-License-Identifier: GPL-3.0-or-later
// Opening a recording up to its first image, away from the window's thread.
#pragma once

#include "app/session/engine.hpp"

#include <condition_variable>
#include <filesystem>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>

namespace echolux {

struct OpenRequest {
    std::filesystem::path file;
    OpenOptions options{};
    std::optional<PipelineConfig> pipeline{}; ///< null: the shipped one that suits the data
};

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
    void imageReady();
    void failed(const std::string& sentence);
    void columnReady();

    std::mutex m_mutex;
    std::condition_variable_any m_happened;
    bool m_imaged = false;
    std::optional<std::string> m_failure; ///< not told yet
    std::optional<Engine::Callbacks> m_target;
};

/// Frozen on its first frame; that image waits in the mailbox.
struct PreparedEngine {
    std::shared_ptr<CallbackRelay> relay;
    std::unique_ptr<Engine> engine; ///< null: given up
};

/// Any thread. Throws Error where the file, the pipeline or its first frame is no good; gives up
/// between two steps where `stop` is requested.
PreparedEngine prepareEngine(const OpenRequest& request, Backend backend,
                             const std::stop_token& stop = {});

} // namespace echolux
