// SPDX-License-Identifier: GPL-3.0-or-later
// The message that playback is slower than recorded stands as long as that is so.
#include "app/session/session.hpp"
#include "tests/desktop/open_window.hpp"
#include "ui/window/message_bar.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <thread>

namespace echolux {
namespace {

using testing_support::comesTrue;
using testing_support::OpenWindow;

/// No more than five frames a second pass it.
class NarrowSink final : public ImageSink {
public:
    void configure(const ImageFormat& /*format*/) override {}
    void take(const Exec& /*exec*/, const FrameRun& /*frames*/,
              const RunImages& /*images*/) override {
        std::this_thread::sleep_for(std::chrono::milliseconds(200));
    }
    void done(const FrameRun& /*frames*/, std::uint64_t /*serial*/,
              Clock::time_point /*arrived*/) override {}
};

TEST(PaceMessage, GoesWithAnotherSpeedAndWhereNothingPlays) {
    OpenWindow window; // 25 frames/s
    ASSERT_TRUE(window.showsFrames(2));
    Engine& engine = window.desktop.session().engine();
    NarrowSink narrow;
    engine.addSink(narrow);
    MessageBar& bar = window.desktop.window().messages();
    const auto isTold = [&] { return bar.text().contains("plays slower than recorded"); };
    ASSERT_TRUE(comesTrue(isTold));
    EXPECT_TRUE(bar.text().contains("25 frames/s")) << bar.text().toStdString();
    TransportBar& transport = window.desktop.window().transport();
    emit transport.speedChosen(0.1); // 2.5 frames a second
    EXPECT_FALSE(isTold());
    emit transport.speedChosen(1.0);
    EXPECT_TRUE(comesTrue(isTold));
    emit transport.playToggled(false);
    EXPECT_FALSE(isTold());
    emit transport.playToggled(true);
    EXPECT_TRUE(comesTrue(isTold));
    emit transport.stepRequested(1);
    EXPECT_FALSE(isTold());
    engine.removeSink(narrow);
}

} // namespace
} // namespace echolux
