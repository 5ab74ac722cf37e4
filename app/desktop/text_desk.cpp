// SPDX-License-Identifier: GPL-3.0-or-later
// Texts that are tried, taken or refused.
#include "app/desktop/text_desk.hpp"

#include "app/desktop/edit_desk.hpp"
#include "app/pipeline/pipeline_config.hpp"
#include "gpu/core/error.hpp"
#include "ui/graph/pipeline_text.hpp"
#include "ui/window/main_window.hpp"

#include <QEvent>
#include <QRegularExpression>

#include <utility>

namespace echolux {
namespace {

constexpr const char* kOrigin = "the text";

QString textOf(const Snapshot& snapshot) {
    return QString::fromStdString(toToml(toConfig(snapshot)));
}

} // namespace

TextProblem problemIn(const QString& sentence) {
    static const QRegularExpression kPlace(QString("^%1(?:, | is no pipeline file: )"
                                                   "line (\\d+), column (\\d+)(?:: )?")
                                               .arg(kOrigin));
    TextProblem problem{0, 0, sentence};
    const QRegularExpressionMatch place = kPlace.match(sentence);
    if (place.hasMatch()) {
        problem.line = place.captured(1).toInt();
        problem.column = place.captured(2).toInt();
        problem.sentence = sentence.mid(place.capturedLength());
        // "line 3, column 5 is not valid TOML"
        if (problem.sentence.startsWith(' ')) problem.sentence.prepend("this");
    } else if (sentence.startsWith(kOrigin + QString(": "))) {
        problem.sentence = sentence.mid(QString(kOrigin).size() + 2);
    }
    // Where one name is meant, the list of all hides it.
    static const QRegularExpression kList(
        "(\\(did you mean [^)]*\\?\\)); (?:choose one of|use) .*$");
    problem.sentence.replace(kList, "\\1.");
    if (problem.line > 0)
        problem.sentence.prepend(QString("Line %1: ").arg(problem.line));
    else if (!problem.sentence.isEmpty())
        problem.sentence[0] = problem.sentence[0].toUpper();
    return problem;
}

TextDesk::TextDesk(MainWindow& window, Session& session, EditDesk& edits)
    : m_window(window), m_session(session), m_edits(edits) {
    connect(&window.pipelineText(), &PipelineText::textEdited, this, &TextDesk::attempt);
    window.pipelineText().installEventFilter(this);
    window.pipelineText().setEnabled(false);
}

bool TextDesk::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::Show) follow();
    return QObject::eventFilter(watched, event);
}

/// What people wrote stays as they wrote it while it means the pipeline in force.
void TextDesk::follow() {
    if (!m_session.isOpen() || !m_window.pipelineText().isVisible()) return;
    m_window.pipelineText().setEnabled(true);
    const QString text = textOf(*m_session.snapshot());
    if (std::exchange(m_shown, text) != text) m_window.pipelineText().setText(text);
}

void TextDesk::attempt(const QString& text) {
    if (!m_session.isOpen()) return;
    PipelineText& view = m_window.pipelineText();
    QString refusal;
    try {
        PipelineConfig config = parsePipeline(text.toStdString(), kOrigin);
        const SnapshotPtr now = m_session.snapshot();
        if (config.name == kOrigin) config.name = now->name;
        const QString meant = textOf(*imagingSnapshot(now->input, config));
        if (meant != textOf(*now)) {
            m_shown = meant; // written as it stands
            refusal = m_edits.edit({"editing the text", "Pipeline: text edited"},
                                   [&] { m_session.applyPipeline(config); });
        }
    } catch (const Error& error) {
        refusal = error.what();
    }
    m_shown = textOf(*m_session.snapshot());
    if (refusal.isEmpty()) {
        view.setText(text); // also where more has been typed since
        view.setInForce();
        return;
    }
    const TextProblem problem = problemIn(refusal);
    view.setProblem(problem.line, problem.column, problem.sentence);
}

} // namespace echolux
