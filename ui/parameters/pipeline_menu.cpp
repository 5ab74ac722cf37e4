// SPDX-License-Identifier: GPL-3.0-or-later
// Entries of the menu "Pipeline".
#include "ui/parameters/pipeline_menu.hpp"

#include "ui/controls/action_text.hpp"

#include <QDir>

namespace echolux {
namespace {

QString plain(QString text) { return text.replace('&', "&&"); }

} // namespace

PipelineMenu::PipelineMenu(QWidget* parent)
    : QMenu("Pipe&line", parent),
      m_open(makeAction(this, "&Open pipeline\u2026", "", {QKeySequence("Ctrl+P")},
                        "Open a pipeline file and run its stages")),
      m_save(makeAction(this, "&Save pipeline", "", {},
                        "Save stages, links, views and values to the file they came from")),
      m_saveAs(makeAction(this, "Save pipeline &as\u2026", "", {},
                          "Save stages, links, views and values to a file")),
      m_blink(makeAction(this, "&Blink between views", "", {QKeySequence("Shift+B")},
                         "Show the views one after the other in the same place")),
      m_link(makeAction(this, "Views move &together", "", {},
                        "All views share zoom, pan and picked column")),
      m_plugin(makeAction(this, "Load a pl&ugin\u2026", "", {},
                          "Load a library with stages, readers of files or live sources")),
      m_plugins(makeAction(this, "&Load plugins anew", "", {},
                           "Take up plugins that were built anew; parameters keep their values")),
      m_shipped(new QMenu("S&hipped", this)), m_recent(new QMenu("Open &recent", this)),
      m_compare(new QMenu("Compare &A with B from", this)),
      m_difference(new QMenu("Show the &difference of", this)) {
    m_blink->setCheckable(true);
    m_link->setCheckable(true);
    m_link->setChecked(true);
    addAction(m_open);
    addMenu(m_recent);
    addMenu(m_shipped);
    addActions({m_save, m_saveAs});
    addSeparator();
    addMenu(m_compare);
    addMenu(m_difference);
    addActions({m_blink, m_link});
    addSeparator();
    addActions({m_plugin, m_plugins});
    addSeparator();
    setToolTipsVisible(true);
    connect(m_open, &QAction::triggered, this, &PipelineMenu::openRequested);
    connect(m_save, &QAction::triggered, this, &PipelineMenu::saveRequested);
    connect(m_saveAs, &QAction::triggered, this, &PipelineMenu::saveAsRequested);
    connect(m_blink, &QAction::triggered, this, &PipelineMenu::blinkToggled);
    connect(m_link, &QAction::triggered, this, &PipelineMenu::linkToggled);
    connect(m_plugin, &QAction::triggered, this, &PipelineMenu::pluginRequested);
    connect(m_plugins, &QAction::triggered, this, &PipelineMenu::pluginsRequested);
    connect(this, &QMenu::aboutToShow, this, &PipelineMenu::aboutToOffer);
    setRecent({});
    setBranchPoints({});
    setSubtractable({});
    setPlugins(false);
    setOpen(false);
}

void PipelineMenu::setOpen(bool recordingOpen) {
    for (QAction* action : {m_open, m_save, m_saveAs}) action->setEnabled(recordingOpen);
    m_shipped->setEnabled(recordingOpen);
}

void PipelineMenu::setShipped(const std::vector<std::pair<QString, Entries>>& groups) {
    m_shipped->clear();
    for (const auto& [group, pipelines] : groups) {
        QMenu* menu = m_shipped->addMenu(plain(group));
        for (const auto& [title, name] : pipelines)
            menu->addAction(plain(title), this,
                            [this, chosen = name] { emit shippedChosen(chosen); })
                ->setObjectName(name);
    }
}

void PipelineMenu::setRecent(const QStringList& paths) {
    m_recent->clear();
    for (const QString& path : paths) {
        QAction* entry = m_recent->addAction(plain(QDir::toNativeSeparators(path)));
        connect(entry, &QAction::triggered, this, [this, path] { emit fileChosen(path); });
    }
    m_recent->setEnabled(!paths.isEmpty());
}

void PipelineMenu::setBranchPoints(const Entries& stages) {
    m_compare->clear();
    for (const auto& [label, id] : stages) {
        QAction* entry = m_compare->addAction(plain(label));
        connect(entry, &QAction::triggered, this,
                [this, stage = id] { emit branchRequested(stage); });
    }
    m_compare->setEnabled(!stages.empty());
}

void PipelineMenu::setSubtractable(const QStringList& views) {
    m_difference->clear();
    for (int i = 0; i < views.size(); ++i) {
        for (int k = i + 1; k < views.size(); ++k)
            m_difference->addAction(plain(QString("%1 less %2").arg(views[i], views[k])), this,
                                    [this, i, k] { emit differenceRequested(i, k); });
    }
    m_difference->setEnabled(!m_difference->isEmpty());
}

void PipelineMenu::setPlugins(bool loaded) { m_plugins->setEnabled(loaded); }

} // namespace echolux
