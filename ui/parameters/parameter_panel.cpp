// SPDX-License-Identifier: GPL-3.0-or-later
// Sections, search and scrolling of the parameter panel.
#include "ui/parameters/parameter_panel.hpp"

#include "ui/controls/number_field.hpp"
#include "ui/controls/small_buttons.hpp"
#include "ui/controls/wheel_guard.hpp"
#include "ui/parameters/mini_plot.hpp"
#include "ui/theme/labels.hpp"
#include "ui/theme/theme.hpp"

#include <QAbstractSpinBox>
#include <QAction>
#include <QApplication>
#include <QFrame>
#include <QKeyEvent>
#include <QLineEdit>
#include <QScrollArea>
#include <QScrollBar>
#include <QTabBar>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace echolux {

ParameterPanel::ParameterPanel(QWidget* parent)
    : QWidget(parent), m_search(new QLineEdit(this)), m_area(new QScrollArea(this)),
      m_guard(new WheelGuard(m_area)), m_branches(new QTabBar(this)) {
    setObjectName("panel");
    setAttribute(Qt::WA_StyledBackground);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    makeSearch();
    layout->addWidget(m_branches);

    auto* content = new QWidget(m_area);
    content->setObjectName("panel");
    m_list = new QVBoxLayout(content);
    m_list->setContentsMargins(0, 0, kGrid / 2, kGrid);
    m_list->setSpacing(0);
    m_hint = makeLabel("", LabelRole::Secondary, content);
    m_hint->setAlignment(Qt::AlignHCenter);
    m_hint->setWordWrap(true);
    m_hint->setContentsMargins(2 * kGrid, 3 * kGrid, 2 * kGrid, 3 * kGrid);
    m_list->addWidget(m_hint);
    m_list->addStretch(1);
    m_area->setWidget(content);
    m_area->setWidgetResizable(true);
    m_area->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_area->setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOn);
    m_area->setFocusPolicy(Qt::NoFocus);
    layout->addWidget(m_area, 1);
    setMinimumWidth(40 * kGrid);
    // The scroll bar always keeps its room, so that nothing moves. It is visible only where there
    // is something to scroll.
    QScrollBar* bar = m_area->verticalScrollBar();
    connect(bar, &QScrollBar::rangeChanged, this,
            [bar](int from, int to) { setFieldState(bar, from == to ? "idle" : ""); });
    setFieldState(bar, "idle");
    connect(m_search, &QLineEdit::textChanged, this, &ParameterPanel::applySearch);
    applySearch();
}

void ParameterPanel::makeSearch() {
    m_search->setPlaceholderText("Search parameters");
    m_search->setToolTip(
        "Show only the parameters, display controls and groups whose name or help contains this "
        "(Ctrl+F; Tab or Return: go to the first one; Esc: show all again)");
    m_search->installEventFilter(this);
    m_search->setClearButtonEnabled(true);
    m_search->addAction(themeIcon("search"), QLineEdit::LeadingPosition);
    m_search->setFixedHeight(3 * kGrid + kGrid / 2);
    auto* searchLine = new QVBoxLayout;
    searchLine->setContentsMargins(kGrid, kGrid, kGrid, kGrid);
    searchLine->addWidget(m_search);
    static_cast<QVBoxLayout*>(layout())->addLayout(searchLine);
    m_branches->addTab("A");
    m_branches->addTab("B");
    m_branches->setToolTip("The stages of A, or of B, with those that both have in common");
    m_branches->setFocusPolicy(Qt::TabFocus);
    m_branches->hide();
    connect(m_branches, &QTabBar::currentChanged, this, &ParameterPanel::applySearch);
    connect(this, &ParameterPanel::parameterEdited, this, &ParameterPanel::useSearch);
    connect(this, &ParameterPanel::bypassToggled, this, &ParameterPanel::useSearch);
    connect(qApp, &QApplication::focusChanged, this, [this](QWidget* before, QWidget* now) {
        if (isAncestorOf(before) && now != nullptr && !isAncestorOf(now)) endSearch();
    });
}

/// NOTE: not at once, because the row that is being edited must not move.
void ParameterPanel::useSearch(const QString& instance) {
    if (!m_search->text().isEmpty()) m_used = instance;
}

void ParameterPanel::leaveEvent(QEvent* event) {
    QWidget::leaveEvent(event);
    if (!m_search->hasFocus()) endSearch();
}

void ParameterPanel::endSearch() {
    const QString used = std::exchange(m_used, {});
    if (used.isEmpty()) return;
    clearSearch();
    scrollTo(used);
}

