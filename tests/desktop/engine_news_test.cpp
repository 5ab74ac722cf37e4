// SPDX-License-Identifier: GPL-3.0-or-later
// What the engine's threads announce reaches the window's, each view's and the volume's apart, and
// no more often than the screen shows.
#include "app/desktop/engine_news.hpp"
#include "tests/support/qt_application.hpp"

#include <QElapsedTimer>
#include <QScreen>
#include <QTest>
#include <QWidget>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <thread>

namespace echolux {
namespace {

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
    ASSERT_TRUE(QTest::qWaitFor([this] { return m_images[1] == 1; }));
    EXPECT_EQ(m_images[0], 0);
    EXPECT_EQ(m_volumes, 0);
    m_callbacks.volumeChanged();
    ASSERT_TRUE(QTest::qWaitFor([this] { return m_volumes == 1; }));
    EXPECT_EQ(m_images[1], 1);
}

TEST_F(EngineNewsTest, AFloodIsToldAtTheScreensPaceAndItsLastImageIsNotLost) {
    QElapsedTimer clock;
    clock.start();
    std::thread pipeline([this] {
        for (int i = 0; i < 2000; ++i) {
            m_callbacks.imageReady(0);
            m_callbacks.volumeChanged();
            std::this_thread::sleep_for(std::chrono::microseconds(50));
        }
    });
    while (clock.elapsed() < 150) QTest::qWait(5);
    pipeline.join();
    QTest::qWait(100);
    const double hz = std::max(m_window.screen()->refreshRate(), 1.0);
    EXPECT_LE(m_images[0], 2.0 + static_cast<double>(clock.elapsed()) * hz / 1000.0 / 0.85);
    EXPECT_EQ(m_images[0], m_volumes);
    const int told = m_images[0];
    EXPECT_GT(told, 0);
    m_callbacks.imageReady(0);
    ASSERT_TRUE(QTest::qWaitFor([&] { return m_images[0] == told + 1; }));
}

} // namespace
} // namespace echolux
