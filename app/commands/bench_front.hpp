// SPDX-License-Identifier: GPL-3.0-or-later
// The problems of `echolux bench front`: ultrasound codes to what `beamform` takes.
#pragma once

#include "app/pipeline/runner.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace echolux {

struct FrontProblem {
    std::string id;
    std::vector<const char*> stages; ///< with their defaults
    DType codes = DType::I16;
    std::int64_t transmits = 1;
    std::int64_t channels = 1;
    std::int64_t samples = 1;

    SnapshotPtr snapshot() const;
    std::string describe() const;
};

/// All of them; `reduced` for the CPU: at most 3 transmits.
std::vector<FrontProblem> frontProblems(bool reduced);

struct FrontResult {
    double fusedMs = 0.0;       ///< median; on the CPU, which has no fusions, as separateMs
    double separateMs = 0.0;    ///< the stages one by one
    double gigabytesPerS = 0.0; ///< codes in and samples out of the fused stages, 1e9 bytes
    double deviation = 0.0; ///< of fused from separate stages, greatest, over the greatest value
};

FrontResult runFrontProblem(const FrontProblem& problem, Backend backend, int repeat);

} // namespace echolux
