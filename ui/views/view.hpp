// SPDX-License-Identifier: GPL-3.0-or-later
// Base of all views that the view area lays out, for any content and any way of drawing.
#pragma once

#include <QImage>
#include <QString>
#include <QWidget>

namespace echolux {

class View : public QWidget {
    Q_OBJECT
public:
    using QWidget::QWidget;

    /// Why nothing can be drawn; empty: no problem.
    virtual QString problem() const = 0;
    /// The whole widget as on screen, in device pixels.
    virtual QImage grabImage() { return grab().toImage(); }
    /// The same without mouse and focus, at `times` the resolution of the screen. Null where the
    /// graphics card cannot draw an image that large.
    virtual QImage imageAt(double times) = 0;

    /// Ignores unknown names, because a remembered setting may come from another version.
    virtual void setColourMap(const QString& name, bool inverted) = 0;
    virtual void setSmooth(bool smooth) = 0;
    virtual void setGamma(double gamma) = 0;
    virtual void autoRange() = 0; ///< fits the limits to the content
    virtual void resetView() = 0; ///< shows the first view again
    virtual void clear() = 0;     ///< returns to the empty state

signals:
    void problemChanged(const QString& sentence);
};

} // namespace echolux
