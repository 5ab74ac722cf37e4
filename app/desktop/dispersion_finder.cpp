// SPDX-License-Identifier: GPL-3.0-or-later
// Runs the search on frames and reports it.
#include "app/desktop/dispersion_finder.hpp"

#include "ui/controls/failure_sentence.hpp"

#include <algorithm>
#include <utility>
#include <vector>

namespace echolux {
namespace {

/// Adds the shown frame from host memory and further frames from the recording's file.
void addFrames(SharpnessProbe& probe, const DispersionFinder::Task& task,
               const std::stop_token& stop) {
    const Engine::RawCopy shown = task.engine->copyShownRaw();
    probe.addFrame(shown.bytes);
    const std::int64_t count = task.engine->info().frameCount;
    const std::int64_t frames = std::min<std::int64_t>(task.frames, count);
    if (frames <= 1) return;
    const auto recording = openRecording(task.recording.file, task.recording.options);
    std::vector<std::byte> raw(recording->info().frame.bytes());
    for (std::int64_t i = 1; i < frames && !stop.stop_requested(); ++i) {
        recording->readFrame((shown.frame + count * i / frames) % count, raw);
        probe.addFrame(raw);
    }
}

} // namespace

DispersionFinder::DispersionFinder(QObject* parent) : QObject(parent) {}

DispersionFinder::~DispersionFinder() { cancel(); } // and waits for the threads

void DispersionFinder::start(Task task) {
    cancel();
    m_busy = true;
    {
        const std::lock_guard lock(m_mutex);
        m_waiting = {};
        m_waitingOf = m_id;
    }
    auto search = [this, id = m_id, task = std::move(task)](const std::stop_token& stop) mutable {
        run(id, task, stop);
        // NOTE: this may close the recording. It must happen before ended(), which joins this
        // thread.
        task = {};
        QMetaObject::invokeMethod(
            this, [this, id] { ended(id); }, Qt::QueuedConnection);
    };
    m_searches.push_back({m_id, std::jthread(std::move(search))});
}

void DispersionFinder::cancel() {
    ++m_id;
    m_busy = false;
    for (Search& search : m_searches) search.thread.request_stop();
}

void DispersionFinder::ended(std::uint64_t id) {
    std::erase_if(m_searches, [id](const Search& search) { return search.id == id; });
}

template <class Call> void DispersionFinder::tell(std::uint64_t id, Call call) {
    QMetaObject::invokeMethod(
        this,
        [this, id, call] {
            if (id == m_id) call();
        },
        Qt::QueuedConnection);
}

void DispersionFinder::run(std::uint64_t id, const Task& task, const std::stop_token& stop) {
    try {
        task.place.select();
        SharpnessProbe probe(task.place.backend, *task.chain, task.region, task.metric);
        addFrames(probe, task, stop);
        if (stop.stop_requested()) return;
        Outcome outcome;
        if (task.present) outcome.before = probe(*task.present);
        outcome.found = searchDispersion(
            probe, {.quartic = task.quartic, .largest = probe.largestTerms()},
            [&](const DispersionTrial& trial) { return noteTrial(id, trial, stop); });
        if (outcome.found.stopped) return;
        tell(id, [this, outcome] {
            m_busy = false;
            emit found(outcome);
        });
    } catch (const std::exception& error) {
        tell(id, [this, sentence = sentenceOf(error)] {
            m_busy = false;
            emit failed(sentence);
        });
    }
}

/// Returns false where the search must end. There may be thousands of trials per second, so waiting
/// ones are reported together.
bool DispersionFinder::noteTrial(std::uint64_t id, const DispersionTrial& trial,
                                 const std::stop_token& stop) {
    bool first = false;
    {
        const std::lock_guard lock(m_mutex);
        if (id != m_waitingOf) return false;
        first = m_waiting.numbers.isEmpty();
        m_waiting.numbers.push_back(static_cast<double>(trial.number));
        m_waiting.sharpness.push_back(trial.sharpness);
        m_waiting.best.push_back(trial.bestSharpness);
        m_waiting.terms = trial.best;
        m_waiting.progress = trial.progress;
    }
    if (first) tell(id, [this] { deliverTrials(); });
    return !stop.stop_requested();
}

void DispersionFinder::deliverTrials() {
    Trials trials;
    {
        const std::lock_guard lock(m_mutex);
        std::swap(trials, m_waiting);
    }
    emit tried(trials);
}

} // namespace echolux
