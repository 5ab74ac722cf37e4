// SPDX-License-Identifier: GPL-3.0-or-later
// How fast it runs: counters, latency, memory, time per stage, and the last minute of it.
#pragma once

#include "ui/performance/readouts.hpp"

#include <QHash>
#include <QWidget>

class QGridLayout;
class QLabel;

namespace echolux {

class HistoryPlot;
class StageBars;

class PerformancePanel : public QWidget {
    Q_OBJECT
public:
    explicit PerformancePanel(QWidget* parent = nullptr);
    void setReadouts(const Readouts& readouts);
    void clear(); ///< nothing is open
    /// Text of a reading by its key: "read", "read_rate", "latency", ...
    QString text(const QString& key) const;
    HistoryPlot* history() const { return m_history; }

private:
    void addRow(QGridLayout* grid, const QString& name, const QString& firstKey,
                const QString& secondKey, const QString& help);
    void set(const QString& key, const QString& text);
    void showRow(const QString& key, bool shown);

    QHash<QString, QLabel*> m_values;
    QHash<QString, QLabel*> m_names; ///< of the rows, by their keys
    StageBars* m_bars;
    QLabel* m_total;
    HistoryPlot* m_history;
};

} // namespace echolux
