// SPDX-License-Identifier: GPL-3.0-or-later
// The centre of the window: the image alone, or, where the recording makes a volume, B-scan, en
// face image and volume, linked by a crosshair.
#pragma once

#include "render/view/overlay_shapes.hpp"
#include "render/view/volume_scene.hpp"

#include "gpu/volume/volume.hpp"

#include <QAction>
#include <QImage>
#include <QList>
#include <QStringList>
#include <QTimer>
#include <QVariantMap>
#include <QWidget>

#include <array>
#include <optional>
#include <utility>
#include <vector>

class QMenu;
class QSplitter;

namespace echolux {

class FurtherViews;
class ImageActions;
class ImageView;
class View;
class ViewPane;
class VolumeTuning;
class VolumeView;
struct DisplayChoice;
struct PlacedView;
struct ViewParts;

class ViewArea : public QWidget {
    Q_OBJECT
public:
    explicit ViewArea(QWidget* parent = nullptr);

    ImageView& bscan() { return *m_bscan; } ///< or the only image
    ImageView& enFace() { return *m_enFace; }
    ImageView& side() { return *m_side; } ///< of echoes: elevation and depth
    VolumeView& volume() { return *m_volume; }

    /// Of a pipeline with several views, beside the first; then a volume's own views are hidden.
    FurtherViews& further() { return *m_further; }
    /// One name per view of the pipeline; a single one needs no header.
    void setViewNames(const QStringList& names);
    /// Shows the first two views by turns in the same place.
    void setBlinking(bool on);

    /// What a volume is of: echoes have a C-plane, which goes with the crosshair's depth, where
    /// light has an en face image of a layer.
    enum class Kind { Light, Echoes };
    /// Axes elevation, lateral, depth of the volume that the images are parts of; without one the
    /// image stands alone. The crosshair stays where it was, of light in proportion.
    void setVolume(const std::optional<FrameSpec>& volume, Kind kind = Kind::Light);
    bool hasVolume() const { return m_axes.has_value(); }
    std::int64_t bscans() const { return m_axes ? m_axes->elevation.size : 1; } ///< in a volume
    /// What the B-scan view shows: its header names it, and the crosshair follows unless it is
    /// being dragged along the B-scans.
    void setShownBscan(std::int64_t bscan);
    void returnToShown(); ///< the crosshair, also out of a hand
    const Crosshair& crosshair() const { return m_crosshair; }

    Projection projection() const;
    const DepthWindow& depthWindow() const { return m_window; }
    /// Which views are shown and how; hidden and without keys where there is no volume.
    const QList<QAction*>& viewActions() const { return m_actions; }
    /// The same for the menu, most of them in menus of their own.
    const QList<QAction*>& viewEntries() const { return m_entries; }

    /// What can be done with the picture of a view, for the menu too.
    ImageActions& imageActions() { return *m_imageActions; }

    void setColours(const DisplayChoice& choice); ///< of all views, without the range
    void resetViews();
    /// Limits that show what is there: of the view under the pointer, or of the B-scan, whose
    /// limits slices have too.
    void autoRange();
    void clear();
    QImage grabImage(); ///< all that is shown
    /// B-scan, side plane and C-plane show one quantity in the same limits; an en face image of
    /// light has its own.
    bool sharesLimits() const { return m_kind == Kind::Echoes; }

    QVariantMap state() const; ///< what people arranged
    void restore(const QVariantMap& state);
    /// state(), and what the views point at: depth window and crosshair as parts of their axes,
    /// limits that were chosen, how the volume is turned. Knows JSON's types alone.
    QVariantMap scene() const;
    /// Places, limits and turns that are none change nothing.
    void restoreScene(const QVariantMap& scene);

signals:
    void bscanChosen(qint64 bscan);    ///< of the volume
    void lineChosen(double lateral);   ///< in the unit of the lateral axis
    void lineRestored(double lateral); ///< the column that a scene had picked in the only image
    /// What the en face image is to show; depths in the unit of the depth axis.
    void enFaceChanged(echolux::Projection projection, const echolux::DepthWindow& window);
    /// Where the plane of elevation and depth is to be, in the unit of the lateral axis; null: it
    /// is not shown.
    void sideChanged(std::optional<double> lateral);

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    struct Axes {
        Axis elevation, lateral, depth;
        bool operator==(const Axes&) const = default;
    };
    std::array<View*, 4> ofVolume() const; ///< the first of them also without one
    void makeActions();
    void makeEntries();
    void nameEnFaceActions(bool ofEchoes);
    void makePanes();
    void makeTuning();
    void showMode();
    void setShading(double depthCue, double opacity);
    void makeImageActions();
    void makeRegionActions();
    void connectViews();
    void arrange(); ///< what is shown, and where
    bool standsBeside() const;
    void followShape();
    std::vector<PlacedView> placedViews(bool beside) const;
    std::vector<ViewParts> partsOf(const std::vector<PlacedView>& placed, bool beside) const;
    void shareParts();
    void sizeViews(const std::vector<PlacedView>& placed, const std::vector<ViewParts>& parts);
    double scaleOfTwo(bool beside) const;
    void rememberSizes();
    void moveCrosshair(const Crosshair& crosshair); ///< as somebody asked
    Crosshair snapped(const Crosshair& crosshair) const;
    void showCrosshair();
    bool hasSide() const;
    void connectSide();
    void lead(ImageView& view) const;
    void showSide();
    void setKind(Kind kind);
    ScreenAxis onScreen(const Axis& axis) const;
    DepthWindow firstWindow() const;
    void takeWindowAlong(double depth);
    void setWindow(const DepthWindow& window);
    void showWindow();
    /// Views that are zoomed, and what a scene calls where.
    std::array<std::pair<ImageView*, const char*>, 2> lookedAt() const;

    ImageView* m_bscan;
    ImageView* m_enFace;
    ImageView* m_side;
    VolumeView* m_volume;
    ViewPane* m_bscanPane;
    ViewPane* m_enFacePane;
    ViewPane* m_sidePane;
    ViewPane* m_volumePane;
    QSplitter* m_outer; ///< B-scan | others
    QSplitter* m_left;  ///< B-scan, and below it the side, or of four views one
    QSplitter* m_inner; ///< en face | volume
    QAction *m_showEnFace, *m_showSide, *m_showVolume, *m_maximum, *m_mean, *m_volumeMaximum,
        *m_composite, *m_slices, *m_standardLook, *m_frontLook, *m_topLook, *m_sideLook, *m_tune;
    QList<QAction*> m_actions;
    QMenu *m_enFaceMenu, *m_volumeMenu, *m_lookMenu;
    QList<QAction*> m_entries;
    VolumeTuning* m_tuning;
    ImageActions* m_imageActions;
    QAction *m_rectangle, *m_freeForm, *m_noRegion;

    FurtherViews* m_further;
    QTimer m_blink;
    bool m_blinkSecond = false; ///< the second one's turn

    std::optional<Axes> m_axes;
    Kind m_kind = Kind::Light;
    Crosshair m_crosshair;
    std::int64_t m_shownBscan = 0;
    DepthWindow m_window;
    bool m_viewsDragged = false;         ///< somebody gave a pipeline's views their sizes
    double m_bscanShare[2] = {0.6, 0.6}; ///< of the room, standing beside or above the others
};

} // namespace echolux
