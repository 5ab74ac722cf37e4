// SPDX-License-Identifier: GPL-3.0-or-later
// The dock "Beam shape": the pattern of the beamformer in force across the selected pixel.
#pragma once

#include <QObject>
#include <QTimer>

namespace echolux {

class BeamShapePanel;
class Workbench;

/// Computes only while its dock is visible, and at most a few dozen times a second.
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
