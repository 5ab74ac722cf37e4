// SPDX-License-Identifier: GPL-3.0-or-later
// Plays a recording and counts.
#include "app/commands/bench_stream.hpp"

#include "gpu/core/error.hpp"

#include <condition_variable>
#include <mutex>
#include <optional>
#include <string>
#include <utility>

namespace echolux {
namespace {

/// Wakes whoever waits whenever an image has come, and keeps the first failure.
class Progress {
public:
    Engine::Callbacks callbacks() {
        return {[this] { note({}); }, [this](const std::string& sentence) { note(sentence); },
                [] {}};
    }

    /// Until `done`, asked after every image, or until `end`.
    template <class Done> void waitFor(const Done& done, std::optional<Clock::time_point> end) {
        std::unique_lock lock(m_mutex);
        const auto over = [&] { return m_failure.has_value() || done(); };
        while (!over()) {
            if (!end) {
                m_news.wait(lock);
            } else if (m_news.wait_until(lock, *end) == std::cv_status::timeout) {
                break;
            }
        }
        if (m_failure) throw Error(*m_failure);
    }

private:
    void note(const std::string& failure) {
        {
            const std::lock_guard lock(m_mutex);
            if (!failure.empty() && !m_failure) m_failure = failure;
        }
        m_news.notify_one();
    }

    std::mutex m_mutex;
    std::condition_variable m_news;
    std::optional<std::string> m_failure;
};

} // namespace

StreamResult streamRecording(std::unique_ptr<Recording> recording, SnapshotPtr snapshot,
                             Backend backend, double seconds) {
    Progress progress;
    Engine engine(std::move(recording), std::move(snapshot), backend, progress.callbacks());
    // The first pass reads from the disk, takes memory, and grows to whole runs of frames.
    const auto once = static_cast<std::uint64_t>(engine.info().frameCount) + 1;
    engine.player().setSpeed(0.0);
    engine.player().play();
    progress.waitFor([&] { return engine.statistics().framesProcessed > 2 * once; }, {});
    engine.resetCounters();
    const Statistics before = engine.statistics();
    const auto begin = Clock::now();
    const auto length =
        std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
    progress.waitFor([] { return false; }, begin + length);
    const Statistics after = engine.statistics();
    StreamResult result;
    result.seconds = std::chrono::duration<double>(Clock::now() - begin).count();
    const auto frames = static_cast<double>(after.framesProcessed - before.framesProcessed);
    const FrameSpec& raw = engine.info().frame;
    result.framesPerS = frames / result.seconds;
    if (raw.spectrometer != nullptr) {
        result.ascansPerS =
            result.framesPerS *
            static_cast<double>(raw.sizeOf(AxisName::Lateral) * raw.sizeOf(AxisName::Elevation));
    }
    result.gigabytesPerS = result.framesPerS * static_cast<double>(raw.bytes()) / 1e9;
    result.framesPerRun = engine.framesPerRun();
    result.keptBytes = after.recordingBytesKept;
    result.copiesToHost = after.deviceToHostCopies;
    result.allocations = after.allocations;
    result.frameMs = after.frameMs;
    result.uploadMs = after.uploadMs;
    result.stages = after.stages;
    return result;
}

} // namespace echolux
