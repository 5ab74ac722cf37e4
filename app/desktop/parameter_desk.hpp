// SPDX-License-Identifier: GPL-3.0-or-later
// The panel of parameters at work: what people edit becomes a new snapshot, or a sentence; rows and
// curves follow the pipeline in force.
#pragma once

#include "app/pipeline/snapshot.hpp"

#include <QObject>
#include <QString>

#include <functional>

namespace echolux {

class EditDesk;
class MainWindow;
class Session;

class ParameterDesk : public QObject {
    Q_OBJECT
public:
    ParameterDesk(MainWindow& window, Session& session, EditDesk& edits);

    void recordingOpened();
    /// Every row and curve anew. Precondition, here and below: a recording is open.
    void show();
    /// Does a change of the session and shows what follows from it; returns why it was refused, or
    /// nothing.
    QString attempt(const std::function<void()>& change);
    /// One step of the list of edits, or none: where it is refused, the row says why and shows the
    /// value that holds. Nothing where no recording is open.
    void edit(const QString& instance, const QString& key, const ParamValue& value);
    void bypass(const QString& instance, bool bypassed); ///< the same

signals:
    void pipelineShown(); ///< whatever else tells of the pipeline in force follows it now
    /// Why there is nothing to image; empty: there is.
    void noticeChanged(const QString& sentence);
    void failed(const QString& sentence);

private:
    void reset(const QString& instance);
    void resetAll();
    QString labelOf(const QString& instance) const;
    void follow(const SnapshotPtr& before);
    void followRows(const StageState& former, const StageState& stage);
    void followPipeline();
    void followMasks();
    void nameSources();
    void showCurves(const StageState& stage);

    MainWindow& m_window;
    Session& m_session;
    EditDesk& m_edits;
};

} // namespace echolux
