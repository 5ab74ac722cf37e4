// SPDX-License-Identifier: GPL-3.0-or-later
// The dock "Delay curve" at work: a transmit's channels, and the samples that the pixel takes.
#pragma once

#include "app/lab/beam_geometry.hpp"

#include <QObject>

#include <cstdint>
#include <optional>

namespace echolux {

class ChannelPlot;
class Workbench;

/// Asks the engine for channels only while its dock is in sight.
class DelayCurveTool : public QObject {
    Q_OBJECT
public:
    DelayCurveTool(ChannelPlot& plot, Workbench& bench);

private:
    void syncFromPipeline();
    void requestChannels();
    void showLevels();
    std::int64_t transmit() const; ///< whose channels are meant; -1: none
    void showMarks();

    ChannelPlot& m_plot;
    Workbench& m_bench;
    std::optional<lab::BeamGeometry> m_geometry; ///< nothing: no beamformer runs
};

} // namespace echolux
