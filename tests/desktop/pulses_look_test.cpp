// SPDX-License-Identifier: GPL-3.0-or-later
// The pulses of the gate: their rates in closed form, and what an engine copies.
#include "app/session/checked_image.hpp"
#include "app/session/gate_pulses.hpp"
#include "app/session/prepared_engine.hpp"
#include "app/session/session.hpp"
#include "app/tools/doppler_sound/look.hpp"
#include "gpu/core/error.hpp"
#include "gpu/stages/spectral_doppler.hpp"
#include "tests/session/fake_recording.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>

namespace echolux {
namespace {

using test::waitUntil;

constexpr const char* kVesselFile = ECHOLUX_SOURCE_DIR "/testdata/vessel_flow.echolux.h5";

/// Few pixels, so that frames are fast.
SnapshotPtr gateOf(const char* pipeline) {
    const auto recording = openRecording(kVesselFile);
    FrameSpec raw = recording->info().frame;
    raw.frameIntervalS = 1.0 / recording->info().frameRateHz;
    SnapshotPtr snapshot = instantiate(shippedPipeline(pipeline), raw);
    for (const auto& [key, value] :
         {std::pair{"lateral_min", -0.5e-3}, std::pair{"lateral_max", 0.5e-3},
          std::pair{"depth_min", 17.5e-3}, std::pair{"depth_max", 18.5e-3}})
        snapshot = withValue(*snapshot, "beamform", key, value);
    return snapshot;
}

TEST(PulsesLook, TheWallFilterIsADopplerFrequency) {
    SnapshotPtr snapshot = gateOf("spectral_doppler");
    snapshot = withValue(*snapshot, "spectral_doppler", "wall_filter", 0.05);
    snapshot = withValue(*snapshot, "spectral_doppler", "angle", 1.0);
    snapshot = withValue(*snapshot, "spectral_doppler", "frequency", 4e6);
    snapshot = withValue(*snapshot, "spectral_doppler", "speed_of_sound", 1500.0);
    const auto gate = gatePulses(*snapshot);
    ASSERT_TRUE(gate);
    EXPECT_EQ(gate->output, "pulses@spectral_doppler");
    EXPECT_NEAR(gate->rateHz, 4000.0, 1e-6);
    EXPECT_NEAR(gate->wallHz, 2.0 * 0.05 * 4e6 * std::cos(1.0) / 1500.0, 1e-6);
    EXPECT_EQ(gate->perFrame, 1);
    EXPECT_FALSE(gatePulses(*gateOf("m_mode")));
}

TEST(PulsesLook, AnEngineCopiesThemOnRequestAndCountsFrames) {
    std::atomic<int> images{0};
    auto recording = openRecording(kVesselFile);
    Engine engine(std::move(recording), gateOf("spectral_doppler"), Backend::Cpu,
                  Engine::Callbacks{[&](std::size_t view) { images += view == 0 ? 1 : 0; },
                                    [](const std::string& sentence) { ADD_FAILURE() << sentence; },
                                    [] {}},
                  LookTypes{&kLookType<PulsesLook>});
    engine.player().play();
    ASSERT_TRUE(waitUntil([&] { return images >= 3; }));
    engine.player().freeze();
    ASSERT_TRUE(
        waitUntil([&] { return engine.shownRaw().index() == engine.player().state().position; }));
    EXPECT_EQ(engine.look<PulsesLook>().latest(), nullptr) << "nobody asked";
    engine.look<PulsesLook>().want("pulses@spectral_doppler");
    ASSERT_TRUE(waitUntil([&] { return engine.look<PulsesLook>().latest() != nullptr; }));
    const auto first = engine.look<PulsesLook>().latest();
    ASSERT_EQ(first->pulses.size(), 8192U);
    EXPECT_GE(first->frames, 3);
    const auto isThere = [](const Complex& pulse) { return pulse.re != 0.0F || pulse.im != 0.0F; };
    EXPECT_EQ(std::ranges::count_if(first->pulses, isThere), first->frames)
        << "a pulse per frame, and zeros before the first one";
    EXPECT_TRUE(isThere(first->pulses.back()));
    engine.post(withValue(*engine.snapshot(), "spectral_doppler", "range", 50.0));
    ASSERT_TRUE(waitUntil([&] {
        engine.look<PulsesLook>().want("pulses@spectral_doppler");
        return engine.look<PulsesLook>().latest() != first;
    }));
    const auto again = engine.look<PulsesLook>().latest();
    EXPECT_EQ(again->frames, first->frames) << "a frame that is run again counts once";
    EXPECT_EQ(again->pulses.back().re, first->pulses.back().re);
}

} // namespace
} // namespace echolux
