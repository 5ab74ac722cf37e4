// SPDX-License-Identifier: GPL-3.0-or-later
// One recording being imaged live: its player, its pipeline thread, its mailbox, its statistics.
#pragma once

#include "app/pipeline/runner.hpp"
#include "app/session/column/picked_column.hpp"
#include "app/session/host_work.hpp"
#include "app/session/run_imager.hpp"
#include "app/session/stream/frame_traces.hpp"
#include "app/session/stream/image_sinks.hpp"
#include "app/session/stream/live_statistics.hpp"
#include "app/session/stream/mailbox_sink.hpp"
#include "app/session/stream/raw_sink.hpp"
#include "app/session/volume/volume_sweep.hpp"

#include <array>
#include <atomic>
#include <condition_variable>
#include <deque>
#include <functional>
#include <future>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

namespace echolux {

/// Where an engine computes.
struct EnginePlace {
    static constexpr int kUsualInFlight = 3;
    static constexpr int kMostInFlight = 16;

    EnginePlace(Backend on, int gpuNumber = 0, int framesInFlight = kUsualInFlight)
        : backend(on), gpu(gpuNumber), inFlight(framesInFlight) {}

    Backend backend;
    int gpu;      ///< its number, on CUDA
    int inFlight; ///< frames, on CUDA, 1 to kMostInFlight

    /// The GPU is the calling thread's from here on. Throws Error where it does not answer.
    void select() const;
};

/// What an engine may use.
struct EngineLimits {
    std::size_t keptBytes = 0; ///< staging memory for a recording that fits in there whole
    std::size_t runBytes = 0;  ///< raw bytes that are imaged at once where nobody looks at each
                               ///< frame; 0: every frame alone

    static EngineLimits usual(Backend backend);
};

class Engine {
public:
    struct Callbacks {
        std::function<void(std::size_t view)> imageReady; ///< pipeline thread: mailbox(view) has
                                                          ///< a new image
        std::function<void(const std::string&)> failed; ///< source or pipeline thread: one sentence
        std::function<void()> columnReady;              ///< pipeline thread: column() has news
        std::function<void(const std::string&)> warned =
            {}; ///< source thread: one sentence about what was read
        std::function<void()> volumeChanged =
            {}; ///< pipeline thread: the volume, its en face image, or how far it is filled in is
                ///< another, or it begins or ceases to be
    };

    /// Throws OutOfMemory where memory does not suffice. `snapshot` is planned for the recording's
    /// frames and ends in an f32 image. The calling thread selects the place's GPU.
    Engine(std::unique_ptr<Recording> recording, SnapshotPtr snapshot, const EnginePlace& place,
           Callbacks callbacks);
    Engine(std::unique_ptr<Recording> recording, SnapshotPtr snapshot, const EnginePlace& place,
           Callbacks callbacks, const EngineLimits& limits);
    ~Engine();
    Engine(const Engine&) = delete;
    Engine& operator=(const Engine&) = delete;

    const RecordingInfo& info() const { return m_recording->info(); }
    Player& player() { return *m_player; }
    Mailbox& mailbox() { return mailbox(0); }
    /// Of view number `view` of the pipeline, less than kMostViews; empty while there is none.
    Mailbox& mailbox(std::size_t view) { return m_mailboxes[view].mailbox; }
    VolumeStore& volume() { return m_volume; }

    /// Any thread but the pipeline's: from the next frame boundary on, for which this waits, `sink`
    /// takes the images of view number `view`, while the pipeline has one. It is removed before it
    /// goes, or goes after the engine. Throws Error where its memory does not suffice.
    void addSink(ImageSink& sink, std::size_t view = 0);
    /// The same: `sink` has got what was on its way, gives its memory back and is left alone.
    void removeSink(ImageSink& sink);
    /// The same of raw frames. The engine ends what it was not asked to remove.
    void addSink(RawSink& sink);
    void removeSink(RawSink& sink);

    /// Any thread: as VolumeStore::setEnFace(), also while no frame comes.
    void setEnFace(const EnFaceView& view);
    /// The same as VolumeStore::showSide().
    void showSide(std::optional<double> lateral);

