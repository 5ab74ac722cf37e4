// SPDX-License-Identifier: GPL-3.0-or-later
// The dock "Beam shape": the beam of the beamformer in force, at the selected pixel.
#pragma once

#include "app/lab/beam_section.hpp"
#include "app/tools/beam_shape/job.hpp"
#include "ui/lab/beam_shape_panel.hpp"

#include <QObject>
#include <QTimer>

#include <memory>
#include <optional>
#include <stop_token>

namespace echolux {

class Workbench;

/// Computes only while its dock is visible, and at most a few dozen times a second. The curves
/// across the pixel are computed at once; everything else off the window's thread, one job at a
/// time, and a new job stops the former one.
class BeamShapeTool : public QObject {
    Q_OBJECT
public:
    BeamShapeTool(BeamShapePanel& panel, Workbench& bench);
    ~BeamShapeTool() override;

private:
    void requestPicture();
    void forgetRecording();
    void show();
    void showLimits(const lab::BeamGeometry& geometry, const lab::PlanePoint& pixel);
    void start(const std::shared_ptr<const BeamJob>& job);
    void finish(const std::shared_ptr<const BeamJob>& job, const BeamResult& result);
    void accept(const BeamResult& result);

    BeamShapePanel& m_panel;
    Workbench& m_bench;
    QTimer m_soon;
    bool m_limitsKnown = false;
    std::shared_ptr<const BeamJob> m_wanted; ///< null: no job is needed
    std::shared_ptr<const BeamJob> m_running;
    std::stop_source m_stop; ///< stops the running job
    std::stop_source m_end;  ///< the tool is being destroyed
};

} // namespace echolux
