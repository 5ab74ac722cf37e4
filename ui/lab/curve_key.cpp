// SPDX-License-Identifier: GPL-3.0-or-later
// Paints an entry of the legend, and gives curves their pens.
#include "ui/lab/curve_key.hpp"

#include "ui/theme/theme.hpp"

#include <QPainter>

#include <array>

namespace echolux {
namespace {

constexpr int kKeyLine = 3 * kGrid; ///< width of the piece of curve that it shows

} // namespace

QPen penOf(const LabCurve& curve) {
    static constexpr std::array kStyles{Qt::SolidLine, Qt::DashLine, Qt::DotLine, Qt::DashDotLine,
                                        Qt::DashDotDotLine};
    constexpr int kSinc = 1, kLagrange = 0, kSquares = 2, kUpsampled = 3;
    const auto colour = [&] {
        switch (curve.family) {
        case LabCurve::Family::Simple: break;
        case LabCurve::Family::Lagrange: return plotColour(kLagrange);
        case LabCurve::Family::Sinc: return plotColour(kSinc);
        case LabCurve::Family::LeastSquares: return plotColour(kSquares);
        case LabCurve::Family::Upsampled: return plotColour(kUpsampled);
        }
        return tokens().secondary;
    }();
    const auto style = kStyles[static_cast<std::size_t>(curve.member) % kStyles.size()];
    return {colour, curve.inUse ? 3.0 : 1.25, style};
}

CurveKey::CurveKey(const LabCurve& curve, QWidget* parent)
    : QAbstractButton(parent), m_curve(curve) {
    setCheckable(true);
    setText(curve.inUse ? curve.name + " (in use)" : curve.name);
    setToolTip(curve.inUse
                   ? text() +
                         ": the interpolation that the pipeline uses now. Click to show or hide."
                   : text() + ". Click to show or hide.");
    setFocusPolicy(Qt::TabFocus);
    setCursor(Qt::PointingHandCursor);
}

QFont CurveKey::nameFont() const {
    QFont font = smallFont();
    if (m_curve.inUse) font.setWeight(QFont::DemiBold);
    return font;
}

QSize CurveKey::sizeHint() const {
    const QFontMetrics metrics(nameFont());
    return {kKeyLine + 2 * kGrid + metrics.horizontalAdvance(text()), metrics.height() + kGrid / 4};
}

QSize CurveKey::minimumSizeHint() const { return {kKeyLine + 6 * kGrid, sizeHint().height()}; }

void CurveKey::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    if (underMouse() || hasFocus()) {
        painter.setPen(Qt::NoPen);
        painter.setBrush(tokens().hover);
        painter.drawRoundedRect(rect(), 3, 3);
    }
    const double middle = 0.5 * height();
    QPen pen = penOf(m_curve);
    if (!isChecked()) pen = QPen(tokens().disabled, 1.0, pen.style());
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(pen);
    painter.drawLine(QPointF(kGrid / 2.0, middle), QPointF(kGrid / 2.0 + kKeyLine, middle));
    painter.setFont(nameFont());
    painter.setPen(isChecked() ? tokens().text : tokens().secondary);
    const QRect place = rect().adjusted(kKeyLine + kGrid, 0, -kGrid / 2, 0);
    painter.drawText(place, Qt::AlignVCenter | Qt::AlignLeft,
                     painter.fontMetrics().elidedText(text(), Qt::ElideRight, place.width()));
}

} // namespace echolux
