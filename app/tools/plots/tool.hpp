// SPDX-License-Identifier: GPL-3.0-or-later
// The dock "Plots": the lines of the picked column.
#pragma once

#include "app/session/column/picked_column.hpp"

#include <QObject>

namespace echolux {

class ColumnPlots;
class Workbench;

class PlotsTool : public QObject {
    Q_OBJECT
public:
    using Looks = LookList<PickedColumn>;

    PlotsTool(ColumnPlots& plots, Workbench& bench);

private:
    void syncFromPipeline();
    void show();
    void showEchoes(const ColumnData& column);
    void showAscan(const ColumnData& column);
    void showFringe(const ColumnData& column);
    void showViewLines(const ColumnData& column);

    ColumnPlots& m_plots;
    Workbench& m_bench;
};

} // namespace echolux
