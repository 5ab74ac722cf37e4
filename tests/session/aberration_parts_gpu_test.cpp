// SPDX-License-Identifier: GPL-3.0-or-later
// Times of the parts of an estimate on CUDA: each has one, for every method.
#include "app/dataset/recording/recording.hpp"
#include "app/session/aberration_estimator.hpp"
#include "app/session/checked_image.hpp"
#include "tests/support/gpu.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace echolux {
namespace {

TEST(AberrationPartsGpu, EveryPartOfEveryMethodIsTimed) {
    ECHOLUX_NEED_GPU();
    const auto recording = openRecording(ECHOLUX_SOURCE_DIR "/testdata/aberrated_cine.echolux.h5");
    const FrameSpec& raw = recording->info().frame;
    std::vector<std::byte> frame(raw.bytes());
    recording->readFrame(0, frame);
    AberrationChain chain = aberrationChain(*instantiate(shippedPipeline("aberration"), raw));
    for (const aberration::Method method :
         {aberration::Method::LeastSquares, aberration::Method::BeamSum,
          aberration::Method::Conjugate}) {
        chain.solve = aberration::usualFor(method);
        AberrationEstimator estimator;
        estimator.prepare(chain);
        estimator.take(frame.data());
        estimator.look();
        const EstimateParts parts = estimator.parts(Backend::Cuda);
        for (const double ms : {parts.focusMs, parts.sumsMs, parts.solutionMs, parts.endMs})
            EXPECT_GT(ms, 0.0) << static_cast<int>(method);
    }
}

} // namespace
} // namespace echolux
