// SPDX-License-Identifier: GPL-3.0-or-later
// A themed plot with a title line and, until it has data, a hint in place of the axes.
#pragma once

#include <QWidget>

#include <qcustomplot.h>

class QHBoxLayout;
class QLabel;
class QStackedLayout;

namespace echolux {

class ElidedLabel;
class PlotTools;

class HintPlot : public QWidget {
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
    /// Draws the curves as they are now, so that they appear together with the labels beside the
    /// plot. NOTE: a queued replot waits for a moment without other events.
    void drawNow();
    void setHint(const QString& text);           ///< in place of the axes; empty: the first one
    QHBoxLayout* head() const { return m_head; } ///< for further controls
    virtual void restyle() {}                    ///< colours of the curves

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
