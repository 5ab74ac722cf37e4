// SPDX-License-Identifier: GPL-3.0-or-later
// Boxes, links, ports and their names.
#include "ui/graph/graph_painter.hpp"

#include "ui/controls/small_buttons.hpp"
#include "ui/theme/theme.hpp"

#include <QFontMetricsF>
#include <QPainter>

#include <algorithm>
#include <cmath>
#include <map>

namespace echolux {
namespace {

constexpr double kBoxHeight = 6.0 * kGrid;
constexpr double kTextInset = 10.0;
constexpr double kCorner = 4.0;
constexpr double kTimeWidth = 64.0;

QFont titleFont() {
    QFont font = baseFont();
    font.setWeight(QFont::DemiBold);
    return font;
}

QString subtitleOf(const GraphNode& node) {
    return node.kind == GraphNode::Kind::Stage && node.id != node.typeId ? node.id : QString();
}

class GraphPainter {
public:
    GraphPainter(QPainter& painter, const GraphScene& scene, const GraphLook& look)
        : m_painter(painter), m_scene(scene), m_look(look) {}

    void paint() {
        for (const auto& group : timedGroups(m_scene.model)) {
            m_painter.setPen(QPen(m_tokens.edge, 1.0));
            m_painter.setBrush(m_tokens.panel);
            m_painter.drawPath(groupOutline(m_scene, group));
            const int carrier = timeCarrier(m_scene.model, group);
            for (const int k : group) m_timedWith[static_cast<std::size_t>(k)] = carrier;
        }
        const int links = static_cast<int>(m_scene.layout.ways.size());
        for (int k = 0; k < links; ++k) {
            if (!isHot(k)) paintLink(k, false);
        }
        for (int k = 0; k < links; ++k) {
            if (isHot(k)) paintLink(k, true);
        }
        const int count = static_cast<int>(m_scene.layout.boxes.size());
        for (int k = 0; k < count; ++k) paintBox(k);
        for (int k = 0; k < count; ++k) paintPorts(k);
        if (m_look.loose) paintLoose(*m_look.loose);
        paintNames();
    }

private:
    using Part = GraphHit::Part;

    /// True for the link under the pointer, and for links of the box under the pointer.
    bool isHot(int link) const {
        const GraphHit& hit = m_look.hovered;
        if (hit.part == Part::Link) return hit.index == link;
        if (!hit.isNode() || m_look.loose) return false;
        const GraphLink& it = m_scene.model.links[link];
        const GraphNode& node = m_scene.node(hit.index);
        if (hit.part == Part::Input) return it.to == node.id && it.toPort == node.inputs[hit.port];
        if (hit.part == Part::Output)
            return it.from == node.id && outputIndex(node, it) == hit.port;
        return it.to == node.id || it.from == node.id;
    }

    void paintLink(int link, bool hot) {
        const bool isLate = m_scene.model.links[link].ofFrameBefore;
        m_painter.setPen(QPen(hot ? m_tokens.accent : m_tokens.edge, hot ? 2.0 : 1.5,
                              isLate ? Qt::DotLine : Qt::SolidLine));
        m_painter.setBrush(Qt::NoBrush);
        m_painter.drawPath(m_scene.link(link));
    }

    void paintLoose(const LooseLink& loose) {
        QPainterPath path(m_scene.output(loose.from, loose.port));
        bendTo(path, loose.to, m_scene.flow);
        m_painter.setPen(QPen(m_tokens.accent, 2.0, loose.fits ? Qt::SolidLine : Qt::DashLine));
        m_painter.setBrush(Qt::NoBrush);
        m_painter.drawPath(path);
    }

    /// A recording is a round shape, a view a screen, a stage a box.
    void paintShape(int index, const QColor& fill) {
        const GraphNode& node = m_scene.node(index);
        const QRectF box = m_scene.box(index).adjusted(0.5, 0.5, -0.5, -0.5);
        const bool chosen = index == m_look.chosen;
        const QColor border = chosen                  ? m_tokens.accent
                              : !node.error.isEmpty() ? m_tokens.error
                                                      : m_tokens.edge;
        m_painter.setPen(QPen(border, chosen && m_look.focused ? 2.0 : chosen ? 1.5 : 1.0));
        m_painter.setBrush(fill);
        const double corner =
            node.kind == GraphNode::Kind::Recording ? box.height() / 2.0 : kCorner;
        m_painter.drawRoundedRect(box, corner, corner);
        if (node.kind != GraphNode::Kind::View) return;
        m_painter.setPen(QPen(surroundTokens().edge, 1.0));
        m_painter.setBrush(m_tokens.surround);
        m_painter.drawRect(box.adjusted(4.0, 4.0, -4.0, -4.0));
    }

