// SPDX-License-Identifier: GPL-3.0-or-later
// The plane of elevation and depth beside the B-scan: of volumes of echoes, through the crosshair.
#include "ui/views/image_view.hpp"
#include "ui/views/view_area.hpp"
#include "ui/views/view_pane.hpp"

namespace echolux {

bool ViewArea::hasSide() const {
    return m_axes.has_value() && m_kind == Kind::Echoes && m_showSide->isChecked();
}

/// Its levels are those of the B-scan.
void ViewArea::connectSide() {
    m_side->setAccessibleName(tr("Side"));
    const auto follow = [this](ImageView* from, ImageView* to) {
        connect(from, &ImageView::displayRangeChanged, this, [this, to](double min, double max) {
            if (hasSide()) to->setDisplayRange(min, max);
        });
    };
    follow(m_bscan, m_side);
    follow(m_side, m_bscan);
}

void ViewArea::showSide() {
    const bool shown = hasSide() && m_sidePane->isVisibleTo(this);
    if (shown) {
        const ScreenAxis lateral = screenAxis(m_axes->lateral, lengths());
        const QString place =
            QString::fromStdString(lateral.format(m_crosshair.lateral * lateral.viewPerAxis));
        m_sidePane->setSubtitle(QString::fromStdString(lateral.name) + QLatin1Char(' ') + place +
                                QLatin1Char(' ') + QString::fromStdString(lateral.unit));
    }
    emit sideChanged(shown ? std::optional(m_crosshair.lateral) : std::nullopt);
}

} // namespace echolux
