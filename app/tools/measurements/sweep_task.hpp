// SPDX-License-Identifier: GPL-3.0-or-later
// A sweep off the window's thread.
#pragma once

#include "app/desktop/workbench/background.hpp"
#include "app/desktop/workbench/workbench.hpp"
#include "app/measure/measurement.hpp"
#include "app/sweep/swept.hpp"

#include <mutex>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

namespace echolux {

/// Everything that a sweep depends on.
struct SweepTask {
    SnapshotPtr snapshot;
    std::string stage;
    std::string key;
    std::vector<ParamValue> values;
    std::vector<measure::Measurement> measurements;
    std::function<Workbench::RawFrame()> raw;
    BackendChoice place;
};

/// What a sweep has found so far. Any thread.
class SweepProgress {
public:
    void add(Swept swept);
    void end(std::string problem); ///< empty: it ran to its end, or was stopped
    struct Found {
        std::vector<Swept> swept; ///< since the last take(), in the order of SweepTask::values
        bool ended = false;
        std::string problem;
    };
    Found take();

private:
    std::mutex m_mutex;
    Found m_found;
};

/// Runs on the calling thread.
void runSweep(const SweepTask& task, SweepProgress& progress, const std::stop_token& stop);

} // namespace echolux
