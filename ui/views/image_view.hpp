// SPDX-License-Identifier: GPL-3.0-or-later
// Shows the newest frame, with true aspect where both axes are lengths, with axes and units, a
// colour bar, and the value under the cursor.
#pragma once

#include "render/view/frame_canvas.hpp"
#include "ui/views/gl_view.hpp"
#include "ui/views/image_view_overlay.hpp"
#include "ui/views/overlay/overlay.hpp"

#include <QImage>
#include <QPointF>
#include <QString>
#include <QStringList>
#include <QWidget>

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace echolux {

/// Zoom state of a view: the visible centre as fractions of the image's extent.
struct ImageLook {
    double across = 0.5;
    double down = 0.5;
    double zoom = 1.0;
};

/// A drag pans, the wheel zooms at the cursor, a double click shows everything again, and a click
/// picks a column. The ends of the colour bar can be dragged; a double click on the bar restores
/// the frame's own range. Overlays take the mouse first. The window handles key presses.
class ImageView : public GlView {
    Q_OBJECT

public:
    static constexpr int kNarrow = 320; ///< below this width the colour bar is slim

    explicit ImageView(QWidget* parent = nullptr);
    ~ImageView() override;

    /// Source of frames; null: none. Set null before the supplier is destroyed. The last image
    /// stays until clear() or the next frame.
    void setFrameSupplier(FrameSupplier* supplier);

    static QStringList colourMapNames();
    QString colourMapName() const { return chosenColourMap(); }
    bool inverted() const { return m_settings.inverted; }
    double gamma() const { return m_settings.gamma; }
    double displayMin() const { return m_settings.min; }
    double displayMax() const { return m_settings.max; }
    /// The least range of the colour bar: FrameSpec::valueRange, else the range of the values in
    /// the first frame.
    std::pair<double, double> scale() const { return m_scale; }
    bool smooth() const { return m_settings.smooth; }

    /// How the view that shows the image beneath alone draws it. Counts where frames come with an
    /// image beneath them.
    struct BeneathLook {
        QString colourMap = "gray";
        DisplaySettings settings;
    };
    void setBeneath(const BeneathLook& look, const BlendSettings& blend);
    /// Drawn where frames come with their motion.
    void setParticles(const ParticleSettings& particles);
    const ParticleSettings& particles() const { return m_particles; }
    BeneathLook asBeneath() const { return {chosenColourMap(), m_settings}; }
    bool isOver() const { return m_beneathExtent.has_value(); } ///< the frame has one beneath it

    struct PathText {
        QString badge;  ///< for the status line; empty before the first frame
        QString reason; ///< for the badge's tooltip
    };
    PathText displayPath() const { return m_pathText; }
    /// A sentence over an empty image that says why nothing is shown; empty: none.
    void setNotice(const QString& sentence);
    QString notice() const { return m_notice; }
    bool hasImage() const { return m_hasImage; }
    /// See Picture::whyNoLengths().
    QString whyNoLengths() const { return QString::fromStdString(m_picture.whyNoLengths()); }
    bool findsLimits() const { return m_search.has_value(); } ///< new limits are being computed
    /// Of the shown frame; has no axes before the first one.
    const FrameSpec& spec() const { return m_spec; }
    /// `places` in view units, the result in the units of the axes.
    Rect inAxes(const Rect& places) const;

    /// Draws the overlay, and hands it the mouse, until it is removed or one of both is destroyed.
    void add(Overlay& overlay);
    void remove(Overlay& overlay);
    const std::vector<Overlay*>& overlays() const { return m_overlays; } ///< in drawing order

    const Picture& picture() const { return m_picture; } ///< axes of the shown frame on screen
    /// Position of the mouse in view units; empty while it is not on the image.
    std::optional<Vec2> pointed() const;
    /// Marks the mouse position in another view, in view units of picture(), with a cross. The
    /// readout then shows the value there. The mark is removed when frames have other axes.
    void setGhost(std::optional<Vec2> place);
    const std::optional<Vec2>& ghost() const { return m_ghost; }

    /// Gives the view its own limits and a slim colour bar. The limits are found in the shown
    /// image, and again when DisplayFrame::exposure changes, until the user chooses limits.
    void setExposing(bool on);
    /// The limits come from another view through setDisplayRange(), and frames do not change them.
    /// Has no effect while exposing.
    void setLed(bool led) { m_led = led; }
    /// Limits that the user chose, by Exposure::kind; for restoreChosenLimits().
    using ChosenLimits = std::map<int, std::pair<double, double>>;
    const ChosenLimits& chosenLimits() const { return m_chosen; }
    void restoreChosenLimits(const ChosenLimits& limits);

    QImage imageAt(double times) override;
    QImage grabImage() override; ///< first puts the newest frame on screen

    /// Fills the view, regardless of the scales of the two axes.
    void setStretched(bool stretched);
    bool stretched() const { return m_stretched; }
    void setScaleBar(bool shown);
    bool scaleBar() const { return m_scaleBar; }
    /// Empty while the whole image is visible.
    std::optional<ImageLook> shownLook() const;
    /// May be called before there is an image; it then applies to the first one.
    void restoreLook(const ImageLook& look);

    const ViewTransform& view() const { return m_view; } ///< in logical pixels of this widget
    QRectF colourBarRect() const { return m_layout.bar; }
    /// The area that the image may fill.
    const QRectF& viewport() const { return m_layout.viewport; }
    /// Sets the parts of axes and colour bar that are drawn on screen. Pictures always have all.
    /// Empty: all, in a form that suits the width.
    void setParts(const std::optional<ViewParts>& parts);
    ViewParts parts() const;
    /// Width over height of the whole image on screen. Empty without an image, and where it fills
    /// any shape.
    std::optional<double> shape() const;
    /// Visible part of the image, in the units of its axes. Empty without an image.
    std::optional<Rect> visiblePart() const;

public slots:
    /// The supplier has a new frame: repaints once. From other threads: invoke it queued.
    void frameAvailable();
    void setColourMap(const QString& name, bool inverted) override;
    void setDisplayRange(double min, double max); ///< ignored unless min < max, both finite
    /// The same as an edit of the user: emits displayRangeEdited().
    void editDisplayRange(double min, double max);
    /// setDisplayRange() for frames with the valueRange `meant`, which may still have to come.
    void setDisplayRangeFor(const std::optional<ValueRange>& meant, double min, double max);
    /// Sets the limits of a neighbouring view with values on the same scale. For amplitudes, which
    /// are never negative, the lower limit is at least 0.
    void followDisplayRange(double min, double max);
    void resetDisplayRange(); ///< to the frame's own range; not while exposing
    /// The right button is held, which a drag of the displayed range may follow.
    bool isRangeHeld() const { return m_rangeDrag.has_value(); }
    void autoRange() override; ///< fits the limits to the shown image
    void setSmooth(bool smooth) override;
    void setGamma(double gamma) override; ///< clamped to 0.1 .. 10
    void resetView() override;            ///< shows the whole image
    void zoomIn();
    void zoomOut();
    /// Returns to the empty state; the next frame is shown with its own range.
    void clear() override;

signals:
    void
    /// Position and value under the cursor; empty outside the image.
    cursorMoved(const QString& text);
    void pointerMoved(); ///< pointed() has changed
    /// Emitted on a click, in the units of the axes. Where no overlay follows clicks, columnPicked
    /// comes next.
    void pixelPicked(double across, double down);
    void placePicked(const echolux::Vec2& place); ///< the same click, in view units
    void columnPicked(double lateralM);
    void displayRangeChanged(double min, double max);
    /// The frame has no range of its own: these are its lowest and highest values.
    void scaleFound(double lowest, double highest);
    /// Emitted after displayRangeChanged where the user edited the range, such as at the colour
    /// bar; gives the former limits.
    void displayRangeEdited(double formerMin, double formerMax);
    /// The same for autoRange(): emitted some time later, while painting.
    void autoRangeFound(double formerMin, double formerMax);
    void viewChanged();
    void displayPathChanged();
    /// A new frame is about to be drawn. Texts that change now appear together with the frame.
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
    void keyPressEvent(QKeyEvent* event) override; ///< overlays follow Esc

private:
    using BarEnd = ImageViewOverlay::BarEnd;
    struct Kept {
        FrameSpec spec;
        std::vector<float> pixels;
        std::optional<FrameSpec> beneath;
        std::vector<float> beneathPixels;
    };
    enum class Drag { None, Undecided, Pan, Bar, Overlay };
    /// The right button is held: a drag across changes the width of the displayed range, one down
    /// its middle.
    struct RangeDrag {
        QPointF from;
        double min = 0.0; ///< the range when it began
        double max = 0.0;
        bool isMoving = false;
    };

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
    void followBeneath();
    void followSpec(const FrameSpec& spec);
    /// The cached part, which stays between frames.
    void drawOverlay(QPainter& painter, Shown shown);
    /// The part that changes with every frame.
    void drawOverlays(QPainter& painter, double ratio, Shown shown);
    void followLook();
    OverlayPlace overlayPlace() const {
        return {m_view, m_picture, font(), devicePixelRatioF(), true};
    }
    double takenBelow() const; ///< by overlays, see Overlay::takenBelow()
    /// The first overlay, from above, for which `takes` is true; null: none.
    Overlay* overlayThat(const std::function<bool(Overlay&)>& takes) const;
    std::optional<Qt::CursorShape> overlayShape(Vec2 pixel) const;
    Aspect aspect() const;
    void updatePath();
    void updateLayout();
    void updateGradient();
    bool isBesideSector(Vec2 place) const;
    void updateCursorText();
    void applyRange(double min, double max);
    void followExposure(const Exposure& exposure);
    void expose();
    /// Reason for a search of limits. The graphics card searches; the result comes one or two
    /// images later.
    enum class LimitsOf { Exposure, Request, FirstFrame };
    void findLimits(LimitsOf what);
    void takeLimits();
    void useLimits(LimitsOf what, std::pair<double, double> found);
    std::optional<std::pair<double, double>> chosenLimit() const;
    /// Position under the mouse, or that of the mouse in another view.
    std::optional<Vec2> placeRead() const;
    void askForValue(Vec2 place);
    QString valueText(float value) const; ///< with its unit
    QString referenceText() const;        ///< " re running maximum"; empty where none is known
    ColourBar colourBar() const;
    BarEnd barEndAt(QPointF position) const;
    void dragBar(double y);
    void dragRange(QPointF position);
    void endRangeDrag(const QMouseEvent& event);
    void updateMouseShape(QPointF position);
    void zoomAt(QPointF position, double factor);
    static std::string unitOf(const std::optional<ValueRange>& range);
    QString rangeUnit() const;
    QString zeroText() const; ///< "0 dB = 1 code"; empty where no reference is known

    FrameSupplier* m_supplier = nullptr;
    std::unique_ptr<FrameCanvas> m_canvas; ///< null without a usable context
    std::optional<Kept> m_kept;            ///< keeps the image across a lost context

    FrameSpec m_spec; ///< of the shown frame
    bool m_hasImage = false;
    Picture m_picture; ///< its axes on screen
    ViewTransform m_view;
    std::optional<ViewParts> m_parts; ///< parts that setParts() chose
    ImageViewLayout m_layout;
    DisplaySettings m_settings;
    BeneathLook m_beneath;
    BlendSettings m_blend;
    ParticleSettings m_particles;
    bool m_beneathMapStale = true;
    std::vector<Axis> m_beneathAxes;
    std::optional<Rect> m_beneathExtent; ///< in view units; empty: nothing is beneath the frame
    std::pair<double, double> m_scale{-60.0, 0.0}; ///< range that the colour bar shows at least
    /// Set where the user chose a range for frames with the valueRange `meant`. Such frames may
    /// still have to come. The choice ends with the first frame of another range after them. Null:
    /// frames are shown with their own range.
    struct OwnRange {
        std::optional<ValueRange> meant;
        bool seen = false; ///< a frame with the range `meant` has been shown
    };
    std::optional<OwnRange> m_ownRange;
    /// Limits of the last followDisplayRange().
    std::optional<std::pair<double, double>> m_followed;
    bool m_holdsAmplitudes = false; ///< the first frame has no negative values
    bool m_exposing = false;
    bool m_led = false;
    std::optional<Exposure> m_exposure; ///< exposure that the limits were found for
    ChosenLimits m_chosen;
    struct Search {
        LimitsOf what;
        Content content;
    };
    std::optional<Search> m_search; ///< the running search
    bool m_isExposed = false;       ///< limits have been found or chosen
    bool m_stretched = false;
    bool m_scaleBar = false;
    std::optional<ImageLook> m_awaitedLook;
    QImage m_gradient;
    QImage m_overlay; ///< axes, colour bar, texts, in device pixels
    bool m_overlayStale = true;
    double m_keptAbove = 0.0;               ///< takenBelow() when m_overlay was painted
    std::optional<quint64> m_pendingSerial; ///< drawn, but not on screen yet

    std::vector<Overlay*> m_overlays; ///< in drawing order
    Overlay* m_held = nullptr;        ///< the one that the mouse drags
    Drag m_drag = Drag::None;
    BarEnd m_barEnd = BarEnd::None;
    /// Scale of the bar during a drag, so that the bar stands still.
    std::optional<ColourBar> m_dragScale;
    std::optional<RangeDrag> m_rangeDrag;
    QPointF m_pressed;
    QPointF m_last;
    std::optional<QPointF> m_cursor;
    std::optional<Vec2> m_ghost; ///< mouse position in another view
    /// A pixel of one frame whose value was requested.
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
