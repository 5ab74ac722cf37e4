// SPDX-License-Identifier: GPL-3.0-or-later
// The dock "Delay curve" at work: a transmit's channels, and the samples that the pixel takes.
#pragma once

#include <QObject>

#include <cstdint>

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
};

} // namespace echolux
