// SPDX-License-Identifier: GPL-3.0-or-later
// Columns that the mouse picks, marked in every view.
#include "app/desktop/column_desk.hpp"

#include "app/session/column/picked_column.hpp"
#include "app/session/session.hpp"
#include "ui/views/further_views.hpp"
#include "ui/views/image_view.hpp"
#include "ui/views/view_area.hpp"

#include <optional>

namespace echolux {

ColumnDesk::ColumnDesk(ViewArea& views, Session& session) : m_views(views), m_session(session) {
    ImageView* image = &views.bscan();
    connect(image, &ImageView::columnPicked, this, &ColumnDesk::pick);
    connect(&views.further(), &FurtherViews::columnPicked, this, &ColumnDesk::pick);
    connect(&views, &ViewArea::lineRestored, image, &ImageView::columnPicked);
    connect(&views, &ViewArea::lineChosen, this, [this](double lateral) {
        if (m_session.isOpen()) m_session.look<PickedColumn>().pick(lateral);
    });
}

void ColumnDesk::pick(double lateralM) {
    if (!m_session.isOpen()) return;
    m_views.mark(lateralM);
    m_session.look<PickedColumn>().pick(lateralM);
    emit picked();
}

void ColumnDesk::forget() {
    if (!m_session.isOpen() || m_views.hasVolume()) return;
    m_views.mark(std::nullopt);
    m_session.look<PickedColumn>().want(std::nullopt);
    emit forgotten();
}

} // namespace echolux
