// SPDX-License-Identifier: GPL-3.0-or-later
// Edits of the region on the image, and of whether the image shows the correction.
#include "app/tools/aberration/tool.hpp"

#include "app/desktop/workbench/workbench.hpp"
#include "app/pipeline/graph_edits.hpp"
#include "gpu/stages/aberration.hpp"
#include "ui/aberration/aberration_panel.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace echolux {
namespace {

constexpr const char* kStrength = "strength";
constexpr const char* kBranch = "_b"; ///< as withBranch() names copies

double realOf(const StageState& stage, const char* key) {
    if (stage.params.table().find(key) == nullptr) return 0.0;
    const ParamValue value = stage.params.get(key);
    const auto* real = std::get_if<double>(&value);
    return real != nullptr ? *real : 0.0;
}

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
        if (corrects(stage) && !stage.bypass && realOf(stage, kStrength) > 0.0 &&
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

/// True where positions of the image are metres in x and z, as in the region.
bool isInPlane(const FrameSpec& image) {
    const Axis* lateral = image.find(AxisName::Lateral);
    const Axis* depth = image.find(AxisName::Depth);
    return image.sector == nullptr && lateral != nullptr && lateral->unit == "m" &&
           depth != nullptr && depth->unit == "m";
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
        strength = strength > 0.0 ? strength : realOf(stage, kStrength);
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
    const StageState* stage = snapshot.findWith<AberrationParams>();
    const bool inPlane = isInPlane(snapshot.output());
    m_panel.setRegionProblem(
        stage == nullptr || inPlane
            ? QString()
            : QString("The image does not lie in the plane of the array in metres, as the region "
                      "does; of beams that fan out, add scan conversion behind it."));
    if (!m_regionShown || stage == nullptr || !inPlane) return m_region.show(std::nullopt);
    const double lateral = realOf(*stage, "region_lateral");
    const double depth = realOf(*stage, "region_depth");
    const double halfWide = realOf(*stage, "region_width") / 2.0;
    const double halfHigh = realOf(*stage, "region_height") / 2.0;
    m_region.show(Rect{lateral - halfWide, depth - halfHigh, lateral + halfWide, depth + halfHigh},
                  tr("Estimate"));
}

void AberrationTool::showRegion(bool shown) {
    m_regionShown = shown;
    if (m_bench.isOpen()) syncRegion(*m_bench.snapshot());
}

void AberrationTool::editRegion(const Rect& box) {
    const Vec2 centre = box.centre();
    const std::array<Named, 4> values{{{"region_lateral", centre.x},
                                       {"region_depth", centre.y},
                                       {"region_width", box.width()},
                                       {"region_height", box.height()}}};
    editTogether("region", "aberration/region", values);
}

void AberrationTool::editBand(double centreMhz, double widthMhz) {
    const std::array<Named, 2> values{
        {{"centre_frequency", centreMhz * 1e6}, {"bandwidth", widthMhz * 1e6}}};
    editTogether("band", "aberration/band", values);
}

/// Edits the estimating stage. The changes of one drag form one step.
void AberrationTool::editTogether(const QString& what, const QString& merged,
                                  std::span<const Named> values) {
    if (!m_bench.isOpen()) return;
    const SnapshotPtr snapshot = m_bench.snapshot();
    const StageState* stage = snapshot->findWith<AberrationParams>();
    if (stage == nullptr) return;
    const QString label = QString::fromStdString(stage->type->label);
    std::vector<Workbench::Value> rounded;
    for (const auto& [key, value] : values) {
        const ParamRow* row = stage->type->table.find(key);
        if (row == nullptr) continue;
        const double round = std::round(value / row->step) * row->step;
        rounded.push_back({stage->id, key, std::clamp(round, row->min, row->max)});
    }
    m_panel.setProblem(m_bench.edit({what, label + ": " + what, merged}, rounded));
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
        return realOf(snapshot->stage(id), kStrength) == strength;
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
            give(config, id + kBranch, kStrength, 0.0);
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
    const bool isOn = realOf(m_bench.snapshot()->stage(m_correctors.front()), kStrength) > 0.0;
    m_bench.show(strengths(m_correctors, isOn ? 0.0 : *m_blinkStrength));
}

void AberrationTool::stopBlinking() {
    m_blinking.stop();
    const auto strength = std::exchange(m_blinkStrength, std::nullopt);
    if (!strength || m_correctors.empty()) return;
    m_bench.show(strengths(m_correctors, *strength));
}

} // namespace echolux
