// SPDX-License-Identifier: GPL-3.0-or-later
// Content of the view, and its position in the widget.
#include "ui/graph/graph_view.hpp"

#include "ui/theme/theme.hpp"

#include <QFontMetricsF>
#include <QPainter>
#include <QToolButton>

#include <algorithm>
#include <cmath>

namespace echolux {
namespace {

constexpr double kLeastZoom = 0.25;
constexpr double kLegibleZoom = 0.8; ///< fitting zooms out no further; the rest can be scrolled
constexpr double kMostZoom = 4.0;
constexpr double kRoom = 2.0 * kGrid; ///< round the graph
constexpr double kHitSlack = 6.0;     ///< pixels of the widget within which the mouse hits

QToolButton* makeButton(QWidget* parent, const QString& icon, const QString& name) {
    auto* button = new QToolButton(parent);
    button->setObjectName(name);
    button->setIcon(themeIcon(icon));
    button->setIconSize(QSize(16, 16));
    button->setFocusPolicy(Qt::TabFocus);
    return button;
}

} // namespace

GraphView::GraphView(QWidget* parent)
    : QWidget(parent), m_flowButton(makeButton(this, "flow_down", "flow")),
      m_fitButton(makeButton(this, "fit", "fit")) {
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    setAccessibleName("Pipeline");
    m_fitButton->setToolTip("Show all (double click, Ctrl+0)");
    connect(m_fitButton, &QToolButton::clicked, this, &GraphView::fit);
    connect(m_flowButton, &QToolButton::clicked, this, [this] {
        setFlow(flow() == GraphFlow::Down ? GraphFlow::Right : GraphFlow::Down);
        emit flowChanged(flow());
    });
    connect(&Theme::instance(), &Theme::changed, this, qOverload<>(&QWidget::update));
    showFlow();
    placeButtons();
}

void GraphView::setModel(const GraphModel& model) {
    const int before = chosenIndex();
    const QPointF at = before < 0 ? QPointF() : toWidget(m_scene.box(before).center());
    cancelDrag();
    m_hovered = {};
    m_scene.model = model;
    layOutAll();
    const int now = chosenIndex();
    if (now < 0) m_chosen.clear();
    if (m_touched && before >= 0 && now >= 0) m_origin += at - toWidget(m_scene.box(now).center());
    fitIfUntouched();
    update();
}

void GraphView::layOutAll() {
    const bool down = m_scene.flow == GraphFlow::Down;
    GraphSpacing spacing{boxSizeFor(m_scene.model), down ? 3.0 * kGrid : 6.0 * kGrid,
                         down ? 4.0 * kGrid : 3.0 * kGrid};
    m_scene.layout = layOut(m_scene.model, spacing, m_scene.flow);
    const QSizeF all = m_scene.layout.size;
    const bool isChain =
        down ? all.width() <= spacing.box.width() : all.height() <= spacing.box.height();
    if (isChain) return;
    spacing.layerGap += 2.0 * kGrid; // links need room to bend
    m_scene.layout = layOut(m_scene.model, spacing, m_scene.flow);
}

void GraphView::setTimes(const QHash<QString, GraphTimes>& times) {
    for (GraphNode& node : m_scene.model.nodes) {
        if (const auto at = times.constFind(node.id); at != times.constEnd()) node.ms = *at;
    }
    update();
}

void GraphView::setStageTypes(const QList<StageChoice>& types) { m_types = types; }

void GraphView::setFlow(GraphFlow flow) {
    if (flow == m_scene.flow) return;
    m_scene.flow = flow;
    layOutAll();
    showFlow();
    fit();
}

void GraphView::showFlow() {
    const bool down = flow() == GraphFlow::Down;
    m_flowButton->setIcon(themeIcon(down ? "flow_down" : "flow_right"));
    m_flowButton->setToolTip(down ? "Data flow downwards. Click to let them flow to the right"
                                  : "Data flow to the right. Click to let them flow downwards");
}

void GraphView::setChosen(const QString& id) {
    m_chosen = nodeIndex(m_scene.model, id) < 0 ? QString() : id;
    if (const int index = chosenIndex(); index >= 0) bringIntoSight(m_scene.box(index));
    update();
}

void GraphView::fit() {
    m_touched = false;
    fitIfUntouched();
    update();
}

void GraphView::fitIfUntouched() {
    if (m_touched || m_scene.layout.size.isEmpty()) return;
    const QSizeF all = m_scene.layout.size;
    const double across = (width() - 2.0 * kRoom) / all.width();
    const double down = (height() - 2.0 * kRoom) / all.height();
    m_zoom = std::clamp(std::min(across, down), kLegibleZoom, 1.0);
    const QSizeF shown = all * m_zoom;
    const QPointF first = m_scene.box(inReadingOrder().front()).center() * m_zoom;
    // Whole pixels keep lines and text sharp.
    const auto placed = [](double room, double length, double kept) {
        const bool fits = length + 2.0 * kRoom <= room + 1.0;
        const double at = fits ? (room - length) / 2.0 : room / 2.0 - kept;
        return std::round(fits ? at : std::clamp(at, room - kRoom - length, kRoom));
    };
    m_origin = {placed(width(), shown.width(), first.x()),
                placed(height(), shown.height(), first.y())};
}

void GraphView::setZoom(double zoom, QPointF around) {
    const QPointF kept = toScene(around);
    m_zoom = std::clamp(zoom, kLeastZoom, kMostZoom);
    if (std::abs(m_zoom - 1.0) < 0.04) m_zoom = 1.0;
    m_origin += around - toWidget(kept);
    if (m_zoom == 1.0) m_origin = m_origin.toPoint();
    m_touched = true;
    update();
}

void GraphView::bringIntoSight(const QRectF& box) {
    const QRectF shown(toWidget(box.topLeft()), toWidget(box.bottomRight()));
    const QRectF room = QRectF(rect()).adjusted(kRoom, kRoom, -kRoom, -kRoom);
    if (room.contains(shown)) return;
    const auto shift = [](double low, double high, double least, double most) {
        return low < least ? least - low : high > most ? std::max(most - high, least - low) : 0.0;
    };
    m_origin += QPointF(shift(shown.left(), shown.right(), room.left(), room.right()),
                        shift(shown.top(), shown.bottom(), room.top(), room.bottom()));
    m_touched = true;
    update();
}

GraphHit GraphView::hitAt(QPointF widgetPoint) const {
    return echolux::hitAt(m_scene, toScene(widgetPoint), kHitSlack / std::max(m_zoom, 0.5));
}

std::vector<int> GraphView::inReadingOrder() const {
    std::vector<int> order(m_scene.layout.boxes.size());
    for (std::size_t k = 0; k < order.size(); ++k) order[k] = static_cast<int>(k);
    std::ranges::stable_sort(order, {}, [&](int index) {
        const QPointF at = m_scene.box(index).topLeft();
        const int layer = m_scene.layout.layers[static_cast<std::size_t>(index)];
        return std::pair(layer, m_scene.flow == GraphFlow::Down ? at.x() : at.y());
    });
    return order;
}

QString GraphView::nameOf(int index) const {
    const GraphNode& node = m_scene.node(index);
    if (node.kind != GraphNode::Kind::Stage || node.id == node.typeId) return node.label;
    return QString("%1 (%2)").arg(node.label, node.id);
}

void GraphView::placeButtons() {
    int x = width() - kGrid;
    for (QToolButton* button : {m_fitButton, m_flowButton}) {
        button->resize(button->sizeHint());
        x -= button->width();
        button->move(x, kGrid);
    }
}

void GraphView::resizeEvent(QResizeEvent*) {
    placeButtons();
    fitIfUntouched();
}

void GraphView::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.fillRect(rect(), tokens().window);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.translate(m_origin);
    painter.scale(m_zoom, m_zoom);
    const GraphHit& hot = m_target.part != GraphHit::Part::Nothing ? m_target : m_hovered;
    paintGraph(painter, m_scene, {hot, chosenIndex(), hasFocus(), m_loose, m_takers});
    painter.resetTransform();
    paintReach(painter);
}

/// Where the graph extends beyond the widget: bars at its edges, with the length of the visible
/// part.
void GraphView::paintReach(QPainter& painter) const {
    constexpr double kThick = 4.0;
    const QRectF all = QRectF(m_origin, m_scene.layout.size * m_zoom)
                           .adjusted(-kRoom, -kRoom, kRoom, kRoom)
                           .united(rect());
    const QColor ink = withAlpha(tokens().secondary, 0.6);
    const auto along = [](double from, double length, double room) {
        return std::pair(-from / length * room, room / length * room);
    };
    if (all.height() > height() + 1.0) {
        const auto [from, length] = along(all.top(), all.height(), height());
        painter.fillRect(QRectF(width() - kThick, from, kThick, length), ink);
    }
    if (all.width() > width() + 1.0) {
        const auto [from, length] = along(all.left(), all.width(), width());
        painter.fillRect(QRectF(from, height() - kThick, length, kThick), ink);
    }
}

} // namespace echolux
