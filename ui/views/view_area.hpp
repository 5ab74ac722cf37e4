// SPDX-License-Identifier: GPL-3.0-or-later
// The centre of the window: one image, or for a volume the B-scan, the en face image and the
// volume, linked by a crosshair.
#pragma once

#include "render/view/overlay_shapes.hpp"
#include "render/view/volume_scene.hpp"
#include "ui/views/pane_plan.hpp"

#include "gpu/volume/volume.hpp"

#include <QAction>
#include <QImage>
#include <QList>
#include <QStringList>
#include <QTimer>
#include <QVariantMap>
#include <QWidget>

#include <array>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

class QMenu;
class QSplitter;

namespace echolux {

class ColumnOverlay;
class CrosshairOverlay;
class DepthWindowOverlay;
class DrawnRegion;
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
    ~ViewArea() override;

    ImageView& bscan() { return *m_bscan; } ///< or the only image
    ImageView& enFace() { return *m_enFace; }
    ImageView& side() { return *m_side; } ///< echoes only: plane of elevation and depth
    VolumeView& volume() { return *m_volume; }

    /// Further views of a pipeline, beside the first. A volume's own views are hidden then.
    FurtherViews& further() { return *m_further; }
    /// One name per view of the pipeline. A single view has no header. `main`: number of the view
    /// that no other one may surpass; empty: the volume, or none.
    void setViewNames(const QStringList& names, std::optional<std::size_t> main = {});
    /// Shows the first two views alternately in the same place.
    void setBlinking(bool on);

    /// Content of a volume. Light: OCT, with an en face image of a layer. Echoes: ultrasound, with
    /// a C-plane at the crosshair's depth.
    enum class Kind { Light, Echoes };
    /// Axes elevation, lateral and depth of the volume that the images belong to. Empty: one image
    /// without a volume. The crosshair keeps its place; for OCT, its place as fractions of the
    /// axes.
    void setVolume(const std::optional<FrameSpec>& volume, Kind kind = Kind::Light);
    bool hasVolume() const { return m_axes.has_value(); }
    std::int64_t bscans() const { return m_axes ? m_axes->elevation.size : 1; } ///< in a volume
    /// The B-scan on screen. The header names it, and the crosshair follows it unless the user
    /// drags the crosshair across B-scans.
    void setShownBscan(std::int64_t bscan);
    void returnToShown(); ///< moves the crosshair back to the shown B-scan, also during a drag
    const Crosshair& crosshair() const { return m_crosshair; }
    void moveCrosshair(const Crosshair& crosshair); ///< as a drag does

    Projection projection() const;
    const DepthWindow& depthWindow() const { return m_window; }
    void moveWindow(const DepthWindow& window); ///< as a drag does
    /// Null: there is no en face image of a layer.
    std::optional<DepthWindow> shownWindow() const;

    /// The picked column, in the unit of the lateral axis, over the first view and those with the
    /// same axis. Null: none. A volume shows its crosshair instead.
    void mark(std::optional<double> lateral);
    std::optional<double> marker() const;
    DrawnRegion& region() { return *m_region; } ///< on the first view
    /// Which views are shown and how. The actions are hidden and have no keys without a volume.
    const QList<QAction*>& viewActions() const { return m_actions; }
    /// The same for the menu, mostly in submenus.
    const QList<QAction*>& viewEntries() const { return m_entries; }
    /// Shift and a number: one view alone, and all again.
    const QList<QAction*>& aloneActions() const { return m_aloneActions; }
    QAction* aloneEntry() const; ///< their submenu

    /// Actions on the image of a view; also for the menu.
    ImageActions& imageActions() { return *m_imageActions; }

    void setColours(const DisplayChoice& choice); ///< of all views; the range is not changed
    void resetViews();
    /// Fits the limits to the content of the view under the pointer, otherwise of the B-scan.
    /// Slices have the B-scan's limits.
    void autoRange();
    void clear();
    QImage grabImage(); ///< everything that is shown
    /// True: B-scan, side plane and C-plane show one quantity with the same limits. The en face
    /// image of OCT has its own limits.
    bool sharesLimits() const { return m_kind == Kind::Echoes; }

