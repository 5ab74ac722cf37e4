// SPDX-License-Identifier: GPL-3.0-or-later
// The gate of spectral Doppler, and the line of M-mode, moved on the image.
#include "tests/desktop/open_window.hpp"
#include "tests/desktop/overlays_on.hpp"

#include "app/pipeline/pipeline_config.hpp"
#include "app/session/session.hpp"
#include "gpu/stages/m_mode.hpp"
#include "gpu/stages/spectral_doppler.hpp"

#include <gtest/gtest.h>

namespace echolux {
namespace {

using testing_support::boxOn;
using testing_support::OpenWindow;

OpenRequest shown(const char* pipeline) {
    OpenRequest request = testing_support::bundled("phantom_cine.echolux.h5");
    request.pipeline = shippedPipeline(pipeline);
    return request;
}

template <class P> P paramsIn(OpenWindow& window) {
    const StageState* stage = window.desktop.session().snapshot()->findWith<P>();
    return stage != nullptr ? stage->params.as<P>() : P{};
}

TEST(GateDesk, TheGateIsDraggedOnTheImage) {
    OpenWindow window(shown("spectral_doppler"));
    ASSERT_TRUE(window.showsFrames(1));
    ImageView& image = window.desktop.view();
    ASSERT_TRUE(boxOn(image));
    auto gate = paramsIn<SpectralDopplerParams>(window);
    EXPECT_NEAR(boxOn(image)->box()->centre().y, gate.depthM, 1e-9);
    EXPECT_NEAR(boxOn(image)->box()->height(), gate.lengthM, 1e-9);
    boxOn(image)->dragTo({1.5e-3, 10e-3, 2.5e-3, 13e-3});
    gate = paramsIn<SpectralDopplerParams>(window);
    EXPECT_NEAR(gate.lateralM, 2e-3, 1e-9);
    EXPECT_NEAR(gate.depthM, 11.5e-3, 1e-9);
    EXPECT_NEAR(gate.lengthM, 3e-3, 1e-9);
    EXPECT_NEAR(boxOn(image)->box()->centre().x, 2e-3, 1e-9);
    emit image.placePicked({-3.0, 20.0}); // mm
    gate = paramsIn<SpectralDopplerParams>(window);
    EXPECT_NEAR(gate.lateralM, -3e-3, 1e-9);
    EXPECT_NEAR(gate.depthM, 20e-3, 1e-9);
    EXPECT_NEAR(gate.lengthM, 3e-3, 1e-9);
}

TEST(GateDesk, AClickChoosesTheLineOfMMode) {
    OpenWindow window(shown("m_mode"));
    ASSERT_TRUE(window.showsFrames(1));
    ImageView& image = window.desktop.view();
    ASSERT_TRUE(boxOn(image));
    EXPECT_NEAR(boxOn(image)->box()->centre().x, paramsIn<MModeParams>(window).lateralM, 1e-9);
    emit image.placePicked({2.5, 20.0}); // mm
    EXPECT_NEAR(paramsIn<MModeParams>(window).lateralM, 2.5e-3, 1e-9);
    EXPECT_NEAR(boxOn(image)->box()->centre().x, 2.5e-3, 1e-9);
    const double height = boxOn(image)->box()->height();
    boxOn(image)->dragTo({-3.1e-3, 10e-3, -2.9e-3, 12e-3});
    EXPECT_NEAR(paramsIn<MModeParams>(window).lateralM, -3e-3, 1e-9);
    EXPECT_NEAR(boxOn(image)->box()->height(), height, 1e-9) << "the line keeps its length";
}

TEST(GateDesk, OtherPipelinesHaveNoGate) {
    OpenWindow window;
    ASSERT_TRUE(window.showsFrames(1));
    EXPECT_FALSE(boxOn(window.desktop.view()));
}

} // namespace
} // namespace echolux
