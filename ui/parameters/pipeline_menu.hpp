// SPDX-License-Identifier: GPL-3.0-or-later
// The menu of pipelines: files, shipped pipelines, comparison.
#pragma once

#include <QMenu>
#include <QStringList>

#include <utility>
#include <vector>

namespace echolux {

class PipelineMenu : public QMenu {
    Q_OBJECT
public:
    /// Entries of a menu: text, and the value behind it.
    using Entries = std::vector<std::pair<QString, QString>>;

    explicit PipelineMenu(QWidget* parent = nullptr);
    /// Without a recording, opening and saving are disabled.
    void setOpen(bool recordingOpen);
    /// One submenu per group: title of the group; title and name of its pipelines.
    void setShipped(const std::vector<std::pair<QString, Entries>>& groups);
    void setRecent(const QStringList& paths); ///< newest first
    /// Stages after which a second branch can begin: label, id.
    void setBranchPoints(const Entries& stages);
    /// Views that can be subtracted from each other. Empty: no space for another view.
    void setSubtractable(const QStringList& views);
    void setPlugins(bool loaded); ///< some plugin is in use

signals:
    void aboutToOffer();
    void openRequested();
    void saveRequested();
    void saveAsRequested();
    void shippedChosen(const QString& name);
    void fileChosen(const QString& path);
    void branchRequested(const QString& stage);
    /// Indices into the views of setSubtractable().
    void differenceRequested(int first, int second);
    void blinkToggled(bool on);
    void pluginRequested();    ///< load one that the user chooses
    void pluginsRequested();   ///< load changed plugins anew
    void linkToggled(bool on); ///< views zoom and pan together

private:
    QAction *m_open, *m_save, *m_saveAs, *m_blink, *m_link, *m_plugin, *m_plugins;
    QMenu *m_shipped, *m_recent, *m_compare, *m_difference;
};

} // namespace echolux