    QVariantMap state() const; ///< the arrangement that the user chose
    void restore(const QVariantMap& state);
    /// state() and the state of the views: depth window and crosshair as fractions of their axes,
    /// chosen limits, rotation of the volume. Uses only JSON types.
    QVariantMap scene() const;
    /// Invalid places, limits and rotations are ignored.
    void restoreScene(const QVariantMap& scene);

signals:
    void bscanChosen(qint64 bscan);    ///< within the volume
    void lineChosen(double lateral);   ///< in the unit of the lateral axis
    void lineRestored(double lateral); ///< picked column in a scene of a single image
    /// Layer to show in the en face image; depths in the unit of the depth axis.
    void enFaceChanged(echolux::Projection projection, const echolux::DepthWindow& window);
    /// Position of the plane of elevation and depth, in the unit of the lateral axis. Null: the
    /// plane is not shown.
    void sideChanged(std::optional<double> lateral);

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    struct Axes {
        Axis elevation, lateral, depth;
        bool operator==(const Axes&) const = default;
    };
    std::array<View*, 4> ofVolume() const; ///< the first one also exists without a volume
    void makeActions();
    void makeEntries();
    void nameEnFaceActions(bool ofEchoes);
    void makeOverlays();
    void makePanes();
    void makeTuning();
    void showMode();
    void setShading(double depthCue, double opacity);
    void makeImageActions();
    void connectViews();
    void makeAloneActions();
    void nameAloneActions();
    void arrange(); ///< decides which views are shown, and where
    std::vector<ViewPane*> allPanes() const;
    std::vector<ViewPane*> openPanes() const;
    std::vector<ViewPane*> shownPanes() const; ///< the open ones, or one of them alone
    std::vector<ViewParts> partsIn(const PaneLines& lines,
                                   const std::vector<PlacedView>& placed) const;
    PanePlan planOf(const std::vector<ViewPane*>& panes) const;
    void placePanes();
    void fillLines(const PaneLines& lines, const std::vector<ViewPane*>& panes);
    void sizePanes(const PanePlan& plan, const std::vector<ViewPane*>& panes);
    void showAlone(ViewPane* pane); ///< again: all of them
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
    void showWindow();
    /// Views that can be zoomed, and their keys in a scene.
    std::array<std::pair<ImageView*, const char*>, 2> lookedAt() const;

    ImageView* m_bscan;
    ImageView* m_enFace;
    ImageView* m_side;
    VolumeView* m_volume;
    ViewPane* m_bscanPane;
    ViewPane* m_enFacePane;
    ViewPane* m_sidePane;
    ViewPane* m_volumePane;
    QSplitter* m_board;                ///< rows of panes, or columns
    std::array<QSplitter*, 6> m_lines; ///< each of them; one per pane at most
    std::vector<ViewPane*> m_placed;   ///< the panes on screen, in order
    PaneLines m_placedIn;              ///< their rows or columns
    ViewPane* m_alone = nullptr;       ///< the view that is shown alone; null: all
    std::optional<std::size_t> m_main; ///< number of the pipeline's main view
    QMenu* m_aloneMenu;
    QList<QAction*> m_aloneActions;
    QAction *m_showEnFace, *m_showSide, *m_showVolume, *m_maximum, *m_mean, *m_volumeMaximum,
        *m_composite, *m_slices, *m_standardLook, *m_frontLook, *m_topLook, *m_sideLook, *m_tune;
    QList<QAction*> m_actions;
    QMenu *m_enFaceMenu, *m_volumeMenu, *m_lookMenu;
    QList<QAction*> m_entries;
    VolumeTuning* m_tuning;
    ImageActions* m_imageActions;

    FurtherViews* m_further;
    DrawnRegion* m_region;
    std::unique_ptr<ColumnOverlay> m_column;
    std::unique_ptr<CrosshairOverlay> m_onBscan, m_onEnFace, m_onSide;
    std::unique_ptr<DepthWindowOverlay> m_windowOnBscan;
    QTimer m_blink;
    bool m_blinkSecond = false; ///< it is the second view's turn

    std::optional<Axes> m_axes;
    Kind m_kind = Kind::Light;
    Crosshair m_crosshair;
    std::int64_t m_shownBscan = 0;
    DepthWindow m_window;
    bool m_viewsDragged = false; ///< the user resized the panes
};

} // namespace echolux
