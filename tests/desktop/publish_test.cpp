// SPDX-License-Identifier: GPL-3.0-or-later
// Images of the window for other programs, over a recording that is replaced by another one.
#include "app/desktop/file_desk.hpp"
#include "app/desktop/publish_desk.hpp"
#include "app/live/network_sources.hpp"
#include "app/network/tcp.hpp"
#include "tests/desktop/open_window.hpp"

#include <QAction>
#include <QMenu>
#include <QMenuBar>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <future>
#include <memory>

namespace echolux {
namespace {

using testing_support::bundled;
using testing_support::comesTrue;
using testing_support::OpenWindow;

/// The entry of the menu File that begins so, without its mnemonic; null: there is none in sight.
QAction* entry(OpenWindow& window, const QString& text) {
    for (QAction* menu : window.desktop.window().menuBar()->actions())
        for (QAction* each : menu->menu()->actions())
            if (QString(each->text()).remove('&').startsWith(text) && each->isVisible())
                return each;
    return nullptr;
}

TEST(PublishDesktop, ReceiversGetTheImagesOfEachRecording) {
    OpenWindow window;
    ASSERT_TRUE(window.showsFrames(1));
    EXPECT_EQ(entry(window, "Stop publishing"), nullptr);
    const int port = TcpListener("127.0.0.1", 0).port();
    window.desktop.publishing().publish(fmt::format("igtl:{}", port));
    ASSERT_NE(entry(window, "Stop publishing"), nullptr);
    std::unique_ptr<LiveSource> source;
    const auto connects = [&] {
        source.reset();
        auto opened = std::async(std::launch::async, [&] {
            return networkSource(fmt::format("igtl:{}?content=decibels", port));
        });
        if (!comesTrue([&] {
                return opened.wait_for(std::chrono::seconds(0)) == std::future_status::ready;
            }))
            return false;
        source = opened.get();
        return true;
    };
    ASSERT_TRUE(connects());
    const FrameSpec shown = window.desktop.session().snapshot()->output();
    EXPECT_TRUE(std::ranges::equal(source->info().frame.axes, shown.axes,
                                   [](const Axis& a, const Axis& b) {
                                       return a.name == b.name && a.size == b.size &&
                                              std::abs(a.origin - b.origin) < 1e-7 &&
                                              std::abs(a.spacing - b.spacing) < 1e-9;
                                   }))
        << source->info().frame.describe();
    ASSERT_TRUE(comesTrue(
        [&] { return entry(window, "Stop publishing")->text().contains("1 receiver)"); }));
    window.desktop.files().open(
        QString::fromStdString(bundled("retina_cine.echolux.h5").file.string()));
    ASSERT_TRUE(comesTrue([&] { return window.openFile() == "retina_cine.echolux.h5"; }));
    ASSERT_TRUE(window.showsMoreFrames(1));
    ASSERT_TRUE(connects());
    EXPECT_NE(source->info().frame.axes[0].size, shown.axes[0].size);
    entry(window, "Stop publishing")->trigger();
    EXPECT_EQ(entry(window, "Stop publishing"), nullptr);
    EXPECT_TRUE(window.desktop.publishing().counters().empty());
}

} // namespace
} // namespace echolux
