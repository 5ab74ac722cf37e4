// SPDX-License-Identifier: GPL-3.0-or-later
// From the values of the shown ensemble to the plot, and from the plot to the stage.
#include "app/tools/singular_values/tool.hpp"

#include "app/desktop/workbench/tool_type.hpp"
#include "app/desktop/workbench/workbench.hpp"
#include "app/tools/singular_values/panel.hpp"
#include "app/tools/singular_values/plot.hpp"
#include "gpu/stages/clutter_filter.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

namespace echolux {
namespace {

constexpr const char* kThresholds = "thresholds";
constexpr double kNothingDb = -200.0; ///< of a value of 0

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
    const ParamRow& row = *stage.type->table.find(kThresholds);
    for (const ParamChoice& choice : row.choices)
        if (stage.params.get(kThresholds) == ParamValue(choice.id))
            data.chosenBy = QString::fromStdString(choice.label);
    return data;
}

} // namespace

namespace tools {

ToolType singular_values();
ToolType singular_values() {
    return toolType<SingularPanel, SingularTool>("singular_values", "Singular values",
                                                 ToolType::Place::Closed, "Flow");
}

} // namespace tools

SingularTool::SingularTool(SingularPanel& panel, Workbench& bench)
    : m_panel(panel), m_plot(panel.plot()), m_bench(bench) {
    connect(&bench, &Workbench::measured, this, &SingularTool::follow);
    connect(&bench, &Workbench::measuredTheSame, this, &SingularTool::follow);
    connect(&bench, &Workbench::recordingChanged, this, &SingularTool::forget);
    connect(&bench, &Workbench::pipelineChanged, this, &SingularTool::follow);
    connect(&panel, &SeenWidget::cameIntoSight, this, &SingularTool::follow);
    connect(&m_plot, &SingularPlot::keptDragged, this, &SingularTool::editKept);
}

void SingularTool::forget() {
    m_shown.reset();
    m_plot.clear();
}

/// Shows what has been found since, and asks for the next values.
void SingularTool::follow() {
    if (!m_bench.isOpen() || !m_panel.isSeen()) return;
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
    const auto& params = stage.params.as<ClutterFilterParams>();
    const auto frames = static_cast<int>(m_shown->values.size());
    // Numbers are known at once; other ends with the next values.
    if (params.thresholds == flow::ChosenBy::Number) {
        m_plot.setKept(static_cast<int>(params.first),
                       static_cast<int>(std::min<std::int64_t>(params.last, frames)));
    } else if (fresh) {
        m_plot.setKept(m_shown->kept.first + 1, m_shown->kept.end);
    }
}

/// The end of the plot stays the last value of ensembles of any length.
void SingularTool::editKept(int first, int last) {
    const StageState* stage = singularStage(*m_bench.snapshot());
    if (stage == nullptr || !m_shown) return;
    const auto& params = stage->params.as<ClutterFilterParams>();
    const bool toEnd = last == static_cast<int>(m_shown->values.size());
    const QString id = QString::fromStdString(stage->id);
    const QString refused =
        m_bench.edit({"kept singular values", {}, "kept singular values " + id},
                     {{stage->id, kThresholds, std::string("numbers")},
                      {stage->id, "first", std::int64_t{first}},
                      {stage->id, "last",
                       toEnd ? std::max<std::int64_t>(params.last, last) : std::int64_t{last}}});
    if (!refused.isEmpty()) m_bench.fail(refused);
}

} // namespace echolux
