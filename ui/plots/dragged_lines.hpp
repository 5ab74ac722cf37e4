// SPDX-License-Identifier: GPL-3.0-or-later
// Two upright lines across a plot that the mouse drags: the ends of a range.
#pragma once

#include <QObject>
#include <QPointF>

#include <array>
#include <cstddef>
#include <optional>

class QCPItemStraightLine;
class QCPItemTracer;
class QCustomPlot;

namespace echolux {

/// A press on a line does not reach the plot, which would pan.
class DraggedLines : public QObject {
    Q_OBJECT
public:
    explicit DraggedLines(QCustomPlot& plot); ///< on its x axis; belongs to it

    /// Draws the lines at these places.
    void place(const std::array<double, 2>& at);
    void setActive(bool on); ///< off: the mouse passes through, and a held line is let go
    bool isHeld() const { return m_held.has_value(); }
    void restyle();

signals:
    /// While a line is held. `end`: 0 or 1; `place`: on the x axis, may lie beyond its ends.
    void dragged(std::size_t end, double place);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    std::optional<std::size_t> lineAt(QPointF pixel) const;

    QCustomPlot& m_plot;
    std::array<QCPItemStraightLine*, 2> m_lines;
    std::array<QCPItemTracer*, 2> m_grips;
    std::array<double, 2> m_at{0.0, 1.0};
    std::optional<std::size_t> m_held; ///< the line that the mouse holds
    bool m_active = false;
};

} // namespace echolux
