// SPDX-License-Identifier: GPL-3.0-or-later
// Draws an SVG of resources/icons in the theme's colours at the time of painting.
#pragma once

#include "ui/theme/theme.hpp"

#include <QIconEngine>
#include <QString>

#include <utility>

class QPainter;

namespace echolux {

class ThemeIconEngine : public QIconEngine {
public:
    /// `ink`: token to use instead of those of the button states.
    explicit ThemeIconEngine(QString name, QColor ThemeTokens::*ink = nullptr)
        : m_name(std::move(name)), m_ink(ink) {}
    void paint(QPainter* painter, const QRect& rect, QIcon::Mode mode, QIcon::State state) override;
    QPixmap pixmap(const QSize& size, QIcon::Mode mode, QIcon::State state) override;
    QIconEngine* clone() const override { return new ThemeIconEngine(m_name, m_ink); }

private:
    QString m_name;
    QColor ThemeTokens::*m_ink;
};

} // namespace echolux
