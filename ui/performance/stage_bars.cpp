// SPDX-License-Identifier: GPL-3.0-or-later
// Painting of the stage bars.
#include "ui/performance/stage_bars.hpp"

#include "ui/theme/theme.hpp"

#include <QPainter>

#include <algorithm>

namespace echolux {
namespace {

constexpr int kRowHeight = 20;
constexpr int kNameWidth = 112;
constexpr int kValueWidth = 72;

/// Digits enough to tell stages apart, in a fixed number of places.
QString millisText(double ms) { return QString::number(ms, 'f', ms < 10.0 ? 3 : 1) + " ms"; }

} // namespace

StageBars::StageBars(QWidget* parent) : QWidget(parent) {
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    connect(&Theme::instance(), &Theme::changed, this, qOverload<>(&QWidget::update));
}

void StageBars::setStages(const std::vector<StageTime>& stages) {
    const QSize before = sizeHint();
    m_stages = stages;
    double most = 0.0;
    for (const StageTime& stage : stages) most = std::max(most, stage.milliseconds);
    m_range.update(most);
    if (sizeHint() != before) updateGeometry();
    update();
}

bool StageBars::isLong(const StageTime& stage) const {
    return fontMetrics().horizontalAdvance(stage.label) > kNameWidth - kGrid;
}

int StageBars::heightOf(const StageTime& stage) const {
    return isLong(stage) ? 2 * kRowHeight : kRowHeight;
}

QSize StageBars::sizeHint() const {
    int height = 0;
    for (const StageTime& stage : m_stages) height += heightOf(stage);
    return {kNameWidth + kValueWidth + 10 * kGrid, height};
}

void StageBars::paintEvent(QPaintEvent*) {
    const ThemeTokens& t = tokens();
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const int room = width() - kNameWidth - kValueWidth - kGrid;
    const double scale = m_range.limit() > 0.0 ? room / m_range.limit() : 0.0;
    int y = 0;
    for (const StageTime& stage : m_stages) {
        const bool isAlone = isLong(stage);
        const QRect name(0, y, isAlone ? width() : kNameWidth - kGrid, kRowHeight);
        painter.setPen(t.secondary);
        painter.drawText(name, Qt::AlignLeft | Qt::AlignVCenter,
                         fontMetrics().elidedText(stage.label, Qt::ElideRight, name.width()));
        if (isAlone) y += kRowHeight;
        painter.setPen(Qt::NoPen);
        const QRectF track(kNameWidth, y + kRowHeight / 2.0 - 3.0, room, 6.0);
        painter.setBrush(withAlpha(t.line, 0.5));
        painter.drawRoundedRect(track, 2.0, 2.0);
        painter.setBrush(plotColour(0));
        painter.drawRoundedRect(QRectF(track.left(), track.top(),
                                       std::min<double>(room, stage.milliseconds * scale),
                                       track.height()),
                                2.0, 2.0);
        painter.setPen(t.text);
        painter.drawText(QRect(width() - kValueWidth, y, kValueWidth, kRowHeight),
                         Qt::AlignRight | Qt::AlignVCenter, millisText(stage.milliseconds));
        y += kRowHeight;
    }
}

} // namespace echolux
