// SPDX-License-Identifier: GPL-3.0-or-later
// The docks beside the image: their arrangement by window width, as tabs or side by side, floating
// or closed.
#pragma once

#include "ui/window/dock_plan.hpp"

#include <QByteArray>
#include <QMainWindow>
#include <QObject>
#include <QRect>
#include <QString>

#include <map>
#include <optional>
#include <vector>

class QAction;
class QDockWidget;
class QMenu;
class QTabBar;

namespace echolux {

/// Everything the window knows about a dock.
struct DockEntry {
    enum class Kind {
        Standard, ///< open in the standard layout
        AtNeed,   ///< has a place in the standard layout, where it opens when it is needed
        Further   ///< closed until the user opens it, then a tab beside the dock before it
    };
    QString title; ///< on the tab and in the menu of docks
    QString name;  ///< key in saved layouts
    QWidget* content;
    Qt::DockWidgetArea area; ///< left or right, where the window is wide enough for both
    Kind kind = Kind::Standard;
    QString group = {}; ///< a menu of its own within the menu of docks; empty: none
};

class Docks : public QObject {
    Q_OBJECT
public:
    /// Arrangement of docks that the user has not moved.
    enum class Arrangement {
        Stacked, ///< all in one place as tabs: the image keeps most of a small window
        /// Parameters left, the others right in one place as tabs; also in wider windows where a
        /// Further dock is open, because it needs the height.
        Tabbed,
        Split ///< parameters left, the others right, one below the other
    };
    /// The arrangement applies to windows narrower than this.
    static constexpr int kStackedBelow = 1200;
    static constexpr int kTabbedBelow = 1500;
    static Arrangement arrangementFor(int width);

    /// `entries` are in the order of the tabs: one Standard dock on the left, then the docks on the
    /// right, of which the first two at least are not Further.
    Docks(QMainWindow& window, std::vector<DockEntry> entries);
    /// Adds the actions that open and close the docks.
    void fill(QMenu& menu) const;
    /// A further dock. It stands where the layout that was restored last has it. One that this
    /// layout does not name is opened. Returns the action that opens and closes it.
    QAction* add(const DockEntry& entry);
    /// Destroys a dock that add() made, and its content, later. Returns its action.
    QAction* remove(const QWidget& content);
    void reveal(const QWidget& content); ///< opens its dock, in front of the others
    /// Opens a dock that begins to be needed, behind those that are open, and closes it when it is
    /// no longer needed. What the user opened or closed meanwhile stays so.
    void setNeeded(const QWidget& content, bool needed);
    void endNeeds(); ///< no dock is needed any more

    void reset(); ///< opens the Standard docks in the arrangement for the width
    /// Applies the arrangement for the present width. Docks that the user moved stay, and closed
    /// docks stay closed.
    void followWidth();
    QByteArray save() const; ///< the arrangement as bytes
    /// False where `places` was not made by save(); nothing changes then. Docks that `places` does
    /// not name are closed.
    bool restore(const QByteArray& places);
    void hideAll();
    QAction* sideBySideAction() const { return m_sideBySide; }

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    QDockWidget* make(const DockEntry& entry);
    void placeBesideFormer(std::size_t index);
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
    QDockWidget* dockOf(const QWidget& content) const;
    void widenAlone(QDockWidget* dock);
    int rightWidth() const;
    QDockWidget* frontOnTheRight() const;
    QDockWidget* chosenTab() const;
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
    std::vector<QDockWidget*> m_docks; ///< one per entry
    QAction* m_sideBySide;
    std::optional<Arrangement> m_standing;   ///< empty where the user has moved docks
    std::map<QDockWidget*, bool> m_needed;   ///< true: opened because it is needed
    std::map<QDockWidget*, QRect> m_floated; ///< floating places of docks before they were docked
    bool m_arranging = false;
};

} // namespace echolux
