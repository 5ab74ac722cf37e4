// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands/bench_runs.hpp"

#include <algorithm>
#include <vector>

namespace echolux {

double medianProcessingMs(Runner& runner, const FrameJob& job, int repeat) {
    std::vector<double> times;
    for (int i = 0; i < kBenchWarmUps + repeat; ++i) {
        const int slot = runner.enqueue(job);
        runner.wait(slot);
        const FrameTiming& timing = runner.timing(slot);
        if (i >= kBenchWarmUps) times.push_back(timing.totalMs - timing.uploadMs);
    }
    std::ranges::nth_element(times, times.begin() + static_cast<std::ptrdiff_t>(times.size() / 2));
    return times[times.size() / 2];
}

} // namespace echolux