    /// Any thread: how far the volume of a frozen B-scan is filled in; null while it is not.
    std::optional<VolumeProgress> volumeProgress() const { return m_sweep.progress(*m_player); }

    /// Takes effect at the next frame boundary; the shown frame is run again.
    void post(SnapshotPtr snapshot);
    /// The latest posted, or the one in force after a refused one.
    SnapshotPtr snapshot() const;
    /// Any thread: how many were posted. An image tells how many of them were in force, or refused,
    /// when it was made (Mailbox::shownEdit()).
    std::uint64_t edits() const;
    /// Any thread: on the CPU a frame that is being computed without the latest edit is given up,
    /// and computed with it. Of kMostGivenUp in a row, the next one is finished.
    void giveUpStale();
    static constexpr int kMostGivenUp = 3;

    /// Gives the pipeline's and the images' memory back, so that something else may fit, and
    /// processes nothing until resume() takes it again and runs the shown frame. The images' reader
    /// must rest too.
    void suspend();
    void resume();

    /// Any thread but the pipeline's: the raw frame that was processed last, of an ensemble its
    /// last one, in host memory. Waits for the next frame boundary. Throws Error where there is
    /// none yet. What holds it goes soon, for the source lacks its slot, and before the engine.
    RawPlace shownRaw();

    struct ShownFrame {
        RawPlace raw;
        SnapshotPtr snapshot;         ///< that imaged it; null: it is being imaged anew
        std::vector<std::byte> state; ///< Runner::stateOf() the stage that was asked for
    };
    /// shownRaw(), with what `stage` made of it and left to the next frame. Waits until all that is
    /// in flight has ended.
    ShownFrame shownFrame(const std::string& stage);

    struct RawCopy {
        std::int64_t frame = 0; ///< in the recording
        std::vector<std::byte> bytes;
    };
    /// A copy of shownRaw(), made while the pipeline goes on.
    RawCopy copyShownRaw();

    void pickColumn(std::optional<double> lateralM);
    /// Any thread: the recorded channels of a transmit come with the column's news; null: none.
    void wantChannels(std::optional<std::int64_t> transmit);
    std::shared_ptr<const ChannelMatrix> channels() const { return m_column.channels(); }
    std::optional<ColumnData> column() const { return m_column.data(); }

    /// Any thread: frames that are imaged at once while playing as fast as possible; else 1.
    std::int64_t framesPerRun() const { return m_framesPerRun; }

    /// Any thread: from the next frame boundary on, stages that would run as one run each for
    /// itself, and every frame is timed step by step. The whole is slower so; frames to come meet
    /// no past, as after a structural edit. Where memory does not suffice, `failed` says so and all
    /// stays as it was; statistics() tells what is in force.
    void timeSeparately(bool separately);
    /// Any thread: while on, every frame is timed step by step, and traces() has the latest.
    void trace(bool on) { m_tracing = on; }
    std::vector<FrameTrace> traces() const { return m_traces.latest(); }

    Statistics statistics();
    void resetCounters() { m_statistics.resetCounters(); } ///< of copies and allocations

private:
    struct InFlight {
        RawPlace raw; ///< shown afterwards
        FrameRun frames;
        Clock::time_point arrived;
        bool swept = false; ///< for the sweep alone: no sink is told
        int slot = -1;
        std::array<const float*, kMostViews> images = {}; ///< the (last) one per view
        const Event* delivered = nullptr;                 ///< all that the sinks enqueued has run
    };
    /// What puts a view's images on the screen.
    struct ViewMailbox {
        Mailbox mailbox;
        MailboxSink sink;
        ViewMailbox(Backend backend, int images, Mailbox::Presented presented,
                    MailboxSink::Published published)
            : mailbox(backend, images, std::move(presented)), sink(mailbox, std::move(published)) {}
    };

