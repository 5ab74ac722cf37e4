// SPDX-License-Identifier: GPL-3.0-or-later
// The dock "Doppler sound": it is off at first, plays the gate of the open recording, is silent
// while frozen, and says why there is no sound.
#include "app/pipeline/pipeline_config.hpp"
#include "app/session/session.hpp"
#include "app/tools/doppler_sound/look.hpp"
#include "app/tools/doppler_sound/panel.hpp"
#include "app/tools/doppler_sound/tool.hpp"
#include "tests/desktop/open_window.hpp"
#include "ui/lab/value_slider.hpp"

#include <QCheckBox>
#include <QDockWidget>
#include <QSettings>
#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <utility>
#include <vector>

namespace echolux {
namespace {

using testing_support::comesTrue;
using testing_support::OpenWindow;

constexpr const char* kVessel = ECHOLUX_SOURCE_DIR "/testdata/vessel_flow.echolux.h5";

/// A device that plays when the test asks for it.
struct FakeSpeaker : Speaker {
    SoundRing*& ring;
    explicit FakeSpeaker(SoundRing*& place) : ring(place) {}
    ~FakeSpeaker() override { ring = nullptr; }
    int rateHz() const override { return 8000; }
    void start(SoundRing& from) override { ring = &from; }
    QString problem() const override { return {}; }
};

struct SoundWindow : OpenWindow {
    SoundRing* ring = nullptr;

    explicit SoundWindow(const char* pipeline, bool device = true)
        : OpenWindow(requestOf(pipeline)) {
        desktop.tool<DopplerSoundTool>().setSpeakers(
            [this, device](QString& why) -> std::unique_ptr<Speaker> {
                if (device) return std::make_unique<FakeSpeaker>(ring);
                why = "There is no device.";
                return nullptr;
            });
    }
    static OpenRequest requestOf(const char* pipeline) {
        OpenRequest request{kVessel};
        request.pipeline = shippedPipeline(pipeline);
        return request;
    }
    DopplerSoundPanel& panel() { return desktop.panel<DopplerSoundPanel>(); }
    /// The largest sample of a second.
    float loudness() {
        std::vector<StereoSample> samples(8000);
        ring->read(samples);
        float most = 0.0F;
        for (const StereoSample& each : samples)
            most = std::max({most, std::abs(each.left), std::abs(each.right)});
        return most;
    }
};

TEST(DopplerSoundDock, IsOffAtFirstAndCopiesNothing) {
    SoundWindow window("spectral_doppler");
    EXPECT_FALSE(window.panel().playing().isChecked());
    ASSERT_TRUE(window.showsFrames(2));
    EXPECT_EQ(window.ring, nullptr);
    EXPECT_EQ(window.desktop.session().engine().look<PulsesLook>().latest(), nullptr);
}

TEST(DopplerSoundDock, PlaysTheGateAndIsSilentWhileFrozen) {
    SoundWindow window("spectral_doppler");
    ASSERT_TRUE(window.showsFrames(2));
    window.panel().playing().setChecked(true);
    ASSERT_NE(window.ring, nullptr);
    ASSERT_TRUE(comesTrue([&] { return window.ring->waiting() > 100; }))
        << window.panel().problem().toStdString();
    EXPECT_TRUE(window.panel().problem().isEmpty());
    ASSERT_TRUE(window.freezes());
    EXPECT_TRUE(comesTrue([&] { return window.panel().state().contains("frozen"); }));
    EXPECT_EQ(window.loudness(), 0.0F);
    EXPECT_EQ(window.ring->gaps(), 0U) << "freezing is no gap";
    window.panel().playing().setChecked(false);
    EXPECT_EQ(window.ring, nullptr) << "the device is given back";
}

TEST(DopplerSoundDock, SaysWhyThereIsNoSound) {
    SoundWindow none("spectral_doppler", false);
    none.panel().playing().setChecked(true);
    EXPECT_FALSE(none.panel().playing().isChecked());
    EXPECT_EQ(none.panel().problem(), "There is no device.");
    SoundWindow gateless("m_mode");
    ASSERT_TRUE(gateless.showsFrames(1));
    gateless.panel().playing().setChecked(true);
    EXPECT_TRUE(gateless.panel().problem().contains("spectral_doppler"));
}

TEST(DopplerSoundDock, TheRealDeviceIsThereOrNamedAsMissing) {
    OpenWindow window(SoundWindow::requestOf("spectral_doppler"));
    auto& panel = window.desktop.panel<DopplerSoundPanel>();
    panel.playing().setChecked(true);
    EXPECT_EQ(panel.playing().isChecked(), panel.problem().isEmpty())
        << panel.problem().toStdString();
    ASSERT_TRUE(window.showsMoreFrames(2)) << "the window works in either case";
}

} // namespace
} // namespace echolux
