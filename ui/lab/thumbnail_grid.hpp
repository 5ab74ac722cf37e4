// SPDX-License-Identifier: GPL-3.0-or-later
// Small images of transmits in rows, which switch them on and off.
#pragma once

#include <QAbstractScrollArea>
#include <QImage>
#include <QStringList>

#include <vector>

namespace echolux {

/// One transmit's image.
struct TransmitPicture {
    static constexpr double kDbPerLevel = 0.5;
    /// Grayscale8: 255 is the picture's own peak, and each level less so many dB below it; 0:
    /// nothing. Null: there is none yet.
    QImage levels;
    double peakDb = 0.0; ///< of the same reference for all
};

/// The pictures in rows, as large as lets all be seen at once, else small and scrolled. A click
/// switches one, a double click leaves it alone on, and again all; Up, Down and Page keys walk,
/// Return switches, with Shift as a double click.
class ThumbnailGrid : public QAbstractScrollArea {
    Q_OBJECT
public:
    explicit ThumbnailGrid(QWidget* parent = nullptr);
    void setNames(const QStringList& names); ///< one per transmit; forgets pictures and states
    void setStates(std::vector<bool> states);
    void setAspect(double widthPerHeight); ///< of what pictures show, in space
    void setRange(double db);              ///< below the brightest, black
    void setPicture(int transmit, TransmitPicture picture);
    void forgetPictures();

    int count() const { return static_cast<int>(m_cells.size()); }
    std::vector<bool> states() const;
    const TransmitPicture& picture(int transmit) const;
    double brightestDb() const { return m_brightestDb; }
    std::vector<int> inSight() const;   ///< rising: those that are not scrolled out
    QRect cellRect(int transmit) const; ///< in the viewport

signals:
    void edited();       ///< states() are somebody's choice
    void sightChanged(); ///< others may be

protected:
    bool viewportEvent(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void scrollContentsBy(int dx, int dy) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    struct Cell {
        QString name;
        QString label; ///< the name without what all names begin with
        bool on = true;
        TransmitPicture picture;
    };
    Cell& cell(int transmit) { return m_cells[static_cast<std::size_t>(transmit)]; }
    const Cell& cell(int transmit) const { return m_cells[static_cast<std::size_t>(transmit)]; }
    int cellAt(QPoint point) const; ///< -1 beside all
    QSize cellSizeOf(int width, double tallest) const;
    int narrowestCell() const;
    void arrange();
    void toggle(int transmit);
    void leaveAlone(int transmit, const std::vector<bool>& before);
    void moveCursor(int to);
    void paintCell(QPainter& painter, int transmit) const;
    void paintPicture(QPainter& painter, const QRect& room, const Cell& shown) const;
    QString helpOf(int transmit) const;

    std::vector<Cell> m_cells;
    double m_aspect = 1.0;
    double m_rangeDb = 60.0;
    double m_brightestDb = 0.0; ///< of the pictures there are
    int m_columns = 1;
    QSize m_cellSize;
    int m_cursor = 0;
    int m_hovered = -1;
    int m_pressed = -1;
    std::vector<bool> m_beforePress;
};

} // namespace echolux
