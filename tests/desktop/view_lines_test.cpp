// SPDX-License-Identifier: GPL-3.0-or-later
// A channel that is picked in the window, over each other as each view has it.
#include "app/desktop/file_desk.hpp"
#include "tests/desktop/open_window.hpp"
#include "ui/plots/column_plots.hpp"
#include "ui/plots/view_lines_plot.hpp"
#include "ui/views/further_views.hpp"
#include "ui/views/image_view.hpp"
#include "ui/views/view_area.hpp"

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
    ViewLinesPlot& plot = window.desktop.panel<ColumnPlots>().viewLines();
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

TEST(LinkedLimits, AnEnvelopeBeginsAt0BesideASignedSignal) {
    OpenRequest request{kCine.toStdString()};
    request.pipeline = shippedPipeline("hilbert_lab");
    OpenWindow window(request);
    ASSERT_TRUE(window.showsFrames(1));
    FurtherViews& others = window.desktop.views().further();
    const ImageView& signal = window.desktop.view();
    const ImageView& hilbertPart = others.view(0);
    const ImageView& envelope = others.view(1);
    ASSERT_TRUE(comesTrue([&] {
        return signal.displayMin() < 0.0 && signal.displayMin() == -signal.displayMax() &&
               hilbertPart.displayMin() == signal.displayMin() && envelope.displayMin() == 0.0;
    })) << signal.displayMin()
        << " " << hilbertPart.displayMin() << " " << envelope.displayMin();
    EXPECT_EQ(envelope.displayMax(), signal.displayMax()) << "one scale";
    window.desktop.view().setDisplayRange(-10.0, 10.0);
    EXPECT_EQ(hilbertPart.displayMin(), -10.0);
    EXPECT_EQ(envelope.displayMin(), 0.0);
    EXPECT_EQ(envelope.displayMax(), 10.0);
}

} // namespace
} // namespace echolux
