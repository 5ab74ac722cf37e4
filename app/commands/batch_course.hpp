// SPDX-License-Identifier: GPL-3.0-or-later
// Works on the jobs of a batch, several at once, and counts how they ended.
#pragma once

#include "app/commands/batch_parts.hpp"

#include <cstddef>
#include <filesystem>
#include <functional>
#include <mutex>
#include <string>
#include <vector>

namespace echolux {

struct PlannedJob {
    BatchJob job;
    BatchShares shares;
};

struct BatchSetup {
    std::filesystem::path program; ///< this program
    std::string version;           ///< as parts name it
    std::filesystem::path folder;  ///< of the results
    int atOnce = 1;
    std::vector<int> gpus; ///< numbers of the GPUs that the workers share; empty: any backend
    bool again = false;    ///< what is done is done again
};

/// Shares the frames of those jobs that are asked for (BatchShares::frames). Says on stderr where
/// frames cannot be shared.
void shareAll(std::vector<PlannedJob>& jobs, const BatchSetup& setup);

class BatchCourse {
public:
    BatchCourse(const BatchSetup& setup, std::vector<PlannedJob> jobs);
    /// Parts come before the steps of their job, whatever the worker. Throws Error at the end where
    /// jobs failed.
    void run();

private:
    struct State {
        BatchJob job;
        std::size_t partsLeft = 0;
        StepEnd parts; ///< of all together
    };
    struct Task {
        std::size_t job = 0;
        std::size_t part = 0; ///< unused where the job has none
    };

    void work(std::size_t worker);
    /// True where the steps of the job may follow.
    bool makePart(const Task& task, const std::vector<std::string>& more);
    void finish(const State& state, const std::vector<std::string>& more);
    void tell(std::size_t& count, const char* what, const BatchJob& job, const std::string& more);

    BatchSetup m_setup;
    std::vector<State> m_states;
    std::vector<Task> m_tasks;
    std::mutex m_mutex; ///< guards what follows, and State::partsLeft and State::parts
    std::size_t m_next = 0;
    std::size_t m_done = 0;
    std::size_t m_kept = 0;
    std::size_t m_failed = 0;
};

} // namespace echolux
