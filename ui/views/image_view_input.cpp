// SPDX-License-Identifier: GPL-3.0-or-later
// Mouse, wheel and window events of the image view.
#include "ui/views/image_view.hpp"

#include <QContextMenuEvent>
#include <QCoreApplication>
#include <QGuiApplication>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QStyleHints>
#include <QToolTip>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>
#include <utility>

namespace echolux {
namespace {

constexpr double kWheelStep = 1.25;    ///< zoom per notch
constexpr double kNotch = 120.0;       ///< angle units of one notch
constexpr double kGrabDistance = 14.0; ///< pixels within which a bar's end can be dragged
constexpr double kWidthDrag = 200.0;   ///< pixels by which a range gets e times as wide

} // namespace

void ImageView::resizeEvent(QResizeEvent* event) {
    updateLayout();
    GlView::resizeEvent(event);
    emit viewChanged();
}

void ImageView::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() != QEvent::FontChange) return;
    updateLayout();
    refresh();
}

void ImageView::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    window()->installEventFilter(this);
}

/// Before the window is painted the newest frame is fetched, so that all parts that show its number
/// are painted together with it.
bool ImageView::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::UpdateRequest && watched == window() && isVisible()) takeNewest();
    return QWidget::eventFilter(watched, event);
}

bool ImageView::event(QEvent* event) {
    if (event->type() != QEvent::ToolTip) return QWidget::event(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    if (!m_hasImage || !m_layout.barReach.contains(help->pos())) {
        QToolTip::hideText();
        event->ignore();
        return true;
    }
    QString text = m_exposing
                       ? tr("Drag the ends, or the image with the right button, to change the "
                            "displayed range; "
                            "double-click, or A with the pointer here, fits it to the image.")
                       : tr("Drag the ends, or the image with the right button, to change the "
                            "displayed range; "
                            "double-click to bring it back (A: auto).");
    if (!zeroText().isEmpty()) text.prepend(zeroText() + ".\n");
    QToolTip::showText(help->globalPos(), text, this);
    return true;
}

void ImageView::zoomAt(QPointF position, double factor) {
    if (!m_hasImage) return;
    m_view.zoomAt({position.x(), position.y()}, factor);
    refresh();
    emit viewChanged();
    emit pointerMoved();
}

void ImageView::zoomIn() { zoomAt(m_layout.viewport.center(), kWheelStep); }
void ImageView::zoomOut() { zoomAt(m_layout.viewport.center(), 1.0 / kWheelStep); }

void ImageView::wheelEvent(QWheelEvent* event) {
    if (!m_hasImage || !m_layout.viewport.contains(event->position())) {
        event->ignore();
        return;
    }
    zoomAt(event->position(), std::pow(kWheelStep, event->angleDelta().y() / kNotch));
    event->accept();
}

ImageView::BarEnd ImageView::barEndAt(QPointF position) const {
    if (!m_hasImage || !m_layout.barReach.contains(position)) return BarEnd::None;
    const ColourBar bar = colourBar();
    const double toMax = std::abs(position.y() - bar.pixelOf(m_layout.bar, bar.max));
    const double toMin = std::abs(position.y() - bar.pixelOf(m_layout.bar, bar.min));
    if (std::min(toMax, toMin) > kGrabDistance) return BarEnd::None;
    return toMax <= toMin ? BarEnd::Max : BarEnd::Min;
}

void ImageView::dragBar(double y) {
    const ColourBar bar = colourBar();
    const double step = bar.roundStep();
    double value = std::round(bar.valueAt(m_layout.bar, y) / step) * step;
    value = std::clamp(value, bar.scaleMin, bar.scaleMax);
    if (m_barEnd == BarEnd::Max) {
        editDisplayRange(bar.min, std::max(value, bar.min + step));
    } else {
        editDisplayRange(std::min(value, bar.max - step), bar.max);
    }
}

void ImageView::dragRange(QPointF position) {
    RangeDrag& drag = *m_rangeDrag;
    const QPointF moved = position - drag.from;
    if (!drag.isMoving &&
        moved.manhattanLength() < QGuiApplication::styleHints()->startDragDistance())
        return;
    if (!drag.isMoving) m_dragScale = colourBar();
    drag.isMoving = true;
    const double step = colourBar().roundStep();
    const double width = drag.max - drag.min;
    const double wanted = std::max(width * std::exp(moved.x() / kWidthDrag), step);
    const double middle =
        0.5 * (drag.min + drag.max) + width * moved.y() / m_layout.viewport.height();
    const auto rounded = [&](double value) { return std::round(value / step) * step; };
    const double min = rounded(middle - 0.5 * wanted);
    editDisplayRange(min, std::max(rounded(middle + 0.5 * wanted), min + step));
}

/// Without a drag it was a click, which opens the menu.
void ImageView::endRangeDrag(const QMouseEvent& event) {
    const bool wasClick = !m_rangeDrag->isMoving;
    m_rangeDrag.reset();
    m_dragScale.reset();
    updateMouseShape(event.position());
    refresh();
    if (!wasClick) return;
    QContextMenuEvent menu(QContextMenuEvent::Other, event.position().toPoint(),
                           event.globalPosition().toPoint());
    QCoreApplication::sendEvent(this, &menu);
}

void ImageView::updateMouseShape(QPointF position) {
    const Vec2 pixel{position.x(), position.y()};
    const bool overImage = m_hasImage && m_view.visibleInPixels().contains(pixel);
    if (m_rangeDrag && m_rangeDrag->isMoving) {
        setCursor(Qt::SizeAllCursor);
    } else if (m_drag == Drag::Pan) {
        setCursor(Qt::ClosedHandCursor);
    } else if (m_drag == Drag::Bar || barEndAt(position) != BarEnd::None) {
        setCursor(Qt::SizeVerCursor);
    } else if (m_drag == Drag::Overlay || overImage) {
        setCursor(overlayShape(pixel).value_or(Qt::CrossCursor));
    } else {
        unsetCursor();
    }
}

void ImageView::mousePressEvent(QMouseEvent* event) {
    if (event->button() == Qt::RightButton && m_hasImage && m_drag == Drag::None) {
        m_rangeDrag = {event->position(), m_settings.min, m_settings.max};
        return;
    }
    if (event->button() != Qt::LeftButton || !m_hasImage || m_rangeDrag) {
        event->ignore();
        return;
    }
    m_pressed = m_last = event->position();
    m_barEnd = barEndAt(m_pressed);
    if (m_barEnd != BarEnd::None) {
        m_dragScale = colourBar();
        m_drag = Drag::Bar;
    } else if (m_layout.viewport.contains(m_pressed) &&
               (m_held = overlayThat([&](Overlay& each) {
                    return each.press(overlayPlace(), {m_pressed.x(), m_pressed.y()});
                })) != nullptr) {
        m_drag = Drag::Overlay;
    } else if (m_layout.viewport.contains(m_pressed)) {
        m_drag = Drag::Undecided;
    }
    updateMouseShape(m_pressed);
    refresh();
}

Overlay* ImageView::overlayThat(const std::function<bool(Overlay&)>& takes) const {
    const auto found = std::find_if(m_overlays.rbegin(), m_overlays.rend(),
                                    [&](Overlay* each) { return takes(*each); });
    return found != m_overlays.rend() ? *found : nullptr;
}

/// Of the overlay that is held, or that a press would take.
std::optional<Qt::CursorShape> ImageView::overlayShape(Vec2 pixel) const {
    std::optional<Qt::CursorShape> shape;
    if (m_held != nullptr) return m_held->hit(overlayPlace(), pixel);
    overlayThat([&](Overlay& each) {
        shape = each.hit(overlayPlace(), pixel);
        return shape.has_value();
    });
    return shape;
}

void ImageView::add(Overlay& overlay) {
    if (std::ranges::find(m_overlays, &overlay) != m_overlays.end()) return;
    const auto after = std::ranges::upper_bound(m_overlays, overlay.layer(), {}, &Overlay::layer);
    m_overlays.insert(after, &overlay);
    overlay.m_attached.push_back(
        {this, [this] { repaintSoon(); }, [this, &overlay] { remove(overlay); }});
    repaintSoon();
}

double ImageView::takenBelow() const {
    double most = 0.0;
    for (const Overlay* each : m_overlays) most = std::max(most, each->takenBelow(overlayPlace()));
    return most;
}

void ImageView::remove(Overlay& overlay) {
    std::erase_if(overlay.m_attached, [this](const auto& each) { return each.view == this; });
    if (std::erase(m_overlays, &overlay) == 0) return;
    if (m_held == &overlay) {
        m_held = nullptr;
        m_drag = Drag::None;
    }
    repaintSoon();
}

void ImageView::mouseMoveEvent(QMouseEvent* event) {
    const QPointF position = event->position();
    const double travelled = (position - m_pressed).manhattanLength();
    if (m_drag == Drag::Undecided &&
        travelled >= QGuiApplication::styleHints()->startDragDistance()) {
        m_drag = Drag::Pan;
        const Vec2 pressed{m_pressed.x(), m_pressed.y()};
        m_held = overlayThat([&](Overlay& each) { return each.grab(overlayPlace(), pressed); });
        if (m_held != nullptr) m_drag = Drag::Overlay;
    }
    if (m_rangeDrag) dragRange(position);
    if (m_drag == Drag::Bar) dragBar(position.y());
    const Vec2 pixel{position.x(), position.y()};
    if (m_drag == Drag::Overlay) m_held->drag(overlayPlace(), pixel);
    if (m_drag == Drag::None && m_hasImage)
        for (Overlay* each : m_overlays) each->hover(overlayPlace(), pixel);
    if (m_drag == Drag::Pan) {
        m_view.panBy({position.x() - m_last.x(), position.y() - m_last.y()});
        m_last = position;
        emit viewChanged();
    }
    m_cursor = position;
    updateMouseShape(position);
    refresh();
    emit pointerMoved();
}

void ImageView::mouseReleaseEvent(QMouseEvent* event) {
    if (event->button() == Qt::RightButton && m_rangeDrag) return endRangeDrag(*event);
    if (event->button() != Qt::LeftButton) {
        event->ignore();
        return;
    }
    const bool click = m_drag == Drag::Undecided;
    m_drag = Drag::None;
    const Vec2 pixel{event->position().x(), event->position().y()};
    if (Overlay* held = std::exchange(m_held, nullptr)) held->release(overlayPlace(), pixel);
    m_dragScale.reset();
    m_barEnd = BarEnd::None;
    updateMouseShape(event->position());
    refresh();
    if (!click || !m_view.visibleInPixels().contains(pixel)) return;
    const Vec2 place = m_view.toPlace(pixel);
    emit placePicked(place);
    emit pixelPicked(place.x / m_picture.across.viewPerAxis, place.y / m_picture.down.viewPerAxis);
    const auto follows = [&](Overlay& each) { return each.click(overlayPlace(), pixel); };
    if (overlayThat(follows) == nullptr) emit columnPicked(place.x / m_picture.across.viewPerAxis);
}

void ImageView::mouseDoubleClickEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton || !m_hasImage) {
        event->ignore();
        return;
    }
    const Vec2 pixel{event->position().x(), event->position().y()};
    if (Overlay* held = std::exchange(m_held, nullptr)) held->release(overlayPlace(), pixel);
    m_drag = Drag::None; // the following release is no click
    if (m_layout.barReach.contains(event->position())) {
        const auto [min, max] = std::pair(m_settings.min, m_settings.max);
        resetDisplayRange();
        emit displayRangeEdited(min, max);
    } else {
        resetView();
    }
}

void ImageView::keyPressEvent(QKeyEvent* event) {
    const auto ends = [](Overlay& each) { return each.escape(); };
    if (event->key() != Qt::Key_Escape || overlayThat(ends) == nullptr)
        QWidget::keyPressEvent(event);
}

void ImageView::leaveEvent(QEvent* event) {
    QWidget::leaveEvent(event);
    m_cursor.reset();
    refresh();
    emit pointerMoved();
}

std::optional<Vec2> ImageView::pointed() const {
    if (!m_cursor || !m_hasImage) return std::nullopt;
    const Vec2 pixel{m_cursor->x(), m_cursor->y()};
    return m_view.visibleInPixels().contains(pixel) ? std::optional(m_view.toPlace(pixel))
                                                    : std::nullopt;
}

std::optional<Vec2> ImageView::placeRead() const {
    if (const auto own = pointed()) return m_drag == Drag::Bar ? std::nullopt : own;
    return m_ghost && m_hasImage && m_picture.extent().contains(*m_ghost) ? m_ghost : std::nullopt;
}

void ImageView::setGhost(std::optional<Vec2> place) {
    if (place == m_ghost) return;
    m_ghost = place;
    repaintSoon(); // the crosshair is not part of the kept overlay
}

} // namespace echolux
