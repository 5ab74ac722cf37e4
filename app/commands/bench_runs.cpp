// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands/bench_runs.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <iterator>
#include <limits>
#include <random>
#include <utility>

namespace echolux {

namespace {

/// Runs frames one at a time and hands on the times of those after the warm-ups, while
/// wantsMore(number of timed frames).
template <class WantsMore, class Take>
void timeFrames(Runner& runner, const FrameJob& job, const WantsMore& wantsMore, const Take& take) {
    for (int i = -kBenchWarmUps; i < 0 || wantsMore(i); ++i) {
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

void Deviation::add(double magnitude, double difference) {
    m_greatest = std::max(m_greatest, magnitude);
    if (std::isnan(difference)) difference = std::numeric_limits<double>::max();
    m_worst = std::max(m_worst, difference);
}

double Deviation::relative() const {
    if (m_worst == std::numeric_limits<double>::max()) return m_worst;
    return m_greatest > 0.0 ? m_worst / m_greatest : 1.0;
}

void addStage(PipelineConfig& config, const char* type,
              std::vector<std::pair<std::string, ParamValue>> values) {
    config.stages.push_back({type, type, false, std::move(values)});
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

double medianOf(std::vector<double> values) {
    const auto middle = values.begin() + std::ssize(values) / 2;
    std::nth_element(values.begin(), middle, values.end());
    return *middle;
}

OneThread oneThread() { return {tbb::global_control::max_allowed_parallelism, 1}; }

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
    for (int i = cpu ? -1 : -kBenchWarmUps; i < repeat; ++i) {
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

double streamingSeconds(Runner& runner, const FrameJob& job, int repeat) {
    const auto stream = [&](int frames) {
        std::vector<int> inFlight;
        for (int i = 0; i < frames; ++i) {
            if (static_cast<int>(inFlight.size()) == runner.slotCount()) {
                runner.wait(inFlight.front());
                inFlight.erase(inFlight.begin());
            }
            inFlight.push_back(runner.enqueue(job));
        }
        runner.drain();
    };
    stream(kBenchWarmUps);
    const int frames = repeat * runner.slotCount();
    const auto start = std::chrono::steady_clock::now();
    stream(frames);
    const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - start;
    return spent.count() / frames;
}

std::vector<float> onHost(const Exec& exec, const Buffer& floats) {
    std::vector<float> values(floats.bytes() / sizeof(float));
    download(exec, values.data(), floats.data(), floats.bytes());
    if (exec.backend == Backend::Cuda) device::synchronize(exec.stream);
    return values;
}

std::vector<float> randomNumbers(std::size_t count) {
    std::vector<float> numbers(count);
    std::minstd_rand random(1);
    std::uniform_real_distribution<float> uniform(-1.0F, 1.0F);
    std::ranges::generate(numbers, [&] { return uniform(random); });
    return numbers;
}

} // namespace echolux
