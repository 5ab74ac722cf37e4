// SPDX-License-Identifier: GPL-3.0-or-later
// The menu of pipelines: files, those that come with the program, comparing.
#pragma once

#include <QMenu>
#include <QStringList>

#include <utility>
#include <vector>

namespace echolux {

class PipelineMenu : public QMenu {
    Q_OBJECT
public:
    /// What a menu offers: shown text and what it stands for.
    using Entries = std::vector<std::pair<QString, QString>>;

    explicit PipelineMenu(QWidget* parent = nullptr);
    /// Without a recording nothing can be opened or saved.
    void setOpen(bool recordingOpen);
    /// In a menu of their own each: title of the group; title and name of its pipelines.
    void setShipped(const std::vector<std::pair<QString, Entries>>& groups);
    void setRecent(const QStringList& paths); ///< newest first
    /// Stages from which on a second branch can be made: label, id.
    void setBranchPoints(const Entries& stages);
    /// Views of which two can be subtracted; none: there is no room for another view.
    void setSubtractable(const QStringList& views);

signals:
    void aboutToOffer();
    void openRequested();
    void saveRequested();
    void saveAsRequested();
    void shippedChosen(const QString& name);
    void fileChosen(const QString& path);
    void branchRequested(const QString& stage);
    void differenceRequested(int first, int second); ///< places among those views
    void blinkToggled(bool on);
    void linkToggled(bool on); ///< views move together

private:
    QAction *m_open, *m_save, *m_saveAs, *m_blink, *m_link;
    QMenu *m_shipped, *m_recent, *m_compare, *m_difference;
};

} // namespace echolux
