// SPDX-License-Identifier: GPL-3.0-or-later
// From the values of the shown ensemble to the plot, and from the plot to the stage.
#include "app/tools/singular_values/tool.hpp"

#include "app/desktop/workbench/tool_type.hpp"
#include "app/desktop/workbench/workbench.hpp"
#include "app/tools/singular_values/plot.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

namespace echolux {
namespace {

constexpr double kNothingDb = -200.0; ///< of a value of 0

const KeptNumbers& keptOf(const StageState& stage) { return *stage.type->shown.kept; }

std::int64_t number(const StageState& stage, const std::string& key) {
    return std::get<std::int64_t>(stage.params.get(key));
}

SingularData dataOf(const SingularValues& look, const StageState& stage) {
    SingularData data;
    data.inHz = look.frameTimeS > 0.0;
    const double perRadian = data.inHz ? 1.0 / (2.0 * std::numbers::pi * look.frameTimeS) : 1.0;
    const auto largest = static_cast<double>(look.values.front().value);
    for (const flow::SingularValue& each : look.values) {
        const auto value = static_cast<double>(each.value);
        const bool stands = largest > 0.0 && value > 0.0;
        data.levelDb.push_back(stands ? 20.0 * std::log10(value / largest) : kNothingDb);
        data.frequency.push_back(perRadian * static_cast<double>(each.radians));
    }
    const ParamRow& row = *stage.type->table.find(keptOf(stage).byNumber.key);
    for (const ParamChoice& choice : row.choices)
        if (stage.params.holds({row.key, choice.id}))
            data.chosenBy = QString::fromStdString(choice.label);
    return data;
}

} // namespace

namespace tools {

ToolType singular_values();
ToolType singular_values() {
    return toolType<SingularPlot, SingularTool>("singular_values", "Singular values",
                                                ToolType::Place::Closed, "Flow");
}

} // namespace tools

SingularTool::SingularTool(SingularPlot& plot, Workbench& bench) : m_plot(plot), m_bench(bench) {
    connect(&bench, &Workbench::measured, this, &SingularTool::follow);
    connect(&bench, &Workbench::measuredTheSame, this, &SingularTool::follow);
    connect(&bench, &Workbench::recordingChanged, this, &SingularTool::forget);
    connect(&bench, &Workbench::pipelineChanged, this, &SingularTool::follow);
    connect(&plot, &SeenWidget::cameIntoSight, this, &SingularTool::follow);
    connect(&m_plot, &SingularPlot::keptDragged, this, &SingularTool::editKept);
}

void SingularTool::forget() {
    m_shown.reset();
    m_plot.clear();
}

/// Shows what has been found since, and asks for the next values.
void SingularTool::follow() {
    if (!m_bench.isOpen() || !m_plot.isSeen()) return;
    const SnapshotPtr snapshot = m_bench.snapshot();
    const StageState* stage = singularStage(*snapshot);
    if (stage == nullptr) return forget();
    const auto refuse = [this](const QString& reason) {
        m_shown.reset();
        m_plot.clear(reason);
    };
    if (!ensembleStage(*snapshot))
        return refuse("The clutter filter reads recorded frames; put a stage before it to see "
                      "their singular values");
    show(*stage);
    m_bench.look<SingularLook>().want(stage->id);
}

void SingularTool::show(const StageState& stage) {
    const auto found = m_bench.look<SingularLook>().latest();
    const bool fresh =
        found && found != m_shown && found->asked == stage.id && !found->values.empty();
    if (fresh) {
        m_shown = found;
        if (!m_plot.isDragging()) m_plot.setData(dataOf(*found, stage));
    }
    if (!m_shown) return;
    const KeptNumbers& kept = keptOf(stage);
    // Numbers are known at once; other ends with the next values.
    if (stage.params.holds(kept.byNumber)) {
        m_plot.setKept(
            static_cast<int>(number(stage, kept.first)),
            static_cast<int>(std::min(number(stage, kept.last), std::ssize(m_shown->values))));
    } else if (fresh) {
        m_plot.setKept(m_shown->kept.first + 1, m_shown->kept.end);
    }
}

/// The end of the plot stays the last value of ensembles of any length.
void SingularTool::editKept(int first, int last) {
    const StageState* stage = singularStage(*m_bench.snapshot());
    if (stage == nullptr || !m_shown) return;
    const KeptNumbers& kept = keptOf(*stage);
    const bool toEnd = last == static_cast<int>(m_shown->values.size());
    const QString id = QString::fromStdString(stage->id);
    const QString refused = m_bench.edit(
        {"kept singular values", {}, "kept singular values " + id},
        {{stage->id, kept.byNumber.key, kept.byNumber.id},
         {stage->id, kept.first, std::int64_t{first}},
         {stage->id, kept.last,
          toEnd ? std::max<std::int64_t>(number(*stage, kept.last), last) : std::int64_t{last}}});
    if (!refused.isEmpty()) m_bench.fail(refused);
}

} // namespace echolux
