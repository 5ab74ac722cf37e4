// SPDX-License-Identifier: GPL-3.0-or-later
// Writes frames from the memory of a live recording, in order.
#include "app/live/recorder.hpp"

#include "app/dataset/recording/thread_name.hpp"
#include "gpu/core/csv_text.hpp"
#include "gpu/core/error.hpp"
#include "gpu/core/failure_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace echolux {
namespace {

constexpr double kLookS = 0.1; ///< how often the thread looks whether it shall stop

Provenance provenanceOf(LiveRecording& live, const RecorderSetup& setup) {
    Provenance provenance;
    provenance.program = setup.program;
    provenance.source = live.info().path.string();
    provenance.created = setup.created;
    provenance.notes = live.info().notes;
    for (const LiveParameter& each : live.source().parameters())
        provenance.notes.emplace_back(each.label,
                                      fmt::format("{:g} {} at the start", each.value, each.unit));
    provenance.aberration = live.info().aberration;
    return provenance;
}

NativeWriterOptions writerOptions(const RecorderSetup& setup) {
    return {.overwrite = setup.overwrite,
            .inUse = setup.inUse,
            .deflateLevel = setup.deflateLevel,
            .stamped = true};
}

double secondsBetween(FrameLoan::TimePoint from, FrameLoan::TimePoint to) {
    return std::chrono::duration<double>(to - from).count();
}

} // namespace

Recorder::Recorder(LiveRecording& live, const RecorderSetup& setup)
    : m_live(live), m_setup(setup), m_writer(setup.file, live.info().frame, live.info().frameRateHz,
                                             provenanceOf(live, setup), writerOptions(setup)),
      m_events(eventsOf(setup.file)), m_triggered(std::chrono::steady_clock::now()) {
    m_events << "frame,seconds,kind,name,value" << std::endl;
    if (!m_events)
        throw Error(fmt::format("'{}' cannot be written; choose another place for the recording.",
                                eventsOf(setup.file).string()));
    m_live.addRecorder();
    m_next = firstFrame();
    m_thread = std::thread([this] {
        nameThisThread("echolux-record");
        loop();
    });
}

Recorder::~Recorder() {
    finish();
    m_live.removeRecorder();
}

RecorderState Recorder::finish() {
    stop();
    if (m_thread.joinable()) m_thread.join();
    return state();
}

/// The oldest kept frame that came within the pre-trigger.
std::int64_t Recorder::firstFrame() const {
    const KeptFrames kept = m_live.kept();
    if (!(m_setup.preTriggerS > 0.0)) return kept.last + 1;
    std::int64_t first = kept.last + 1;
    while (first > kept.first) {
        const FrameLoan before = m_live.lend(first - 1);
        if (!before || secondsBetween(before.arrived(), m_triggered) > m_setup.preTriggerS) break;
        --first;
    }
    return first;
}

void Recorder::stop() {
    const std::lock_guard lock(m_mutex);
    if (!m_stopAt) m_stopAt = std::max(m_live.kept().last + 1, m_next);
}

RecorderState Recorder::state() const {
    const std::lock_guard lock(m_mutex);
    return m_state;
}

void Recorder::note(const std::string& kind, const std::string& name, const std::string& value) {
    const std::lock_guard lock(m_mutex);
    if (!m_state.finished) line(kind, name, value);
}

/// Call it under the lock. The line refers to the latest written frame.
void Recorder::line(const std::string& kind, const std::string& name, const std::string& value) {
    const double seconds =
        m_firstCame ? secondsBetween(*m_firstCame, std::chrono::steady_clock::now()) : 0.0;
    lineAt(m_state.frames, seconds, kind, name, value);
}

void Recorder::lineAt(std::int64_t frame, double seconds, const std::string& kind,
                      const std::string& name, const std::string& value) {
    m_events << fmt::format("{},{:.6f},{},{},{}", frame, seconds, kind, csvText(name),
                            csvText(value))
             << std::endl;
}

void Recorder::pipeline(std::int64_t number,
                        std::vector<std::pair<std::string, std::string>> values) {
    const std::lock_guard lock(m_valuesMutex);
    m_values.push_back({number, std::move(values)});
}

