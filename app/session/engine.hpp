// SPDX-License-Identifier: GPL-3.0-or-later
// One recording that is imaged live: its player, its pipeline thread, its mailboxes, its
// statistics.
#pragma once

#include "app/live/live_recording.hpp"
#include "app/pipeline/runner.hpp"
#include "app/session/host_work.hpp"
#include "app/session/look/looks.hpp"
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
    int gpu;      ///< the GPU's number, on CUDA
    int inFlight; ///< frames, on CUDA, 1 to kMostInFlight

    /// Makes the GPU the calling thread's. Throws Error where it does not answer.
    void select() const;
};

/// Memory that an engine may use.
struct EngineLimits {
    std::size_t keptBytes = 0; ///< staging memory for a recording that fits into it whole
    std::size_t runBytes = 0;  ///< raw bytes of one run, while playback is as fast as possible; 0:
                               ///< every frame is imaged alone

    static EngineLimits usual(Backend backend);
};

class Engine {
public:
    struct Callbacks {
        std::function<void(std::size_t view)> imageReady; ///< pipeline thread: mailbox(view) has
                                                          ///< a new image
        std::function<void(const std::string&)> failed; ///< source or pipeline thread: one sentence
        std::function<void()> looked; ///< pipeline thread: a look has an answer, see Look::run()
        std::function<void(const std::string&)> warned =
            {}; ///< source thread: one sentence about the data that were read
        std::function<void()> volumeChanged =
            {}; ///< pipeline thread: the volume, its en face image or its progress has changed, or
                ///< the volume has appeared or gone
    };

    /// Throws OutOfMemory where memory does not suffice. `snapshot` is planned for the recording's
    /// frames and ends in an f32 image. Selects the place's GPU for the calling thread. `looks`:
    /// those that will be asked for, so that the outputs they need are kept from the first frame
    /// on.
    Engine(std::unique_ptr<Recording> recording, SnapshotPtr snapshot, const EnginePlace& place,
           Callbacks callbacks, const LookTypes& looks = {});
    Engine(std::unique_ptr<Recording> recording, SnapshotPtr snapshot, const EnginePlace& place,
           Callbacks callbacks, const EngineLimits& limits, const LookTypes& looks = {});
    ~Engine();
    Engine(const Engine&) = delete;
    Engine& operator=(const Engine&) = delete;

    const RecordingInfo& info() const { return m_recording->info(); }
    /// The live source; null: a file.
    LiveRecording* live() { return dynamic_cast<LiveRecording*>(m_recording.get()); }
    Player& player() { return *m_player; }
    Mailbox& mailbox() { return mailbox(0); }
    /// The mailbox of view number `view`, less than kMostViews. It stays empty while the pipeline
    /// has no such view.
    Mailbox& mailbox(std::size_t view) { return m_mailboxes[view].mailbox; }
    VolumeStore& volume() { return m_volume; }

    /// Any thread but the pipeline's. Waits for the next frame boundary; from then on `sink`
    /// receives the images of view number `view`, while the pipeline has such a view. The caller
    /// removes the sink before destroying it, or destroys it after the engine. Throws Error where
    /// the memory for the sink does not suffice.
    void addSink(ImageSink& sink, std::size_t view = 0);
    /// Any thread but the pipeline's. Waits for the next frame boundary. Then the sink has received
    /// all images in flight, has given its memory back and is not called again.
    void removeSink(ImageSink& sink);
    /// The same for raw frames. The engine calls end() of sinks that are still there when it goes.
    void addSink(RawSink& sink);
    void removeSink(RawSink& sink);

    /// Any thread. How far the volume of a frozen B-scan is filled in; null while it is not being
    /// filled in.
    std::optional<VolumeProgress> volumeProgress() const { return m_sweep.progress(*m_player); }

    /// Puts the snapshot in force at the next frame boundary. Then the shown frame is run again.
    void post(SnapshotPtr snapshot);
    /// The snapshot posted last; after a refusal the one in force.
    SnapshotPtr snapshot() const;
    /// Any thread. How many snapshots were posted. Mailbox::shownEdit() tells how many of them had
    /// been applied or refused when the shown image was made.
    std::uint64_t edits() const;
    /// Any thread. On the CPU: gives up the frame that is being computed without the latest edit,
    /// and computes it with that edit. After kMostGivenUp frames in a row were given up, the next
    /// one is finished.
    void giveUpStale();
    static constexpr int kMostGivenUp = 3;

    /// Gives the memory of the pipeline and of the images back, so that something else may fit.
    /// Nothing is processed until resume(), which takes memory again and runs the shown frame
    /// again. Whoever reads the images must not read meanwhile.
    void suspend();
    void resume();

    /// Any thread but the pipeline's. The raw frame that was processed last, in host memory; of an
    /// ensemble its last frame. Waits for the next frame boundary. Throws Error where no frame has
    /// been processed yet. The caller must release the frame soon, because the source cannot use
    /// its slot meanwhile, and before the engine is destroyed.
    RawPlace shownRaw();

    struct ShownFrame {
        RawPlace raw;
        SnapshotPtr snapshot;         ///< the snapshot that imaged it; null: it is being imaged
                                      ///< again
        std::vector<std::byte> state; ///< Runner::stateOf() of the requested stage
    };
    /// shownRaw() with the state that `stage` left after this frame. Waits until all frames in
    /// flight have ended.
    ShownFrame shownFrame(const std::string& stage);

    struct RawCopy {
        std::int64_t frame = 0; ///< in the recording
        std::vector<std::byte> bytes;
    };
    /// A copy of shownRaw(). The pipeline continues while it is made.
    RawCopy copyShownRaw();

