// SPDX-License-Identifier: GPL-3.0-or-later
// Small images of transmits in rows. They switch the transmits on and off.
#pragma once

#include <QAbstractScrollArea>
#include <QImage>
#include <QStringList>

#include <vector>

class QPainter;

namespace echolux {

/// One transmit's image.
struct TransmitPicture {
    static constexpr double kDbPerLevel = 0.5;
    /// Grayscale8: 255 is the image's own peak; each level less is kDbPerLevel lower; 0 is no
    /// signal. Null: not available yet.
    QImage levels;
    double peakDb = 0.0; ///< peak of this image, with one reference for all images
};

/// Shows the images in rows, as large as possible while all fit; otherwise small, with a scroll
/// bar. A click switches a transmit on or off. A double click switches all other transmits off.
/// A double click on the only transmit that is on switches all on. Up and Down move the cursor by
/// one image, the Page keys by one row. Return acts as a click, Shift+Return as a double click.
class ThumbnailGrid : public QAbstractScrollArea {
    Q_OBJECT
public:
    explicit ThumbnailGrid(QWidget* parent = nullptr);
    void setNames(const QStringList& names); ///< one per transmit; clears images and states
    void setStates(std::vector<bool> states);
    void setAspect(double widthPerHeight); ///< width over height of the imaged area
    void setRange(double db);              ///< dB below the brightest pixel that are black
    void setPicture(int transmit, TransmitPicture picture);
    void forgetPictures();

    int count() const { return static_cast<int>(m_cells.size()); }
    std::vector<bool> states() const;
    const TransmitPicture& picture(int transmit) const;
    double brightestDb() const { return m_brightestDb; }
    /// Transmits that are not scrolled out of view, in increasing order.
    std::vector<int> inSight() const;
    QRect cellRect(int transmit) const; ///< in the viewport

signals:
    void edited();       ///< the user changed states()
    void sightChanged(); ///< inSight() may have changed

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
        QString label; ///< the name without the beginning that all names share
        bool on = true;
        TransmitPicture picture;
    };
    Cell& cell(int transmit) { return m_cells[static_cast<std::size_t>(transmit)]; }
    const Cell& cell(int transmit) const { return m_cells[static_cast<std::size_t>(transmit)]; }
    int cellAt(QPoint point) const; ///< -1 outside all cells
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
    double m_brightestDb = 0.0; ///< of the images available
    int m_columns = 1;
    QSize m_cellSize;
    int m_cursor = 0;
    int m_hovered = -1;
    int m_pressed = -1;
    std::vector<bool> m_beforePress;
};

} // namespace echolux
