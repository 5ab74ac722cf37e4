// SPDX-License-Identifier: GPL-3.0-or-later
// Images of a pipeline's further views, beside the first view and moved together with it.
#pragma once

#include "render/view/display_settings.hpp"

#include <QObject>
#include <QString>
#include <QStringList>

#include <array>
#include <cstddef>
#include <optional>
#include <vector>

class QWidget;

namespace echolux {

class ImageView;
class Overlay;
class ViewPane;
struct DisplayChoice;

class FurtherViews : public QObject {
    Q_OBJECT
public:
    static constexpr int kMost = 3;

    /// The view area places the panes; `room` owns them until then.
    FurtherViews(ImageView& first, QWidget& room);

    void setNames(const QStringList& names); ///< one per further view
    /// Per view, the first one included: number of the view whose image is beneath it.
    void setBeneath(const std::vector<std::optional<std::size_t>>& beneath);
    int count() const { return m_count; }
    ImageView& view(int index) { return *m_views[static_cast<std::size_t>(index)]; }
    ViewPane& pane(int index);
    /// Views of differences, whose range is symmetric about 0, stay blue and orange.
    void setColours(const DisplayChoice& choice);
    void clear();

    bool linked() const { return m_linked; }
    /// True: all views share zoom, pan and picked column, whichever view the user moves. Views of
    /// the same value range also share display limits. The mouse position in one view is marked and
    /// read in all views with the same axes. Switching this on applies the state of the first view.
    void setLinked(bool linked);
    void mark(Overlay& column); ///< draws it over the views with the same lateral axis

signals:
    /// In the unit of the first view's axis. Views with other columns do not emit it.
    void columnPicked(double lateral);
    void looksChanged(); ///< visible part, limits or colours of a view have changed

private:
    void follow(const ImageView& leader);
    bool sharesLimits(const ImageView& view) const;
    void lead(ImageView& view) const;
    void leadFrom(const ImageView& view); ///< the user changed its limits
    void point(const ImageView& from);    ///< marks the mouse position in the other views
    void colour(int index);
    void showBeneath(); ///< brings the colours of lower views to the views that are drawn over them

    ImageView& m_first;
    std::array<ImageView*, kMost> m_views;
    std::array<ViewPane*, kMost> m_panes;
    QString m_colourMap;
    bool m_inverted = false;
    bool m_smooth = true;
    BlendSettings m_blend;
    std::vector<std::optional<std::size_t>> m_beneath;
    int m_count = 0;
    bool m_linked = true;
    bool m_following = false;
};

} // namespace echolux
