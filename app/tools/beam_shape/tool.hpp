// SPDX-License-Identifier: GPL-3.0-or-later
// The dock "Beam shape" at work: the running beamformer's pattern across the pixel that is meant.
#pragma once

#include "app/lab/beam_geometry.hpp"
#include "app/pipeline/snapshot.hpp"

#include <QObject>
#include <QTimer>

#include <optional>

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
    SnapshotPtr m_planned; ///< whose beamformer this is
    std::optional<lab::BeamGeometry> m_geometry;
    QTimer m_soon;
};

} // namespace echolux
