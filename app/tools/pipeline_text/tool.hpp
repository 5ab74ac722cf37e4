// SPDX-License-Identifier: GPL-3.0-or-later
// The pipeline's text at work: it shows the pipeline in force; edits of it are tried when somebody
// pauses.
#pragma once

#include "app/pipeline/snapshot.hpp"

#include <QObject>
#include <QString>

#include <optional>

namespace echolux {

/// A sentence of parsePipeline() or instantiate() about a text, without its beginning that says
/// where; line 0: nowhere.
struct TextProblem {
    int line = 0;
    int column = 0;
    QString sentence;
};
TextProblem problemIn(const QString& sentence);

class PipelineText;
class Workbench;
struct PipelineMove;

class PipelineTextTool : public QObject {
    Q_OBJECT
public:
    PipelineTextTool(PipelineText& view, Workbench& bench);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void syncFromPipeline();              ///< does nothing while the text is hidden
    void moved(const PipelineMove& move); ///< whosever it was
    /// One step of the undo list, or the problem in its place.
    void attempt(const QString& text);
    /// True where the pipeline asks to run elsewhere, which takes a while.
    bool moves(const PipelineConfig& config, const QString& text);
    /// As the editor is to show it: plain, or with defaults as comments.
    QString written(const Snapshot& snapshot) const;
    void showInForce(const QString& text);
    void showProblem(const QString& sentence);

    PipelineText& m_view;
    Workbench& m_bench;
    QString m_shown;                 ///< the pipeline in force, as it was written last
    std::optional<QString> m_moving; ///< the text that asked to run elsewhere
};

} // namespace echolux
