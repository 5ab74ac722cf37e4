// SPDX-License-Identifier: GPL-3.0-or-later
// The section of one stage: a row per parameter, mini plots under the rows they explain, a switch
// that bypasses it.
#pragma once

#include "gpu/stage/stage.hpp"
#include "ui/controls/collapsible_group.hpp"
#include "ui/parameters/param_row_widget.hpp"

#include <QHash>
#include <QStringList>

#include <utility>
#include <vector>

namespace echolux {

struct CurveData;
class MiniPlot;

/// What the parameter panel is told of one stage of the pipeline.
struct StageEntry {
    QString instance; ///< stable id within the pipeline
    const StageType* type = nullptr;
    Params values;
    Params defaults; ///< of this recording
    bool bypassable = true;
    bool bypassed = false;
    /// Names of the entries of masks and lists where they depend on the recording, by key: one
    /// name per transmit, say. A mask whose list is empty gets its number of cells from here.
    QHash<QString, QStringList> items = {};
    /// What sliders span where the recording is narrower than the table, by key, in SI.
    QHash<QString, std::pair<double, double>> sliderRanges = {};
};

class StageGroup : public CollapsibleGroup {
    Q_OBJECT
public:
    StageGroup(const StageEntry& entry, const RowColumns& columns, QWidget* parent = nullptr);
    QString instance() const { return m_instance; }
    ParamRowWidget* row(const QString& key) const; ///< null where there is none
    void setBypassed(bool bypassed);               ///< without a signal
    bool isBypassed() const;
    void setCurve(const CurveData& curve);
    void clearErrors();
    /// After a value has changed: which rows matter, whether anything differs from its default.
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
    QString m_needle; ///< of the search; empty where the title matches
    std::vector<ParamRowWidget*> m_rows;
    QHash<QString, MiniPlot*> m_plots;
};

} // namespace echolux
