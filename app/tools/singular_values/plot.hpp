// SPDX-License-Identifier: GPL-3.0-or-later
// The singular values of an ensemble, with the ends of the kept range as two lines that are
// dragged.
#pragma once

#include "ui/plots/dragged_lines.hpp"
#include "ui/plots/hint_plot.hpp"

#include <array>
#include <cstddef>
#include <vector>

class QLabel;

namespace echolux {

struct SingularData {
    std::vector<double> levelDb;   ///< per value, largest first; 0 dB is the largest
    std::vector<double> frequency; ///< mean Doppler frequency of each temporal vector
    bool inHz = true;              ///< false: radians per frame
    QString chosenBy;              ///< as on screen

    int count() const { return static_cast<int>(levelDb.size()); }
};

class SingularPlot : public HintPlot {
    Q_OBJECT
public:
    explicit SingularPlot(QWidget* parent = nullptr);

    void setData(const SingularData& found);
    /// Shows a sentence in place of the plot; empty: what opens it.
    void clear(const QString& reason = {});
    /// Numbers of the first and the last kept value, from 1, as lines. Nothing is kept where
    /// `first` is behind `last`. Not while one is dragged.
    void setKept(int first, int last);
    int first() const { return m_kept[0]; }
    int last() const { return m_kept[1]; }
    bool isDragging() const { return m_lines->isHeld(); }
    QString readout() const;

signals:
    void keptDragged(int first, int last); ///< by the mouse, while it is held

protected:
    void restyle() override;

private:
    /// The place of a line: half a number before the first kept value, or behind the last one.
    double placeOf(std::size_t end) const { return m_kept[end] + (end == 0 ? -0.5 : 0.5); }
    void drag(std::size_t end, double place);
    void placeLines();
    void tell();

    QLabel* m_readout;
    QCPGraph* m_levels;
    QCPGraph* m_frequencies;
    DraggedLines* m_lines; ///< belongs to the plot
    std::array<int, 2> m_kept{1, 1};
    SingularData m_data;
};

} // namespace echolux
