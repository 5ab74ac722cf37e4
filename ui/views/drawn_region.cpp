// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/drawn_region.hpp"

#include "ui/controls/action_text.hpp"
#include "ui/views/image_view.hpp"

#include <QKeySequence>

namespace echolux {

DrawnRegion::DrawnRegion(ImageView& view)
    : QObject(&view), m_view(view), m_overlay([this] { emit changed(); }),
      m_drawing(
          {[this](const std::vector<Vec2>& places) { take(places); }, [this] { uncheck(); }}) {
    m_view.add(m_overlay);
    m_view.add(m_drawing);
    addForm("Draw re&gion", "D", "Drag a rectangle on the image; of a volume, on the B-scan",
            Form::Rectangle);
    addForm("Draw free f&orm", "Shift+F", "Drag round a part of the image in any form",
            Form::FreeForm);
    QAction* none = add("Remove regio&n", "Ctrl+Shift+D", "Remove the region from the image");
    none->setEnabled(false);
    connect(none, &QAction::triggered, this, [this] { set(std::nullopt); });
    connect(this, &DrawnRegion::changed, none,
            [this, none] { none->setEnabled(region().has_value()); });
}

QAction* DrawnRegion::add(const char* text, const char* keys, const char* help) {
    m_actions << makeAction(this, tr(text), {}, {QKeySequence(keys)}, tr(help));
    return m_actions.back();
}

void DrawnRegion::addForm(const char* text, const char* keys, const char* help, Form form) {
    QAction* action = add(text, keys, help);
    action->setCheckable(true);
    connect(action, &QAction::triggered, this, [this, action, form](bool on) {
        uncheck();
        action->setChecked(on);
        m_form = form;
        on ? m_drawing.begin(form) : m_drawing.end();
        m_view.setFocus(Qt::OtherFocusReason); // for Esc
    });
}

void DrawnRegion::uncheck() {
    for (QAction* each : m_actions) each->setChecked(false);
}

void DrawnRegion::take(const std::vector<Vec2>& places) {
    uncheck();
    set(m_form == Form::Rectangle ? Region::rectangleOf(places.front(), places.back())
                                  : Region{places, false});
}

void DrawnRegion::set(const std::optional<Region>& region) {
    const bool usable = region && region->outline.size() >= 3 && region->area() > 0.0;
    if (!usable && !m_overlay.region()) return;
    m_overlay.show(usable ? region : std::nullopt);
    emit changed();
}

std::optional<Rect> DrawnRegion::bounds() const {
    if (!m_view.hasImage() || !region()) return std::nullopt;
    return m_view.inAxes(region()->bounds());
}

} // namespace echolux
