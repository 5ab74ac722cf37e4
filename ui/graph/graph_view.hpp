// SPDX-License-Identifier: GPL-3.0-or-later
// A pipeline as a graph that can be looked at, operated and rewired.
#pragma once

#include "ui/graph/graph_painter.hpp"

#include <QHash>
#include <QWidget>

#include <functional>
#include <memory>

class QMenu;
class QToolButton;

namespace echolux {

/// Ids are those of the model's nodes. What the user asks for is a signal; the picture changes with
/// the next setModel().
class GraphView : public QWidget {
    Q_OBJECT
public:
    explicit GraphView(QWidget* parent = nullptr);

    /// Keeps selection and zoom, and the chosen box where it is on screen. Until somebody zooms or
    /// pans, it is shown as by fit().
    void setModel(const GraphModel& model);
    const GraphModel& model() const { return m_scene.model; }
    /// By node; nodes that are not named keep theirs. Only repaints.
    void setTimes(const QHash<QString, GraphTimes>& times);
    void setStageTypes(const QList<StageChoice>& types);
    void setFlow(GraphFlow flow);
    GraphFlow flow() const { return m_scene.flow; }
    void setChosen(const QString& id); ///< without a signal; empty or unknown: none
    QString chosen() const { return m_chosen; }

    /// Shows all, at most at zoom 1, and at least so large that it can be read: then its
    /// beginning, and bars at the edges tell that there is more.
    void fit();
    double zoom() const { return m_zoom; }     ///< pixels of the widget per pixel of the layout
    void setZoom(double zoom, QPointF around); ///< `around` stays where it is in the widget

    /// In pixels of the widget.
    QPointF toWidget(QPointF point) const { return point * m_zoom + m_origin; }
    QPointF toScene(QPointF point) const { return (point - m_origin) / m_zoom; }
    const GraphScene& scene() const { return m_scene; }
    GraphHit hitAt(QPointF widgetPoint) const;

    /// What a right click there offers.
    std::unique_ptr<QMenu> menuAt(const GraphHit& hit);

    QSize sizeHint() const override { return {480, 600}; }
    QSize minimumSizeHint() const override { return {160, 160}; }

signals:
    void stageChosen(const QString& id);
    void bypassWanted(const QString& id, bool bypass);
    void cpuWanted(const QString& id, bool onCpu);
    // An output is named as by outputId().
    void linkWanted(const QString& output, const QString& toId, const QString& toPort);
    void removeWanted(const QString& id);
    void retypeWanted(const QString& id, const QString& typeId);
    /// A new stage in the link from `output` into `toPort` of `toId`. Where `toId` is empty it
    /// takes from `output` and nothing takes from it yet.
    void insertWanted(const QString& typeId, const QString& output, const QString& toId,
                      const QString& toPort);
    void viewWanted(const QString& output);    ///< show what leaves a node there
    void viewRemoved(const QString& id);       ///< close this view
    void flowChanged(echolux::GraphFlow flow); ///< by the button

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
    /// Pans as little as needed.
    void bringIntoSight(const QRectF& box);
    int chosenIndex() const { return nodeIndex(m_scene.model, m_chosen); }
    void choose(int index); ///< by the user; below zero: none
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

    void addTypes(QMenu& menu, const QString& title, const QString& besides,
                  const std::function<void(const QString&)>& picked);
    void addStageActions(QMenu& menu, int index);
    void addInserts(QMenu& menu, int index);
    void addSources(QMenu& menu, int index);
    QString nameOf(int index) const;

    GraphScene m_scene;
    QList<StageChoice> m_types;
    QString m_chosen;
    double m_zoom = 1.0;
    QPointF m_origin;       ///< of the layout, in the widget
    bool m_touched = false; ///< zoomed or panned by somebody
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
