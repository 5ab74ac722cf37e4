// SPDX-License-Identifier: GPL-3.0-or-later
// The section of one stage: one row per parameter, mini plots below the rows they explain, a bypass
// switch.
#pragma once

#include "gpu/stage/stage.hpp"
#include "ui/controls/collapsible_group.hpp"
#include "ui/parameters/param_row_widget.hpp"

#include <QHash>
#include <QStringList>

#include <vector>

namespace echolux {

class MiniPlot;

/// Data of one stage for the parameter panel.
struct StageEntry {
    QString instance; ///< id that stays the same within the pipeline
    const StageType* type = nullptr;
    Params values;
    Params defaults; ///< for this recording
    bool bypassable = true;
    bool bypassed = false;
    /// Key: parameter. Names of the entries of masks and lists where they depend on the recording,
    /// such as one name per transmit. A mask with an empty list has as many cells as names here.
    QHash<QString, QStringList> items = {};
    std::vector<SliderSpan> spans = {};
    enum class Branch { Both, A, B } branch = Branch::Both; ///< of A against B
};

class StageGroup : public CollapsibleGroup {
    Q_OBJECT
public:
    StageGroup(const StageEntry& entry, const RowColumns& columns, QWidget* parent = nullptr);
    QString instance() const { return m_instance; }
    ParamRowWidget* row(const QString& key) const; ///< null where there is none
    void setBypassed(bool bypassed);               ///< emits no signal
    bool isBypassed() const;
    void setCurve(const StageCurve& curve);
    /// Puts `widget` below the row `key` and its plot; it is shown and hidden together with the
    /// row. The group owns it.
    void addBelow(const QString& key, QWidget* widget);
    void clearErrors();
    /// Call after a value has changed: updates which rows are shown and whether a value differs
    /// from its default.
    void refresh();
    bool filter(const QString& needle) override;

signals:
    void edited(const QString& instance, const QString& key, const echolux::ParamValue& value);
    void bypassToggled(const QString& instance, bool bypassed);
    void resetRequested(const QString& instance); ///< every value to its default
    void controlsChanged();

private:
    bool showRows();
    bool matters(const ParamRowWidget& widget) const;

    QString m_instance;
    QString m_searchText;
    QString m_needle; ///< search text; empty where it matches the title
    std::vector<ParamRowWidget*> m_rows;
    QHash<QString, MiniPlot*> m_plots;
    QHash<QString, QWidget*> m_below; ///< key: the row above
};

} // namespace echolux
