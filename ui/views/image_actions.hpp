// SPDX-License-Identifier: GPL-3.0-or-later
// Actions on the image of a view: copy, save, resolution, drawing options. The window's menus and
// the context menu of each view have the same entries.
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
    /// Creates the context menu of a view. Actions apply to the view under the pointer, otherwise
    /// to the first view.
    void serve(View* view, const QString& name);
    /// Adds entries to all these menus, after a separator.
    void add(const QList<QAction*>& actions);
    QAction* copy() const { return m_copy; }
    QList<QAction*> saving() const; ///< save as a file, and its resolution
    /// Drawing options, then the added entries. Empty actions are separators.
    const QList<QAction*>& drawing() const { return m_drawing; }
    QAction* scaleBar() const { return m_scaleBar; }
    /// `why`: one sentence where the image has no lengths, and therefore no scale bar; otherwise
    /// empty.
    void setNoLengths(const QString& why);
    QAction* stretch() const { return m_stretch; }
    QAction* beams() const { return m_beams; } ///< disabled without a beamformer in force
    QAction* columnInPictures() const { return m_columnInPictures; }
    double times() const { return m_times; }
    void setTimes(double times); ///< one of the menu's factors; others become 1

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
    QWidget* m_asked = nullptr; ///< the widget whose context menu is open
    QString m_scaleBarHelp;
    double m_times = 1.0;
};

} // namespace echolux
