// SPDX-License-Identifier: GPL-3.0-or-later
// The content of the dock "Live source".
#pragma once

#include "app/live/live_source.hpp"
#include "ui/controls/seen_widget.hpp"

#include <QMap>
#include <QString>
#include <QStringList>

#include <vector>

class QGridLayout;
class QLabel;
class QVBoxLayout;

namespace echolux {

class LossesPlot;
class ValueSlider;

class LiveSourcePanel : public SeenWidget {
    Q_OBJECT
public:
    explicit LiveSourcePanel(QWidget* parent = nullptr);

    /// What the source is, and whether frames come.
    void setState(const QString& text, bool warns);
    /// `key` is one of kRows in panel.cpp. `warns`: frames are lost there.
    void setCount(const QString& key, const QString& text, bool warns = false);
    void clearCounts();
    /// Lines below the counts; empty: none.
    void setReadouts(const QStringList& lines);
    QString count(const QString& key) const;
    QString stateText() const;
    /// Replaces the sliders; empty: none.
    void setParameters(const std::vector<LiveParameter>& parameters);
    /// Null: there is no such slider.
    ValueSlider* slider(const QString& key) const { return m_sliders.value(key); }
    LossesPlot& plot() { return *m_plot; }

signals:
    void parameterChosen(const QString& key, double value);

private:
    void addRows(QGridLayout* grid);

    QLabel* m_state;
    QMap<QString, QLabel*> m_counts;
    QLabel* m_readouts;
    LossesPlot* m_plot;
    QWidget* m_sliderArea;
    QVBoxLayout* m_sliderLayout;
    QMap<QString, ValueSlider*> m_sliders;
};

} // namespace echolux
