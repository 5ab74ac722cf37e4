// SPDX-License-Identifier: GPL-3.0-or-later
// The running maximum of one frame of noise with NaN in it, on either backend.
#pragma once

#include "tests/support/stage_run.hpp"
#include "tests/support/test_frames.hpp"

#include "gpu/stage/running_maximum.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace echolux::test {

struct MaximumRun {
    float expected = 0.0F;
    float found = -1.0F;
};

/// The largest magnitude stands at `at`, as a negative value; every seventh value is NaN.
inline MaximumRun maximumOfNoise(Backend backend, std::size_t count, std::size_t at) {
    std::vector<float> frame = noise(count, 7);
    for (std::size_t i = 0; i < count; i += 7) frame[i] = std::numeric_limits<float>::quiet_NaN();
    MaximumRun run{.expected = 1.5F};
    frame[at] = -run.expected;

    const Stream stream(backend, "test");
    const Exec exec{backend, stream.get()};
    const GuardedBuffer data(exec, count * sizeof(float));
    const GuardedBuffer workspace(exec, runningMaximumWorkspaceBytes());
    const GuardedBuffer state(exec, kRunningMaximumStateBytes);
    upload(exec, data.data(), frame.data(), data.bytes());
    const float* value = followMaximum(
        exec, "test", static_cast<const float*>(data.data()), static_cast<std::int64_t>(count),
        1.0F, {workspace.data(), workspace.bytes(), nullptr, state.data()});
    download(exec, &run.found, value, sizeof(float));
    stream.synchronize();
    workspace.check("the reduction's scratch", stream);
    state.check("the maximum", stream);
    return run;
}

inline void expectMaximumOfEverySizeAndPlace(Backend backend) {
    for (const std::size_t count : {1U, 2U, 255U, 256U, 257U, 4097U, 65536U, 100003U}) {
        for (const std::size_t at : {std::size_t{0}, count / 2, count - 1}) {
            const MaximumRun run = maximumOfNoise(backend, count, at);
            EXPECT_EQ(run.found, run.expected) << count << " values, maximum at " << at;
        }
    }
}

} // namespace echolux::test
