// SPDX-License-Identifier: GPL-3.0-or-later
// The dock "Measurements" at work: shapes on one view at a time, their figures on every shown
// frame, and their file.
#pragma once

#include "app/measure/measurement.hpp"
#include "app/paper/measured_places.hpp"
#include "app/session/pixels_look.hpp"
#include "app/tools/measurements/boxes.hpp"
#include "app/tools/measurements/keeper.hpp"
#include "app/tools/measurements/panel.hpp"
#include "app/tools/measurements/paper.hpp"
#include "app/tools/measurements/region_histogram.hpp"
#include "app/tools/measurements/side_by_side.hpp"
#include "app/tools/measurements/sweep.hpp"
#include "render/view/view_transform.hpp"
#include "ui/views/overlay/box_overlay.hpp"
#include "ui/views/overlay/drawing_overlay.hpp"
#include "ui/views/overlay/handles_overlay.hpp"
#include "ui/views/overlay/shapes_overlay.hpp"

#include <QObject>

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace echolux {

class Workbench;

/// Measures at the pace of measuring, only while the dock is in sight.
class MeasurementsTool : public QObject {
    Q_OBJECT
public:
    using Looks = LookList<PixelsLook>;

    MeasurementsTool(MeasurementsPanel& panel, Workbench& bench);

private:
    void keepHabits();
    void readFile();                        ///< of another recording
    std::string textOfAll() const;          ///< TOML; empty: there are none
    void takeText(const std::string& text); ///< throws Error
    void offerViews();                      ///< of the pipeline in force
    void chooseView(std::size_t view);
    void followView();
    std::string viewName() const; ///< as measurements name it; empty: the first one
    std::vector<measure::Measurement> onThisView() const;
    MeasuredPlaces places() const; ///< of this view
    /// The same place on this view, of a volume on the plane that is shown.
    measure::Place measured(const Vec2& place) const;
    void save();
    /// Makes one step of the undo list. `gesture`: see Edit.
    void edit(const std::string& what, const std::function<void()>& change,
              const std::string& gesture = {});
    void changed();
    void take(std::optional<MeasuringTool> tool); ///< null: puts the tool away
    void drawn(std::size_t view, const std::vector<Vec2>& places);
    bool addDrawnRegion(MeasuringTool tool);
    void addOf(measure::Kind kind, const std::vector<Vec2>& places);
    bool addContrastOfSelected();
    void pickForContrast(const Vec2& place);
    std::string regionAt(const Vec2& place) const;
    static std::vector<Vec2> outlineInView(const measure::Measurement& made,
                                           const MeasuredPlaces& inView);
    void remove();
    void drag(const Rect& box);                   ///< the selected shape, to another place or size
    void moveHandle(std::size_t handle, Vec2 to); ///< of the selected shape
    void move(const std::function<void(measure::Measurement&)>& change); ///< the selected shape
    void compare(bool on); ///< keeps the figures of now as the reference
    void rename(const QString& from, const QString& to);
    void add(measure::Measurement made);
    std::string freeName(const std::string& kind) const;
    /// Calls `ask` when the shown image has been copied.
    void onNextImage(void (MeasurementPaper::*ask)());
    void follow();
    void measureNow();
    void showShapes();
    /// The one that is selected, where lengths on the image are known; null: none.
    const measure::Measurement* boxedShape() const;

    MeasurementsPanel& m_panel;
    Workbench& m_bench;
    MeasurementSweep m_sweep;
    RegionHistogram m_histogram;
    SideBySide m_sideBySide;
    MeasurementPaper* m_paper;   ///< belongs to the panel
    MeasurementKeeper* m_keeper; ///< likewise
    std::vector<measure::Measurement> m_measurements;
    std::size_t m_view = 0; ///< number of the view that is measured
    std::shared_ptr<const ImagePixels> m_measured;
    std::optional<MeasuringTool> m_taken;
    std::string m_inside; ///< for the contrast: the region that was clicked first; empty: none
    std::vector<std::unique_ptr<DrawingOverlay>> m_drawings; ///< one per view
    ShapesOverlay m_shapes;
    HandlesOverlay m_handles{[this](std::size_t n, Vec2 to) { moveHandle(n, to); }};
    BoxOverlay m_box{[this](const Rect& box) { drag(box); }}; ///< of the selected shape
    MeasuredAxes m_axes;                                      ///< of m_measured
    std::vector<measure::Measured> m_figures;                 ///< of m_measured
    std::vector<measure::Measured> m_reference;               ///< figures that were kept
    void (MeasurementPaper::*m_asked)() = nullptr;            ///< null: nobody waits for an image
    bool m_askedBefore = false;
};

} // namespace echolux
