// SPDX-License-Identifier: GPL-3.0-or-later
// The plane of elevation and depth beside the B-scan. In ultrasound volumes it goes through the
// crosshair, and all planes share their limits.
#include "ui/views/image_view.hpp"
#include "ui/views/view_area.hpp"
#include "ui/views/view_pane.hpp"

namespace echolux {

bool ViewArea::hasSide() const {
    return m_axes.has_value() && m_kind == Kind::Echoes && m_showSide->isChecked();
}

/// The side view has the limits of the B-scan, as a C-plane does.
void ViewArea::connectSide() {
    m_side->setAccessibleName(tr("Side"));
    m_side->setLed(true);
    for (ImageView* view : {m_side, m_enFace}) {
        connect(m_bscan, &ImageView::displayRangeChanged, this, [this, view] { lead(*view); });
        connect(view, &ImageView::displayRangeChanged, this, [this](double min, double max) {
            const bool same = min == m_bscan->displayMin() && max == m_bscan->displayMax();
            if (sharesLimits() && !same) m_bscan->setDisplayRange(min, max);
        });
    }
}

void ViewArea::lead(ImageView& view) const {
    if (sharesLimits()) view.setDisplayRange(m_bscan->displayMin(), m_bscan->displayMax());
}

void ViewArea::showSide() {
    const bool shown = hasSide() && m_sidePane->isVisibleTo(this);
    if (shown) {
        const ScreenAxis lateral = onScreen(m_axes->lateral);
        const QString place =
            QString::fromStdString(lateral.format(m_crosshair.lateral * lateral.viewPerAxis));
        m_sidePane->setSubtitle(QString::fromStdString(lateral.name) + QLatin1Char(' ') + place +
                                QLatin1Char(' ') + QString::fromStdString(lateral.unit));
    }
    emit sideChanged(shown ? std::optional(m_crosshair.lateral) : std::nullopt);
}

} // namespace echolux
