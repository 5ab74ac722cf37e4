// SPDX-License-Identifier: GPL-3.0-or-later
// What the engine's threads announce reaches the window's, each view's and the volume's apart, and
// no more often than the screen shows.
#include "app/desktop/engine_news.hpp"
#include "tests/support/qt_application.hpp"
#include "tests/support/waiting.hpp"

#include <QElapsedTimer>
#include <QScreen>
#include <QWidget>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <thread>

namespace echolux {
namespace {

using testing_support::comesTrue;

class EngineNewsTest : public testing::Test {
protected:
    EngineNewsTest() {
        QObject::connect(&m_news, &EngineNews::imageReady, &m_window,
                         [this](std::size_t view) { ++m_images[view]; });
        QObject::connect(&m_news, &EngineNews::volumeChanged, &m_window, [this] { ++m_volumes; });
    }

    QApplication& m_application = testing_support::application();
    QWidget m_window;
    EngineNews m_news{m_window};
    Engine::Callbacks m_callbacks = m_news.callbacks();
    std::array<int, kMostViews> m_images{};
    int m_volumes = 0;
};

TEST_F(EngineNewsTest, EachViewHearsOfItsImagesAndTheVolumeOfItsOwn) {
    m_callbacks.imageReady(1);
    ASSERT_TRUE(comesTrue([this] { return m_images[1] == 1; }));
    EXPECT_EQ(m_images[0], 0);
    EXPECT_EQ(m_volumes, 0);
    m_callbacks.volumeChanged();
    ASSERT_TRUE(comesTrue([this] { return m_volumes == 1; }));
    EXPECT_EQ(m_images[1], 1);
}

/// Often enough for the pace to show.
constexpr int kTold = 8;

TEST_F(EngineNewsTest, AFloodIsToldAtTheScreensPaceAndItsLastImageIsNotLost) {
    std::atomic<int> announced{0};
    int heardOf = 0;
    QObject::connect(&m_news, &EngineNews::volumeChanged, &m_window, [&] { heardOf = announced; });
    QElapsedTimer clock;
    clock.start();
    std::jthread pipeline([&](const std::stop_token& stop) {
        while (!stop.stop_requested()) {
            ++announced;
            m_callbacks.imageReady(0);
            m_callbacks.volumeChanged();
            std::this_thread::yield();
        }
    });
    ASSERT_TRUE(comesTrue([this] { return m_images[0] >= kTold; }));
    pipeline.request_stop();
    pipeline.join();
    ASSERT_TRUE(comesTrue([&] { return heardOf == announced; }));
    const double hz = std::max(m_window.screen()->refreshRate(), 1.0);
    EXPECT_LE(m_images[0], 2.0 + static_cast<double>(clock.elapsed()) * hz / 1000.0 / 0.85);
    const int told = m_images[0];
    m_callbacks.imageReady(0);
    ASSERT_TRUE(comesTrue([&] { return m_images[0] == told + 1; }));
}

} // namespace
} // namespace echolux
