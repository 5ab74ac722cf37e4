// SPDX-License-Identifier: GPL-3.0-or-later
// Images and phasors of CUDA are those of the CPU, also where stages would run as one.
#include "app/dataset/recording/recording.hpp"
#include "app/session/checked_image.hpp"
#include "app/sweep/frame_imager.hpp"
#include "tests/support/gpu.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <complex>
#include <string>
#include <vector>

namespace echolux {
namespace {

TEST(FrameImagerOnGpu, PhasorsAreThoseOfTheCpu) {
    ECHOLUX_NEED_GPU();
    for (const char* name : {"retina_cine.echolux.h5", "phantom_cine.echolux.h5"}) {
        const auto recording = openRecording(std::string(ECHOLUX_SOURCE_DIR "/testdata/") + name);
        const SnapshotPtr snapshot = imagingSnapshot(recording->info().frame, {});
        std::vector<std::byte> raw(recording->info().frame.bytes());
        recording->readFrame(0, raw);
        const auto phasorsOn = [&](const char* backend) {
            FrameImager imager(chooseBackend(backend), *snapshot, {}, true);
            return imager.image(snapshot, raw, 0).phasors;
        };
        const auto cpu = phasorsOn("cpu");
        const auto cuda = phasorsOn("cuda");
        ASSERT_EQ(cpu.size(), cuda.size()) << name;
        ASSERT_FALSE(cpu.empty()) << name;
        float peak = 0.0F;
        float most = 0.0F;
        for (std::size_t n = 0; n < cpu.size(); ++n) {
            peak = std::max(peak, std::abs(cpu[n]));
            most = std::max(most, std::abs(cpu[n] - cuda[n]));
        }
        EXPECT_LT(most, 1e-3F * peak) << name;
    }
}

} // namespace
} // namespace echolux
