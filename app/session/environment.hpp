// SPDX-License-Identifier: GPL-3.0-or-later
// Where a pipeline wants to run, against where it does.
#pragma once

#include "app/pipeline/pipeline_config.hpp"
#include "gpu/exec/exec.hpp"

#include <optional>
#include <string>

namespace echolux {

/// GPUs that there are.
struct GpuCount {
    int count = 0;
    std::string whyNone; ///< where there is none

    static GpuCount now();
};

struct EnvironmentAnswer {
    struct Target {
        Backend backend = Backend::Cpu;
        int gpu = 0;
        bool operator==(const Target&) const = default;
    };
    std::optional<Target> move; ///< where it should run instead; null: it may run where it is
    std::string warning;        ///< one sentence where it does not get what it asks for
};

/// Where there is no CUDA the CPU computes the same. Throws Error for a GPU number beyond those
/// that there are.
EnvironmentAnswer answerTo(const EnvironmentConfig& asked, const BackendChoice& running,
                           const GpuCount& gpus);

/// At the start, where nothing runs yet: `backend` and `gpu` as somebody asks for them go before
/// the environment. `warning` gets a sentence where the environment is not to be had, or nothing.
/// Throws Error as chooseBackend().
BackendChoice chooseBackend(const std::string& backend, std::optional<int> gpu,
                            const EnvironmentConfig& environment, std::string& warning);

} // namespace echolux
