// SPDX-License-Identifier: GPL-3.0-or-later
// One view of a plugin at work: from the pixels of a shown image to the picture in its dock.
#pragma once

#include "app/session/guarded_view.hpp"

#include <QObject>

#include <cstddef>
#include <memory>
#include <optional>

namespace echolux {

class ViewPlot;
class Workbench;

/// Asks for pixels at the pace of measuring, only while the dock is in sight. An image is drawn
/// once, and again where the room has changed. The window's thread never waits for the view.
class ViewAtWork : public QObject {
    Q_OBJECT
public:
    ViewAtWork(KnownView view, ViewPlot& plot, Workbench& bench);
    ~ViewAtWork() override;

    const KnownView& known() const { return m_known; }
    ViewPlot& plot() { return m_plot; }

private:
    std::optional<std::size_t> wantedView() const; ///< null: the pipeline does not show the output
    void forget();
    void syncFromPipeline();
    void follow();
    void show();

    KnownView m_known;
    ViewPlot& m_plot;
    Workbench& m_bench;
    std::shared_ptr<GuardedView> m_view;
    std::shared_ptr<const ImagePixels> m_asked; ///< the image that is drawn, or was last
    ViewRoom m_room;
    std::shared_ptr<const ViewDrawing> m_shown;
};

} // namespace echolux
