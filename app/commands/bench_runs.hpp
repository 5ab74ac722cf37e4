// SPDX-License-Identifier: GPL-3.0-or-later
// How long a pipeline takes, for `echolux bench`.
#pragma once

#include "app/pipeline/runner.hpp"

namespace echolux {

constexpr int kBenchWarmUps = 3;

/// Of `repeat` timed frames after kBenchWarmUps, one at a time; the upload is left out.
double medianProcessingMs(Runner& runner, const FrameJob& job, int repeat);

} // namespace echolux
