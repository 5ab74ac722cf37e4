// SPDX-License-Identifier: GPL-3.0-or-later
// A pipeline as a graph that the user can view, operate and rewire.
#pragma once

#include "ui/graph/graph_painter.hpp"

#include <QHash>
#include <QWidget>

#include <functional>
#include <memory>

class QMenu;
class QToolButton;

namespace echolux {

/// Ids are those of the model's nodes. Each request of the user is a signal; the graph changes with
/// the next setModel().
class GraphView : public QWidget {
    Q_OBJECT
public:
    explicit GraphView(QWidget* parent = nullptr);

    /// Keeps selection and zoom, and the position of the selected box on screen. Until the user
    /// zooms or pans, the view is as after fit().
    void setModel(const GraphModel& model);
    const GraphModel& model() const { return m_scene.model; }
    /// Key: node. Nodes without an entry keep their times. Only repaints.
    void setTimes(const QHash<QString, GraphTimes>& times);
    void setStageTypes(const QList<StageChoice>& types);
    /// Whether a type may be inserted, in terms of insertWanted(). Asked when such a menu opens,
    /// which then lists these types, and all others in a submenu.
    using Fits = std::function<bool(const QString& typeId, const QString& output,
                                    const QString& toId, const QString& toPort)>;
    void setFits(Fits fits) { m_fits = std::move(fits); }
    void setFlow(GraphFlow flow);
    GraphFlow flow() const { return m_scene.flow; }
    void setChosen(const QString& id); ///< emits no signal; empty or unknown: selects none
    QString chosen() const { return m_chosen; }

    /// Shows the whole graph, at zoom 1 at most. Where it would be too small to read, shows its
    /// beginning; bars at the edges then tell that there is more.
    void fit();
    double zoom() const { return m_zoom; }     ///< widget pixels per pixel of the layout
    void setZoom(double zoom, QPointF around); ///< `around` keeps its place in the widget

    /// Converts between pixels of the widget and of the layout.
    QPointF toWidget(QPointF point) const { return point * m_zoom + m_origin; }
    QPointF toScene(QPointF point) const { return (point - m_origin) / m_zoom; }
    const GraphScene& scene() const { return m_scene; }
    GraphHit hitAt(QPointF widgetPoint) const;

    /// The context menu at a hit.
    std::unique_ptr<QMenu> menuAt(const GraphHit& hit);

    QSize sizeHint() const override { return {480, 600}; }
    QSize minimumSizeHint() const override { return {160, 160}; }

signals:
    void stageChosen(const QString& id);
    void bypassWanted(const QString& id, bool bypass);
    void cpuWanted(const QString& id, bool onCpu);
    // An output is named by outputId().
    void linkWanted(const QString& output, const QString& toId, const QString& toPort);
    void removeWanted(const QString& id);
    void retypeWanted(const QString& id, const QString& typeId);
    /// Insert a new stage into the link from `output` to `toPort` of `toId`. Where `toId` is empty,
    /// the stage reads `output` and nothing reads the stage yet.
    void insertWanted(const QString& typeId, const QString& output, const QString& toId,
                      const QString& toPort);
    void viewWanted(const QString& output);    ///< show this output in a view
    void viewRemoved(const QString& id);       ///< close this view
    void flowChanged(echolux::GraphFlow flow); ///< the user clicked the button

protected:
    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;
    bool focusNextPrevChild(bool next) override;

private:
    using Part = GraphHit::Part;
    enum class Drag { None, Pan, Link };

    void layOutAll();
    void fitIfUntouched();
    void placeButtons();
    void paintReach(QPainter& painter) const;
    void showFlow();
    /// Pans as little as needed to show `box`.
    void bringIntoSight(const QRectF& box);
    int chosenIndex() const { return nodeIndex(m_scene.model, m_chosen); }
    void choose(int index); ///< selection by the user; negative: none
    void toggle(int index);
    void remove(int index);
    void hover(QPointF widgetPoint);
    void dragLink(QPointF widgetPoint);
    void dropLink();
    void cancelDrag();
    bool mayLink(int from, int to) const;
    bool isOwnKey(const QKeyEvent& event) const;
    QString toolTipOf(const GraphHit& hit) const;
    QString timesOf(int index) const;
    std::vector<int> inReadingOrder() const;

    using Picked = std::function<void(const QString& typeId)>;
    void addTypes(QMenu& menu, const QString& title, const QString& besides, const Picked& picked);
    void addInsert(QMenu& menu, const QString& title, const QString& output,
                   const QString& toId = {}, const QString& toPort = {});
    void addStageActions(QMenu& menu, int index);
    void addInserts(QMenu& menu, int index);
    void addSources(QMenu& menu, int index);
    QString nameOf(int index) const;

    GraphScene m_scene;
    QList<StageChoice> m_types;
    Fits m_fits;
    QString m_chosen;
    double m_zoom = 1.0;
    QPointF m_origin;       ///< origin of the layout, in the widget
    bool m_touched = false; ///< the user has zoomed or panned
    GraphHit m_hovered;
    Drag m_drag = Drag::None;
    QPointF m_dragAt;
    std::optional<LooseLink> m_loose;
    std::vector<int> m_takers;
    GraphHit m_target; ///< where the loose link would end
    QToolButton* m_flowButton;
    QToolButton* m_fitButton;
};

} // namespace echolux
