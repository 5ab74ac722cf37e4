// SPDX-License-Identifier: GPL-3.0-or-later
// A view drawn with OpenGL. It handles the life of the context for all such views.
#pragma once

#include "render/view/colour_map.hpp"
#include "ui/views/gl_surface.hpp"
#include "ui/views/view.hpp"

#include <QPainter>

namespace echolux {

/// A derived class has a canvas: objects of the context, which exist from makeCanvas() to
/// dropCanvas(). A view without a canvas, because OpenGL is missing or unusable, says why in
/// problem().
class GlView : public View, private GlClient {
    Q_OBJECT
public:
    ~GlView() override;
    QString problem() const override { return m_problem; }
    QImage imageAt(double times) override;

protected:
    enum class Shown { OnScreen, InPictures }; ///< InPictures: without mouse and focus

    explicit GlView(QWidget* parent);
    /// Call in the destructor of the derived class, before any object that it draws with is
    /// destroyed.
    void endGl();

    // The context is current in the following functions.
    virtual void makeCanvas() = 0; ///< throws Error where the context is unusable
    virtual void dropCanvas() = 0;
    virtual void keepPicture() {} ///< saves the image, because the context is about to be destroyed
    /// Draws on screen: fetches new data before, and emits signals about them after.
    virtual void showPicture(double ratio) = 0;
    /// `ratio`: device pixels per pixel of the widget; the size is pixelsAt(ratio).
    virtual void drawPicture(double ratio, Shown shown) = 0;

    virtual bool hasCanvas() const = 0;
    virtual bool hasPicture() const = 0;
    /// The part of the overlay on screen that is cached as an image of pixelsAt(ratio). Null: none.
    virtual const QImage* keptOver(double ratio) {
        (void)ratio;
        return nullptr;
    }
    /// Draws the overlay in logical pixels, without the cached part; only texts where there is no
    /// image.
    virtual void drawOver(QPainter& painter, double ratio, Shown shown) = 0;
    /// Call when the overlay has changed: repaints once, soon.
    virtual void refresh() { repaintSoon(); }
    virtual void swapped() {} ///< the last drawing is on screen

    /// Does nothing without a canvas.
    template <typename Work> void withCanvas(const Work& work) {
        if (hasCanvas()) m_surface->withContext(work);
    }
    /// The context stays current until another one is made current, also within withCanvas().
    /// Precondition: hasCanvas().
    void makeCurrent() { m_surface->makeCurrent(); }
    void repaintSoon(); ///< call when the image has changed
    QSize pixelsAt(double ratio) const { return (QSizeF(size()) * ratio).toSize(); }
    QImage grabSurface(); ///< precondition: hasSurface()
    bool hasSurface() const { return m_surface != nullptr; }
    void setProblem(const QString& sentence);    ///< empty: no problem
    bool tabbedTo() const { return m_tabbedTo; } ///< has the focus through the keyboard

    /// False for unknown names.
    bool chooseColourMap(const QString& name);
    const QString& chosenColourMap() const { return m_colourMap; }
    /// Uploads the colour map to the canvas where another one has been chosen.
    template <class Canvas> void bringColours(Canvas& canvas) {
        if (!m_colourMapStale) return;
        canvas.setColourMap(colourMap(m_colourMap.toStdString()));
        m_colourMapStale = false;
    }

    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;

private:
    void initializeGl() final;
    void paintGl() final;
    void contextGoes() final;

    GlSurface* m_surface; ///< null without OpenGL
    QString m_colourMap;
    bool m_colourMapStale = true; ///< the chosen map is not in its texture yet
    bool m_tabbedTo = false;
    QString m_problem;
};

} // namespace echolux
