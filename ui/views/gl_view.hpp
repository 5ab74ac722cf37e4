// SPDX-License-Identifier: GPL-3.0-or-later
// A view drawn with OpenGL: the life of its context, said once for whatever is drawn.
#pragma once

#include "render/view/colour_map.hpp"
#include "ui/views/gl_surface.hpp"
#include "ui/views/view.hpp"

#include <QPainter>

namespace echolux {

/// Who draws has a canvas: objects of the context, made by makeCanvas() and gone after
/// dropCanvas(). A view without one, since there is no OpenGL or it is no good, says why in
/// problem().
class GlView : public View, private GlClient {
    Q_OBJECT
public:
    ~GlView() override;
    QString problem() const override { return m_problem; }
    QImage imageAt(double times) override;

protected:
    enum class Shown { OnScreen, InPictures }; ///< these without mouse and focus

    explicit GlView(QWidget* parent);
    /// In the destructor of who draws, before anything that it draws with goes.
    void endGl();

    // The context is current in these.
    virtual void makeCanvas() = 0; ///< throws Error where the context is no good
    virtual void dropCanvas() = 0;
    virtual void keepPicture() {} ///< across contexts: this one is about to go
    /// On screen; takes what is new before, tells of it after.
    virtual void showPicture(double ratio) = 0;
    /// `ratio` device pixels for each of the widget, pixelsAt(ratio) in all.
    virtual void drawPicture(double ratio, Shown shown) = 0;

    virtual bool hasCanvas() const = 0;
    virtual bool hasPicture() const = 0;
    /// Of what lies over the picture on screen, the part that is kept as an image of
    /// pixelsAt(ratio); null: there is none.
    virtual const QImage* keptOver(double ratio) {
        (void)ratio;
        return nullptr;
    }
    /// What lies over the picture, in logical pixels, but for what is kept; words alone where there
    /// is no picture.
    virtual void drawOver(QPainter& painter, double ratio, Shown shown) = 0;
    /// What lies over the picture has changed: repaints once, soon.
    virtual void refresh() { repaintSoon(); }
    virtual void swapped() {} ///< what was drawn last is on screen

    /// Does nothing where there is no canvas.
    template <typename Work> void withCanvas(const Work& work) {
        if (hasCanvas()) m_surface->withContext(work);
    }
    /// Until somebody else's is, also within withCanvas(). Precondition: hasCanvas().
    void makeCurrent() { m_surface->makeCurrent(); }
    void repaintSoon(); ///< the picture has changed
    QSize pixelsAt(double ratio) const { return (QSizeF(size()) * ratio).toSize(); }
    QImage grabSurface(); ///< precondition: hasSurface()
    bool hasSurface() const { return m_surface != nullptr; }
    void setProblem(const QString& sentence);    ///< empty: there is none
    bool tabbedTo() const { return m_tabbedTo; } ///< has the focus, by the keyboard

    /// False for unknown names.
    bool chooseColourMap(const QString& name);
    const QString& chosenColourMap() const { return m_colourMap; }
    /// Into the canvas, where another has been chosen since.
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

    GlSurface* m_surface; ///< null where there is no OpenGL
    QString m_colourMap;
    bool m_colourMapStale = true; ///< chosen, but not yet in its texture
    bool m_tabbedTo = false;
    QString m_problem;
};

} // namespace echolux
