// SPDX-License-Identifier: GPL-3.0-or-later
// The problems of `echolux bench front`: from ultrasound codes to the input of `beamform`.
#pragma once

#include "app/pipeline/runner.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace echolux {

struct FrontProblem {
    std::string id;
    std::vector<const char*> stages; ///< with their default parameters
    DType codes = DType::I16;
    std::int64_t transmits = 1;
    std::int64_t channels = 1;
    std::int64_t samples = 1;

    SnapshotPtr snapshot() const;
    std::string describe() const;
};

/// All problems. `reduced` (for the CPU): at most 3 transmits.
std::vector<FrontProblem> frontProblems(bool reduced);

struct FrontResult {
    double fusedMs = 0.0;       ///< median; equals separateMs on the CPU, which has no fusions
    double separateMs = 0.0;    ///< median of the stages run one by one
    double gigabytesPerS = 0.0; ///< codes read and samples written by the fused stages, 1e9 bytes
    /// Greatest difference between fused and separate stages divided by the greatest value.
    double deviation = 0.0;
};

FrontResult runFrontProblem(const FrontProblem& problem, Backend backend, int repeat);

} // namespace echolux
