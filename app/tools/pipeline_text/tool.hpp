// SPDX-License-Identifier: GPL-3.0-or-later
// The pipeline as text: shows the pipeline in force, and applies the user's edits when typing
// pauses.
#pragma once

#include "app/pipeline/snapshot.hpp"

#include <QObject>
#include <QString>

#include <optional>

namespace echolux {

/// An error sentence of parsePipeline() or instantiate() about a text, without the position at its
/// beginning. Line 0: no position.
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
    void moved(const PipelineMove& move); ///< called for moves of all tools and desks
    /// Makes one step of the undo list, or shows the problem.
    void attempt(const QString& text);
    /// True where the pipeline asks for another backend or GPU. The move then takes a while.
    bool moves(const PipelineConfig& config, const QString& text);
    /// The text that the editor shows: plain, or with defaults as comments.
    QString written(const Snapshot& snapshot) const;
    void showInForce(const QString& text);
    void showProblem(const QString& sentence);

    PipelineText& m_view;
    Workbench& m_bench;
    QString m_shown;                 ///< the pipeline in force as it was last written
    std::optional<QString> m_moving; ///< the text whose move is under way
};

} // namespace echolux