    void selectPlace();
    void loop();
    void decide(std::unique_lock<std::mutex>& lock);
    bool hasWork() const;
    void giveMemoryBack();
    void applyPending();
    void adopt(const SnapshotPtr& snapshot, Fusing fusing);
    void gather(std::int64_t frames);
    RawRef takeWanted();
    bool mayStart() const;
    bool startGivenUp();
    bool startNext();
    void start(const RawPlace& raw, bool again);
    InFlight inFlight(const RawPlace& raw, bool again) const;
    void compute(InFlight& job, const ViewTargets& targets, Turn turn);
    void giveUp();
    void startRun(const RawRef& run);
    void startSwept(const RawRef& raw);
    std::size_t viewCount() const { return m_runner.snapshot()->views.size(); }
    const FrameSpec& imageSpec(std::size_t view) const;
    void deliver(InFlight& job, const ViewTargets& targets);
    bool runsDue() const;
    void prepareRuns();
    Runner& runnerOf(const InFlight& job);
    void retireOldest();
    void show(const InFlight& done);
    bool timesEveryFrame() const;
    void traceShown(const InFlight& done);
    void beginSweep();
    void retireAll();
    void updateColumn();
    void wakeForColumn();
    bool columnDue() const;
    void atBoundary(const std::function<void()>& task);
    void runTasks();
    void fail(const std::string& sentence);

    EnginePlace m_place;
    std::unique_ptr<Recording> m_recording;
    Callbacks m_callbacks;
    Runner m_runner;
    RunImager m_runs;
    Ring m_ring;
    LiveStatistics m_statistics;
    FrameTraces m_traces;
    std::atomic<bool> m_tracing{false};
    /// Per view; the first one's reader reports to m_statistics.
    std::deque<ViewMailbox> m_mailboxes;
    VolumeStore m_volume;
    ImageSinks m_sinks;
    std::vector<RawSink*> m_rawSinks;
    VolumeSweep m_sweep;
    PickedColumn m_column;

    // Pipeline thread only.
    std::deque<InFlight> m_inFlight;
    std::vector<Event> m_delivered; ///< one per frame in flight, in turn
    std::size_t m_begun = 0;        ///< frames that took one
    RawPlace m_lastRaw; ///< of the shown frame, the last of an ensemble, for another image after
                        ///< an edit
    RawPlace m_split;   ///< next of a run whose frames are imaged one by one
    bool m_runsPrepared = false; ///< for the snapshot in force, whatever the answer was
    std::atomic<std::int64_t> m_framesPerRun{1};
    std::vector<ConstTensorView> m_lastImages; ///< per view; none: they have gone with their size
    int m_lastSlot = -1; ///< that made them; -1: another frame has used it since
    bool m_runAgain = false;
    HostWork m_hostWork;          ///< a frame on the CPU
    RawPlace m_givenUp;           ///< before it was shown; it is run next
    std::atomic<int> m_gaveUp{0}; ///< frames in a row
    /// A frame that was given up has written over what stages left to the next frame.
    bool m_statesAreTorn = false;
    bool m_broken = false;
    std::int64_t m_lastIndex = -1;
    std::uint64_t m_serial = 0;
    FrameTrace m_trace; ///< keeps its room
    Clock::time_point m_editArrived;
    std::uint64_t m_edit = 0; ///< of m_edits, the latest that was applied or refused

    mutable std::mutex m_mutex; ///< guards what follows; never held while a frame is processed
    std::condition_variable m_wake;
    std::condition_variable m_atRest;
    bool m_stop = false;
    int m_suspensions = 0;  ///< asked for and not taken back
    bool m_resting = false; ///< done; written by the pipeline thread
    SnapshotPtr m_posted;
    std::uint64_t m_edits = 0;                       ///< posted
    Fusing m_fusing = Fusing::Allowed;               ///< posted with it
    bool m_pending = false;                          ///< posted, or asked for anew, and not applied
    std::vector<std::packaged_task<void()>> m_tasks; ///< for the next frame boundary
    bool m_sweepDue = false;                         ///< the shown volume may lack B-scans

    std::thread m_thread;
    std::unique_ptr<Player> m_player; ///< last: its thread calls into the above
};

} // namespace echolux
