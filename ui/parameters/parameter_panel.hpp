// SPDX-License-Identifier: GPL-3.0-or-later
// The parameters of the pipeline: a search field above one section per stage, in pipeline order.
// The sections are generated from the stages' tables.
#pragma once

#include "ui/parameters/stage_group.hpp"

#include <QStringList>
#include <QWidget>

#include <vector>

class QLabel;
class QLineEdit;
class QScrollArea;
class QTabBar;
class QVBoxLayout;

namespace echolux {

class WheelGuard;

class ParameterPanel : public QWidget {
    Q_OBJECT
public:
    explicit ParameterPanel(QWidget* parent = nullptr);
    /// Replaces all sections. Folded sections, search text and scroll position are kept. Where
    /// there are stages of A and of B, tabs show those of either with what both have in common.
    void setStages(const std::vector<StageEntry>& entries);
    /// Adds a section after the stages. It stays when the stages change.
    void addPermanentGroup(CollapsibleGroup* group);
    RowColumns columns() const { return m_columns; }

    /// These emit nothing. Unknown instances and keys are ignored.
    void setValue(const QString& instance, const QString& key, const ParamValue& value);
    void setDefault(const QString& instance, const QString& key, const ParamValue& value);
    void setChoiceLabel(const QString& instance, const QString& key, const QString& id,
                        const QString& label);
    /// In SI units; typed values may lie outside.
    void setSliderRange(const QString& instance, const QString& key, double from, double to);
    void setBypassed(const QString& instance, bool bypassed);
    /// Shows below the row why a value was refused, until the row is edited; empty: removes it.
    void setError(const QString& instance, const QString& key, const QString& sentence);
    void clearErrors();
    void setCurve(const QString& instance, const StageCurve& curve);
    /// Unfolds the section and scrolls as little as needed to show it, or as much of it as fits.
    void reveal(const QString& instance);
    /// The same for one parameter. Its control receives the focus.
    void revealRow(const QString& instance, const QString& key);
    /// Focuses the search field. Tab and Return then move to the first parameter found.
    void focusSearch();
    void clearSearch();
    QStringList collapsedGroups() const;
    void setCollapsedGroups(const QStringList& instances);
    StageGroup* group(const QString& instance) const; ///< null where there is none
    QLineEdit* searchField() const { return m_search; }
    QTabBar* branches() const { return m_branches; } ///< A | B; hidden where there is one branch

signals:
    void stagesReplaced(); ///< all sections are new
    void parameterEdited(const QString& instance, const QString& key,
                         const echolux::ParamValue& value);
    void bypassToggled(const QString& instance, bool bypassed);
    void stageResetRequested(const QString& instance);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
    void leaveEvent(QEvent* event) override;

private:
    void makeSearch();
    void applySearch();
    void useSearch(const QString& instance);
    void endSearch(); ///< after use
    void showBranchOf(const QString& instance);
    bool isInBranch(const StageGroup& group) const;
    bool focusFirstHit(); ///< false: no search text, or nothing found
    void focusControl(QWidget& control);
    void scrollTo(const QString& instance);
    ParamRowWidget* row(const QString& instance, const QString& key) const;

    RowColumns m_columns;
    QLineEdit* m_search;
    QScrollArea* m_area;
    QVBoxLayout* m_list;
    QLabel* m_hint;
    WheelGuard* m_guard;
    QTabBar* m_branches;
    QHash<QString, StageEntry::Branch> m_branchOf;
    QString m_used; ///< the stage that was edited among those found; empty: none
    std::vector<StageGroup*> m_groups;
    std::vector<CollapsibleGroup*> m_permanent;
    QStringList m_collapsed;
};

} // namespace echolux
