// SPDX-License-Identifier: GPL-3.0-or-later
// Editor of an on/off mask over many items: a compact grid of cells, click or drag to switch, and
// buttons for all, none and every n-th.
#pragma once

#include "ui/parameters/param_editor.hpp"

#include <string>
#include <vector>

namespace echolux {

class ElidedLabel;

/// The cells. Up and Down walk them, Return switches one.
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
    bool m_brush = true; ///< what a drag writes
    int m_last = -1;     ///< last cell of the drag
    int m_cursor = 0;
};

class MaskEditor : public ParamEditor {
    Q_OBJECT
public:
    MaskEditor(const ParamRow& row, const QStringList& items, const RowColumns& columns,
               QWidget* parent = nullptr);
    void setValue(const ParamValue& value) override;
    /// The word while it is one that nobody has edited, "all" where all are on, else the entries.
    ParamValue value() const override;
    void setDefault(const ParamValue& value) override;
    void setInvalid(bool invalid) override;
    bool spansLabel() const override { return true; }
    MaskGrid* grid() const { return m_grid; }
    /// Switches on items 0, n, 2n, ... and the others off; n = 1 all, n = 0 none.
    void keepEvery(int n);
    void take(const std::string& word); ///< of Mask::kWords

private:
    void fit(std::size_t count);
    void showWord(const std::string& word);
    void showCount();
    QWidget* makeButtons();

    QStringList m_items;
    std::string m_word; ///< that the states come from; empty: they are somebody's own
    MaskGrid* m_grid;
    ElidedLabel* m_count;
};

} // namespace echolux
