// SPDX-License-Identifier: GPL-3.0-or-later
// Draws an SVG of resources/icons in the colours of the theme in use at the time of painting.
#pragma once

#include <QIconEngine>
#include <QString>

#include <utility>

namespace echolux {

class ThemeIconEngine : public QIconEngine {
public:
    explicit ThemeIconEngine(QString name) : m_name(std::move(name)) {}
    void paint(QPainter* painter, const QRect& rect, QIcon::Mode mode, QIcon::State state) override;
    QPixmap pixmap(const QSize& size, QIcon::Mode mode, QIcon::State state) override;
    QIconEngine* clone() const override { return new ThemeIconEngine(m_name); }

private:
    QString m_name;
};

} // namespace echolux
