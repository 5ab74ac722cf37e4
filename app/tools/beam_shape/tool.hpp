// SPDX-License-Identifier: GPL-3.0-or-later
// The dock "Beam shape" at work: the running beamformer's pattern across the pixel that is meant.
#pragma once

#include <QObject>
#include <QTimer>

namespace echolux {

class BeamShapePanel;
class Workbench;

/// Computes only while its dock is in sight, a few dozen times a second at most.
class BeamShapeTool : public QObject {
    Q_OBJECT
public:
    BeamShapeTool(BeamShapePanel& panel, Workbench& bench);

private:
    void requestCurves();
    void show();

    BeamShapePanel& m_panel;
    Workbench& m_bench;
    QTimer m_soon;
};

} // namespace echolux
