// SPDX-License-Identifier: GPL-3.0-or-later
// The sign that the image on screen is older than the latest edit.
#include "app/desktop/pending_edits.hpp"
#include "app/session/session.hpp"
#include "tests/desktop/open_window.hpp"
#include "ui/parameters/parameter_panel.hpp"
#include "ui/window/message_bar.hpp"
#include "ui/window/status_bar.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <vector>

namespace echolux {
namespace {

using testing_support::comesTrue;
using testing_support::OpenWindow;

TEST(PendingEdits, AreLateWhereTheOldestHasWaited) {
    const PendingEdits::Clock::time_point begin;
    const auto after = [&](int ms) { return begin + std::chrono::milliseconds(ms); };
    PendingEdits edits;
    EXPECT_FALSE(edits.lateAt());
    EXPECT_FALSE(edits.areLate(after(1000)));
    edits.posted(1, begin);
    edits.posted(1, after(200)); // nothing new
    EXPECT_FALSE(edits.areLate(after(299)));
    EXPECT_TRUE(edits.areLate(after(300)));
    edits.posted(2, after(250));
    edits.shown(1);
    EXPECT_FALSE(edits.areLate(after(549))) << "the second one has waited since 250 ms";
    EXPECT_EQ(edits.lateAt(), after(550));
    edits.shown(2);
    EXPECT_FALSE(edits.lateAt());
}

/// A slider that is dragged where images are slow: the sign stays; where they are fast, none comes.
TEST(PendingEdits, FollowADrag) {
    for (const int behindMs : {100, 900}) {
        PendingEdits edits;
        PendingEdits::Clock::time_point now;
        for (std::uint64_t edit = 1; edit < 100; ++edit, now += std::chrono::milliseconds(20)) {
            edits.posted(edit, now);
            const auto shown = static_cast<std::int64_t>(edit) - behindMs / 20;
            if (shown > 0) edits.shown(static_cast<std::uint64_t>(shown));
            EXPECT_EQ(edits.areLate(now), behindMs > 300 && edit > 15) << edit;
        }
    }
}

/// While the pipeline has no memory no image comes, however fast the machine is.
class WorkSign : public testing::Test {
protected:
    WorkSign() { EXPECT_TRUE(m_window.showsFrames(2)); }
    Engine& engine() { return m_window.desktop.session().engine(); }
    StatusBar& bar() { return m_window.desktop.window().status(); }
    void edit(double mps) {
        emit m_window.desktop.window().parameters().parameterEdited("beamform", "speed_of_sound",
                                                                    mps);
    }
    OpenWindow m_window;
};

TEST_F(WorkSign, StandsUntilTheImageOfTheLatestEditIsShown) {
    for (const bool frozen : {false, true}) {
        if (frozen) {
            ASSERT_TRUE(m_window.freezes());
        }
        EXPECT_TRUE(comesTrue([&] { return !bar().isComputing(); }));
        const std::vector<QRect> places = [&] {
            std::vector<QRect> all;
            for (const QLabel* label : bar().findChildren<QLabel*>())
                all.push_back(label->geometry());
            return all;
        }();
        engine().suspend();
        edit(frozen ? 1500.0 : 1450.0);
        edit(frozen ? 1510.0 : 1460.0);
        EXPECT_TRUE(comesTrue([&] { return bar().isComputing(); }));
        std::size_t at = 0;
        for (const QLabel* label : bar().findChildren<QLabel*>())
            EXPECT_EQ(label->geometry(), places[at++]) << "nothing moves";
        EXPECT_LT(engine().mailbox().shownEdit(), engine().edits());
        engine().resume();
        EXPECT_TRUE(comesTrue([&] { return !bar().isComputing(); }));
        EXPECT_EQ(engine().mailbox().shownEdit(), engine().edits());
    }
}

} // namespace
} // namespace echolux
