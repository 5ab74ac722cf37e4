// SPDX-License-Identifier: GPL-3.0-or-later
// Beam geometry over the image: array, beams, and the receive aperture of the selected pixel.
#pragma once

#include "app/lab/beam_geometry.hpp"
#include "ui/views/overlay/sketch_overlay.hpp"

#include <QObject>
#include <QString>

#include <memory>
#include <optional>
#include <vector>

namespace echolux {

class Session;
class ViewArea;

class BeamDesk : public QObject {
    Q_OBJECT
public:
    BeamDesk(ViewArea& views, Session& session);

    void recordingOpened(); ///< clears the picked pixel
    void forget();          ///< clears the picked pixel
    void followPipeline();

    /// Geometry of the beamformer in force; null where none runs.
    const lab::BeamGeometry* geometry() const { return m_geometry ? &*m_geometry : nullptr; }
    /// The pixel under the mouse, otherwise the picked one.
    std::optional<lab::PlanePoint> pixel() const;

    /// Contours that a tool draws over the image, besides the beams; lateral and depth in m.
    void showContours(const std::vector<ViewSketch::Contour>& contours, const QString& text);

signals:
    void pixelMoved(); ///< the pixel or the geometry has changed

private:
    void show();
    void draw();
    double reachM() const;

    ViewArea& m_views;
    Session& m_session;
    std::optional<lab::BeamGeometry> m_geometry;
    std::optional<lab::PlanePoint> m_picked;
    std::vector<ViewSketch::Contour> m_contours;
    QString m_contoursText;
    SketchOverlay m_sketch;
};

} // namespace echolux
