// SPDX-License-Identifier: GPL-3.0-or-later
// Images of a pipeline's other views beside the first, moved together with it.
#pragma once

#include <QObject>
#include <QString>
#include <QStringList>

#include <array>
#include <optional>

class QSplitter;
class QWidget;

namespace echolux {

class ImageView;
class ViewPane;
struct DisplayChoice;

class FurtherViews : public QObject {
    Q_OBJECT
public:
    static constexpr int kMost = 3;

    /// Two views stand side by side; of four the third is below the first, of three below the
    /// second. `left` holds the pane of `first`.
    FurtherViews(ImageView& first, QSplitter& left, QSplitter& right);

    void setNames(const QStringList& names); ///< one per further view
    int count() const { return m_count; }
    ImageView& view(int index) { return *m_views[static_cast<std::size_t>(index)]; }
    QWidget& pane(int index);
    /// Differences, whose range is as wide below 0 as above, stay red and green.
    void setColours(const DisplayChoice& choice);
    void clear();

    bool linked() const { return m_linked; }
    /// Whether zoom, pan, picked column and, where they mean the same, limits of one are those of
    /// all, whichever of them somebody edits, and the mouse's place in one is shown and read in
    /// those of the same axes. Switched on, the first is followed.
    void setLinked(bool linked);
    void mark(std::optional<double> lateral); ///< the picked column, where they have the same axis

signals:
    /// In the unit of the first one's axis; views with other columns pick none.
    void columnPicked(double lateral);
    void looksChanged(); ///< what one of all shows, its limits or its colours

private:
    void follow(const ImageView& leader);
    bool sharesLimits(const ImageView& view) const;
    void lead(ImageView& view) const;
    void leadFrom(const ImageView& view); ///< limits that somebody gave it
    void point(const ImageView& from);    ///< the mouse's place, in the others
    void colour(int index);

    ImageView& m_first;
    std::array<ImageView*, kMost> m_views;
    std::array<ViewPane*, kMost> m_panes;
    QSplitter& m_left;
    QSplitter& m_right;
    QString m_colourMap;
    bool m_inverted = false;
    int m_count = 0;
    bool m_linked = true;
    bool m_following = false;
};

} // namespace echolux
