// SPDX-License-Identifier: GPL-3.0-or-later
// Milliseconds of each stage: a bar of the mean, all on one scale, and columns of figures.
#pragma once

#include "ui/performance/readouts.hpp"
#include "ui/plots/sticky_range.hpp"

#include <QColor>
#include <QWidget>

#include <vector>

class QPainter;

namespace echolux {

class StageBars : public QWidget {
    Q_OBJECT
public:
    explicit StageBars(QWidget* parent = nullptr);
    void setStages(const std::vector<StageTime>& stages, const Milliseconds& frame);
    void clear();
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return sizeHint(); }
    /// "0.412". All figures have as many decimals as the largest allows, so that the points align.
    QString figure(double ms) const;
    /// Help text of the line at height `y`; empty where there is no line.
    QString helpAt(int y) const;

protected:
    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    bool isKernel(const StageTime& stage) const { return !stage.stages.isEmpty(); }
    /// True where the name does not fit before the bar and needs a line of its own.
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

/// Colour of stage number `index` in bars, areas and timelines; 0 is the upload.
QColor stageColour(int index);

} // namespace echolux