    /// Any thread. The look of that type, which lives as long as the engine. One that was not given
    /// to the constructor is made, and where it needs further outputs the pipeline in force is
    /// planned anew.
    Look& look(const LookType& type);
    template <class L> L& look() { return static_cast<L&>(look(kLookType<L>)); }

    /// Any thread. Frames of one run while playback is as fast as possible; else 1.
    std::int64_t framesPerRun() const { return m_framesPerRun; }

    /// Any thread. From the next frame boundary on, no stages are fused and every frame is timed
    /// step by step. This is slower. The states of earlier frames are lost, as after a structural
    /// edit. Where memory does not suffice, `failed` says so and nothing changes; statistics()
    /// tells what is in force.
    void timeSeparately(bool separately);
    FrameTraces& traces() { return m_traces; }

    Statistics statistics();
    void resetCounters() { m_statistics.resetCounters(); } ///< counters of copies and allocations

private:
    struct InFlight {
        RawPlace raw; ///< the frame that counts as shown once this is done
        FrameRun frames;
        Clock::time_point arrived;
        enum class For { Screen, Sweep, Past } purpose = For::Screen; ///< sinks receive the first
        int slot = -1;
        std::array<const float*, kMostViews> images = {}; ///< per view; of a run the last one
        const Event* delivered = nullptr;                 ///< passes when all that the sinks
                                                          ///< enqueued has run
    };
    /// Mailbox of a view, with the sink that fills it.
    struct ViewMailbox {
        Mailbox mailbox;
        MailboxSink sink;
        ViewMailbox(Backend backend, int images, Mailbox::Presented presented,
                    MailboxSink::Published published)
            : mailbox(backend, images, std::move(presented)), sink(mailbox, std::move(published)) {}
    };

    /// What other threads asked for, and did not get yet.
    struct Wishes {
        bool stop = false;
        bool tasks = false;   ///< m_tasks waits for a frame boundary
        bool edit = false;    ///< m_posted or m_fusing must be applied
        bool past = false;    ///< states of the pipeline lack images before the shown one
        bool sweep = false;   ///< the volume of the shown frame may lack B-scans
        int suspensions = 0;  ///< calls of suspend() without a resume() yet
        bool resting = false; ///< the suspension is complete; the pipeline thread writes it
    };
    /// A row of what the pipeline thread may do next.
    struct Decision {
        bool (*isDue)(const Engine& engine, const Wishes& wishes);
        bool (*act)(Engine& engine); ///< false: nothing was to be done
        bool whileSuspended = false; ///< holds during suspend(), too
    };
    static const std::array<Decision, 11> kDecisions; ///< the first one that is due is taken
    template <void (Engine::*act)()> static bool done(Engine& engine) {
        (engine.*act)();
        return true;
    }

    void selectPlace();
    void loop();
    void wish(bool Wishes::*what); ///< any thread
    bool decide(const Wishes& wishes);
    void sleep(std::unique_lock<std::mutex>& lock);
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
    InFlight& unseen(const RawRef& raw, InFlight::For purpose);
    void startSwept(const RawRef& raw);
    void startPast(const RawRef& raw);
    void resetAfterJump(const FrameRun& next);
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
    void refillPast();
    void beginSweep();
    void retireAll();
    bool isLookDue() const;
    void lookClosely();
    void wake(); ///< any thread
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
    /// One per view. The reader of the first one reports to m_statistics.
    std::deque<ViewMailbox> m_mailboxes;
    VolumeStore m_volume;
    ImageSinks m_sinks;
    std::vector<RawSink*> m_rawSinks;
    VolumeSweep m_sweep;
    RunningLooks m_looks;

    // Pipeline thread only.
    std::deque<InFlight> m_inFlight;
    std::vector<Event> m_delivered; ///< one per frame in flight, used in turn
    std::size_t m_begun = 0;        ///< frames that have used one
    RawPlace m_lastRaw; ///< of the shown frame (of an ensemble its last one), to run it again after
                        ///< an edit
    RawPlace m_split;   ///< next frame of a run whose frames are imaged one by one
    bool m_runsPrepared = false; ///< RunImager::prepare() was called for the snapshot in force
    std::atomic<std::int64_t> m_framesPerRun{1};
    std::vector<ConstTensorView> m_lastImages; ///< per view; empty: a new size has replaced them
    int m_lastSlot = -1; ///< the slot that made m_lastImages; -1: another frame has used it since
    bool m_runAgain = false;
    HostWork m_hostWork;          ///< a frame on the CPU
    RawPlace m_givenUp;           ///< a frame that was given up; it is run next
    std::atomic<int> m_gaveUp{0}; ///< frames given up in a row
    /// A frame that was given up may have overwritten states of stages.
    bool m_statesAreTorn = false;
    bool m_broken = false;
    std::int64_t m_lastIndex = -1; ///< of the frame that was started last
    bool m_pastIsNewest = false;   ///< that frame is no frame to be shown, see RawFrame::isPast
    std::uint64_t m_serial = 0;
    FrameTrace m_trace; ///< kept, so that its vectors need no new memory
    Clock::time_point m_editArrived;
    std::uint64_t m_edit = 0; ///< how many of m_edits have been applied or refused

    mutable std::mutex m_mutex; ///< guards what follows; never held while a frame is processed
    std::condition_variable m_wake;
    std::condition_variable m_atRest;
    Wishes m_wishes;
    SnapshotPtr m_posted;
    std::uint64_t m_edits = 0;                       ///< posted
    Fusing m_fusing = Fusing::Allowed;               ///< requested together with m_posted
    std::vector<std::packaged_task<void()>> m_tasks; ///< for the next frame boundary

    std::thread m_thread;
    std::unique_ptr<Player> m_player; ///< last member: its thread calls into those above
};

} // namespace echolux
