// SPDX-License-Identifier: GPL-3.0-or-later
// Texts that are tried, taken or refused.
#include "app/desktop/text_desk.hpp"

#include "app/desktop/edit_desk.hpp"
#include "app/session/session.hpp"
#include "gpu/core/error.hpp"
#include "ui/graph/pipeline_text.hpp"
#include "ui/window/main_window.hpp"

#include <QEvent>
#include <QRegularExpression>

#include <utility>

namespace echolux {
namespace {

constexpr const char* kOrigin = "the text";
const EditDesk::Name kStep{"editing the text", "Pipeline: text edited"};

QString textOf(const Snapshot& snapshot) {
    return QString::fromStdString(toToml(toConfig(snapshot)));
}

QString textWithDefaults(const Snapshot& snapshot) {
    const PipelineConfig full = toFullConfig(snapshot);
    return QString::fromStdString(toToml(toConfig(snapshot), &full));
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
    connect(&window.pipelineText(), &PipelineText::showsDefaultsChanged, this, &TextDesk::follow);
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
    const QString text = written(*m_session.snapshot());
    if (std::exchange(m_shown, text) != text) m_window.pipelineText().setText(text);
}

QString TextDesk::written(const Snapshot& snapshot) const {
    return m_window.pipelineText().showsDefaults() ? textWithDefaults(snapshot) : textOf(snapshot);
}

void TextDesk::attempt(const QString& text) {
    if (!m_session.isOpen()) return;
    m_moving.reset(); // other words, or discarded ones
    QString refusal;
    try {
        PipelineConfig config = parsePipeline(text.toStdString(), kOrigin);
        const SnapshotPtr now = m_session.snapshot();
        if (config.name == kOrigin) config.name = now->name;
        const SnapshotPtr meant = imagingSnapshot(now->input, config);
        if (textOf(*meant) != textOf(*now)) {
            if (moves(config, text)) return;
            m_shown = written(*meant); // as it stands in the editor
            refusal = m_edits.edit(kStep, [&] { m_session.applyPipeline(config); });
        }
    } catch (const Error& error) {
        refusal = error.what();
    }
    m_shown = written(*m_session.snapshot());
    refusal.isEmpty() ? showInForce(text) : showProblem(refusal);
}

/// As opening a file with such an environment does; one that stays as it is asks for nothing.
bool TextDesk::moves(const PipelineConfig& config, const QString& text) {
    if (config.environment == m_session.snapshot()->environment) return false;
    const EnvironmentAnswer answer =
        answerTo(config.environment, m_session.backend(), GpuCount::now());
    if (!answer.warning.empty()) emit warned(QString::fromStdString(answer.warning));
    if (!answer.move) return false;
    m_moving = text;
    m_window.pipelineText().clearProblem();
    const auto isMeant = [this, text] { return m_moving == text; };
    const auto refused = [this, isMeant](const QString& sentence) {
        if (!isMeant()) return;
        m_moving.reset();
        showProblem(sentence);
    };
    emit moveWanted({config, *answer.move, kStep, {}, refused, isMeant});
    return true;
}

void TextDesk::moved(const PipelineMove& move) {
    if (!move.isMeant || !move.isMeant()) return;
    m_shown = written(*m_session.snapshot());
    showInForce(*std::exchange(m_moving, std::nullopt));
}

void TextDesk::showInForce(const QString& text) {
    m_window.pipelineText().setText(text); // also where more has been typed since
    m_window.pipelineText().setInForce();
}

void TextDesk::showProblem(const QString& sentence) {
    const TextProblem problem = problemIn(sentence);
    m_window.pipelineText().setProblem(problem.line, problem.column, problem.sentence);
}

} // namespace echolux
