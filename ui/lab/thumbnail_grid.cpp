// SPDX-License-Identifier: GPL-3.0-or-later
// Rows of pictures: painting, clicks and keys.
#include "ui/lab/thumbnail_grid.hpp"

#include "ui/theme/theme.hpp"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QScrollBar>
#include <QToolTip>

#include <algorithm>
#include <array>
#include <cmath>

namespace echolux {
namespace {

constexpr int kCellGap = kGrid / 2;
constexpr int kNameHeight = 5 * kGrid / 2;
constexpr int kNarrowest = 11 * kGrid; ///< width of a cell
constexpr int kWidest = 26 * kGrid;
constexpr QSize kStateBox(10, 8);
/// Limits of width / height of a picture's room. Pictures of other shapes stand in its middle.
constexpr double kTallestRoom = 0.5;
constexpr double kTallestScrolled = 0.65;
constexpr double kFlattestRoom = 2.5;
constexpr double kOffOpacity = 0.4;

bool isAlone(const std::vector<bool>& states, int transmit) {
    return states[static_cast<std::size_t>(transmit)] &&
           std::count(states.begin(), states.end(), true) == 1;
}

/// Number of letters in the words that all names begin with. Numbers do not count as words.
qsizetype sharedWords(const QStringList& names) {
    if (names.size() < 2) return 0;
    qsizetype shared = 0;
    const QString& first = names.front();
    for (qsizetype i = 0; i < first.size() && (first[i].isLetter() || first[i] == ' '); ++i) {
        const bool same = std::all_of(names.begin(), names.end(), [&](const QString& name) {
            return name.startsWith(first.left(i + 1));
        });
        if (!same) break;
        if (first[i] == ' ') shared = i + 1;
    }
    return shared;
}

/// The grey value of each level of a picture.
std::array<uchar, 256> greysOf(double peakDb, double brightestDb, double rangeDb) {
    std::array<uchar, 256> greys{};
    for (int level = 1; level < 256; ++level) {
        const double db = peakDb - brightestDb - (255 - level) * TransmitPicture::kDbPerLevel;
        greys[static_cast<std::size_t>(level)] =
            static_cast<uchar>(std::clamp(255.0 * (1.0 + db / rangeDb), 0.0, 255.0));
    }
    return greys;
}

QImage inGreys(const QImage& levels, const std::array<uchar, 256>& greys) {
    QImage shown = levels;
    for (int row = 0; row < shown.height(); ++row) {
        uchar* line = shown.scanLine(row);
        std::transform(line, line + shown.width(), line, [&](uchar level) { return greys[level]; });
    }
    return shown;
}

} // namespace

ThumbnailGrid::ThumbnailGrid(QWidget* parent) : QAbstractScrollArea(parent) {
    setFocusPolicy(Qt::StrongFocus);
    setFrameShape(QFrame::NoFrame);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setAccessibleName("Transmits");
    viewport()->setMouseTracking(true);
    viewport()->setAutoFillBackground(false);
    connect(&Theme::instance(), &Theme::changed, viewport(), qOverload<>(&QWidget::update));
}

void ThumbnailGrid::setNames(const QStringList& names) {
    m_cells.clear();
    const qsizetype words = sharedWords(names);
    for (const QString& name : names) m_cells.push_back({name, name.mid(words), true, {}});
    m_cursor = std::clamp(m_cursor, 0, std::max(0, count() - 1));
    m_hovered = m_pressed = -1;
    arrange();
}

void ThumbnailGrid::setStates(std::vector<bool> states) {
    states.resize(m_cells.size(), true);
    for (std::size_t i = 0; i < states.size(); ++i) m_cells[i].on = states[i];
    viewport()->update();
}

std::vector<bool> ThumbnailGrid::states() const {
    std::vector<bool> states;
    for (const Cell& each : m_cells) states.push_back(each.on);
    return states;
}

void ThumbnailGrid::setAspect(double widthPerHeight) {
    const double aspect = widthPerHeight > 0.0 ? widthPerHeight : 1.0;
    if (std::abs(aspect - m_aspect) < 1e-3 * m_aspect) return;
    m_aspect = aspect;
    arrange();
}

void ThumbnailGrid::setRange(double db) {
    m_rangeDb = db;
    viewport()->update();
}

void ThumbnailGrid::setPicture(int transmit, TransmitPicture picture) {
    if (transmit < 0 || transmit >= count()) return;
    cell(transmit).picture = std::move(picture);
    bool any = false;
    for (const Cell& each : m_cells) {
        if (each.picture.levels.isNull()) continue;
        m_brightestDb = any ? std::max(m_brightestDb, each.picture.peakDb) : each.picture.peakDb;
        any = true;
    }
    viewport()->update();
}

void ThumbnailGrid::forgetPictures() {
    for (Cell& each : m_cells) each.picture = {};
    viewport()->update();
}

const TransmitPicture& ThumbnailGrid::picture(int transmit) const { return cell(transmit).picture; }

QSize ThumbnailGrid::cellSizeOf(int width, double tallest) const {
    const double aspect = std::clamp(m_aspect, tallest, kFlattestRoom);
    return {width, static_cast<int>(std::lround(width / aspect)) + kNameHeight};
}

int ThumbnailGrid::narrowestCell() const {
    const QFontMetrics metrics(smallFont());
    int narrowest = kNarrowest;
    for (const Cell& each : m_cells)
        narrowest =
            std::max(narrowest, metrics.horizontalAdvance(each.label) + 5 * kStateBox.width() / 2);
    return std::min(narrowest, kWidest);
}

/// Uses the fewest columns whose rows need no scrolling, but no more than the names have room for.
void ThumbnailGrid::arrange() {
    // NOTE: the width is without the scroll bar; otherwise the bar would appear and vanish with the
    // number of columns.
    const int width = size().width() - verticalScrollBar()->sizeHint().width() - kCellGap;
    const int height = size().height();
    const int most = std::max(1, width / (narrowestCell() + kCellGap));
    const auto rowsOf = [&](int columns) { return (count() + columns - 1) / columns; };
    const auto fits = [&] {
        const int cellWidth = std::clamp(width / m_columns - kCellGap, 1, kWidest);
        m_cellSize = cellSizeOf(cellWidth, kTallestRoom);
        if (rowsOf(m_columns) * (m_cellSize.height() + kCellGap) <= height) return true;
        m_cellSize = cellSizeOf(cellWidth, kTallestScrolled);
        return false;
    };
    m_columns = 1;
    while (!fits() && m_columns < most) ++m_columns;
    const int wanted = rowsOf(m_columns) * (m_cellSize.height() + kCellGap) + kCellGap;
    verticalScrollBar()->setRange(0, std::max(0, wanted - height));
    verticalScrollBar()->setPageStep(height);
    verticalScrollBar()->setSingleStep((m_cellSize.height() + kCellGap) / 2);
    viewport()->update();
    emit sightChanged();
}

QRect ThumbnailGrid::cellRect(int transmit) const {
    const int row = transmit / m_columns;
    const int column = transmit % m_columns;
    return {QPoint(kCellGap + column * (m_cellSize.width() + kCellGap),
                   kCellGap / 2 + row * (m_cellSize.height() + kCellGap) -
                       verticalScrollBar()->value()),
            m_cellSize};
}

int ThumbnailGrid::cellAt(QPoint point) const {
    for (const int transmit : inSight())
        if (cellRect(transmit).contains(point)) return transmit;
    return -1;
}

std::vector<int> ThumbnailGrid::inSight() const {
    std::vector<int> seen;
    for (int i = 0; i < count(); ++i)
        if (cellRect(i).intersects(viewport()->rect())) seen.push_back(i);
    return seen;
}

void ThumbnailGrid::resizeEvent(QResizeEvent* event) {
    QAbstractScrollArea::resizeEvent(event);
    arrange();
}

void ThumbnailGrid::scrollContentsBy(int, int) {
    viewport()->update();
    emit sightChanged();
}

void ThumbnailGrid::paintEvent(QPaintEvent* event) {
    QPainter painter(viewport());
    painter.setRenderHints(QPainter::Antialiasing | QPainter::SmoothPixmapTransform);
    painter.setFont(smallFont());
    for (const int transmit : inSight())
        if (cellRect(transmit).intersects(event->rect())) paintCell(painter, transmit);
}

void ThumbnailGrid::paintPicture(QPainter& painter, const QRect& room, const Cell& shown) const {
    painter.fillRect(room, surroundTokens().surround);
    if (shown.picture.levels.isNull()) return;
    const QSizeF size = QSizeF(m_aspect, 1.0).scaled(room.size(), Qt::KeepAspectRatio);
    QRectF place{QPointF(), size};
    place.moveCenter(QRectF(room).center());
    painter.setOpacity(shown.on ? 1.0 : kOffOpacity);
    painter.drawImage(place, inGreys(shown.picture.levels,
                                     greysOf(shown.picture.peakDb, m_brightestDb, m_rangeDb)));
    painter.setOpacity(1.0);
}

void ThumbnailGrid::paintCell(QPainter& painter, int transmit) const {
    const ThemeTokens& t = tokens();
    const Cell& shown = cell(transmit);
    const QRect all = cellRect(transmit);
    const QRect room = all.adjusted(0, 0, 0, -kNameHeight);
    paintPicture(painter, room, shown);
    if (!shown.on) { // crossed out
        painter.setPen(QPen(withAlpha(surroundTokens().secondary, 0.8), 1.25));
        painter.drawLine(QLineF(room.bottomLeft(), room.topRight()));
    }
    const QRectF name = QRectF(all.left(), room.bottom() + 1, all.width(), kNameHeight);
    QRectF box{QPointF(), QSizeF(kStateBox)};
    box.moveCenter({name.left() + kStateBox.width(), name.center().y()});
    painter.setPen(QPen(shown.on ? t.accent : t.edge, 1.0));
    painter.setBrush(shown.on ? QBrush(withAlpha(t.accent, 0.7)) : QBrush(t.field));
    painter.drawRoundedRect(box, 2.0, 2.0);
    painter.setPen(shown.on ? t.text : t.secondary);
    const QRectF text = name.adjusted(2.0 * kStateBox.width(), 0, -2, 0);
    painter.drawText(text, Qt::AlignLeft | Qt::AlignVCenter,
                     painter.fontMetrics().elidedText(shown.label, Qt::ElideMiddle,
                                                      static_cast<int>(text.width())));
    const bool cursor = hasFocus() && transmit == m_cursor;
    painter.setPen(QPen(cursor                  ? t.text
                        : transmit == m_hovered ? t.accent
                                                : t.line,
                        cursor ? 1.5 : 1.0));
    painter.setBrush(Qt::NoBrush);
    painter.drawRoundedRect(QRectF(all).adjusted(-0.5, -0.5, 0.5, 0.5), 2.0, 2.0);
}

void ThumbnailGrid::toggle(int transmit) {
    cell(transmit).on = !cell(transmit).on;
    viewport()->update();
    emit edited();
}

void ThumbnailGrid::leaveAlone(int transmit, const std::vector<bool>& before) {
    const bool all = isAlone(before, transmit);
    for (int i = 0; i < count(); ++i) cell(i).on = all || i == transmit;
    viewport()->update();
    emit edited();
}

void ThumbnailGrid::mousePressEvent(QMouseEvent* event) {
    const int transmit = cellAt(event->position().toPoint());
    if (event->button() != Qt::LeftButton || transmit < 0) return event->ignore();
    m_beforePress = states();
    m_pressed = m_cursor = transmit;
    toggle(transmit);
}

/// The first press of the double click has already switched the transmit under it.
void ThumbnailGrid::mouseDoubleClickEvent(QMouseEvent* event) {
    const int transmit = cellAt(event->position().toPoint());
    if (transmit < 0 || transmit != m_pressed || m_beforePress.size() != m_cells.size())
        return mousePressEvent(event);
    if (event->button() != Qt::LeftButton) return event->ignore();
    m_pressed = -1;
    leaveAlone(transmit, m_beforePress);
}

void ThumbnailGrid::moveCursor(int to) {
    m_cursor = std::clamp(to, 0, std::max(0, count() - 1));
    const QRect cell = cellRect(m_cursor).adjusted(0, -kCellGap, 0, kCellGap);
    QScrollBar& bar = *verticalScrollBar();
    if (cell.top() < 0) bar.setValue(bar.value() + cell.top());
    if (cell.bottom() > viewport()->height())
        bar.setValue(bar.value() + cell.bottom() - viewport()->height());
    viewport()->update();
}

/// Left, Right, Home, End and Space belong to the window.
void ThumbnailGrid::keyPressEvent(QKeyEvent* event) {
    if (m_cells.empty()) return event->ignore();
    switch (event->key()) {
    case Qt::Key_Up: return moveCursor(m_cursor - 1);
    case Qt::Key_Down: return moveCursor(m_cursor + 1);
    case Qt::Key_PageUp: return moveCursor(m_cursor - m_columns);
    case Qt::Key_PageDown: return moveCursor(m_cursor + m_columns);
    case Qt::Key_Return:
    case Qt::Key_Enter:
        if (event->modifiers().testFlag(Qt::ShiftModifier)) return leaveAlone(m_cursor, states());
        return toggle(m_cursor);
    default: event->ignore();
    }
}

QString ThumbnailGrid::helpOf(int transmit) const {
    const Cell& shown = cell(transmit);
    return QString("Transmit %1: %2, %3\nClick: on or off. Double click: only this one; again: "
                   "all.\nKeys: Up, Down, Page; Return as a click, Shift+Return as a double one.")
        .arg(transmit + 1)
        .arg(shown.name, shown.on ? QString("on") : QString("off"));
}

bool ThumbnailGrid::viewportEvent(QEvent* event) {
    if (event->type() == QEvent::ToolTip) {
        const auto* help = static_cast<QHelpEvent*>(event);
        const int transmit = cellAt(help->pos());
        if (transmit < 0) return false;
        QToolTip::showText(help->globalPos(), helpOf(transmit), viewport(), cellRect(transmit));
        return true;
    }
    int hovered = m_hovered;
    if (event->type() == QEvent::MouseMove)
        hovered = cellAt(static_cast<QMouseEvent*>(event)->position().toPoint());
    if (event->type() == QEvent::Leave) hovered = -1;
    if (hovered != m_hovered) {
        m_hovered = hovered;
        viewport()->update();
    }
    return QAbstractScrollArea::viewportEvent(event);
}

} // namespace echolux
