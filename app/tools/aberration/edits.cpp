// SPDX-License-Identifier: GPL-3.0-or-later
// Edits of the region on the image, and of whether the image shows the correction.
#include "app/tools/aberration/tool.hpp"

#include "app/desktop/workbench/stage_box.hpp"
#include "app/pipeline/graph_edits.hpp"
#include "ui/aberration/aberration_panel.hpp"

#include <algorithm>
#include <utility>

namespace echolux {
namespace {

constexpr const char* kStrength = "strength";

double strengthOf(const StageState& stage) { return stage.params.real(kStrength).value_or(0.0); }

bool corrects(const StageState& stage) {
    return stage.type->role == Role::CorrectsAberration || stage.type->role == Role::SendsWaves;
}

bool leadsTo(const Snapshot& snapshot, std::size_t stage, const ViewState& view) {
    return !view.source.isRecording() && reachedFrom(snapshot, stage)[view.source.stage];
}

/// True where a correcting stage leads to the view.
bool isCorrected(const Snapshot& snapshot, const ViewState& view) {
    for (std::size_t i = 0; i < snapshot.stages.size(); ++i) {
        const StageState& stage = snapshot.stages[i];
        if (corrects(stage) && !stage.bypass && strengthOf(stage) > 0.0 &&
            leadsTo(snapshot, i, view))
            return true;
    }
    return false;
}

/// The number of a view without the correction, beside the first view with it; 0 where there is
/// none.
std::size_t plainView(const Snapshot& snapshot) {
    if (!isCorrected(snapshot, snapshot.views.front())) return 0;
    for (std::size_t i = 1; i < snapshot.views.size(); ++i)
        if (!isCorrected(snapshot, snapshot.views[i])) return i;
    return 0;
}

/// Also removes the stages that only this view used.
PipelineConfig withoutPlainView(const Snapshot& from, std::size_t plain) {
    PipelineConfig config = withoutView(from, nameOf(from.views[plain]));
    std::vector<std::string> gone;
    for (std::size_t i = 0; i < from.stages.size(); ++i) {
        bool others = false;
        for (std::size_t v = 0; v < from.views.size(); ++v)
            others = others || (v != plain && leadsTo(from, i, from.views[v]));
        if (!others && leadsTo(from, i, from.views[plain])) gone.push_back(from.stages[i].id);
    }
    const auto isGone = [&](const std::string& id) {
        return std::ranges::find(gone, id) != gone.end();
    };
    std::erase_if(config.stages, [&](const StageConfig& stage) { return isGone(stage.id); });
    std::erase_if(config.links, [&](const LinkConfig& link) {
        return isGone(link.from.stage) || isGone(link.to.stage);
    });
    config.views.front().label.clear();
    return config;
}

/// With a region on the image.
const StageState* estimatorIn(const Snapshot& snapshot) {
    return snapshot.findActive(
        [](const StageType& type) { return type.role == Role::EstimatesScreen && type.shown.box; });
}

std::vector<Workbench::Value> strengths(const std::vector<std::string>& stages, double strength) {
    std::vector<Workbench::Value> values;
    for (const std::string& id : stages) values.push_back({id, kStrength, strength});
    return values;
}

void give(PipelineConfig& config, const std::string& stage, const char* key,
          const ParamValue& value) {
    for (StageConfig& each : config.stages) {
        if (each.id != stage) continue;
        setValue(each, key, value);
    }
}

} // namespace

void AberrationTool::syncCorrection(const Snapshot& snapshot) {
    m_correctors.clear();
    double strength = 0.0;
    for (std::size_t i = 0; i < snapshot.stages.size(); ++i) {
        const StageState& stage = snapshot.stages[i];
        if (!corrects(stage) || !leadsTo(snapshot, i, snapshot.views.front())) continue;
        m_correctors.push_back(stage.id);
        strength = strength > 0.0 ? strength : strengthOf(stage);
    }
    if (m_correctors.empty() && m_blinkStrength) {
        m_blinking.stop();
        m_blinkStrength.reset();
    }
    const bool isSplit = plainView(snapshot) > 0;
    m_panel.setCorrectable(!m_correctors.empty(),
                           !m_correctors.empty() &&
                               (isSplit || snapshot.views.size() < kMostViews));
    if (m_correctors.empty()) return m_panel.setCorrection(Correction::Off);
    if (m_blinkStrength) return m_panel.setCorrection(Correction::Blink);
    if (strength > 0.0) m_lastStrength = strength;
    m_panel.setCorrection(isSplit          ? Correction::Split
                          : strength > 0.0 ? Correction::On
                                           : Correction::Off);
}

void AberrationTool::syncRegion(const Snapshot& snapshot) {
    const StageState* stage = estimatorIn(snapshot);
    const bool inPlane = isInPlane(snapshot.output());
    m_panel.setRegionProblem(
        stage == nullptr || inPlane
            ? QString()
            : QString("The image does not lie in the plane of the array in metres, as the region "
                      "does; of beams that fan out, add scan conversion behind it."));
    if (!m_regionShown || stage == nullptr || !inPlane) return m_region.show(std::nullopt);
    m_region.show(boxOf(*stage, snapshot.output()),
                  QString::fromStdString(stage->type->shown.box->label));
}

void AberrationTool::showRegion(bool shown) {
    m_regionShown = shown;
    if (m_bench.isOpen()) syncRegion(*m_bench.snapshot());
}

void AberrationTool::editRegion(const Rect& box) {
    if (!m_bench.isOpen()) return;
    const SnapshotPtr snapshot = m_bench.snapshot();
    if (const StageState* stage = estimatorIn(*snapshot))
        editTogether(*stage, "region", placesOf(*stage, box));
}

void AberrationTool::editBand(double centreMhz, double widthMhz) {
    if (!m_bench.isOpen()) return;
    const SnapshotPtr snapshot = m_bench.snapshot();
    if (const StageState* stage = estimatorIn(*snapshot))
        editTogether(*stage, "band",
                     {{"centre_frequency", centreMhz * 1e6}, {"bandwidth", widthMhz * 1e6}});
}

/// Edits the estimating stage. The changes of one drag form one step.
void AberrationTool::editTogether(const StageState& stage, const QString& what,
                                  const std::vector<std::pair<std::string, double>>& values) {
    const QString label = QString::fromStdString(stage.type->label);
    std::vector<Workbench::Value> rounded;
    for (const auto& [key, value] : values)
        if (stage.params.real(key)) rounded.push_back(nearestValue(stage, key, value));
    m_panel.setProblem(m_bench.edit({what, label + ": " + what, "aberration/" + what}, rounded));
}

void AberrationTool::correct(Correction correction) {
    if (!m_bench.isOpen() || m_correctors.empty()) return;
    if (correction != Correction::Blink) stopBlinking();
    if (correction != Correction::Split && !join()) return;
    switch (correction) {
    case Correction::Off: return setStrength(0.0);
    case Correction::On: return setStrength(m_lastStrength);
    case Correction::Split: return split();
    case Correction::Blink:
        if (m_blinkStrength) return;
        m_blinkStrength = m_lastStrength;
        m_blinking.start();
        return blink();
    }
}

/// One step, even where both waves and echoes are corrected.
void AberrationTool::setStrength(double strength) {
    const SnapshotPtr snapshot = m_bench.snapshot();
    std::erase_if(m_correctors, [&](const std::string& id) {
        return strengthOf(snapshot->stage(id)) == strength;
    });
    if (m_correctors.size() == 1) {
        m_bench.edit(m_correctors.front(), kStrength, strength);
    } else if (!m_correctors.empty()) {
        m_panel.setProblem(m_bench.edit(
            {"strength", strength > 0.0 ? "Aberration: corrected" : "Aberration: not corrected"},
            strengths(m_correctors, strength)));
    }
    syncCorrection(*m_bench.snapshot());
}

/// Adds a view of the image as recorded, beside the corrected one.
void AberrationTool::split() {
    if (plainView(*m_bench.snapshot()) > 0) return;
    const double strength = m_lastStrength;
    m_bench.editPipeline("corrected beside uncorrected", [&](const Snapshot& now) {
        PipelineConfig config = withBranch(now, m_correctors.front());
        for (const std::string& id : m_correctors) {
            give(config, id, kStrength, strength);
            give(config, id + kOfB, kStrength, 0.0);
        }
        config.views[0].label = "Corrected";
        config.views[1].label = "As recorded";
        return config;
    });
    syncCorrection(*m_bench.snapshot());
}

/// Undoes split(). False where this is refused.
bool AberrationTool::join() {
    const SnapshotPtr snapshot = m_bench.snapshot();
    const std::size_t plain = plainView(*snapshot);
    if (plain == 0) return true;
    const bool done = m_bench.editPipeline(
        "one image", [&](const Snapshot& now) { return withoutPlainView(now, plain); });
    syncCorrection(*m_bench.snapshot());
    return done;
}

/// The list of edits gets no step for this, because the user decides nothing.
void AberrationTool::blink() {
    if (!m_bench.isOpen() || m_correctors.empty() || !m_blinkStrength) return;
    const bool isOn = strengthOf(m_bench.snapshot()->stage(m_correctors.front())) > 0.0;
    m_bench.show(strengths(m_correctors, isOn ? 0.0 : *m_blinkStrength));
}

void AberrationTool::stopBlinking() {
    m_blinking.stop();
    const auto strength = std::exchange(m_blinkStrength, std::nullopt);
    if (!strength || m_correctors.empty()) return;
    m_bench.show(strengths(m_correctors, *strength));
}

} // namespace echolux
