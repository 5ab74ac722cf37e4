// SPDX-License-Identifier: GPL-3.0-or-later
// The dock "Beam shape" at work: the running beamformer's pattern across the pixel that is meant.
#pragma once

#include <QObject>
#include <QTimer>

namespace echolux {

class BeamDesk;
class BeamShapePanel;
class MainWindow;

/// Computes only while its dock is in sight, a few dozen times a second at most.
class BeamShapeDesk : public QObject {
    Q_OBJECT
public:
    BeamShapeDesk(MainWindow& window, const BeamDesk& beams);

private:
    void wait();
    void show();

    BeamShapePanel& m_panel;
    const BeamDesk& m_beams;
    QTimer m_soon;
};

} // namespace echolux
