// SPDX-License-Identifier: GPL-3.0-or-later
// The content of the dock "Doppler waveform": which courses are drawn over the sonogram, a table of
// its heartbeats, and their indices over time.
#pragma once

#include "ui/controls/seen_widget.hpp"

#include <QList>
#include <QString>
#include <QStringList>

class QCheckBox;
class QLabel;
class QTableWidget;

namespace echolux {

class WaveformPlot;

class WaveformPanel : public SeenWidget {
    Q_OBJECT
public:
    explicit WaveformPanel(QWidget* parent = nullptr);

    /// Colours of the courses, for plotColour().
    static constexpr int kMaximumInk = 4;
    static constexpr int kMeanInk = 0;

    bool showsMaximum() const;
    bool showsMean() const;
    QCheckBox& maximum() { return *m_maximum; }
    QCheckBox& mean() { return *m_mean; }
    /// A row per beat, the newest last. `unit`: of velocities.
    void setBeats(const QString& unit, const QString& timeUnit, const QList<QStringList>& rows);
    void setProblem(const QString& sentence); ///< empty: none
    QString problem() const;
    QString text() const; ///< the table, with tabs between its columns
    QTableWidget& table() { return *m_table; }
    WaveformPlot& plot() { return *m_plot; }

signals:
    void shownChanged(); ///< showsMaximum() or showsMean() has changed

private:
    void colour(); ///< the boxes, as the courses

    QCheckBox* m_maximum;
    QCheckBox* m_mean;
    QLabel* m_problem;
    QTableWidget* m_table;
    WaveformPlot* m_plot;
};

} // namespace echolux
