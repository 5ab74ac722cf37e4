// SPDX-License-Identifier: GPL-3.0-or-later
// Milliseconds of each stage: a bar of the mean on one scale for all, and columns of figures.
#pragma once

#include "ui/performance/readouts.hpp"
#include "ui/plots/sticky_range.hpp"

#include <QColor>
#include <QWidget>

#include <vector>

namespace echolux {

class StageBars : public QWidget {
    Q_OBJECT
public:
    explicit StageBars(QWidget* parent = nullptr);
    void setStages(const std::vector<StageTime>& stages, const Milliseconds& frame);
    void clear();
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return sizeHint(); }
    /// "0.412", with as many places as the largest figure leaves, so that points stand in line.
    QString figure(double ms) const;
    /// What is told of the line at this height; empty where none is.
    QString helpAt(int y) const;

protected:
    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    bool isKernel(const StageTime& stage) const { return !stage.stages.isEmpty(); }
    /// The name does not fit before the bar: it gets a line of its own.
    bool isLong(const StageTime& stage) const;
    int heightOf(const StageTime& stage) const;
    int figureWidth() const;
    int nameWidth() const;
    void paintFigures(QPainter& painter, int y, const Milliseconds& ms) const;
    void paintName(QPainter& painter, int y, const StageTime& stage) const;

    std::vector<StageTime> m_stages;
    Milliseconds m_frame;
    StickyRange m_bar{20};
    StickyRange m_figures{20};
};

/// Of the stage number `index` of a list, in bars, areas and timelines; the upload is number 0.
QColor stageColour(int index);

} // namespace echolux
