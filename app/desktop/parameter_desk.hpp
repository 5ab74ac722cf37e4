// SPDX-License-Identifier: GPL-3.0-or-later
// Connects the parameter panel: an edit becomes a new snapshot or is refused with a sentence. Rows
// and curves show the pipeline in force.
#pragma once

#include "app/pipeline/snapshot.hpp"

#include <QObject>
#include <QString>

namespace echolux {

class EditDesk;
class ParameterPanel;
class Session;

class ParameterDesk : public QObject {
    Q_OBJECT
public:
    ParameterDesk(ParameterPanel& panel, Session& session, EditDesk& edits);

    void recordingOpened();
    /// Updates every row and curve. Precondition, here and below: a recording is open.
    void show();
    /// Makes one step of the undo list. Where it is refused, the row shows the reason and the value
    /// in force. Does nothing without a recording.
    void edit(const QString& instance, const QString& key, const ParamValue& value);
    void bypass(const QString& instance, bool bypassed); ///< same rules as edit()
    void resetAll();

signals:
    void pipelineShown(); ///< other parts of the window update themselves after this signal
    /// Why there is nothing to image; empty: images are computed.
    void noticeChanged(const QString& sentence);
    void failed(const QString& sentence);

private:
    void reset(const QString& instance);
    QString labelOf(const QString& instance) const;
    void follow(const SnapshotPtr& before);
    void followRows(const StageState& former, const StageState& stage);
    void followPipeline();
    void followMasks();
    void nameSources();
    void showCurves(const StageState& stage);

    ParameterPanel& m_panel;
    Session& m_session;
    EditDesk& m_edits;
};

} // namespace echolux
