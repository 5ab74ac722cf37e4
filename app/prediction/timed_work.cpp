// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/prediction/timed_work.hpp"

#include <algorithm>
#include <chrono>
#include <iterator>
#include <utility>

namespace echolux {

namespace {

/// Runs frames one at a time and hands on the times of those after the warm-ups, while
/// wantsMore(number of timed frames).
template <class WantsMore, class Take>
void timeFrames(Runner& runner, const FrameJob& job, const WantsMore& wantsMore, const Take& take) {
    for (int i = -kWarmUps; i < 0 || wantsMore(i); ++i) {
        const int slot = runner.enqueue(job);
        runner.wait(slot);
        const FrameTiming& timing = runner.timing(slot);
        if (i >= 0) take(timing);
    }
}

double processingMs(const FrameTiming& timing) { return timing.totalMs - timing.uploadMs; }

template <class WantsMore>
StepMedians mediansOfSteps(Runner& runner, const FrameJob& job, const WantsMore& wantsMore) {
    runner.timeEveryFrame();
    std::vector<std::vector<double>> ofSteps(runner.steps().size());
    std::vector<double> ofAll;
    timeFrames(runner, job, wantsMore, [&](const FrameTiming& timing) {
        for (std::size_t i = 0; i < ofSteps.size(); ++i) ofSteps[i].push_back(timing.stepMs[i]);
        ofAll.push_back(processingMs(timing));
    });
    StepMedians times;
    for (std::vector<double>& step : ofSteps) times.stepMs.push_back(medianOf(std::move(step)));
    times.processingMs = medianOf(std::move(ofAll));
    return times;
}

} // namespace

double medianOf(std::vector<double> values) {
    const auto middle = values.begin() + std::ssize(values) / 2;
    std::nth_element(values.begin(), middle, values.end());
    return *middle;
}

double medianProcessingMs(Runner& runner, const FrameJob& job, int repeat) {
    std::vector<double> times;
    timeFrames(
        runner, job, [repeat](int timed) { return timed < repeat; },
        [&](const FrameTiming& timing) { times.push_back(processingMs(timing)); });
    return medianOf(std::move(times));
}

StepMedians stepMedians(Runner& runner, const FrameJob& job, int repeat) {
    return mediansOfSteps(runner, job, [repeat](int timed) { return timed < repeat; });
}

StepMedians stepMedians(Runner& runner, const FrameJob& job, std::chrono::milliseconds time) {
    const auto end = std::chrono::steady_clock::now() + time;
    return mediansOfSteps(runner, job, [end](int timed) {
        return timed < kFewestTimed || std::chrono::steady_clock::now() < end;
    });
}

double medianWorkMs(const Exec& exec, int repeat, int calls, const std::function<void()>& work) {
    return medianOf(workMs(exec, repeat, calls, work));
}

std::vector<double> workMs(const Exec& exec, int repeat, int calls,
                           const std::function<void()>& work) {
    using Clock = std::chrono::steady_clock;
    const bool cpu = exec.backend == Backend::Cpu;
    const Event start(exec.backend, true);
    const Event end(exec.backend, true);
    std::vector<double> times;
    for (int i = cpu ? -1 : -kWarmUps; i < repeat; ++i) {
        const auto from = Clock::now();
        start.record(exec);
        for (int call = 0; call < calls; ++call) work();
        end.record(exec);
        end.synchronize();
        const std::chrono::duration<double, std::milli> spent = Clock::now() - from;
        const double ms = cpu ? spent.count() : device::elapsedMs(start.get(), end.get());
        if (i >= 0) times.push_back(ms / calls);
    }
    return times;
}

} // namespace echolux
