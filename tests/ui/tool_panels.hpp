// SPDX-License-Identifier: GPL-3.0-or-later
// Docks as tools make them, with panels that nobody brings to life: tools know sessions, which
// windows do not.
#pragma once

#include "ui/aberration/aberration_panel.hpp"
#include "ui/graph/graph_view.hpp"
#include "ui/graph/pipeline_text.hpp"
#include "ui/lab/beam_shape_panel.hpp"
#include "ui/lab/channel_plot.hpp"
#include "ui/lab/filter_lab_panel.hpp"
#include "ui/performance/performance_panel.hpp"
#include "ui/plots/column_plots.hpp"
#include "ui/window/docks.hpp"

#include <vector>

namespace echolux::testing_support {

struct ToolPanels {
    ColumnPlots* plots = nullptr; ///< the window's, as the next
    PerformancePanel* performance = nullptr;

    std::vector<DockEntry> make() {
        plots = new ColumnPlots;
        performance = new PerformancePanel;
        constexpr auto kRight = Qt::RightDockWidgetArea;
        constexpr auto kFurther = DockEntry::Kind::Further;
        return {{"Plots", "plots", plots, kRight},
                {"Performance", "performance", performance, kRight},
                {"Graph", "graph", new GraphView, kRight, kFurther},
                {"Pipeline text", "pipeline_text", new PipelineText, kRight, kFurther},
                {"Delay curve", "delay_curve", new ChannelPlot, kRight, kFurther},
                {"Beam shape", "beam_shape", new BeamShapePanel, kRight, kFurther},
                {"Transmits", "transmits", new QWidget, kRight, kFurther},
                {"Filter lab", "filter_lab", new FilterLabPanel, kRight, kFurther},
                {"Aberration", "aberration", new AberrationPanel, kRight, kFurther}};
    }
};

} // namespace echolux::testing_support
