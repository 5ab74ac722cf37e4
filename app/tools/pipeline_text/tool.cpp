// SPDX-License-Identifier: GPL-3.0-or-later
// Texts of pipelines: they are tried, then applied or refused.
#include "app/tools/pipeline_text/tool.hpp"

#include "app/desktop/workbench/tool_type.hpp"
#include "app/desktop/workbench/workbench.hpp"
#include "app/session/checked_image.hpp"
#include "gpu/core/error.hpp"
#include "ui/graph/pipeline_text.hpp"

#include <QEvent>
#include <QRegularExpression>
#include <QSettings>

#include <utility>

namespace echolux {
namespace {

constexpr const char* kOrigin = "the text";
constexpr const char* kDefaultsShown = "text_defaults";
const StepName kStep{"editing the text", "Pipeline: text edited"};

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
    // Where the message suggests one name, it omits the list of all names.
    static const QRegularExpression kList(
        "(\\(did you mean [^)]*\\?\\)); (?:choose one of|use) .*$");
    problem.sentence.replace(kList, "\\1.");
    if (problem.line > 0)
        problem.sentence.prepend(QString("Line %1: ").arg(problem.line));
    else if (!problem.sentence.isEmpty())
        problem.sentence[0] = problem.sentence[0].toUpper();
    return problem;
}

namespace tools {

ToolType pipeline_text();
ToolType pipeline_text() {
    return toolType<PipelineText, PipelineTextTool>("pipeline_text", "Pipeline text");
}

} // namespace tools

PipelineTextTool::PipelineTextTool(PipelineText& view, Workbench& bench)
    : m_view(view), m_bench(bench) {
    connect(&bench, &Workbench::pipelineChanged, this, &PipelineTextTool::syncFromPipeline);
    connect(&bench, &Workbench::moved, this, &PipelineTextTool::moved);
    connect(&bench, &Workbench::habitsRestored, this, [this](const QSettings& store) {
        m_view.setShowsDefaults(store.value(kDefaultsShown).toBool());
    });
    connect(&bench, &Workbench::habitsKept, this,
            [this](QSettings& store) { store.setValue(kDefaultsShown, m_view.showsDefaults()); });
    connect(&view, &PipelineText::textEdited, this, &PipelineTextTool::attempt);
    connect(&view, &PipelineText::showsDefaultsChanged, this, &PipelineTextTool::syncFromPipeline);
    view.installEventFilter(this);
    view.setEnabled(false);
}

bool PipelineTextTool::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::Show) syncFromPipeline();
    return QObject::eventFilter(watched, event);
}

/// The user's text stays unchanged as long as it means the pipeline in force.
void PipelineTextTool::syncFromPipeline() {
    if (!m_bench.isOpen() || !m_view.isVisible()) return;
    m_view.setEnabled(true);
    const QString text = written(*m_bench.snapshot());
    if (std::exchange(m_shown, text) != text) m_view.setText(text);
}

QString PipelineTextTool::written(const Snapshot& snapshot) const {
    return m_view.showsDefaults() ? textWithDefaults(snapshot) : textOf(snapshot);
}

void PipelineTextTool::attempt(const QString& text) {
    if (!m_bench.isOpen()) return;
    m_moving.reset(); // the text has changed or was discarded
    QString refusal;
    try {
        PipelineConfig config = parsePipeline(text.toStdString(), kOrigin);
        const SnapshotPtr now = m_bench.snapshot();
        if (config.name == kOrigin) config.name = now->name;
        const SnapshotPtr meant = imagingSnapshot(now->input, config);
        if (textOf(*meant) != textOf(*now)) {
            if (moves(config, text)) return;
            m_shown = written(*meant); // as the text in the editor
            refusal = m_bench.edit(kStep, config);
        }
    } catch (const Error& error) {
        refusal = error.what();
    }
    m_shown = written(*m_bench.snapshot());
    refusal.isEmpty() ? showInForce(text) : showProblem(refusal);
}

/// Asks as when a file with such an environment is opened. It does not ask where the environment
/// stays the same.
bool PipelineTextTool::moves(const PipelineConfig& config, const QString& text) {
    if (config.environment == m_bench.snapshot()->environment) return false;
    const EnvironmentAnswer answer =
        answerTo(config.environment, m_bench.backend(), GpuCount::now());
    if (!answer.warning.empty()) m_bench.warn(QString::fromStdString(answer.warning));
    if (!answer.move) return false;
    m_moving = text;
    m_view.clearProblem();
    const auto isMeant = [this, text] { return m_moving == text; };
    const auto refused = [this, isMeant](const QString& sentence) {
        if (!isMeant()) return;
        m_moving.reset();
        showProblem(sentence);
    };
    m_bench.move({config, *answer.move, kStep, {}, refused, isMeant});
    return true;
}

void PipelineTextTool::moved(const PipelineMove& move) {
    if (!move.isMeant || !move.isMeant()) return;
    m_shown = written(*m_bench.snapshot());
    showInForce(*std::exchange(m_moving, std::nullopt));
}

void PipelineTextTool::showInForce(const QString& text) {
    m_view.setText(text); // even if the user has typed more since
    m_view.setInForce();
}

void PipelineTextTool::showProblem(const QString& sentence) {
    const TextProblem problem = problemIn(sentence);
    m_view.setProblem(problem.line, problem.column, problem.sentence);
}

} // namespace echolux
