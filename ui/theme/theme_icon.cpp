// SPDX-License-Identifier: GPL-3.0-or-later
// Recolours and renders icons.
#include "ui/theme/theme_icon.hpp"

#include <QFile>
#include <QPainter>
#include <QPixmap>
#include <QSvgRenderer>

namespace echolux {

void ThemeIconEngine::paint(QPainter* painter, const QRect& rect, QIcon::Mode mode,
                            QIcon::State state) {
    QFile file(":/icons/" + m_name + ".svg");
    if (!file.open(QIODevice::ReadOnly)) return;
    const ThemeTokens& t = tokens();
    const QColor colour = m_ink != nullptr          ? t.*m_ink
                          : mode == QIcon::Disabled ? t.disabled
                          : state == QIcon::On      ? t.accent
                                                    : t.text;
    QByteArray svg = file.readAll();
    svg.replace("#000", colour.name().toLatin1());
    QSvgRenderer renderer(svg);
    renderer.render(painter, rect);
}

QPixmap ThemeIconEngine::pixmap(const QSize& size, QIcon::Mode mode, QIcon::State state) {
    QPixmap pixmap(size);
    pixmap.fill(Qt::transparent);
    QPainter painter(&pixmap);
    paint(&painter, QRect(QPoint(), size), mode, state);
    return pixmap;
}

} // namespace echolux