bool ParameterPanel::isInBranch(const StageGroup& group) const {
    const auto hidden =
        m_branches->currentIndex() == 0 ? StageEntry::Branch::B : StageEntry::Branch::A;
    return m_branchOf.value(group.instance()) != hidden;
}

void ParameterPanel::showBranchOf(const QString& instance) {
    const auto branch = m_branchOf.value(instance);
    if (branch != StageEntry::Branch::Both)
        m_branches->setCurrentIndex(branch == StageEntry::Branch::A ? 0 : 1);
}

void ParameterPanel::setStages(const std::vector<StageEntry>& entries) {
    const int scrolled = m_area->verticalScrollBar()->value();
    setUpdatesEnabled(false);
    // Without this Qt would move the focus of a removed row to the next field, which is the search
    // here.
    QWidget* focused = QApplication::focusWidget();
    const bool goes = std::ranges::any_of(
        m_groups, [focused](const StageGroup* group) { return group->isAncestorOf(focused); });
    if (goes) focused->clearFocus();
    // NOTE: one of these widgets may be the sender of the signal that led here.
    for (StageGroup* group : m_groups) {
        m_list->removeWidget(group);
        group->hide();
        group->disconnect(this);
        group->deleteLater();
    }
    m_groups.clear();
    m_branchOf.clear();
    int place = 0;
    for (const StageEntry& entry : entries) {
        auto* group = new StageGroup(entry, m_columns, m_area->widget());
        group->setCollapsed(m_collapsed.contains(entry.instance));
        m_list->insertWidget(place++, group);
        m_groups.push_back(group);
        m_branchOf[entry.instance] = entry.branch;
        connect(group, &StageGroup::edited, this, &ParameterPanel::parameterEdited);
        connect(group, &StageGroup::bypassToggled, this, &ParameterPanel::bypassToggled);
        connect(group, &StageGroup::resetRequested, this, &ParameterPanel::stageResetRequested);
        connect(group, &StageGroup::controlsChanged, this,
                [this, group] { m_guard->watch(group); });
        connect(group, &StageGroup::collapsedChanged, this, [this, group](bool collapsed) {
            m_collapsed.removeAll(group->instance());
            if (collapsed) m_collapsed << group->instance();
        });
        m_guard->watch(group);
    }
    const bool compares = m_branchOf.values().contains(StageEntry::Branch::B);
    m_branches->setVisible(compares);
    if (!compares) m_branches->setCurrentIndex(0);
    emit stagesReplaced();
    applySearch();
    m_area->verticalScrollBar()->setValue(scrolled);
    setUpdatesEnabled(true);
}

void ParameterPanel::addPermanentGroup(CollapsibleGroup* group) {
    m_list->insertWidget(m_list->count() - 1, group);
    m_guard->watch(group);
    m_permanent.push_back(group);
    applySearch();
}

StageGroup* ParameterPanel::group(const QString& instance) const {
    const auto at = std::ranges::find(m_groups, instance, &StageGroup::instance);
    return at == m_groups.end() ? nullptr : *at;
}

ParamRowWidget* ParameterPanel::row(const QString& instance, const QString& key) const {
    const StageGroup* found = group(instance);
    return found == nullptr ? nullptr : found->row(key);
}

void ParameterPanel::setValue(const QString& instance, const QString& key,
                              const ParamValue& value) {
    if (ParamRowWidget* widget = row(instance, key)) {
        widget->setValue(value);
        group(instance)->refresh();
    }
}

void ParameterPanel::setDefault(const QString& instance, const QString& key,
                                const ParamValue& value) {
    if (ParamRowWidget* widget = row(instance, key)) {
        widget->setDefault(value);
        group(instance)->refresh();
    }
}

void ParameterPanel::setChoiceLabel(const QString& instance, const QString& key, const QString& id,
                                    const QString& label) {
    if (ParamRowWidget* widget = row(instance, key)) widget->editor()->setChoiceLabel(id, label);
}

void ParameterPanel::setSliderRange(const QString& instance, const QString& key, double from,
                                    double to) {
    if (ParamRowWidget* widget = row(instance, key)) widget->editor()->setSliderRange(from, to);
}

void ParameterPanel::setBypassed(const QString& instance, bool bypassed) {
    if (StageGroup* found = group(instance)) found->setBypassed(bypassed);
}

void ParameterPanel::setError(const QString& instance, const QString& key,
                              const QString& sentence) {
    if (ParamRowWidget* widget = row(instance, key)) widget->setError(sentence);
}

void ParameterPanel::setCurve(const QString& instance, const StageCurve& curve) {
    if (StageGroup* found = group(instance)) found->setCurve(curve);
}

