// SPDX-License-Identifier: GPL-3.0-or-later
// Paints the rows.
#include "app/tools/prediction/bands.hpp"

#include "ui/theme/theme.hpp"

#include <QHelpEvent>
#include <QPainter>
#include <QToolTip>

#include <algorithm>
#include <cmath>

namespace echolux {
namespace {

constexpr int kTextHeight = 18;
constexpr int kBandHeight = 10;
constexpr int kBarHeight = 4;
constexpr int kRow = kTextHeight + kBandHeight + 4;
constexpr double kLeastBand = 2.0; ///< pixels
constexpr int kBetweenLabels = 6;

} // namespace

Bands::Bands(Scale scale, QWidget* parent) : QWidget(parent), m_scale(scale) {
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    connect(&Theme::instance(), &Theme::changed, this, qOverload<>(&QWidget::update));
}

void Bands::setBands(const QList<Band>& bands, const QList<BandMark>& marks) {
    const QSize before = sizeHint();
    m_bands = bands;
    m_marks = marks;
    double least = HUGE_VAL;
    double most = 0.0;
    const auto include = [&](double value) {
        if (value <= 0.0) return;
        least = std::min(least, value);
        most = std::max(most, value);
    };
    for (const Band& band : bands) {
        include(band.low);
        include(band.high);
        if (band.bar) include(*band.bar);
    }
    for (const BandMark& mark : marks) include(mark.value);
    m_to = most > 0.0 ? most : 1.0;
    m_from = m_scale == Scale::FromZero || most <= 0.0 ? 0.0 : least / 2.0;
    if (sizeHint() != before) updateGeometry();
    update();
}

int Bands::top() const { return m_marks.isEmpty() ? 0 : kTextHeight + 2; }

QSize Bands::sizeHint() const {
    return {30 * kGrid, top() + static_cast<int>(m_bands.size()) * kRow};
}

double Bands::placeOf(double value) const {
    const double part = m_scale == Scale::FromZero
                            ? value / m_to
                            : std::log(value / m_from) / std::log(m_to / m_from);
    return std::max(1, width()) * std::clamp(part, 0.0, 1.0);
}

QString Bands::helpAt(int y) const {
    const int row = y < top() ? -1 : (y - top()) / kRow;
    return row >= 0 && row < m_bands.size() ? m_bands[row].help : QString();
}

bool Bands::event(QEvent* event) {
    if (event->type() != QEvent::ToolTip) return QWidget::event(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    QToolTip::showText(help->globalPos(), helpAt(help->pos().y()), this);
    return true;
}

/// The name at the left and the figures at the right; a refusal takes the place of both the figures
/// and the band.
void Bands::paintText(QPainter& painter, const Band& band, int y) const {
    const QString& right = band.refusal.isEmpty() ? band.figures : band.refusal;
    const QFontMetrics metrics = fontMetrics();
    const int figures = std::min(metrics.horizontalAdvance(right) + kGrid, 2 * width() / 3);
    const int name = width() - figures;
    painter.setPen(band.isMarked ? tokens().text : tokens().secondary);
    painter.drawText(QRect(0, y, name, kTextHeight), Qt::AlignLeft | Qt::AlignVCenter,
                     metrics.elidedText(band.name, Qt::ElideRight, name));
    painter.drawText(QRect(name, y, figures, kTextHeight), Qt::AlignRight | Qt::AlignVCenter,
                     metrics.elidedText(right, Qt::ElideRight, figures));
}

void Bands::paintBand(QPainter& painter, const Band& band, int y) const {
    const double from = std::min(placeOf(band.low), width() - kLeastBand);
    const double to = std::max(placeOf(band.high), from + kLeastBand);
    painter.setPen(Qt::NoPen);
    // Up to the lower end it is sure. Faint where a measured bar lies over it.
    const bool measures = m_scale == Scale::FromZero;
    painter.setBrush(withAlpha(plotColour(0), measures ? 0.2 : 1.0));
    painter.drawRect(QRectF(0.0, y, from, kBandHeight));
    painter.setBrush(withAlpha(plotColour(0), measures ? 0.8 : 0.45));
    painter.drawRect(QRectF(from, y, to - from, kBandHeight));
    if (!band.bar) return;
    painter.setBrush(plotColour(1));
    painter.drawRect(QRectF(0.0, y + (kBandHeight - kBarHeight) / 2.0,
                            std::max(placeOf(*band.bar), kLeastBand), kBarHeight));
}

/// Labels that would overlap move to the right of the former one.
void Bands::paintMarks(QPainter& painter) const {
    QList<BandMark> marks = m_marks;
    std::ranges::sort(marks, {}, &BandMark::value);
    int free = 0;
    for (const BandMark& mark : marks) {
        const double x = placeOf(mark.value);
        painter.setPen(QPen(tokens().text, 1.0, Qt::SolidLine));
        for (int y = top() + kTextHeight; y < height(); y += kRow) // not through the text
            painter.drawLine(QPointF(x, y), QPointF(x, y + kBandHeight));
        const int wide = fontMetrics().horizontalAdvance(mark.label);
        const int left = std::max(free, std::min(static_cast<int>(x) - wide / 2, width() - wide));
        painter.drawText(QRect(left, 0, wide, kTextHeight), Qt::AlignCenter, mark.label);
        free = left + wide + kBetweenLabels;
    }
}

void Bands::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    int y = top();
    for (const Band& band : m_bands) {
        paintText(painter, band, y);
        if (band.refusal.isEmpty()) paintBand(painter, band, y + kTextHeight);
        y += kRow;
    }
    paintMarks(painter);
}

} // namespace echolux
