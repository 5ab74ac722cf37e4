// SPDX-License-Identifier: GPL-3.0-or-later
// A volume in space: maximum projection, composite or three slices, rotated with the mouse, in the
// colours of the image beside it. Slices also have that image's limits; projections have their own.
#pragma once

#include "render/view/overlay_shapes.hpp"
#include "render/view/volume_canvas.hpp"
#include "ui/views/gl_view.hpp"
#include "ui/views/image_view_overlay.hpp"

#include <QString>
#include <QTimer>

#include <memory>
#include <optional>
#include <utility>

namespace echolux {

/// A drag rotates, the wheel zooms, a double click restores the first view. The window handles key
/// presses.
class VolumeView : public GlView {
    Q_OBJECT
public:
    explicit VolumeView(QWidget* parent = nullptr);
    ~VolumeView() override;

    /// Null: no source. Set null before the supplier is destroyed. The last volume stays until
    /// clear().
    void setVolumeSupplier(VolumeSupplier* supplier);
    bool hasVolume() const { return m_hasVolume; }
    /// Limits of the projection are being computed.
    bool findsLimits() const { return m_search.has_value(); }
    const VolumeScene& scene() const { return m_scene; }

    enum class Look { Standard, Front, Top, Side };

    static constexpr double kDepthCue = 0.5; ///< initial value
    static constexpr double kOpacity = 0.8;

public slots:
    void volumeAvailable(); ///< repaints soon; from other threads: invoke it queued
    void setMode(echolux::VolumeScene::Mode mode);
    void setDepthCue(double amount); ///< for projections; see VolumeScene
    void setOpacity(double amount);  ///< for the composite
    void setColourMap(const QString& name, bool inverted) override;
    void setSliceRange(double min, double max);
    /// Fits the projection's limits to its content. This also happens when DisplayVolume::exposure
    /// changes.
    void autoRange() override;
    void setGamma(double gamma) override;
    void setSmooth(bool smooth) override;
    /// Position of the three slices, in the units of the volume's axes.
    void setCrosshair(const echolux::Crosshair& crosshair);
    void look(echolux::VolumeView::Look from); ///< also resets the zoom
    void restoreOrbit(const echolux::Orbit::Turn& turn, double zoom);
    void resetView() override { look(Look::Standard); }
    void clear() override;

signals:
    void modeChanged(echolux::VolumeScene::Mode mode);

protected:
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;

private:
    void makeCanvas() override;
    void dropCanvas() override;
    void showPicture(double ratio) override;
    void drawPicture(double ratio, Shown shown) override;
    bool hasCanvas() const override { return m_canvas != nullptr; }
    bool hasPicture() const override { return m_hasVolume; }
    void drawOver(QPainter& painter, double ratio, Shown shown) override;
    void takeNewest();
    void followCrosshair();
    void moved();          ///< draws coarsely now, and finely once nothing has moved for a while
    Rect viewport() const; ///< in logical pixels
    void expose();
    void takeLimits();
    void followRange();
    bool projects() const { return m_scene.mode != VolumeScene::Mode::Slices; }
    QString rangeText() const;
    void drawAxes(QPainter& painter, const Rect& taken);

    VolumeSupplier* m_supplier = nullptr;
    std::unique_ptr<VolumeCanvas> m_canvas; ///< null without a usable context
    VolumeScene m_scene;
    using Limits = std::pair<double, double>;
    Limits m_sliceLimits{-60.0, 0.0};
    std::optional<Limits> m_projectionLimits; ///< null: nothing has been projected yet
    std::optional<Exposure> m_exposure; ///< exposure that the limits belong to or are computed for
    std::optional<Content> m_search;    ///< running search for limits, on the graphics card
    std::optional<Crosshair> m_crosshair;
    bool m_hasVolume = false;
    bool m_news = false;      ///< the supplier may have a new volume
    QTimer m_newsTimer{this}; ///< limits how often volumes are shown
    QTimer m_stillTimer{this};
    std::optional<QPointF> m_last; ///< last position of a drag
};

} // namespace echolux
