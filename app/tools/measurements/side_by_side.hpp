// SPDX-License-Identifier: GPL-3.0-or-later
// The measured shapes on all views of one place, with their key figures at each view.
#pragma once

#include "app/measure/measurement.hpp"
#include "app/pipeline/pipeline_config.hpp"
#include "app/session/pixels_look.hpp"
#include "ui/views/overlay/caption_overlay.hpp"
#include "ui/views/overlay/shapes_overlay.hpp"

#include <QObject>
#include <QStringList>

#include <array>
#include <cstddef>
#include <memory>
#include <vector>

namespace echolux {

class Workbench;

/// Measures off the window's thread, at the pace of measuring. Without key figures, and where no
/// other view shows the same place, it asks for no pixels and draws nothing.
class SideBySide : public QObject {
    Q_OBJECT
public:
    explicit SideBySide(Workbench& bench);

    void setShown(bool shown);
    bool isShown() const { return m_isShown; }
    /// What is measured on view number `view`, and how it is drawn there, in view units.
    void setMeasurements(std::size_t view, const std::vector<measure::Measurement>& measurements);
    void setShapes(std::vector<NamedShape> shapes);

private:
    struct Job {
        std::array<std::shared_ptr<const ImagePixels>, kMostViews> images; ///< null: not measured
        std::vector<measure::Measurement> measurements;
        bool operator==(const Job&) const = default;
    };
    using Captions = std::array<QStringList, kMostViews>;
    static Captions captionsOf(const Job& job);

    /// Numbers of the views of the place that is measured; empty: there is nothing to compare.
    std::vector<std::size_t> comparedViews() const;
    void forget(); ///< what was found
    void follow();
    void start(Job job);
    void finish(const std::shared_ptr<const Job>& job, const Captions& captions);
    void drawShapes(const std::vector<std::size_t>& views);
    void show(const Captions& captions);

    Workbench& m_bench;
    bool m_isShown = true;
    std::size_t m_view = 0;
    std::vector<measure::Measurement> m_measurements;
    std::vector<NamedShape> m_drawn;       ///< on the view that is measured
    std::shared_ptr<const Job> m_underWay; ///< null: nothing is being measured
    Job m_found;                           ///< what the captions are of
    std::array<CaptionOverlay, kMostViews> m_captions;
    std::array<ShapesOverlay, kMostViews> m_shapes; ///< on the other views
};

} // namespace echolux
