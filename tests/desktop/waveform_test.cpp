// SPDX-License-Identifier: GPL-3.0-or-later
// The dock "Doppler waveform": it measures sonograms while it is in sight, and says why it shows
// nothing.
#include "app/desktop/statistics_desk.hpp"
#include "app/pipeline/pipeline_config.hpp"
#include "app/session/pixels_look.hpp"
#include "app/tools/waveform/panel.hpp"
#include "tests/desktop/open_window.hpp"
#include "tests/desktop/overlays_on.hpp"
#include "ui/views/further_views.hpp"
#include "ui/views/view_area.hpp"

#include <QDockWidget>
#include <QTableWidget>
#include <gtest/gtest.h>

namespace echolux {
namespace {

using testing_support::comesTrue;
using testing_support::OpenWindow;
using testing_support::shapesOn;

struct WaveformWindow : OpenWindow {
    explicit WaveformWindow(const std::string& source, const char* pipeline)
        : OpenWindow(requestOf(source, pipeline)) {}
    static OpenRequest requestOf(const std::string& source, const char* pipeline) {
        OpenRequest request{source};
        request.pipeline = shippedPipeline(pipeline);
        return request;
    }
    WaveformPanel& panel() { return desktop.panel<WaveformPanel>(); }
    void opensDock() {
        desktop.window().findChild<QDockWidget*>("waveform")->toggleViewAction()->trigger();
    }
    template <class Wanted> bool measures(const Wanted& wanted) {
        return comesTrue([&] {
            desktop.statistics().measure();
            return wanted();
        });
    }
    std::size_t traces() {
        std::size_t count = shapesOn(desktop.views().bscan(), Overlay::Layer::Course).size();
        for (int i = 0; i < FurtherViews::kMost; ++i)
            count += shapesOn(desktop.views().further().view(i), Overlay::Layer::Course).size();
        return count;
    }
};

constexpr const char* kVessel = ECHOLUX_SOURCE_DIR "/testdata/vessel_flow.echolux.h5";

TEST(Waveform, CopiesNothingBeforeItsDockIsOpen) {
    WaveformWindow window(kVessel, "spectral_doppler");
    ASSERT_TRUE(window.showsFrames(2));
    window.desktop.statistics().measure();
    EXPECT_EQ(window.desktop.session().engine().look<PixelsLook>().latest(1), nullptr);
    window.opensDock();
    EXPECT_TRUE(window.measures(
        [&] { return window.desktop.session().engine().look<PixelsLook>().latest(1) != nullptr; }));
}

TEST(Waveform, DrawsTheVelocitiesOfBloodThatFlows) {
    WaveformWindow window(kVessel, "spectral_doppler");
    window.opensDock();
    ASSERT_TRUE(window.measures([&] { return window.traces() > 0; }))
        << window.panel().problem().toStdString();
    EXPECT_TRUE(window.panel().problem().isEmpty());
    window.panel().maximum().setChecked(false);
    window.panel().mean().setChecked(false);
    EXPECT_EQ(window.traces(), 0U);
}

TEST(Waveform, OtherPipelinesHaveNone) {
    WaveformWindow window(kVessel, "m_mode");
    window.opensDock();
    ASSERT_TRUE(window.showsFrames(2));
    window.desktop.statistics().measure();
    EXPECT_EQ(window.traces(), 0U);
    EXPECT_EQ(window.panel().table().rowCount(), 0);
}

} // namespace
} // namespace echolux
