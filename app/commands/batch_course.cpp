// SPDX-License-Identifier: GPL-3.0-or-later
// Gives tasks to threads. Each task runs programs.
#include "app/commands/batch_course.hpp"

#include "app/command_line/options.hpp"
#include "app/export/parts.hpp"
#include "gpu/core/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>
#include <utility>

namespace echolux {
namespace {

using Words = std::vector<std::string>;

/// Calls `work` with the worker's number in up to `count` threads, and waits. Throws what the first
/// one throws.
void onThreads(std::size_t count, const std::function<void(std::size_t worker)>& work) {
    std::mutex mutex;
    std::exception_ptr failure;
    {
        std::vector<std::jthread> workers;
        for (std::size_t n = 0; n < count; ++n)
            workers.emplace_back([&, n] {
                try {
                    work(n);
                } catch (...) {
                    const std::scoped_lock lock(mutex);
                    if (!failure) failure = std::current_exception();
                }
            });
    }
    if (failure) std::rethrow_exception(failure);
}

/// Calls `work` for 0 to `count` - 1 in as many threads as jobs may run at once, and waits.
void onEach(std::size_t count, const BatchSetup& setup,
            const std::function<void(std::size_t n, std::size_t worker)>& work) {
    std::atomic<std::size_t> next = 0;
    onThreads(std::min(static_cast<std::size_t>(setup.atOnce), count), [&](std::size_t worker) {
        for (std::size_t n = next++; n < count; n = next++) work(n, worker);
    });
}

Words gpuWords(const BatchSetup& setup, std::size_t worker) {
    if (setup.gpus.empty()) return {};
    const int gpu = setup.gpus[worker % setup.gpus.size()];
    return {"--backend", "cuda", "--device", std::to_string(gpu)};
}

} // namespace

void shareAll(std::vector<PlannedJob>& jobs, const BatchSetup& setup) {
    std::vector<std::string> why(jobs.size());
    onEach(jobs.size(), setup, [&](std::size_t n, std::size_t worker) {
        if (jobs[n].shares.frames == 0) return;
        setKey(jobs[n].job);
        why[n] = shareFrames(jobs[n].job, jobs[n].shares, setup.program, gpuWords(setup, worker));
    });
    for (std::size_t n = 0; n < jobs.size(); ++n)
        if (!why[n].empty())
            printWarnings(
                {fmt::format("{} is one job: {}", jobs[n].job.recording.string(), why[n])});
}

BatchCourse::BatchCourse(const BatchSetup& setup, std::vector<PlannedJob> jobs) : m_setup(setup) {
    std::vector<char> done(jobs.size()); // not bool: threads write neighbours
    onEach(jobs.size(), m_setup, [&](std::size_t n, std::size_t /*worker*/) {
        setKey(jobs[n].job);
        done[n] = !m_setup.again && isDone(jobs[n].job);
    });
    std::vector<PlannedJob> open;
    std::vector<BatchJob> kept;
    for (std::size_t n = 0; n < jobs.size(); ++n) {
        if (done[n] != 0)
            kept.push_back(std::move(jobs[n].job));
        else
            open.push_back(std::move(jobs[n]));
    }
    shareAll(open, m_setup);
    for (PlannedJob& each : open) {
        const std::size_t parts = each.job.parts.size();
        for (std::size_t part = 0; part < std::max<std::size_t>(parts, 1); ++part)
            m_tasks.push_back({m_states.size(), part});
        m_states.push_back({std::move(each.job), parts, {}});
    }
    for (BatchJob& each : kept) m_states.push_back({std::move(each), 0, {}});
    for (std::size_t n = open.size(); n < m_states.size(); ++n)
        tell(m_kept, "kept", m_states[n].job, "");
}

void BatchCourse::run() {
    onThreads(std::min(static_cast<std::size_t>(m_setup.atOnce), m_tasks.size()),
              [this](std::size_t worker) { work(worker); });
    std::printf("%zu done, %zu kept, %zu failed\n", m_done, m_kept, m_failed);
    if (m_failed > 0)
        throw Error(fmt::format("{} of {} recordings failed; their files in '{}' say why. The "
                                "same command tries these again.",
                                m_failed, m_states.size(), m_setup.folder.string()));
}

void BatchCourse::work(std::size_t worker) {
    const Words more = gpuWords(m_setup, worker);
    for (;;) {
        Task task;
        {
            const std::lock_guard lock(m_mutex);
            if (m_next == m_tasks.size()) return;
            task = m_tasks[m_next++];
        }
        const State& state = m_states[task.job];
        if (state.job.parts.empty() || makePart(task, more)) finish(state, more);
    }
}

bool BatchCourse::makePart(const Task& task, const Words& more) {
    State& state = m_states[task.job];
    const BatchPart& part = state.job.parts[task.part];
    bool isWanted = true;
    {
        const std::lock_guard lock(m_mutex);
        isWanted = state.parts.error.empty();
    }
    StepEnd end;
    if (isWanted && (m_setup.again || !isUsablePart(part.output, m_setup.version))) {
        std::error_code ignored; // the export says what is wrong
        std::filesystem::create_directories(part.output.parent_path(), ignored);
        end = runStep(part.step, m_setup.program, more);
    }
    const std::lock_guard lock(m_mutex);
    if (state.parts.error.empty()) state.parts.error = end.error;
    state.parts.seconds += end.seconds;
    --state.partsLeft;
    const std::size_t all = state.job.parts.size();
    if (isWanted && end.error.empty())
        std::printf("%s: %zu of %zu parts\n", state.job.recording.filename().c_str(),
                    all - state.partsLeft, all);
    std::fflush(stdout);
    return state.partsLeft == 0;
}

void BatchCourse::finish(const State& state, const Words& more) {
    const nlohmann::ordered_json result = runJob(state.job, state.parts, m_setup.program, more);
    std::string error = result.value("error", "");
    try {
        writeResult(state.job, result);
    } catch (const Error& refused) {
        error = refused.what();
    }
    if (!error.empty()) return tell(m_failed, "failed", state.job, ": " + error);
    removeParts(state.job);
    tell(m_done, "done", state.job, fmt::format(" {:.2f} s", result["seconds"].get<double>()));
}

void BatchCourse::tell(std::size_t& count, const char* what, const BatchJob& job,
                       const std::string& more) {
    const std::lock_guard lock(m_mutex);
    ++count;
    std::printf("[%zu/%zu] %s %s%s\n", m_done + m_kept + m_failed, m_states.size(), what,
                job.recording.filename().c_str(), more.c_str());
    std::fflush(stdout);
}

} // namespace echolux
