// SPDX-License-Identifier: GPL-3.0-or-later
// Compares where a pipeline asks to run with where it runs.
#pragma once

#include "app/pipeline/pipeline_config.hpp"
#include "gpu/exec/exec.hpp"

#include <optional>
#include <string>

namespace echolux {

/// The GPUs of this machine.
struct GpuCount {
    int count = 0;
    std::string whyNone; ///< the reason where there is none

    static GpuCount now();
};

struct EnvironmentAnswer {
    struct Target {
        Backend backend = Backend::Cpu;
        int gpu = 0;
        bool operator==(const Target&) const = default;
    };
    std::optional<Target> move; ///< where the pipeline should run instead; null: it may stay where
                                ///< it is
    std::string warning;        ///< one sentence where the pipeline does not get what it asks for
};

/// Where there is no CUDA, the answer is the CPU, which computes the same. Throws Error for a GPU
/// number that does not exist.
EnvironmentAnswer answerTo(const EnvironmentConfig& asked, const BackendChoice& running,
                           const GpuCount& gpus);

/// Chooses the backend at the start, when nothing runs yet. `backend` and `gpu` of the command line
/// go before the environment. `warning` becomes a sentence where the environment cannot be had,
/// else empty. Throws Error where chooseBackend() of gpu/exec does.
BackendChoice chooseBackend(const std::string& backend, std::optional<int> gpu,
                            const EnvironmentConfig& environment, std::string& warning);

} // namespace echolux
