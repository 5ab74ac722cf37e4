// SPDX-License-Identifier: GPL-3.0-or-later
// The dock "Delay curve": the channels of a transmit, and the samples that the selected pixel sums.
#pragma once

#include "app/lab/delay_map.hpp"
#include "app/pipeline/snapshot.hpp"
#include "app/tools/delay_curve/look.hpp"

#include <QObject>

#include <cstdint>
#include <optional>

namespace echolux {

namespace lab {
struct DelayCurve;
} // namespace lab
class ChannelPlot;
class Workbench;

/// Requests channels from the engine only while its dock is visible.
class DelayCurveTool : public QObject {
    Q_OBJECT
public:
    using Looks = LookList<ChannelsLook>;

    DelayCurveTool(ChannelPlot& plot, Workbench& bench);

private:
    void syncFromPipeline();
    void requestChannels();
    void showLevels();
    std::int64_t transmit() const; ///< number of the transmit whose channels are shown; -1: none
    void showMarks();
    void showFamily(const lab::PlanePoint& pixel);
    void showLegs(const lab::DelayCurve& curve);
    void showMap();

    ChannelPlot& m_plot;
    Workbench& m_bench;
    SnapshotPtr m_mapPipeline;            ///< null: the map is not drawn
    std::optional<lab::DelayMapOf> m_map; ///< what is drawn, of m_mapPipeline
};

} // namespace echolux