/// Writes those that count from a frame that has been dealt with.
void Recorder::writePipelineValues() {
    for (;;) {
        PipelineValues due;
        {
            const std::lock_guard lock(m_valuesMutex);
            if (m_values.empty() || m_values.front().number >= m_next) return;
            due = std::move(m_values.front());
            m_values.pop_front();
        }
        const FrameLoan frame = m_live.lend(due.number);
        const std::lock_guard lock(m_mutex);
        const auto came = frame ? frame.arrived() : std::chrono::steady_clock::now();
        const double seconds =
            m_firstCame ? std::max(secondsBetween(*m_firstCame, came), 0.0) : 0.0;
        for (const auto& [name, value] : due.values)
            lineAt(placeOf(due.number) + 1, seconds, "pipeline", name, value);
    }
}

/// Call it under the lock. Frames of the file that came before frame `number`.
std::int64_t Recorder::placeOf(std::int64_t number) const {
    const auto after = std::ranges::upper_bound(m_runs, number, {}, &Run::first);
    if (after == m_runs.begin()) return 0;
    const Run& run = *std::prev(after);
    return run.row + std::min(number - run.first, run.count);
}

bool Recorder::isComplete() const {
    const std::lock_guard lock(m_mutex);
    return (m_stopAt && m_next >= *m_stopAt) ||
           (m_setup.mostFrames && m_state.frames >= *m_setup.mostFrames);
}

/// Beyond the seconds that are wanted.
bool Recorder::isLate(TimePoint time) const {
    return m_setup.mostSeconds && secondsBetween(m_triggered, time) >= *m_setup.mostSeconds;
}

void Recorder::loop() {
    std::string failure;
    // What exhausts memory may do so again where its sentence is written.
    const auto tried = [&](const auto& work) {
        try {
            work();
        } catch (const std::exception& error) {
            if (failure.empty()) failure = failureText(error);
        }
    };
    tried([&] { writeFrames(); });
    tried([&] { writePipelineValues(); });
    tried([&] {
        const std::lock_guard lock(m_mutex);
        line("end", failure.empty() ? "complete" : failure, "");
    });
    {
        const std::lock_guard lock(m_mutex);
        m_state.finished = true;
        m_state.failure = std::move(failure);
    }
    m_advanced.notify_all();
}

void Recorder::writeFrames() {
    while (!isComplete()) {
        writePipelineValues();
        if (!m_live.waitFor(m_next, kLookS)) {
            const LiveState state = m_live.counters().state;
            if (state == LiveState::Ended || state == LiveState::Changed ||
                isLate(std::chrono::steady_clock::now()))
                stop();
            continue;
        }
        if (isComplete()) break; // it was stopped meanwhile
        const FrameLoan frame = m_live.lend(m_next);
        if (!frame) {
            skipTo(m_live.kept().first);
        } else if (isLate(frame.arrived())) {
            break;
        } else {
            write(frame);
        }
    }
    m_writer.close();
}

void Recorder::write(const FrameLoan& frame) {
    const std::size_t bytes = m_live.info().frame.bytes();
    m_writer.append({frame.samples(), bytes}, m_live.stampOf(m_next).value_or(FrameStamp{}));
    {
        const std::lock_guard lock(m_mutex);
        if (!m_firstCame) m_firstCame = frame.arrived();
        if (m_runs.empty() || m_runs.back().first + m_runs.back().count != m_next)
            m_runs.push_back({m_next, m_state.frames, 0});
        ++m_runs.back().count;
        ++m_next;
        ++m_state.frames;
        m_state.bytes += bytes;
        m_state.seconds = secondsBetween(*m_firstCame, frame.arrived());
    }
    m_advanced.notify_all();
}

std::int64_t Recorder::next() const {
    const std::lock_guard lock(m_mutex);
    return m_next;
}

std::optional<std::int64_t> Recorder::rowOf(std::int64_t number,
                                            const std::stop_token& stop) const {
    std::unique_lock lock(m_mutex);
    m_advanced.wait(lock, stop, [&] { return m_state.finished || number < m_next; });
    const auto after = std::ranges::upper_bound(m_runs, number, {}, &Run::first);
    if (after == m_runs.begin()) return std::nullopt;
    const Run& run = *std::prev(after);
    const std::int64_t place = number - run.first;
    return place < run.count ? std::optional(run.row + place) : std::nullopt;
}

/// Frames before `frame` were replaced before they were written.
void Recorder::skipTo(std::int64_t frame) {
    {
        const std::lock_guard lock(m_mutex);
        const std::int64_t to = std::max(frame, m_next + 1);
        m_state.missing += to - m_next;
        line("gap", fmt::format("{} frames", to - m_next), "");
        m_next = to;
    }
    m_advanced.notify_all();
}

} // namespace echolux
