// SPDX-License-Identifier: GPL-3.0-or-later
// The dock "Performance": counters, latency, memory, time per stage, their last minute, and the
// timeline of the latest frames.
#pragma once

#include "ui/performance/readouts.hpp"
#include "ui/performance/timeline.hpp"

#include <QHash>
#include <QWidget>

#include <optional>
#include <vector>

class QBoxLayout;
class QGridLayout;
class QLabel;
class QStackedWidget;
class QTabBar;
class QToolButton;

namespace echolux {

class HistoryPlot;
class StageBars;
class StageHistoryPlot;
class TimelinePlot;
class ToggleSwitch;

class PerformancePanel : public QWidget {
    Q_OBJECT
public:
    explicit PerformancePanel(QWidget* parent = nullptr);
    void setReadouts(const Readouts& readouts);
    void clear(); ///< call when no recording is open
    /// Text of a readout by its key: "read", "read_rate", "latency", ...
    QString text(const QString& key) const;
    QString apartText() const;  ///< why stages do not run as one, one line each
    QString tablesText() const; ///< bytes of the tables that stages hold
    HistoryPlot* history() const { return m_history; }
    StageHistoryPlot* stageHistory() const { return m_stageHistory; }
    StageBars* bars() const { return m_bars; }
    void showStageHistory(bool stages); ///< instead of rates and latency
    ToggleSwitch* separately() const { return m_separately; }
    TimelinePlot* timeline() const { return m_timeline; }
    /// True while the timeline is visible. setTimeline() is needed only then.
    bool isTimelineInSight() const;
    void showTimeline(bool timeline); ///< instead of the figures
    void setTimeline(const Timeline& timeline);

signals:
    void separatelyToggled(bool separately); ///< emitted for a click of the user

private:
    QWidget* makeFigures();
    QWidget* makeTimeline();
    void addSeparately(QBoxLayout* layout, QWidget* parent);
    void addHistories(QBoxLayout* layout, QWidget* parent);
    void showRealTime(const std::optional<RealTimeReadouts>& realTime, bool onCard);
    void showApart(const std::vector<StageTime>& stages);
    void showTables(const std::vector<StageTime>& stages);
    void showSeparately(const Readouts& readouts);
    void addRow(QGridLayout* grid, const QString& name, const QString& firstKey,
                const QString& secondKey, const QString& help);
    void set(const QString& key, const QString& text);
    void showRow(const QString& key, bool shown);

    QHash<QString, QLabel*> m_values;
    QHash<QString, QLabel*> m_names; ///< labels of the rows, by key
    StageBars* m_bars;
    QLabel* m_apart;  ///< below the bars
    QLabel* m_tables; ///< below m_apart
    ToggleSwitch* m_separately;
    QLabel* m_separatelyLabel;
    QLabel* m_separatelyNote; ///< what separate times cost, or why they are unavailable
    HistoryPlot* m_history;
    StageHistoryPlot* m_stageHistory;
    QStackedWidget* m_histories;
    QToolButton* m_ratesButton;
    QToolButton* m_stagesButton;
    QTabBar* m_tabs;
    QStackedWidget* m_pages;
    TimelinePlot* m_timeline;
    QLabel* m_timelineLegend;
    QLabel* m_timelineHint;
};

} // namespace echolux
