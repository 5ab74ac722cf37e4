// SPDX-License-Identifier: GPL-3.0-or-later
// What the view area lays out, whatever it shows and however it is drawn.
#pragma once

#include <QImage>
#include <QString>
#include <QWidget>

namespace echolux {

class View : public QWidget {
    Q_OBJECT
public:
    using QWidget::QWidget;

    /// Why nothing can be drawn; empty while all is well.
    virtual QString problem() const = 0;
    /// The whole widget as it is on screen, in device pixels.
    virtual QImage grabImage() { return grab().toImage(); }
    /// The same without what belongs to the mouse and the focus, `times` the resolution of the
    /// screen; null where the graphics card cannot draw one so large.
    virtual QImage imageAt(double times) = 0;

    /// Unknown names are ignored, so that a remembered setting of another version does no harm.
    virtual void setColourMap(const QString& name, bool inverted) = 0;
    virtual void setSmooth(bool smooth) = 0;
    virtual void setGamma(double gamma) = 0;
    virtual void autoRange() = 0; ///< to what it shows
    virtual void resetView() = 0; ///< as it is seen at first
    virtual void clear() = 0;     ///< back to the empty state

signals:
    void problemChanged(const QString& sentence);
};

} // namespace echolux
