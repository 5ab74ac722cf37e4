// SPDX-License-Identifier: GPL-3.0-or-later
// Mouse, wheel and keys of the view.
#include "ui/graph/graph_view.hpp"

#include "ui/controls/focus_reason.hpp"

#include <QHelpEvent>
#include <QLineF>
#include <QMouseEvent>
#include <QToolTip>

#include <algorithm>
#include <cmath>

namespace echolux {

bool GraphView::event(QEvent* event) {
    if (event->type() == QEvent::ToolTip) {
        const auto* help = static_cast<QHelpEvent*>(event);
        QToolTip::showText(help->globalPos(), toolTipOf(hitAt(help->pos())), this);
        return true;
    }
    // Keys of the window that have a meaning here are handled here first.
    if (event->type() == QEvent::ShortcutOverride && isOwnKey(*static_cast<QKeyEvent*>(event))) {
        event->accept();
        return true;
    }
    return QWidget::event(event);
}

QString GraphView::toolTipOf(const GraphHit& hit) const {
    if (hit.part == Part::Nothing) return {};
    if (hit.part == Part::Link) {
        const GraphLink& link = m_scene.model.links[hit.index];
        const int from = nodeIndex(m_scene.model, link.from);
        const int to = nodeIndex(m_scene.model, link.to);
        const QString port =
            link.fromPort.isEmpty() ? QString() : QString(", port \"%1\",").arg(link.fromPort);
        const QString late = link.ofFrameBefore ? ": of the previous frame" : "";
        return QString("%1%2 to %3, port \"%4\"%5")
            .arg(nameOf(from), port, nameOf(to), link.toPort, late);
    }
    const GraphNode& node = m_scene.node(hit.index);
    if (hit.part == Part::Output) {
        const QString port =
            hit.port > 0 ? QString(" at \"%1\"").arg(node.outputs[hit.port]) : QString();
        return QString("Output of %1%2. Drag it to an input.").arg(nameOf(hit.index), port);
    }
    if (hit.part == Part::Input)
        return QString("Port \"%1\" of %2").arg(node.inputs[hit.port], nameOf(hit.index));
    if (hit.part == Part::Switch)
        return node.canBypass ? "On: the stage runs. Off: data pass through it unchanged."
                              : node.bypassReason;
    if (!node.error.isEmpty()) return node.error;
    const QString note = node.note.isEmpty() ? QString() : '\n' + node.note;
    return nameOf(hit.index) + timesOf(hit.index) + note;
}

/// The times on lines of their own: those of the box, or of all boxes that run as one with it.
QString GraphView::timesOf(int index) const {
    const GraphNode& node = m_scene.node(index);
    if (node.bypassed) return {};
    GraphTimes ms = node.ms;
    QString text;
    if (!node.timedAs.isEmpty()) {
        text = "\nOne kernel: " + node.timedAs;
        for (const auto& group : timedGroups(m_scene.model)) {
            if (std::ranges::count(group, index) > 0)
                ms = m_scene.node(timeCarrier(m_scene.model, group)).ms;
        }
    }
    if (!ms.areKnown()) return text;
    return text +
           QString("\nlast %1, mean %2, 99 % %3")
               .arg(frameTimeText(ms.last), frameTimeText(ms.mean), frameTimeText(ms.percentile99));
}

void GraphView::choose(int index) {
    m_chosen = index < 0 ? QString() : m_scene.node(index).id;
    update();
    // Copied, here and below, because the receiver may set another model.
    const QString id = m_chosen;
    if (index >= 0 && m_scene.node(index).kind == GraphNode::Kind::Stage) emit stageChosen(id);
}

void GraphView::toggle(int index) {
    const GraphNode node = m_scene.node(index);
    if (node.kind == GraphNode::Kind::Stage && node.canBypass)
        emit bypassWanted(node.id, !node.bypassed);
}

void GraphView::remove(int index) {
    const QString id = m_scene.node(index).id;
    switch (m_scene.node(index).kind) {
    case GraphNode::Kind::Stage: emit removeWanted(id); break;
    case GraphNode::Kind::View: emit viewRemoved(id); break;
    case GraphNode::Kind::Recording: break;
    }
}

void GraphView::wheelEvent(QWheelEvent* event) {
    const QPointF turned = event->angleDelta();
    if ((event->modifiers() & Qt::ControlModifier) != 0) {
        setZoom(m_zoom * std::pow(1.15, turned.y() / 120.0), event->position());
    } else {
        QPointF by = event->pixelDelta().isNull() ? turned / 2.0 : QPointF(event->pixelDelta());
        if ((event->modifiers() & Qt::ShiftModifier) != 0) by = {by.y(), by.x()};
        m_origin += by;
        m_touched = true;
        update();
    }
    hover(event->position());
    event->accept();
}

void GraphView::mousePressEvent(QMouseEvent* event) {
    const GraphHit hit = hitAt(event->position());
    m_dragAt = event->position();
    if (event->button() == Qt::MiddleButton) {
        m_drag = Drag::Pan;
    } else if (event->button() == Qt::RightButton) {
        if (hit.isNode()) choose(hit.index);
    } else if (event->button() == Qt::LeftButton) {
        if (hit.part == Part::Output) {
            m_drag = Drag::Link;
            m_loose = LooseLink{hit.index, hit.port, toScene(event->position())};
            for (int k = 0; k < static_cast<int>(m_scene.layout.boxes.size()); ++k) {
                if (mayLink(hit.index, k)) m_takers.push_back(k);
            }
        } else if (hit.part == Part::Switch) {
            toggle(hit.index);
        } else if (hit.isNode()) {
            choose(hit.index);
        } else if (hit.part == Part::Nothing) {
            m_drag = Drag::Pan;
        }
    }
    if (m_drag == Drag::Pan) setCursor(Qt::ClosedHandCursor);
    update();
}

void GraphView::mouseMoveEvent(QMouseEvent* event) {
    if (m_drag == Drag::Pan) {
        m_origin += event->position() - m_dragAt;
        m_dragAt = event->position();
        m_touched = true;
        update();
    } else if (m_drag == Drag::Link) {
        dragLink(event->position());
    } else {
        hover(event->position());
    }
}

void GraphView::mouseReleaseEvent(QMouseEvent* event) {
    if (m_drag == Drag::Link) {
        dragLink(event->position());
        dropLink();
    }
    cancelDrag();
    hover(event->position());
}

void GraphView::mouseDoubleClickEvent(QMouseEvent* event) {
    if (event->button() == Qt::LeftButton && hitAt(event->position()).part == Part::Nothing) {
        fit();
    } else {
        mousePressEvent(event); // two quick clicks on a switch count as two clicks
    }
}

void GraphView::leaveEvent(QEvent*) {
    m_hovered = {};
    update();
}

void GraphView::hover(QPointF widgetPoint) {
    const GraphHit hit = hitAt(widgetPoint);
    if (hit == m_hovered) return;
    m_hovered = hit;
    const bool greyed = hit.part == Part::Switch && !m_scene.node(hit.index).canBypass;
    setCursor(hit.part == Part::Output              ? Qt::CrossCursor
              : hit.part == Part::Switch && !greyed ? Qt::PointingHandCursor
                                                    : Qt::ArrowCursor);
    update();
}

bool GraphView::mayLink(int from, int to) const {
    const GraphNode& taker = m_scene.node(to);
    return !taker.inputs.isEmpty() && !reaches(m_scene.model, taker.id, m_scene.node(from).id);
}

/// The end snaps to the port under it, or to the nearest port of the box under it.
void GraphView::dragLink(QPointF widgetPoint) {
    m_loose->to = toScene(widgetPoint);
    m_loose->fits = false;
    m_target = {};
    GraphHit hit = hitAt(widgetPoint);
    if (hit.isNode() && std::ranges::find(m_takers, hit.index) != m_takers.end()) {
        if (hit.part != Part::Input) {
            double nearest = -1.0;
            for (int k = 0; k < static_cast<int>(m_scene.node(hit.index).inputs.size()); ++k) {
                const double away = QLineF(m_scene.input(hit.index, k), m_loose->to).length();
                if (nearest >= 0.0 && away >= nearest) continue;
                nearest = away;
                hit.port = k;
            }
        }
        m_target = {Part::Input, hit.index, hit.port};
        m_loose->to = m_scene.input(hit.index, hit.port);
        m_loose->fits = true;
    }
    update();
}

void GraphView::dropLink() {
    const LooseLink loose = *m_loose;
    const GraphHit target = m_target;
    cancelDrag();
    if (!loose.fits) return;
    const GraphNode from = m_scene.node(loose.from);
    const GraphNode to = m_scene.node(target.index);
    emit linkWanted(outputId(from, loose.port), to.id, to.inputs[target.port]);
}

void GraphView::cancelDrag() {
    if (m_drag == Drag::Pan) unsetCursor();
    m_drag = Drag::None;
    m_loose.reset();
    m_takers.clear();
    m_target = {};
    update();
}

bool GraphView::isOwnKey(const QKeyEvent& event) const {
    const bool control = event.modifiers() == Qt::ControlModifier;
    switch (event.key()) {
    case Qt::Key_Escape: return m_drag != Drag::None;
    case Qt::Key_0: return control;
    case Qt::Key_Plus:
    case Qt::Key_Equal:
    case Qt::Key_Minus: return (event.modifiers() & Qt::ControlModifier) != 0;
    case Qt::Key_Space:
    case Qt::Key_Return:
    case Qt::Key_Enter:
    case Qt::Key_Delete:
    case Qt::Key_Backspace:
        return chosenIndex() >= 0 && (event.modifiers() & ~Qt::KeypadModifier) == Qt::NoModifier;
    default: return false;
    }
}

void GraphView::keyPressEvent(QKeyEvent* event) {
    if (!isOwnKey(*event)) {
        QWidget::keyPressEvent(event);
        return;
    }
    switch (event->key()) {
    case Qt::Key_Escape: cancelDrag(); break;
    case Qt::Key_0: fit(); break;
    case Qt::Key_Plus:
    case Qt::Key_Equal: setZoom(m_zoom * 1.15, QRectF(rect()).center()); break;
    case Qt::Key_Minus: setZoom(m_zoom / 1.15, QRectF(rect()).center()); break;
    case Qt::Key_Delete:
    case Qt::Key_Backspace: remove(chosenIndex()); break;
    default:
        if (!event->isAutoRepeat()) toggle(chosenIndex());
    }
}

void GraphView::focusInEvent(QFocusEvent* event) {
    if (isByTab(*event) && chosenIndex() < 0 && !m_scene.layout.boxes.empty()) {
        const std::vector<int> order = inReadingOrder();
        choose(event->reason() == Qt::TabFocusReason ? order.front() : order.back());
        bringIntoSight(m_scene.box(chosenIndex()));
    }
    update();
}

void GraphView::focusOutEvent(QFocusEvent*) {
    if (m_drag != Drag::None) cancelDrag();
    update();
}

/// Tab moves from box to box, and after the last one out of the graph.
bool GraphView::focusNextPrevChild(bool next) {
    const std::vector<int> order = inReadingOrder();
    const auto at = std::ranges::find(order, chosenIndex());
    const auto last = next ? order.end() - 1 : order.begin();
    if (!hasFocus() || at == order.end() || at == last) return QWidget::focusNextPrevChild(next);
    choose(next ? at[1] : at[-1]);
    if (const int index = chosenIndex(); index >= 0) bringIntoSight(m_scene.box(index));
    return true;
}

} // namespace echolux
