// SPDX-License-Identifier: GPL-3.0-or-later
// A volume in space: maximum projection, composite or three slices, turned with the mouse, in the
// colours of the image beside it. Slices have its limits, too; projections have their own.
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

/// Drag turns, the wheel zooms, a double-click brings the first look back. Key presses are left to
/// the window.
class VolumeView : public GlView {
    Q_OBJECT
public:
    explicit VolumeView(QWidget* parent = nullptr);
    ~VolumeView() override;

    /// Null for nowhere. Set null before the supplier goes; the last volume stays until clear().
    void setVolumeSupplier(VolumeSupplier* supplier);
    bool hasVolume() const { return m_hasVolume; }
    /// Limits of the projection are about to show.
    bool findsLimits() const { return m_search.has_value(); }
    const VolumeScene& scene() const { return m_scene; }

    enum class Look { Standard, Front, Top, Side };

    static constexpr double kDepthCue = 0.5; ///< at first
    static constexpr double kOpacity = 0.8;

public slots:
    void volumeAvailable(); ///< repaints soon; from other threads: invoke it queued
    void setMode(echolux::VolumeScene::Mode mode);
    void setDepthCue(double amount); ///< of projections; see VolumeScene
    void setOpacity(double amount);  ///< of the composite
    void setColourMap(const QString& name, bool inverted) override;
    void setSliceRange(double min, double max);
    /// The projection's limits become those of what it shows. It does so by itself where the volume
    /// has another DisplayVolume::exposure.
    void autoRange() override;
    void setGamma(double gamma) override;
    void setSmooth(bool smooth) override;
    /// Where the three slices are; in the unit of the volume's axes.
    void setCrosshair(const echolux::Crosshair& crosshair);
    void look(echolux::VolumeView::Look from); ///< also undoes the zoom
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
    void moved();          ///< coarse now, fine once nothing has moved for a while
    Rect viewport() const; ///< logical pixels
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
    std::optional<Exposure> m_exposure;       ///< that they were found for, or are looked for
    std::optional<Content> m_search;          ///< under way, on the graphics card
    std::optional<Crosshair> m_crosshair;
    bool m_hasVolume = false;
    bool m_news = false; ///< a volume may wait at the supplier
    QTimer m_newsTimer;  ///< volumes are shown at most so often
    QTimer m_stillTimer;
    std::optional<QPointF> m_last; ///< of a drag
};

} // namespace echolux
