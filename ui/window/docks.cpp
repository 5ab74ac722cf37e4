// SPDX-License-Identifier: GPL-3.0-or-later
// Places and sizes of docks.
#include "ui/window/docks.hpp"

#include "ui/controls/action_text.hpp"
#include "ui/theme/theme.hpp"
#include "ui/window/dock_title.hpp"

#include <QAction>
#include <QDockWidget>
#include <QMenu>
#include <QScrollArea>
#include <QScrollBar>
#include <QStatusBar>
#include <QStyle>
#include <QTabBar>
#include <QToolBar>

#include <algorithm>
#include <iterator>
#include <map>
#include <utility>

namespace echolux {
namespace {

constexpr int kLayoutVersion = 2;
constexpr int kOwnPlaces = 3; ///< in saved layouts: the user's own places
constexpr int kLeftWidth = 376;
constexpr int kStackedWidth = 344;
constexpr int kRightWidth = 360; ///< at least
constexpr int kRightShare = 7;   ///< the right column takes one part in so many of a wide window
constexpr int kRightNarrow = 328;
constexpr int kLeastWidth = 30 * kGrid;  ///< of a dock's content
constexpr int kLeastHeight = 38 * kGrid; ///< of a dock below others
constexpr int kTallest = 40 * kGrid;     ///< lower contents need not scroll
constexpr int kTitleHeight = 4 * kGrid;  ///< greatest height of a title or of tabs
constexpr int kLeastImage = 60 * kGrid;  ///< least width of the image beside docks side by side
constexpr int kImageShare = 30;          ///< and its least part of the window, in per cent

QWidget* scrolling(QWidget* content) {
    auto* area = new QScrollArea;
    area->setFrameShape(QFrame::NoFrame);
    area->setFocusPolicy(Qt::NoFocus);
    area->setWidgetResizable(true);
    area->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    area->setWidget(content);
    area->setMinimumWidth(content->minimumWidth() + area->verticalScrollBar()->sizeHint().width());
    return area;
}

} // namespace

Docks::Arrangement Docks::arrangementFor(int width) {
    if (width < kStackedBelow) return Arrangement::Stacked;
    return width < kTabbedBelow ? Arrangement::Tabbed : Arrangement::Split;
}

Docks::Docks(QMainWindow& window, std::vector<DockEntry> entries)
    : QObject(&window), m_window(window), m_entries(std::move(entries)),
      m_sideBySide(makeAction(
          this, "Docks &side by side", "", {},
          "Show all open docks side by side in columns, as tabs where there is no room")) {
    window.setDockOptions(QMainWindow::AllowTabbedDocks | QMainWindow::AllowNestedDocks |
                          QMainWindow::GroupedDragging);
    window.setTabPosition(Qt::AllDockWidgetAreas, QTabWidget::North);
    connect(m_sideBySide, &QAction::triggered, this, &Docks::standSideBySide);
    for (const DockEntry& entry : m_entries) m_docks.push_back(make(entry));
}

QDockWidget* Docks::make(const DockEntry& entry) {
    auto* dock = new QDockWidget(entry.title, &m_window);
    dock->setObjectName(entry.name);
    const int least = entry.content->minimumSizeHint().width();
    entry.content->setMinimumWidth(std::max(kLeastWidth, least));
    const bool isTall = entry.content->minimumSizeHint().height() > kTallest;
    dock->setWidget(isTall ? scrolling(entry.content) : entry.content);
    auto* title = new DockTitle(dock);
    dock->setTitleBarWidget(title);
    dock->installEventFilter(this);
    connect(title, &DockTitle::floatClicked, this, [this, dock] { floatOrDock(dock); });
    connect(dock->toggleViewAction(), &QAction::triggered, this, [this, dock](bool open) {
        if (open) opened(dock);
    });
    if (entry.kind == DockEntry::Kind::Further) {
        connect(dock, &QDockWidget::visibilityChanged, this, &Docks::followWidth,
                Qt::QueuedConnection);
    }
    connect(dock, &QDockWidget::dockLocationChanged, this, &Docks::moved);
    connect(dock, &QDockWidget::topLevelChanged, this, &Docks::moved);
    // NOTE: queued, because the tabs change only after these signals.
    connect(dock, &QDockWidget::visibilityChanged, this, &Docks::followTabs, Qt::QueuedConnection);
    return dock;
}

void Docks::moved() {
    if (!m_arranging) m_standing.reset();
    QMetaObject::invokeMethod(this, &Docks::followTabs, Qt::QueuedConnection);
}

void Docks::fill(QMenu& menu) const {
    std::map<QString, QMenu*> groups;
    for (std::size_t i = 0; i < m_docks.size(); ++i) {
        const QString& group = m_entries[i].group;
        QMenu*& within = groups[group];
        if (within == nullptr) within = group.isEmpty() ? &menu : menu.addMenu(group);
        within->addAction(m_docks[i]->toggleViewAction());
    }
}

QDockWidget* Docks::dockOf(const QWidget& content) const {
    const auto entry = std::ranges::find(m_entries, &content, &DockEntry::content);
    return m_docks[static_cast<std::size_t>(entry - m_entries.begin())];
}

void Docks::reveal(const QWidget& content) {
    dockOf(content)->show();
    dockOf(content)->raise();
}

bool Docks::isFurther(std::size_t index) const {
    return m_entries[index].kind == DockEntry::Kind::Further;
}

void Docks::reset() {
    std::vector<QDockWidget*> open;
    for (std::size_t i = 0; i < m_docks.size(); ++i)
        if (m_entries[i].kind == DockEntry::Kind::Standard) open.push_back(m_docks[i]);
    m_needed.clear();
    arrange(arrangementFor(m_window.width()), open);
}

Docks::Arrangement Docks::suited() const {
    const Arrangement byWidth = arrangementFor(m_window.width());
    bool any = false; // a further dock is open
    for (std::size_t i = 0; i < m_docks.size(); ++i)
        any = any || (isFurther(i) && !m_docks[i]->isHidden());
    return any && byWidth == Arrangement::Split ? Arrangement::Tabbed : byWidth;
}

void Docks::opened(QDockWidget* dock) {
    followWidth();
    widenAlone(dock);
    bringForward(dock);
}

int Docks::rightWidth() const {
    const bool roomy = m_window.width() >= kTabbedBelow; // wide enough for a graph
    return m_standing == Arrangement::Split ? wideColumn()
           : roomy                          ? m_window.width() / 4
                                            : kRightNarrow;
}

bool Docks::isFront(const QDockWidget* dock) const {
    return !dock->isHidden() && !dock->visibleRegion().isEmpty();
}

/// NOTE: queued, because a dock that was just shown gets its tab only later.
void Docks::bringForward(QDockWidget* dock) {
    QMetaObject::invokeMethod(
        dock, [dock] { dock->raise(); }, Qt::QueuedConnection);
}

void Docks::followWidth() {
    const Arrangement wanted = suited();
    if (m_standing && *m_standing != wanted) arrangeOpen(wanted);
}

/// The dock on the right that is seen, the last one of several; null where there is none.
QDockWidget* Docks::frontOnTheRight() const {
    QDockWidget* front = nullptr;
    for (QDockWidget* dock : m_docks)
        if (dock != m_docks.front() && isFront(dock) && !dock->isFloating()) front = dock;
    return front;
}

/// The dock on the right that the user chose among tabs; null where there is none.
QDockWidget* Docks::chosenTab() const {
    const auto isOpen = [](const QDockWidget* dock) { return !dock->isHidden(); };
    QDockWidget* front = frontOnTheRight();
    const bool isTabbed =
        front != nullptr && std::ranges::any_of(m_window.tabifiedDockWidgets(front), isOpen);
    return isTabbed ? front : nullptr;
}

void Docks::arrangeOpen(Arrangement arrangement) {
    std::vector<QDockWidget*> open;
    std::ranges::copy_if(m_docks, std::back_inserter(open),
                         [](const QDockWidget* dock) { return !dock->isHidden(); });
    QDockWidget* front = chosenTab();
    arrange(arrangement, open);
    if (front != nullptr && arrangement != Arrangement::Stacked) bringForward(front);
}

void Docks::place(std::size_t index, Arrangement arrangement) {
    QDockWidget* dock = m_docks[index];
    const bool stacked = arrangement == Arrangement::Stacked;
    m_window.addDockWidget(stacked ? Qt::LeftDockWidgetArea : m_entries[index].area, dock);
    const bool isFirst =
        index == 0 || (!stacked && m_entries[index - 1].area != m_entries[index].area);
    if (isFirst) return; // it has its place
    QDockWidget* before = m_docks[index - 1];
    if (arrangement != Arrangement::Split || isFurther(index))
        m_window.tabifyDockWidget(before, dock);
    else
        m_window.splitDockWidget(before, dock, Qt::Vertical);
}

void Docks::takeOut() {
    for (QDockWidget* dock : m_docks) {
        dock->setFloating(false);
        m_window.removeDockWidget(dock);
    }
}

void Docks::arrange(Arrangement arrangement, const std::vector<QDockWidget*>& open) {
    m_arranging = true;
    takeOut();
    for (std::size_t i = 0; i < m_docks.size(); ++i) place(i, arrangement);
    for (QDockWidget* dock : m_docks) dock->setVisible(std::ranges::find(open, dock) != open.end());
    const bool stacked = arrangement == Arrangement::Stacked;
    const bool split = arrangement == Arrangement::Split;
    const auto standard = static_cast<std::size_t>(
        m_entries.size() -
        std::ranges::count(m_entries, DockEntry::Kind::Further, &DockEntry::kind));
    m_docks[stacked ? 0 : split ? standard - 1 : 1]->raise();
    m_standing = arrangement;
    if (stacked)
        m_window.resizeDocks({m_docks[0]}, {kStackedWidth}, Qt::Horizontal);
    else
        m_window.resizeDocks({m_docks[0], m_docks[1]}, {kLeftWidth, rightWidth()}, Qt::Horizontal);
    if (split) {
        m_window.resizeDocks({m_docks[1], m_docks[2]},
                             {m_window.height() * 44 / 100, m_window.height() * 56 / 100},
                             Qt::Vertical);
    }
    m_arranging = false;
    followTabs();
}

int Docks::wideColumn() const { return std::max(kRightWidth, m_window.width() / kRightShare); }

QSize Docks::leastSize(const QDockWidget& dock) const {
    const QSize content = dock.widget()->minimumSizeHint().expandedTo(dock.widget()->minimumSize());
    return content.expandedTo({kLeastWidth, 0}) + QSize(0, kTitleHeight);
}

/// The size of the room between the bars of the window.
QSize Docks::room() const {
    QSize room = m_window.contentsRect().size();
    const auto leaveTo = [&](const QWidget* bar) {
        if (bar != nullptr && !bar->isHidden()) room.rheight() -= bar->height();
    };
    leaveTo(m_window.menuWidget());
    leaveTo(m_window.findChild<QStatusBar*>());
    for (const QToolBar* bar : m_window.findChildren<QToolBar*>()) leaveTo(bar);
    return room;
}

void Docks::standSideBySide() {
    std::vector<QDockWidget*> right;
    std::vector<QSize> least;
    QDockWidget* left = m_docks.front();
    for (QDockWidget* dock : m_docks) {
        if (dock == left || dock->isHidden()) continue;
        right.push_back(dock);
        least.push_back(leastSize(*dock).expandedTo({0, kLeastHeight}));
    }
    const int gap = m_window.style()->pixelMetric(QStyle::PM_DockWidgetSeparatorExtent);
    const int leftWidth = left->isHidden() ? 0 : kLeftWidth + gap;
    const int image = std::max(kLeastImage, m_window.width() * kImageShare / 100);
    const QSize all = room() - QSize(leftWidth + image + gap, 0);
    const bool fits =
        std::ranges::all_of(least, [&](QSize dock) { return dock.boundedTo(all) == dock; });
    if (!fits) {
        arrangeOpen(Arrangement::Stacked); // there is no room beside the parameters
        m_standing.reset();
        return;
    }
    const DockPlan plan = planDocks(least, all, gap);
    QDockWidget* front = chosenTab();
    m_arranging = true;
    takeOut();
    m_window.addDockWidget(Qt::LeftDockWidgetArea, left);
    left->setVisible(leftWidth > 0);
    placeColumns(right, plan);
    const auto columns = static_cast<int>(plan.columns.size());
    QList<QDockWidget*> heads{left};
    QList<int> widths{kLeftWidth};
    for (const DockPlan::Column& column : plan.columns) {
        heads << right[column.front().front()];
        widths << std::min((all.width() + gap) / columns - gap, wideColumn());
        QList<QDockWidget*> places;
        for (const DockPlan::Tabs& tabs : column) places << right[tabs.front()];
        m_window.resizeDocks(places, QList<int>(places.size(), all.height()), Qt::Vertical);
    }
    m_window.resizeDocks(heads, widths, Qt::Horizontal);
    m_standing.reset();
    m_arranging = false;
    followTabs();
    if (front != nullptr) bringForward(front);
}

/// Closed docks become tabs of the last place, where they appear when opened.
void Docks::placeColumns(const std::vector<QDockWidget*>& docks, const DockPlan& plan) {
    QDockWidget* former = nullptr; // head of the previous column
    for (const DockPlan::Column& column : plan.columns) {
        QDockWidget* head = docks[column.front().front()];
        if (former == nullptr)
            m_window.addDockWidget(Qt::RightDockWidgetArea, head);
        else
            m_window.splitDockWidget(former, head, Qt::Horizontal);
        former = head;
    }
    QDockWidget* last = nullptr;
    for (const DockPlan::Column& column : plan.columns) {
        last = nullptr;
        for (const DockPlan::Tabs& tabs : column) {
            QDockWidget* first = docks[tabs.front()];
            if (last != nullptr) m_window.splitDockWidget(last, first, Qt::Vertical);
            last = first;
        }
    }
    for (const DockPlan::Column& column : plan.columns) {
        for (const DockPlan::Tabs& tabs : column) {
            for (const std::size_t dock : tabs)
                if (dock != tabs.front())
                    m_window.tabifyDockWidget(docks[tabs.front()], docks[dock]);
        }
    }
    for (QDockWidget* dock : docks) dock->show();
    for (const DockPlan::Column& column : plan.columns)
        for (const DockPlan::Tabs& tabs : column) docks[tabs.front()]->raise();
    for (QDockWidget* dock : m_docks) {
        const bool isOpen = std::ranges::find(docks, dock) != docks.end();
        if (dock == m_docks.front() || isOpen) continue;
        m_window.addDockWidget(Qt::RightDockWidgetArea, dock);
        if (last != nullptr) m_window.tabifyDockWidget(last, dock);
        dock->hide();
        last = last == nullptr ? dock : last;
    }
}

/// Layouts that were saved before a dock existed contain no place for it.
void Docks::placeTheRest() {
    for (std::size_t i = 1; i < m_docks.size(); ++i) {
        QDockWidget* dock = m_docks[i];
        if (!isFurther(i) || m_window.dockWidgetArea(dock) != Qt::NoDockWidgetArea) continue;
        placeBesideFormer(i);
        dock->hide();
    }
}

void Docks::placeBesideFormer(std::size_t index) {
    QDockWidget* dock = m_docks[index];
    QDockWidget* beside = m_docks[index - 1];
    dock->setFloating(false);
    m_window.addDockWidget(m_entries[index].area, dock);
    const bool joins =
        !beside->isFloating() && m_window.dockWidgetArea(beside) != Qt::NoDockWidgetArea;
    if (joins) m_window.tabifyDockWidget(beside, dock);
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

} // namespace echolux
