// SPDX-License-Identifier: GPL-3.0-or-later
// Records a live source to an Echolux recording, on a thread of its own.
#pragma once

#include "app/dataset/native/native_writer.hpp"
#include "app/dataset/recording/marks.hpp"
#include "app/live/live_recording.hpp"

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <filesystem>
#include <fstream>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace echolux {

struct RecorderSetup {
    std::filesystem::path file;
    double preTriggerS = 0.0; ///< frames that came so long before are recorded too, as far as they
                              ///< are kept
    std::optional<std::int64_t> mostFrames = {}; ///< stops after so many; null: when told
    std::optional<double> mostSeconds = {};      ///< from the start on, whether frames come or not
    int deflateLevel = 0;                        ///< 0 to 9
    bool overwrite = false;
    std::vector<std::filesystem::path> inUse = {}; ///< files that are never replaced
    std::string program = {};                      ///< name and version, for the recording
    std::string created = {};                      ///< ISO 8601, UTC
};

struct RecorderState {
    std::int64_t frames = 0;  ///< that are in the file
    std::int64_t missing = 0; ///< that were replaced in memory before they were written
    std::uint64_t bytes = 0;  ///< of samples
    double seconds = 0.0;     ///< from the first to the latest frame in the file
    bool finished = false;
    std::string failure = {}; ///< why writing ended early; the frames before are in the file
};

/// The frames wait in the memory of the live recording, so the source never waits for the disk. A
/// frame that is replaced there before it is written is counted as missing. Each written frame
/// survives the end of this process (see NativeWriter). Marks, changed parameters and gaps go to
/// FILE.events.csv beside the recording, a line each: frame of the file (from 1), seconds since the
/// first one, kind, name, value.
class Recorder {
public:
    /// Creates the file. Throws Error where that fails. `live` outlives the recorder.
    Recorder(LiveRecording& live, const RecorderSetup& setup);
    ~Recorder(); ///< calls finish()
    /// Stops, and waits until all that came before is written. Call it on one thread.
    RecorderState finish();

    // Any thread.
    /// Frames that come from now on are not recorded. The others are still written.
    void stop();
    void mark(const std::string& text) { note("mark", text, ""); }
    void parameter(const std::string& name, const std::string& value) {
        note("parameter", name, value);
    }
    /// Values of the pipeline, by name, that count from frame `number` of the live recording on.
    /// Does not wait for the disk.
    void pipeline(std::int64_t number, std::vector<std::pair<std::string, std::string>> values);
    RecorderState state() const;
    /// The place in the file, from 0, of frame `number` of the live recording. Waits until the
    /// frame is written, left out or beyond the end. Null where the file does not hold it, and
    /// after a request to stop.
    std::optional<std::int64_t> rowOf(std::int64_t number, const std::stop_token& stop) const;
    /// Number in the live recording of the frame that is written next.
    std::int64_t next() const;

private:
    /// Frames that are in the file one after the other.
    struct Run {
        std::int64_t first = 0; ///< of the live recording
        std::int64_t row = 0;   ///< of the file
        std::int64_t count = 0;
    };

    using TimePoint = FrameLoan::TimePoint;

    std::int64_t firstFrame() const;
    void note(const std::string& kind, const std::string& name, const std::string& value);
    void loop();
    void writeFrames();
    void writePipelineValues();
    std::int64_t placeOf(std::int64_t number) const;
    bool isComplete() const;
    bool isLate(TimePoint time) const;
    void write(const FrameLoan& frame);
    void skipTo(std::int64_t frame);
    void line(const std::string& kind, const std::string& name, const std::string& value);
    void lineAt(std::int64_t frame, double seconds, const std::string& kind,
                const std::string& name, const std::string& value);

    /// Values that wait for the thread of the recorder.
    struct PipelineValues {
        std::int64_t number = 0; ///< of the live recording
        std::vector<std::pair<std::string, std::string>> values;
    };

    LiveRecording& m_live;
    RecorderSetup m_setup;
    NativeWriter m_writer;

    std::mutex m_valuesMutex; ///< guards what follows; never held while something is written
    std::deque<PipelineValues> m_values;

    mutable std::mutex m_mutex; ///< guards what follows
    mutable std::condition_variable_any m_advanced;
    std::vector<Run> m_runs;
    std::ofstream m_events;
    RecorderState m_state;
    std::int64_t m_next = 0;              ///< of the live recording
    std::optional<std::int64_t> m_stopAt; ///< the first frame that is not recorded
    TimePoint m_triggered;
    std::optional<TimePoint> m_firstCame;
    std::thread m_thread; ///< last member
};

} // namespace echolux
