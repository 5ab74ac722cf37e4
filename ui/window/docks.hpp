// SPDX-License-Identifier: GPL-3.0-or-later
// The docks beside the image: how they stand at which width, as tabs or side by side, floating or
// closed.
#pragma once

#include "ui/window/dock_plan.hpp"

#include <QByteArray>
#include <QList>
#include <QMainWindow>
#include <QObject>
#include <QRect>
#include <QString>

#include <map>
#include <optional>
#include <vector>

class QAction;
class QDockWidget;
class QTabBar;

namespace echolux {

/// All there is to say of one dock.
struct DockEntry {
    enum class Kind {
        Standard, ///< open in the standard layout
        Further   ///< closed until somebody opens it, then a tab beside the one before it
    };
    QString title; ///< on its tab and in the menu of docks, too
    QString name;  ///< in saved layouts
    QWidget* content;
    Qt::DockWidgetArea area; ///< left or right, where the window is wide enough for both
    Kind kind = Kind::Standard;
};

class Docks : public QObject {
    Q_OBJECT
public:
    /// How the docks share the window where nobody moved them.
    enum class Arrangement {
        Stacked, ///< all in one place as tabs: the image keeps most of a small window
        Tabbed,  ///< parameters left, the others right in one place as tabs; in any larger window
                 ///< too, where further ones are open, which want its height
        Split    ///< parameters left, the others right below each other
    };
    /// Below these widths of the window.
    static constexpr int kStackedBelow = 1200;
    static constexpr int kTabbedBelow = 1500;
    static Arrangement arrangementFor(int width);

    /// In the order of the tabs: one standard one on the left, then those on the right, at least
    /// two standard ones first.
    Docks(QMainWindow& window, std::vector<DockEntry> entries);
    /// That open and close them, for the menu.
    QList<QAction*> actions() const;
    void reveal(const QWidget& content); ///< opens its dock, in front of others

    void reset(); ///< the standard ones open, as it suits the width
    /// Where the width now asks for another arrangement; what the user moved stays where it is,
    /// what was closed stays closed.
    void followWidth();
    QByteArray save() const; ///< the places as bytes
    /// False and nothing done where they are none of ours. Docks that they do not name are closed.
    bool restore(const QByteArray& places);
    void hideAll();
    QAction* sideBySideAction() const { return m_sideBySide; }

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    QDockWidget* make(const DockEntry& entry);
    bool isFurther(std::size_t index) const;
    void takeOut();
    void arrange(Arrangement arrangement, const std::vector<QDockWidget*>& open);
    void arrangeOpen(Arrangement arrangement);
    void place(std::size_t index, Arrangement arrangement);
    void standSideBySide();
    void placeColumns(const std::vector<QDockWidget*>& docks, const DockPlan& plan);
    QSize leastSize(const QDockWidget& dock) const;
    QSize room() const;
    int wideColumn() const;
    QDockWidget* frontOnTheRight() const;
    void placeTheRest();
    Arrangement suited() const;
    void opened(QDockWidget* dock);
    bool isFront(const QDockWidget* dock) const;
    void bringForward(QDockWidget* dock);
    void floatOrDock(QDockWidget* dock);
    void paintFrame(QDockWidget& dock) const;
    void moved();
    void followTabs();
    QDockWidget* dockAt(const QTabBar& tabs, QPoint position) const;
    void offer(QDockWidget* dock, QPoint globalPosition);

    QMainWindow& m_window;
    std::vector<DockEntry> m_entries;
    std::vector<QDockWidget*> m_docks; ///< one for each
    QAction* m_sideBySide;
    std::optional<Arrangement> m_standing;   ///< nothing where the user has moved docks
    std::map<QDockWidget*, QRect> m_floated; ///< where they were before they were docked again
    bool m_arranging = false;
};

} // namespace echolux