    void paintBox(int index) {
        const GraphNode& node = m_scene.node(index);
        const GraphHit& hit = m_look.hovered;
        const bool hovered = hit.isNode() && hit.index == index;
        const QRectF& box = m_scene.box(index);
        const bool isView = node.kind == GraphNode::Kind::View;
        paintShape(index, hovered         ? m_tokens.hover
                          : node.bypassed ? m_tokens.panel
                                          : m_tokens.raised);
        QRectF title = box.adjusted(kTextInset, 0.0, -kTextInset, 0.0);
        if (node.kind == GraphNode::Kind::Stage) {
            title.setHeight(2.0 * switchRect(box).center().y() - 2.0 * box.top());
            title.setRight(switchRect(box).left() - kGrid);
            paintSwitch(m_painter, switchRect(box),
                        {!node.bypassed, node.canBypass, hovered && hit.part == Part::Switch});
        }
        if (!node.error.isEmpty()) {
            const QRectF badge = badgeRect(box);
            themeIcon("error", &ThemeTokens::error).paint(&m_painter, badge.toAlignedRect());
            title.setLeft(badge.right() + kGrid / 2.0);
        }
        const bool centred = node.kind != GraphNode::Kind::Stage;
        const QColor ink = isView          ? surroundTokens().text
                           : node.bypassed ? m_tokens.secondary
                                           : m_tokens.text;
        write(title, node.label, titleFont(), ink, centred ? Qt::AlignHCenter : Qt::AlignLeft);
        if (!centred) paintSecondLine(index);
    }

    void paintSecondLine(int index) {
        const GraphNode& node = m_scene.node(index);
        const QRectF& box = m_scene.box(index);
        QRectF line = box.adjusted(kTextInset, 27.0, -kTextInset, -5.0);
        const auto at = m_timedWith.find(static_cast<std::size_t>(index));
        const bool follows = at != m_timedWith.end() && at->second != index;
        QString time;
        if (node.bypassed) {
            time = "bypassed";
        } else if (follows) {
            time = "with " + m_scene.node(at->second).id;
        } else if (node.ms.areKnown()) {
            time = frameTimeText(node.ms.mean);
        }
        const QFontMetricsF metrics(smallFont());
        const QString id = subtitleOf(node);
        const double half = line.width() / 2.0;
        double forTime = std::min(metrics.horizontalAdvance(time) + 1.0,
                                  id.isEmpty() ? line.width() : std::max(half, kTimeWidth));
        if (time.isEmpty()) forTime = 0.0;
        QRectF right = line;
        right.setLeft(line.right() - forTime);
        const bool number = !node.bypassed && !follows;
        write(right, time, smallFont(), number ? m_tokens.text : m_tokens.secondary,
              Qt::AlignRight);
        line.setRight(right.left() - (forTime > 0.0 ? kGrid : 0.0));
        if (node.onCpu && !node.bypassed) line.setLeft(paintCpuBadge(line) + kGrid);
        write(line, id, smallFont(), m_tokens.secondary, Qt::AlignLeft);
    }

    /// Paints the badge at the left of the line. Returns where it ends.
    double paintCpuBadge(const QRectF& line) {
        const QString text = "CPU";
        QRectF badge = line;
        badge.setWidth(QFontMetricsF(smallFont()).horizontalAdvance(text) + kGrid);
        m_painter.setPen(QPen(m_tokens.warning, 1.0));
        m_painter.setBrush(Qt::NoBrush);
        m_painter.drawRoundedRect(badge.adjusted(0.5, 0.5, -0.5, -0.5), 3.0, 3.0);
        write(badge, text, smallFont(), m_tokens.warning, Qt::AlignHCenter);
        return badge.right();
    }

    void write(const QRectF& place, const QString& text, const QFont& font, const QColor& ink,
               Qt::Alignment align) {
        m_painter.setFont(font);
        m_painter.setPen(ink);
        const QString shown =
            QFontMetricsF(font).elidedText(text, Qt::ElideMiddle, place.width() + 0.5);
        m_painter.drawText(place, static_cast<int>(align | Qt::AlignVCenter) | Qt::TextSingleLine,
                           shown);
    }

