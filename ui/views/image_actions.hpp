// SPDX-License-Identifier: GPL-3.0-or-later
// What can be done with the picture of a view: copy, save, at which resolution, how it is drawn.
// The same entries stand in the menus of the window and in the context menu of each view.
#pragma once

#include <QImage>
#include <QList>
#include <QObject>
#include <QString>

#include <functional>
#include <vector>

class QAction;
class QMenu;
class QWidget;

namespace echolux {

class View;

class ImageActions : public QObject {
    Q_OBJECT
public:
    explicit ImageActions(QWidget* parent);
    /// Makes the context menu of a view. The first one is meant where no other is pointed at.
    void serve(View* view, const QString& name);
    /// Further entries of all these menus, after a separator.
    void add(const QList<QAction*>& actions);
    QAction* copy() const { return m_copy; }
    QList<QAction*> saving() const; ///< as a file, and at which resolution
    /// What is drawn, and what was added; empty ones are separators.
    const QList<QAction*>& drawing() const { return m_drawing; }
    QAction* scaleBar() const { return m_scaleBar; }
    /// `why`: one sentence where the image has no lengths, and so no bar; else empty.
    void setNoLengths(const QString& why);
    QAction* stretch() const { return m_stretch; }
    QAction* beams() const { return m_beams; } ///< disabled where no beamformer runs
    QAction* columnInPictures() const { return m_columnInPictures; }
    double times() const { return m_times; }
    void setTimes(double times); ///< of those in the menu, or else 1

signals:
    void saveRequested(const QImage& picture, const QString& name);
    void failed(const QString& sentence);
    void informed(const QString& sentence); ///< an image was copied

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    struct Served {
        View* view;
        QString name;
    };
    const Served* meant() const;
    void withPicture(const std::function<void(const QImage&, const QString&)>& use);

    QMenu *m_menu, *m_resolution;
    QAction *m_copy, *m_save, *m_scaleBar, *m_beams, *m_stretch, *m_columnInPictures;
    QList<QAction*> m_drawing;
    std::vector<Served> m_served;
    QWidget* m_asked = nullptr; ///< whose context menu is open
    QString m_scaleBarHelp;
    double m_times = 1.0;
};

} // namespace echolux
