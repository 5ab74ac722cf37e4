// SPDX-License-Identifier: GPL-3.0-or-later
// A channel that is picked in the window, over each other as each view has it.
#include "tests/desktop/open_window.hpp"
#include "ui/plots/view_lines_plot.hpp"

#include <gtest/gtest.h>

namespace echolux {
namespace {

using testing_support::comesTrue;
using testing_support::kCine;
using testing_support::OpenWindow;

TEST(ViewLinesInTheWindow, AreThoseOfThePickedChannelAndGoWithTheViews) {
    OpenRequest request{kCine.toStdString()};
    request.pipeline = shippedPipeline("hilbert_lab");
    OpenWindow window(request);
    ViewLinesPlot& plot = window.desktop.window().viewLines();
    EXPECT_FALSE(plot.isHidden());
    ASSERT_TRUE(window.showsFrames(1));
    emit window.desktop.view().columnPicked(20.0);
    ASSERT_TRUE(comesTrue([&] { return plot.legendTexts().size() == 3; }));
    EXPECT_EQ(plot.legendTexts(), (QStringList{"Signal", "Hilbert part", "Envelope"}));
    EXPECT_EQ(plot.plot().xAxis->label(), "time (\u00b5s)");
    EXPECT_EQ(plot.plot().yAxis->label(), "amplitude");
    window.desktop.files().open(kCine); // with its usual pipeline, of one view
    ASSERT_TRUE(window.openingEnds());
    EXPECT_TRUE(plot.isHidden());
    EXPECT_TRUE(plot.legendTexts().isEmpty());
}

} // namespace
} // namespace echolux
