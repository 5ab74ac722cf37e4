// SPDX-License-Identifier: GPL-3.0-or-later
// The region that the user draws on an image, and the actions that draw it and take it away.
#pragma once

#include "ui/views/overlay/drawing_overlay.hpp"
#include "ui/views/overlay/region_overlay.hpp"

#include <QAction>
#include <QList>
#include <QObject>

#include <optional>
#include <vector>

namespace echolux {

class ImageView;

class DrawnRegion : public QObject {
    Q_OBJECT
public:
    explicit DrawnRegion(ImageView& view); ///< a child of the view

    /// In the view's units; null: none is drawn.
    const std::optional<Region>& region() const { return m_overlay.region(); }
    /// Takes the region away where it has no area.
    void set(const std::optional<Region>& region);
    std::optional<Rect> bounds() const; ///< in the units of the image's axes
    const QList<QAction*>& actions() const { return m_actions; }

signals:
    void changed();

private:
    using Form = DrawingOverlay::Form;
    QAction* add(const char* text, const char* keys, const char* help);
    void addForm(const char* text, const char* keys, const char* help, Form form);
    void take(const std::vector<Vec2>& places);
    void uncheck();

    ImageView& m_view;
    RegionOverlay m_overlay;
    DrawingOverlay m_drawing;
    Form m_form = Form::Rectangle; ///< the one that is drawn
    QList<QAction*> m_actions;     ///< one per form, and the one that takes the region away
};

} // namespace echolux
