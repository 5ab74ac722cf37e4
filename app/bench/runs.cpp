// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/bench/runs.hpp"

#include "app/prediction/timed_work.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <random>
#include <utility>

namespace echolux {

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

tbb::global_control oneThread() { return {tbb::global_control::max_allowed_parallelism, 1}; }

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
    stream(kWarmUps);
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