void ParameterPanel::clearErrors() {
    for (StageGroup* each : m_groups) each->clearErrors();
}

void ParameterPanel::reveal(const QString& instance) {
    StageGroup* found = group(instance);
    if (found == nullptr) return;
    showBranchOf(instance);
    if (found->isHidden()) clearSearch();
    found->setCollapsed(false);
    // NOTE: queued, because new sections become visible only then.
    QMetaObject::invokeMethod(
        this, [this, instance] { scrollTo(instance); }, Qt::QueuedConnection);
}

void ParameterPanel::revealRow(const QString& instance, const QString& key) {
    reveal(instance);
    QMetaObject::invokeMethod(
        this,
        [this, instance, key] {
            const ParamRowWidget* found = row(instance, key);
            if (found == nullptr) return;
            if (found->isHidden()) clearSearch();
            if (QWidget* control = found->editor()->control()) focusControl(*control);
        },
        Qt::QueuedConnection);
}

void ParameterPanel::scrollTo(const QString& instance) {
    const StageGroup* found = group(instance);
    if (found == nullptr) return;
    QCoreApplication::sendPostedEvents(nullptr, QEvent::LayoutRequest);
    QScrollBar* bar = m_area->verticalScrollBar();
    const int room = m_area->viewport()->height();
    const int top = found->geometry().top();
    const int bottom = found->geometry().bottom() + 1;
    if (top < bar->value() || bottom - top > room)
        bar->setValue(top);
    else if (bottom > bar->value() + room)
        bar->setValue(bottom - room);
}

void ParameterPanel::focusSearch() {
    m_search->setFocus(Qt::ShortcutFocusReason);
    m_search->selectAll();
}

void ParameterPanel::clearSearch() { m_search->clear(); }

bool ParameterPanel::eventFilter(QObject* watched, QEvent* event) {
    if (watched != m_search || event->type() != QEvent::KeyPress)
        return QWidget::eventFilter(watched, event);
    switch (static_cast<QKeyEvent*>(event)->key()) {
    case Qt::Key_Escape:
        clearSearch();
        m_search->clearFocus();
        return true;
    case Qt::Key_Return:
    case Qt::Key_Enter:
        if (!focusFirstHit() && m_search->text().isEmpty()) m_search->clearFocus();
        return true;
    case Qt::Key_Tab:
        if (focusFirstHit()) return true;
        [[fallthrough]];
    default: return QWidget::eventFilter(watched, event);
    }
}

bool ParameterPanel::focusFirstHit() {
    if (m_search->text().trimmed().isEmpty()) return false;
    std::vector<CollapsibleGroup*> groups(m_groups.begin(), m_groups.end());
    groups.insert(groups.end(), m_permanent.begin(), m_permanent.end());
    for (const CollapsibleGroup* group : groups) {
        if (group->isHidden()) continue;
        for (const ParamRowWidget* row : group->findChildren<ParamRowWidget*>()) {
            QWidget* control = row->isHidden() ? nullptr : row->editor()->control();
            if (control == nullptr || !control->isEnabled()) continue;
            focusControl(*control);
            return true;
        }
        if (group->headerSwitch() == nullptr) continue; // its name matches, but it has no control
        focusControl(*group->headerSwitch());
        return true;
    }
    return false;
}

void ParameterPanel::focusControl(QWidget& control) {
    control.setFocus(Qt::TabFocusReason);
    // Typing replaces the number, even if the window becomes active only later.
    if (auto* number = qobject_cast<QAbstractSpinBox*>(&control)) number->selectAll();
    m_area->ensureWidgetVisible(&control);
}

QStringList ParameterPanel::collapsedGroups() const { return m_collapsed; }

void ParameterPanel::setCollapsedGroups(const QStringList& instances) {
    m_collapsed = instances;
    for (StageGroup* each : m_groups) each->setCollapsed(instances.contains(each->instance()));
}

void ParameterPanel::applySearch() {
    const QString needle = m_search->text().trimmed();
    bool any = false;
    for (StageGroup* each : m_groups) {
        const bool found = each->filter(needle);
        each->setVisible(found && isInBranch(*each));
        any = any || !each->isHidden();
    }
    for (CollapsibleGroup* each : m_permanent) any = each->filter(needle) || any;
    const bool nothingOpen = m_groups.empty() && needle.isEmpty();
    m_hint->setVisible(!any || nothingOpen);
    m_hint->setText(nothingOpen ? "Open a recording to see the stages that image it."
                                : "Nothing here is called \"" + needle + "\".");
}

} // namespace echolux