    bool mayTake(int index) const {
        return std::ranges::find(m_look.takers, index) != m_look.takers.end();
    }

    void paintPorts(int index) {
        const GraphNode& node = m_scene.node(index);
        const GraphHit& hit = m_look.hovered;
        const auto port = [&](QPointF centre, bool linked, bool hot) {
            const double radius = hot ? kPortRadius + 2.0 : kPortRadius;
            m_painter.setPen(QPen(hot ? m_tokens.accent : m_tokens.secondary, 1.5));
            m_painter.setBrush(hot      ? m_tokens.accent
                               : linked ? m_tokens.secondary
                                        : m_tokens.window);
            m_painter.drawEllipse(centre, radius, radius);
        };
        for (int k = 0; k < static_cast<int>(node.inputs.size()); ++k) {
            const bool hot = hit == GraphHit{Part::Input, index, k};
            port(m_scene.input(index, k), m_scene.isLinked(index, k), hot || mayTake(index));
        }
        for (int k = 0; k < node.outputCount(); ++k) {
            const bool linked =
                std::ranges::any_of(m_scene.model.links, [&](const GraphLink& link) {
                    return link.from == node.id && outputIndex(node, link) == k;
                });
            port(m_scene.output(index, k), linked, hit == GraphHit{Part::Output, index, k});
        }
    }

    /// Paints the names of the port under the pointer, of ports at links under it, and of ports
    /// that a dragged link may enter.
    void paintNames() {
        const GraphHit& hit = m_look.hovered;
        for (int k = 0; k < static_cast<int>(m_scene.layout.ways.size()); ++k) {
            const GraphLink& link = m_scene.model.links[k];
            const int to = nodeIndex(m_scene.model, link.to);
            if (!isHot(k) || to < 0 || m_look.loose || hit.part == Part::Output) continue;
            paintName(to, m_scene.node(to).inputs.indexOf(link.toPort));
        }
        for (const int k : m_look.takers) {
            for (qsizetype port = 0; port < m_scene.node(k).inputs.size(); ++port)
                paintName(k, port);
        }
        if (hit.part == Part::Input && !m_look.loose) paintName(hit.index, hit.port);
    }

    void paintName(int index, qsizetype port) {
        const QString& name = m_scene.node(index).inputs[port];
        const QPointF at = m_scene.input(index, port);
        const QFontMetricsF metrics(smallFont());
        QRectF place(0.0, 0.0, metrics.horizontalAdvance(name) + kGrid, 15.0);
        place.moveBottomLeft(at + QPointF(kGrid, -3.0));
        if (m_scene.flow == GraphFlow::Right) place.moveBottomRight(at + QPointF(-kGrid, -3.0));
        m_painter.setPen(QPen(m_tokens.line, 1.0));
        m_painter.setBrush(m_tokens.raised);
        m_painter.drawRoundedRect(place.adjusted(0.5, 0.5, -0.5, -0.5), 3.0, 3.0);
        write(place, name, smallFont(), m_tokens.text, Qt::AlignHCenter);
    }

    QPainter& m_painter;
    const GraphScene& m_scene;
    const GraphLook& m_look;
    const ThemeTokens& m_tokens = tokens();
    std::map<std::size_t, int> m_timedWith; ///< node: the node that shows its time
};

} // namespace

void paintGraph(QPainter& painter, const GraphScene& scene, const GraphLook& look) {
    GraphPainter(painter, scene, look).paint();
}

QSizeF boxSizeFor(const GraphModel& model) {
    constexpr double kLeast = 20.0 * kGrid;
    constexpr double kMost = 34.0 * kGrid;
    const QFontMetricsF title(titleFont());
    const QFontMetricsF small(smallFont());
    double width = kLeast;
    for (const GraphNode& node : model.nodes) {
        const double besides = node.kind == GraphNode::Kind::Stage ? 26.0 + 2.0 * kGrid : 0.0;
        const QString id = subtitleOf(node);
        const double idWidth = id.isEmpty() ? 0.0 : small.horizontalAdvance(id) + kGrid;
        width = std::max({width, title.horizontalAdvance(node.label) + besides + 2.0 * kTextInset,
                          idWidth + kTimeWidth + 2.0 * kTextInset});
    }
    return {std::min(kMost, std::ceil(width / (2.0 * kGrid)) * 2.0 * kGrid), kBoxHeight};
}

QString frameTimeText(double ms) { return QString::number(ms, 'f', ms < 10.0 ? 3 : 1) + " ms"; }

} // namespace echolux
