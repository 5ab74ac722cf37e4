// SPDX-License-Identifier: GPL-3.0-or-later
// The dock "Delay curve" at work: a transmit's channels, and the samples that the pixel takes.
#pragma once

#include <QObject>

#include <cstdint>

namespace echolux {

class BeamDesk;
class ChannelPlot;
class MainWindow;
class Session;

/// Asks the engine for channels only while its dock is in sight.
class DelayDesk : public QObject {
    Q_OBJECT
public:
    DelayDesk(MainWindow& window, Session& session, const BeamDesk& beams);

    void followPipeline();
    void showLevels(); ///< the engine has news

private:
    void follow();
    std::int64_t transmit() const; ///< whose channels are meant; -1: none
    void showMarks();

    ChannelPlot& m_plot;
    Session& m_session;
    const BeamDesk& m_beams;
};

} // namespace echolux
