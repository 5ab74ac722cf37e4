// SPDX-License-Identifier: GPL-3.0-or-later
// Editor of an on/off mask over many items: a grid of cells to click or drag, and buttons for all,
// none and every n-th.
#pragma once

#include "ui/parameters/param_editor.hpp"

#include <string>
#include <vector>

namespace echolux {

class ElidedLabel;

/// The cells. Up and Down keys move the cursor, Return switches a cell.
class MaskGrid : public QWidget {
    Q_OBJECT
public:
    explicit MaskGrid(QWidget* parent = nullptr);
    void setItems(const QStringList& labels);
    void setStates(std::vector<bool> states);
    const std::vector<bool>& states() const { return m_states; }
    QRect cellRect(int index) const;

signals:
    void edited();

protected:
    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    int columns() const;
    int cellAt(QPoint point) const; ///< -1 outside
    void paintCells(int from, int to);
    void fitHeight();
    QSize cellSize() const;

    QStringList m_labels;
    std::vector<bool> m_states;
    bool m_brush = true; ///< state that a drag sets
    int m_last = -1;     ///< cell that the drag reached last
    int m_cursor = 0;
};

class MaskEditor : public ParamEditor {
    Q_OBJECT
public:
    MaskEditor(const ParamRow& row, const QStringList& items, const RowColumns& columns,
               QWidget* parent = nullptr);
    void setValue(const ParamValue& value) override;
    /// The word of Mask::kWords while the user has not changed the cells; otherwise "all" where all
    /// are on, or the list of entries.
    ParamValue value() const override;
    void setDefault(const ParamValue& value) override;
    void setInvalid(bool invalid) override;
    bool spansLabel() const override { return true; }
    MaskGrid* grid() const { return m_grid; }
    /// Switches items 0, n, 2n, ... on and the others off. n = 1: all on; n = 0: all off.
    void keepEvery(int n);
    void take(const std::string& word); ///< a word of Mask::kWords

private:
    void fit(std::size_t count);
    void showWord(const std::string& word);
    void showCount();
    QWidget* makeButtons();

    QStringList m_items;
    std::string m_word; ///< the word that the states come from; empty: the user changed them
    MaskGrid* m_grid;
    ElidedLabel* m_count;
};

} // namespace echolux
