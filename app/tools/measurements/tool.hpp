// SPDX-License-Identifier: GPL-3.0-or-later
// The dock "Measurements" at work: shapes on one view at a time, their figures on every shown
// frame, and their file.
#pragma once

#include "app/measure/measurement.hpp"
#include "app/paper/measured_places.hpp"
#include "app/session/shown_pixels.hpp"
#include "app/tools/measurements/boxes.hpp"
#include "app/tools/measurements/keeper.hpp"
#include "app/tools/measurements/paper.hpp"
#include "app/tools/measurements/region_histogram.hpp"
#include "app/tools/measurements/sweep.hpp"
#include "render/view/view_transform.hpp"

#include <QObject>

#include <memory>
#include <string>
#include <vector>

namespace echolux {

class MeasurementsPanel;
class Workbench;

/// Measures at the pace of measuring, only while the dock is in sight.
class MeasurementsTool : public QObject {
    Q_OBJECT
public:
    MeasurementsTool(MeasurementsPanel& panel, Workbench& bench);

private:
    void readFile();   ///< of another recording
    void offerViews(); ///< of the pipeline in force
    void chooseView(std::size_t view);
    void followView();
    void pick(std::size_t view, const Vec2& place);
    std::string viewName() const; ///< as measurements name it; empty: the first one
    std::vector<measure::Measurement> onThisView() const;
    MeasuredPlaces places() const; ///< of this view
    /// The same place on this view, of a volume on the plane that is shown.
    measure::Place measured(const Vec2& place) const;
    void save();
    void changed(); ///< to be called after a change
    void addPoint();
    void addLine();
    void addAngle();
    void addRegion();
    void addEllipse();
    void addBlob();
    void addCalliper();
    void addEnvelope();
    void addContrast();
    void remove();
    void undo();
    /// To be called before a change, so that undo() can take it back.
    void remember();
    void drag(const Rect& box); ///< the selected shape, to another place or size
    void compare(bool on);      ///< keeps the figures of now as the reference
    void rename(const QString& from, const QString& to);
    void add(measure::Measurement made);
    std::string freeName(const std::string& kind) const;
    /// The last `count` places that were clicked. Where there are fewer, a message says so.
    std::vector<measure::Place> placesFor(std::size_t count) const;
    void follow();
    void measureNow();
    void showShapes();
    /// The one that is selected, where lengths on the image are known; null: none.
    const measure::Measurement* boxedShape() const;

    MeasurementsPanel& m_panel;
    Workbench& m_bench;
    MeasurementSweep m_sweep;
    RegionHistogram m_histogram;
    MeasurementPaper* m_paper;   ///< belongs to the panel
    MeasurementKeeper* m_keeper; ///< likewise
    std::vector<measure::Measurement> m_measurements;
    std::vector<std::vector<measure::Measurement>> m_former; ///< before each change, newest last
    std::string m_dragged;                                   ///< the shape under way
    std::size_t m_view = 0;               ///< number of the view that is measured
    std::vector<measure::Place> m_picked; ///< the last three places that were clicked on it
    std::shared_ptr<const ImagePixels> m_measured;
    MeasuredAxes m_axes;                        ///< of m_measured
    std::vector<measure::Measured> m_figures;   ///< of m_measured
    std::vector<measure::Measured> m_reference; ///< figures that were kept
    bool m_asks = false;
};

} // namespace echolux
