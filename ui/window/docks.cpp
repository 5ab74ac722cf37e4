// SPDX-License-Identifier: GPL-3.0-or-later
// Places and sizes of docks; their tabs.
#include "ui/window/docks.hpp"

#include "ui/controls/action_text.hpp"
#include "ui/theme/theme.hpp"
#include "ui/window/dock_title.hpp"

#include <QAction>
#include <QContextMenuEvent>
#include <QDockWidget>
#include <QMenu>
#include <QMouseEvent>
#include <QTabBar>

#include <algorithm>
#include <utility>

namespace echolux {
namespace {

constexpr int kLayoutVersion = 2;
constexpr int kOwnPlaces = 3; ///< in saved layouts: no Docks::Arrangement
constexpr int kLeftWidth = 376;
constexpr int kStackedWidth = 344;
constexpr int kRightWidth = 360; ///< at least
constexpr int kRightShare = 7;   ///< part of a wide window: one in so many
constexpr int kRightNarrow = 328;
constexpr int kLeastWidth = 30 * kGrid;  ///< of what a dock holds
constexpr int kLeastHeight = 38 * kGrid; ///< of a dock below others

} // namespace

Docks::Arrangement Docks::arrangementFor(int width) {
    if (width < kStackedBelow) return Arrangement::Stacked;
    return width < kTabbedBelow ? Arrangement::Tabbed : Arrangement::Split;
}

Docks::Docks(QMainWindow& window, std::vector<DockEntry> entries)
    : QObject(&window), m_window(window), m_entries(std::move(entries)),
      m_sideBySide(
          makeAction(this, "Docks &side by side", "", {},
                     "Every open dock in a place of its own; where these would be too small, "
                     "two and two as tabs")) {
    window.setDockOptions(QMainWindow::AllowTabbedDocks | QMainWindow::AllowNestedDocks |
                          QMainWindow::GroupedDragging);
    window.setTabPosition(Qt::AllDockWidgetAreas, QTabWidget::North);
    connect(m_sideBySide, &QAction::triggered, this, [this] {
        arrangeOpen(Arrangement::Split, fitApart() ? FurtherOnes::Apart : FurtherOnes::InPairs);
        m_standing.reset();
    });
    for (const DockEntry& entry : m_entries) m_docks.push_back(make(entry));
}

QDockWidget* Docks::make(const DockEntry& entry) {
    auto* dock = new QDockWidget(entry.title, &m_window);
    dock->setObjectName(entry.name);
    const int least = entry.content->minimumSizeHint().width();
    entry.content->setMinimumWidth(std::max(kLeastWidth, least));
    dock->setWidget(entry.content);
    dock->setTitleBarWidget(new DockTitle(dock));
    connect(dock->toggleViewAction(), &QAction::triggered, this, [this, dock](bool open) {
        if (open) opened(dock);
    });
    if (entry.kind == DockEntry::Kind::Further) {
        connect(dock, &QDockWidget::visibilityChanged, this, &Docks::followWidth,
                Qt::QueuedConnection);
    }
    connect(dock, &QDockWidget::dockLocationChanged, this, &Docks::moved);
    connect(dock, &QDockWidget::topLevelChanged, this, &Docks::moved);
    // NOTE: queued, since the tabs change only after these signals.
    connect(dock, &QDockWidget::visibilityChanged, this, &Docks::followTabs, Qt::QueuedConnection);
    return dock;
}

void Docks::moved() {
    if (!m_arranging) m_standing.reset();
    QMetaObject::invokeMethod(this, &Docks::followTabs, Qt::QueuedConnection);
}

QList<QAction*> Docks::actions() const {
    QList<QAction*> actions;
    for (const QDockWidget* dock : m_docks) actions << dock->toggleViewAction();
    return actions;
}

void Docks::reveal(const QWidget& content) {
    for (QDockWidget* dock : m_docks) {
        if (dock->widget() != &content) continue;
        dock->show();
        dock->raise();
    }
}

bool Docks::isFurther(std::size_t index) const {
    return m_entries[index].kind == DockEntry::Kind::Further;
}

void Docks::reset() {
    std::vector<QDockWidget*> open;
    for (std::size_t i = 0; i < m_docks.size(); ++i)
        if (!isFurther(i)) open.push_back(m_docks[i]);
    arrange(arrangementFor(m_window.width()), open);
}

Docks::Arrangement Docks::suited() const {
    const Arrangement byWidth = arrangementFor(m_window.width());
    bool any = false; // of the further ones
    for (std::size_t i = 0; i < m_docks.size(); ++i)
        any = any || (isFurther(i) && !m_docks[i]->isHidden());
    return any && byWidth == Arrangement::Split ? Arrangement::Tabbed : byWidth;
}

void Docks::opened(QDockWidget* dock) {
    followWidth();
    bringForward(dock);
}

bool Docks::isFront(const QDockWidget* dock) const {
    return !dock->isHidden() && !dock->visibleRegion().isEmpty();
}

/// NOTE: queued, since a dock that was just shown has its tab only then.
void Docks::bringForward(QDockWidget* dock) {
    QMetaObject::invokeMethod(
        dock, [dock] { dock->raise(); }, Qt::QueuedConnection);
}

void Docks::followWidth() {
    const Arrangement wanted = suited();
    if (m_standing && *m_standing != wanted) arrangeOpen(wanted);
}

void Docks::arrangeOpen(Arrangement arrangement, FurtherOnes further) {
    std::vector<QDockWidget*> open;
    QDockWidget* front = nullptr;
    for (QDockWidget* dock : m_docks) {
        if (!dock->isHidden()) open.push_back(dock);
        if (dock != m_docks.front() && isFront(dock) && !dock->isFloating()) front = dock;
    }
    const auto isOpen = [](const QDockWidget* dock) { return !dock->isHidden(); };
    const bool wasTabbed =
        front != nullptr && std::ranges::any_of(m_window.tabifiedDockWidgets(front), isOpen);
    arrange(arrangement, open, further);
    if (wasTabbed && arrangement != Arrangement::Stacked) bringForward(front);
}

void Docks::place(std::size_t index, Arrangement arrangement, FurtherOnes further) {
    QDockWidget* dock = m_docks[index];
    const bool stacked = arrangement == Arrangement::Stacked;
    m_window.addDockWidget(stacked ? Qt::LeftDockWidgetArea : m_entries[index].area, dock);
    const bool isFirst =
        index == 0 || (!stacked && m_entries[index - 1].area != m_entries[index].area);
    if (isFirst) return; // in its place
    const bool inPairs = further == FurtherOnes::InPairs;
    if (inPairs && index % 2 == 1) return; // below the pairs before it
    QDockWidget* before = m_docks[index - 1];
    const bool asTab = isFurther(index) && further == FurtherOnes::AsTabs;
    if (arrangement != Arrangement::Split || asTab || inPairs)
        m_window.tabifyDockWidget(before, dock);
    else
        m_window.splitDockWidget(before, dock, Qt::Vertical);
}

/// Whether the open ones on the right have room below each other.
bool Docks::fitApart() const {
    const auto open = std::count_if(m_docks.begin() + 1, m_docks.end(),
                                    [](const QDockWidget* dock) { return !dock->isHidden(); });
    return static_cast<int>(open) * kLeastHeight <= m_window.height();
}

void Docks::arrange(Arrangement arrangement, const std::vector<QDockWidget*>& open,
                    FurtherOnes further) {
    m_arranging = true;
    for (QDockWidget* dock : m_docks) {
        dock->setFloating(false);
        m_window.removeDockWidget(dock);
    }
    for (std::size_t i = 0; i < m_docks.size(); ++i) place(i, arrangement, further);
    for (QDockWidget* dock : m_docks) dock->setVisible(std::ranges::find(open, dock) != open.end());
    const bool stacked = arrangement == Arrangement::Stacked;
    const bool split = arrangement == Arrangement::Split;
    const auto standard = static_cast<std::size_t>(
        std::ranges::count(m_entries, DockEntry::Kind::Standard, &DockEntry::kind));
    m_docks[stacked ? 0 : split && further != FurtherOnes::InPairs ? standard - 1 : 1]->raise();
    if (stacked) {
        m_window.resizeDocks({m_docks[0]}, {kStackedWidth}, Qt::Horizontal);
    } else {
        const int wide = std::max(kRightWidth, m_window.width() / kRightShare);
        const bool roomy = m_window.width() >= kTabbedBelow; // for a graph
        const int right = split ? wide : roomy ? m_window.width() / 4 : kRightNarrow;
        m_window.resizeDocks({m_docks[0], m_docks[1]}, {kLeftWidth, right}, Qt::Horizontal);
    }
    if (split && further == FurtherOnes::AsTabs) {
        m_window.resizeDocks({m_docks[1], m_docks[2]},
                             {m_window.height() * 44 / 100, m_window.height() * 56 / 100},
                             Qt::Vertical);
    }
    m_standing = arrangement;
    m_arranging = false;
    followTabs();
}

/// Places that were saved before a dock existed say nothing of it.
void Docks::placeTheRest() {
    for (std::size_t i = 1; i < m_docks.size(); ++i) {
        QDockWidget* dock = m_docks[i];
        if (!isFurther(i) || m_window.dockWidgetArea(dock) != Qt::NoDockWidgetArea) continue;
        QDockWidget* beside = m_docks[i - 1];
        dock->setFloating(false);
        m_window.addDockWidget(m_entries[i].area, dock);
        const bool joins =
            !beside->isFloating() && m_window.dockWidgetArea(beside) != Qt::NoDockWidgetArea;
        if (joins) m_window.tabifyDockWidget(beside, dock);
        dock->hide();
    }
}

QByteArray Docks::save() const {
    const int standing = m_standing ? static_cast<int>(*m_standing) : kOwnPlaces;
    return QByteArray(1, static_cast<char>('0' + standing)) + m_window.saveState(kLayoutVersion);
}

bool Docks::restore(const QByteArray& places) {
    if (places.isEmpty()) return false;
    m_arranging = true;
    const bool done = m_window.restoreState(places.mid(1), kLayoutVersion);
    if (done) placeTheRest();
    m_arranging = false;
    if (!done) return false;
    const int standing = places.front() - '0';
    m_standing.reset();
    if (standing >= 0 && standing < kOwnPlaces) m_standing = static_cast<Arrangement>(standing);
    followTabs();
    return true;
}

void Docks::hideAll() {
    for (QDockWidget* dock : m_docks) dock->hide();
}

/// Titles, which tabs stand for; the tab bars, which the window makes when it needs them.
void Docks::followTabs() {
    for (QDockWidget* dock : m_docks) {
        if (auto* title = qobject_cast<DockTitle*>(dock->titleBarWidget())) title->followTabs();
    }
    for (QTabBar* tabs : m_window.findChildren<QTabBar*>(QString(), Qt::FindDirectChildrenOnly)) {
        if (tabs->count() < 2) tabs->hide(); // the window shows it again with its tabs
        tabs->setDrawBase(false);
        tabs->setElideMode(Qt::ElideNone);
        tabs->setUsesScrollButtons(true);
        tabs->setToolTip("Drag away or double click: a window of its own. Right click: more.");
        tabs->installEventFilter(this);
    }
}

QDockWidget* Docks::dockAt(const QTabBar& tabs, QPoint position) const {
    const int tab = tabs.tabAt(position);
    const auto at = std::ranges::find_if(m_docks, [&](const QDockWidget* dock) {
        return tab >= 0 && dock->windowTitle() == tabs.tabText(tab);
    });
    return at == m_docks.end() ? nullptr : *at;
}

bool Docks::eventFilter(QObject* watched, QEvent* event) {
    auto* tabs = qobject_cast<QTabBar*>(watched);
    // NOTE: where docks move again before the window has laid out a former move, it shows tab bars
    // that have lost their tabs meanwhile, and keeps them.
    const bool seen = event->type() == QEvent::Show || event->type() == QEvent::Paint;
    if (tabs != nullptr && seen && tabs->count() < 2) {
        QMetaObject::invokeMethod(
            tabs, [tabs] { tabs->setVisible(tabs->count() > 1); }, Qt::QueuedConnection);
    }
    // A tab that is dragged away leaves a dock that wants its title.
    const bool left = event->type() == QEvent::Hide || event->type() == QEvent::MouseButtonRelease;
    if (tabs != nullptr && left)
        QMetaObject::invokeMethod(this, &Docks::followTabs, Qt::QueuedConnection);
    if (tabs != nullptr && event->type() == QEvent::MouseButtonDblClick) {
        QDockWidget* dock = dockAt(*tabs, static_cast<QMouseEvent*>(event)->pos());
        if (dock != nullptr) { // the tab bar may go with its last tab but one
            QMetaObject::invokeMethod(
                dock, [dock] { dock->setFloating(true); }, Qt::QueuedConnection);
            return true;
        }
    }
    if (tabs != nullptr && event->type() == QEvent::ContextMenu) {
        const auto* menu = static_cast<QContextMenuEvent*>(event);
        if (QDockWidget* dock = dockAt(*tabs, menu->pos())) offer(dock, menu->globalPos());
        return true;
    }
    return QObject::eventFilter(watched, event);
}

void Docks::offer(QDockWidget* dock, QPoint globalPosition) {
    auto* menu = new QMenu(&m_window);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    const QString name = dock->windowTitle();
    connect(menu->addAction("&Float " + name), &QAction::triggered, dock,
            [dock] { dock->setFloating(true); });
    menu->addAction(m_sideBySide);
    connect(menu->addAction("&Close " + name), &QAction::triggered, dock, &QDockWidget::close);
    menu->popup(globalPosition);
}

} // namespace echolux
