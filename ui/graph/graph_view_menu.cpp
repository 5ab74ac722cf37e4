// SPDX-License-Identifier: GPL-3.0-or-later
// A menu of all actions on a box or a link, including those that dragging does.
#include "ui/graph/graph_view.hpp"

#include <QContextMenuEvent>
#include <QMenu>

#include <algorithm>

namespace echolux {

namespace {

/// Words for an output in a menu: "transmits " where there are several outputs, empty for the
/// first.
QString wordsFor(const GraphNode& node, int port) {
    return port > 0 ? node.outputs[port] + ' ' : QString();
}

/// One submenu per group.
void listTypes(QMenu& all, const QList<StageChoice>& types,
               const std::function<void(const QString&)>& picked) {
    QHash<QString, QMenu*> groups;
    for (const StageChoice& type : types) {
        QMenu* group = &all;
        if (!type.group.isEmpty()) {
            QMenu*& known = groups[type.group];
            if (known == nullptr) known = all.addMenu(type.group);
            group = known;
        }
        QAction* action =
            group->addAction(type.label, &all, [picked, id = type.id] { picked(id); });
        action->setObjectName(type.id);
    }
}

} // namespace

void GraphView::contextMenuEvent(QContextMenuEvent* event) {
    GraphHit hit = hitAt(QPointF(event->pos()));
    QPoint place = event->globalPos();
    if (event->reason() == QContextMenuEvent::Keyboard) {
        if (chosenIndex() < 0) return;
        hit = {GraphHit::Part::Box, chosenIndex()};
        place = mapToGlobal(toWidget(m_scene.box(hit.index).center()).toPoint());
    }
    const auto menu = menuAt(hit);
    if (!menu->isEmpty()) menu->exec(place);
}

std::unique_ptr<QMenu> GraphView::menuAt(const GraphHit& hit) {
    auto menu = std::make_unique<QMenu>(this);
    menu->setToolTipsVisible(true);
    if (hit.part == GraphHit::Part::Link) {
        const GraphLink link = m_scene.model.links[hit.index];
        addInsert(*menu, "Insert stage here", outputId(link), link.to, link.toPort);
    } else if (hit.isNode()) {
        addStageActions(*menu, hit.index);
    } else {
        menu->addAction("Show all", QKeySequence("Ctrl+0"), this, &GraphView::fit);
    }
    return menu;
}

void GraphView::addStageActions(QMenu& menu, int index) {
    const GraphNode& node = m_scene.node(index);
    const QString id = node.id;
    const bool isStage = node.kind == GraphNode::Kind::Stage;
    if (isStage) {
        QAction* runs =
            menu.addAction("Run this stage", this, [this, id, bypassed = node.bypassed] {
                emit bypassWanted(id, !bypassed);
            });
        runs->setCheckable(true);
        runs->setChecked(!node.bypassed);
        runs->setEnabled(node.canBypass);
        if (!node.canBypass) runs->setToolTip(node.bypassReason);
        QAction* onCpu = menu.addAction("Run it on the CPU", this,
                                        [this, id, on = !node.onCpu] { emit cpuWanted(id, on); });
        onCpu->setCheckable(true);
        onCpu->setChecked(node.onCpu);
        onCpu->setEnabled(node.canLeaveCpu);
        onCpu->setToolTip("Runs this stage on the CPU between stages on the GPU; its input and "
                          "output are copied.");
    }
    for (int port = 0; port < node.outputCount(); ++port)
        menu.addAction("Show " + wordsFor(node, port) + "in a view", this,
                       [this, output = outputId(node, port)] { emit viewWanted(output); });
    if (!node.outputs.isEmpty()) {
        menu.addSeparator();
        addInserts(menu, index);
    }
    if (isStage) {
        addTypes(menu, "Change type to", node.typeId,
                 [this, id](const QString& type) { emit retypeWanted(id, type); });
    }
    addSources(menu, index);
    if (node.kind == GraphNode::Kind::Recording) return;
    menu.addSeparator();
    menu.addAction(isStage ? "Remove" : "Close view", QKeySequence(Qt::Key_Delete), this,
                   [this, id, isStage] {
                       if (isStage) {
                           emit removeWanted(id);
                       } else {
                           emit viewRemoved(id);
                       }
                   });
}

/// Inserts a stage into the link that leaves the box, into one of several links, or as a new
/// branch.
void GraphView::addInserts(QMenu& menu, int index) {
    const QString id = m_scene.node(index).id;
    QList<GraphLink> leaving;
    std::ranges::copy_if(m_scene.model.links, std::back_inserter(leaving),
                         [&](const GraphLink& link) { return link.from == id; });
    for (const GraphLink& link : leaving) {
        const QString title = leaving.size() == 1
                                  ? QString("Insert stage here")
                                  : QString("Insert stage here, before %1")
                                        .arg(nameOf(nodeIndex(m_scene.model, link.to)));
        addInsert(menu, title, outputId(link), link.to, link.toPort);
    }
    const GraphNode& node = m_scene.node(index);
    for (int port = 0; port < node.outputCount(); ++port) {
        const QString title = leaving.isEmpty() ? "Insert stage %1here" : "Begin a branch %1here";
        const QString words = port > 0 ? "of " + wordsFor(node, port) : QString();
        addInsert(menu, title.arg(words), outputId(node, port));
    }
}

/// Lists the sources that each port may take. Boxes that depend on this box are left out.
void GraphView::addSources(QMenu& menu, int index) {
    const GraphNode& node = m_scene.node(index);
    for (const QString& port : node.inputs) {
        auto* sources = new QMenu(node.inputs.size() == 1 ? QString("Take from")
                                                          : QString("Take \"%1\" from").arg(port),
                                  &menu);
        for (const int from : inReadingOrder()) {
            const GraphNode& maker = m_scene.node(from);
            for (int k = 0; k < maker.outputCount() && mayLink(from, index); ++k) {
                const QString output = outputId(maker, k);
                const QString words = k > 0 ? ": " + maker.outputs[k] : QString();
                QAction* source = sources->addAction(
                    nameOf(from) + words, this,
                    [this, output, to = node.id, port] { emit linkWanted(output, to, port); });
                source->setCheckable(true);
                source->setChecked(
                    std::ranges::any_of(m_scene.model.links, [&](const GraphLink& link) {
                        return outputId(link) == output && link.to == node.id &&
                               link.toPort == port;
                    }));
            }
        }
        if (!sources->isEmpty()) menu.addMenu(sources);
    }
}

void GraphView::addTypes(QMenu& menu, const QString& title, const QString& besides,
                         const Picked& picked) {
    QList<StageChoice> types = m_types;
    types.removeIf([&](const StageChoice& type) { return type.id == besides; });
    if (!types.isEmpty()) listTypes(*menu.addMenu(title), types, picked);
}

/// NOTE: what fits is found when the menu opens, because each type has to be tried.
void GraphView::addInsert(QMenu& menu, const QString& title, const QString& output,
                          const QString& toId, const QString& toPort) {
    if (m_types.isEmpty()) return;
    const Picked picked = [this, output, toId, toPort](const QString& type) {
        emit insertWanted(type, output, toId, toPort);
    };
    QMenu* types = menu.addMenu(title);
    if (!m_fits) return listTypes(*types, m_types, picked);
    connect(types, &QMenu::aboutToShow, this, [this, types, picked, output, toId, toPort] {
        types->clear();
        QList<StageChoice> fitting = m_types;
        fitting.removeIf(
            [&](const StageChoice& type) { return !m_fits(type.id, output, toId, toPort); });
        listTypes(*types, fitting, picked);
        types->addSeparator();
        listTypes(*types->addMenu("All"), m_types, picked);
    });
}

} // namespace echolux
