// SPDX-License-Identifier: GPL-3.0-or-later
// The image: newest frame, at true aspect where both axes are lengths, axes with units, colour bar,
// value under the cursor.
#pragma once

#include "render/view/frame_canvas.hpp"
#include "ui/views/gl_view.hpp"
#include "ui/views/image_tools.hpp"
#include "ui/views/image_view_overlay.hpp"
#include "ui/views/region_tool.hpp"
#include "ui/views/view_sketch.hpp"

#include <QImage>
#include <QPointF>
#include <QString>
#include <QStringList>
#include <QWidget>

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace echolux {

/// Where somebody zoomed to: the place in the middle as parts of the image's extent.
struct ImageLook {
    double across = 0.5;
    double down = 0.5;
    double zoom = 1.0;
};

/// Drag pans, the wheel zooms at the cursor, a double-click shows everything again; a click picks a
/// column; the ends of the colour bar are dragged, a double-click on it brings the frame's own
/// range back. A crosshair or a depth window, where there is one, is dragged at its lines; a click
/// then moves the crosshair. Key presses are left to the window.
class ImageView : public GlView {
    Q_OBJECT

public:
    static constexpr int kNarrow = 320; ///< below this width the colour bar is slim

    explicit ImageView(QWidget* parent = nullptr);
    ~ImageView() override;

    /// Where frames come from; null for nowhere. Set null before the supplier goes; the last image
    /// stays until clear() or the next frame.
    void setFrameSupplier(FrameSupplier* supplier);

    static QStringList colourMapNames();
    QString colourMapName() const { return chosenColourMap(); }
    bool inverted() const { return m_settings.inverted; }
    double displayMin() const { return m_settings.min; }
    double displayMax() const { return m_settings.max; }
    bool smooth() const { return m_settings.smooth; }
    std::optional<double> marker() const { return m_markerM; }

    struct PathText {
        QString badge;  ///< for the status line; empty before the first frame
        QString reason; ///< for its tooltip
    };
    PathText displayPath() const { return m_pathText; }
    /// Stands over the image where it shows nothing, and says why; empty: nothing to say.
    void setNotice(const QString& sentence);
    QString notice() const { return m_notice; }
    bool hasImage() const { return m_hasImage; }
    /// See Picture::whyNoLengths().
    QString whyNoLengths() const { return QString::fromStdString(m_picture.whyNoLengths()); }
    bool findsLimits() const { return m_search.has_value(); } ///< new ones are about to show
    const FrameSpec& spec() const { return m_spec; } ///< of the shown frame; no axes before it
    const std::optional<Crosshair>& crosshair() const { return m_tools.crosshair(); }
    const std::optional<DepthWindow>& depthWindow() const { return m_tools.window(); }

    /// Nothing: none is drawn. In the view's units.
    const std::optional<Region>& region() const { return m_region.region(); }
    void setRegion(const std::optional<Region>& region);
    /// The next drag draws a region; nothing: it no longer does.
    void drawRegion(std::optional<RegionTool::Shape> shape);
    /// Its bounds, in the units of the axes.
    std::optional<Rect> regionPart() const;

    /// A rectangle beside the region, dragged anywhere in it and resized at its edges, in the units
    /// of the axes; nothing: none.
    void setBox(const std::optional<Rect>& box);
    const std::optional<Rect>& box() const { return m_boxPart; }

    const Picture& picture() const { return m_picture; } ///< axes of the shown frame on screen
    /// The place under the mouse, in view units; nothing while it is not on the image.
    std::optional<Vec2> pointed() const;
    /// Where the mouse is in another view, in view units of picture(): a cross, and the readout is
    /// of that place. Gone when frames have other axes.
    void setGhost(std::optional<Vec2> place);
    const std::optional<Vec2>& ghost() const { return m_ghost; }

    /// Drawn over the image; nothing: none.
    void setSketch(const std::optional<ViewSketch>& sketch);
    const std::optional<ViewSketch>& sketch() const { return m_sketch; }

    CrosshairPart heldCrosshair() const { return m_tools.heldCrosshair(); } ///< by the mouse

    /// Limits of its own, beside a slim colour bar: found in what it shows, again where frames have
    /// another DisplayFrame::exposure, until somebody chooses some.
    void setExposing(bool on);
    /// Its limits are those of another view, told by setDisplayRange(): frames change none. Not
    /// while exposing.
    void setLed(bool led) { m_led = led; }
    /// The limits among them that somebody chose, by Exposure::kind; to be had again.
    using ChosenLimits = std::map<int, std::pair<double, double>>;
    const ChosenLimits& chosenLimits() const { return m_chosen; }
    void restoreChosenLimits(const ChosenLimits& limits);
    /// While everything is shown, dragging anywhere moves the crosshair instead of the image.
    void setScrubbing(bool on) { m_scrubbing = on; }

    QImage imageAt(double times) override;
    QImage grabImage() override; ///< with the newest frame, which then goes on screen as well

    /// Fills the view, whatever the scales of the two axes are.
    void setStretched(bool stretched);
    bool stretched() const { return m_stretched; }
    void setScaleBar(bool shown);
    bool scaleBar() const { return m_scaleBar; }
    /// Whether imageAt() draws the picked column, as the screen always does.
    void setMarkerInPictures(bool shown) { m_markerInPictures = shown; }
    /// Nothing while everything is shown.
    std::optional<ImageLook> shownLook() const;
    /// Also before there is an image, which then appears so.
    void restoreLook(const ImageLook& look);

    const ViewTransform& view() const { return m_view; } ///< in logical pixels of this widget
    QRectF colourBarRect() const { return m_layout.bar; }
    const QRectF& viewport() const { return m_layout.viewport; } ///< where the image may be
    /// What of axes and colour bar it draws on screen; pictures of it have all.
    void setParts(const std::optional<ViewParts>& parts); ///< nothing: all, as its width suits
    ViewParts parts() const;
    /// Of the image, in the units of its axes; nothing without an image.
    std::optional<Rect> visiblePart() const;

public slots:
    /// A new frame waits at the supplier: repaint once. From other threads: invoke it queued.
    void frameAvailable();
    void setColourMap(const QString& name, bool inverted) override;
    void setDisplayRange(double min, double max); ///< ignored unless min < max, both finite
    /// The same for frames still to come, which are meant for `meant`.
    void setDisplayRangeFor(const std::optional<ValueRange>& meant, double min, double max);
    /// Limits of a view beside of values on the same scale. Amplitudes, which are never negative,
    /// begin at 0 at the least.
    void followDisplayRange(double min, double max);
    void resetDisplayRange();  ///< to the range the frame is meant for, if not exposing
    void autoRange() override; ///< to what the shown image holds
    void setSmooth(bool smooth) override;
    void setGamma(double gamma) override; ///< clamped to 0.1 .. 10
    void setMarker(std::optional<double> lateralM);
    void setCrosshair(const std::optional<echolux::Crosshair>& crosshair);
    void setDepthWindow(const std::optional<echolux::DepthWindow>& window);
    void resetView() override; ///< everything is shown
    void zoomIn();
    void zoomOut();
    void clear() override; ///< back to the empty state; the next frame shows in its own range

signals:
    void
    cursorMoved(const QString& text); ///< place and value under the cursor; empty off the image
    void pointerMoved();              ///< pointed() is another place
    /// By a click, in the units of the axes; where there is no crosshair, columnPicked follows.
    void pixelPicked(double across, double down);
    void columnPicked(double lateralM);
    void crosshairMoved(const echolux::Crosshair& crosshair);
    void depthWindowMoved(const echolux::DepthWindow& window);
    void regionChanged();                      ///< by the mouse, or it is gone
    void boxDragged(const echolux::Rect& box); ///< by the mouse, while it is held
    void regionToolIdle();                     ///< nothing is going to be drawn any more
    void displayRangeChanged(double min, double max);
    /// The frame is meant for no range of its own: this is what it holds.
    void scaleFound(double lowest, double highest);
    /// After it, where somebody did so at the colour bar: what it was before.
    void displayRangeEdited(double formerMin, double formerMax);
    /// The same, some time after autoRange(), while painting.
    void autoRangeFound(double formerMin, double formerMax);
    void viewChanged();
    void displayPathChanged();
    /// A new frame is about to be drawn: what is told of it now appears together with it.
    void frameTaken();
    void framePresented(quint64 serial);

protected:
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;
    bool event(QEvent* event) override;
    void showEvent(QShowEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override; ///< Esc puts the region tool away

private:
    using BarEnd = ImageViewOverlay::BarEnd;
    struct Kept {
        FrameSpec spec;
        std::vector<float> pixels;
    };
    enum class Drag { None, Undecided, Pan, Bar, Tool, Region, Box };

    void makeCanvas() override;
    void dropCanvas() override { m_canvas.reset(); }
    void keepPicture() override;
    void showPicture(double ratio) override;
    void drawPicture(double ratio, Shown shown) override;
    bool hasCanvas() const override { return m_canvas != nullptr; }
    bool hasPicture() const override { return m_hasImage; }
    const QImage* keptOver(double ratio) override;
    void drawOver(QPainter& painter, double ratio, Shown shown) override;
    void refresh() override;
    void swapped() override;
    void takeNewest();
    void takeNewestFrame();
    void followSpec(const FrameSpec& spec);
    void drawOverlay(QPainter& painter, Shown shown); ///< what is kept between frames
    void drawTools(QPainter& painter, double ratio);  ///< what moves with every frame
    void followLook();
    void followBox();
    void dragBox(Vec2 pixel);
    Rect inAxes(const Rect& places) const; ///< of the view, in the units of the axes
    Aspect aspect() const;
    void report(ImageTools::Moved moved);
    void updatePath();
    void updateLayout();
    void updateGradient();
    bool isBesideSector(Vec2 place) const;
    void updateCursorText();
    void applyRange(double min, double max);
    void followExposure(const Exposure& exposure);
    void expose();
    /// What limits are looked for, on the graphics card; they come a picture or two later.
    enum class LimitsOf { Exposure, Request, FirstFrame };
    void findLimits(LimitsOf what);
    void takeLimits();
    void useLimits(LimitsOf what, std::pair<double, double> found);
    std::optional<std::pair<double, double>> chosenLimit() const;
    /// Under the mouse, or where it is in another view.
    std::optional<Vec2> placeRead() const;
    void askForValue(Vec2 place);
    QString valueText(float value) const; ///< with its unit
    ColourBar colourBar() const;
    BarEnd barEndAt(QPointF position) const;
    void dragBar(double y);
    void updateMouseShape(QPointF position);
    void zoomAt(QPointF position, double factor);
    static std::string unitOf(const std::optional<ValueRange>& range);
    QString rangeUnit() const;
    QString zeroText() const; ///< "0 dB = 1 code"; empty where no reference is known

    FrameSupplier* m_supplier = nullptr;
    std::unique_ptr<FrameCanvas> m_canvas; ///< null without a usable context
    std::optional<Kept> m_kept;            ///< the image across a lost context

    FrameSpec m_spec; ///< of the shown frame
    bool m_hasImage = false;
    Picture m_picture; ///< its axes on screen
    ViewTransform m_view;
    std::optional<ViewParts> m_parts; ///< as somebody shares them out among views
    ImageViewLayout m_layout;
    DisplaySettings m_settings;
    std::pair<double, double> m_scale{-60.0, 0.0}; ///< of the colour bar, at least
    /// A range that was chosen in the view: it stays while frames are meant for `meant`, which
    /// those to come may yet be. Null: the range that the frame is meant for is shown.
    struct OwnRange {
        std::optional<ValueRange> meant;
        bool seen = false; ///< such a frame has been shown
    };
    std::optional<OwnRange> m_ownRange;
    std::optional<std::pair<double, double>> m_followed; ///< by followDisplayRange()
    bool m_holdsAmplitudes = false;                      ///< the first frame has nothing negative
    bool m_exposing = false;
    bool m_led = false;
    std::optional<Exposure> m_exposure; ///< that limits were found for
    ChosenLimits m_chosen;
    struct Search {
        LimitsOf what;
        Content content;
    };
    std::optional<Search> m_search; ///< under way
    bool m_isExposed = false;       ///< limits have been found or chosen
    bool m_stretched = false;
    bool m_scaleBar = false;
    std::optional<ImageLook> m_awaitedLook;
    QImage m_gradient;
    QImage m_overlay; ///< axes, colour bar, texts, in device pixels
    bool m_overlayStale = true;
    std::optional<double> m_markerM;
    bool m_markerInPictures = true;
    std::optional<quint64> m_pendingSerial; ///< drawn, not yet swapped

    ImageTools m_tools;
    RegionTool m_region;
    RegionTool m_boxTool{2, tr("Estimate")};
    std::optional<Rect> m_boxPart;
    std::optional<ViewSketch> m_sketch;
    bool m_scrubbing = false;
    Drag m_drag = Drag::None;
    BarEnd m_barEnd = BarEnd::None;
    std::optional<ColourBar> m_dragScale; ///< the bar stands still while an end is dragged
    QPointF m_pressed;
    QPointF m_last;
    std::optional<QPointF> m_cursor;
    std::optional<Vec2> m_ghost; ///< where the mouse is in another view
    /// A pixel of one frame, whose value has been asked for.
    struct AskedPixel {
        int column = 0;
        int row = 0;
        quint64 frame = 0;
        bool operator==(const AskedPixel&) const = default;
    };
    std::optional<AskedPixel> m_asked;
    QString m_askedPlace;
    quint64 m_framesTaken = 0;
    QString m_cursorText;
    PathText m_pathText;
    QString m_notice;
};

} // namespace echolux
