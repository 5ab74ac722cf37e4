// SPDX-License-Identifier: GPL-3.0-or-later
// A themed plot with a title line. A hint replaces the axes until there are data.
#pragma once

#include "ui/controls/seen_widget.hpp"

#include <qcustomplot.h>

class QHBoxLayout;
class QLabel;
class QStackedLayout;

namespace echolux {

class ElidedLabel;
class PlotTools;

class HintPlot : public SeenWidget {
    Q_OBJECT
public:
    HintPlot(const QString& title, const QString& hint, QWidget* parent = nullptr);
    bool hasData() const { return m_hasData; }
    QCustomPlot& plot() { return *m_plot; }
    PlotTools& tools() { return *m_tools; }
    QSize sizeHint() const override { return {320, 200}; }

protected:
    void setHasData(bool hasData);
    void setSubtitle(const QString& text);
    /// Draws the curves at once, so that they appear together with the labels beside the plot.
    /// NOTE: a queued replot waits until no events are pending.
    void drawNow();
    /// Shown instead of the axes; empty: the hint of the constructor.
    void setHint(const QString& text);
    QHBoxLayout* head() const { return m_head; } ///< title line, for further controls
    virtual void restyle() {}                    ///< sets the colours of the curves

private:
    void applyTheme();

    QHBoxLayout* m_head;
    ElidedLabel* m_subtitle;
    QLabel* m_hint;
    QString m_firstHint;
    QCustomPlot* m_plot;
    PlotTools* m_tools;
    QStackedLayout* m_stack;
    bool m_hasData = false;
};

} // namespace echolux
