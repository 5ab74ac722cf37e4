// SPDX-License-Identifier: GPL-3.0-or-later
// The region on the image, and whether the image shows the correction.
#include "app/desktop/aberration_desk.hpp"

#include "app/desktop/edit_desk.hpp"
#include "app/desktop/parameter_desk.hpp"
#include "app/desktop/pipeline_desk.hpp"
#include "app/pipeline/graph_edits.hpp"
#include "ui/aberration/aberration_panel.hpp"
#include "ui/views/image_view.hpp"

#include <QApplication>
#include <QFileDialog>
#include <QFileInfo>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace echolux {
namespace {

constexpr const char* kEstimator = "aberration";
constexpr const char* kCorrector = "aberration_correction";
constexpr const char* kStrength = "strength";
constexpr const char* kBranch = "_b"; ///< as withBranch() names copies

double realOf(const StageState& stage, const char* key) {
    if (stage.params.table().find(key) == nullptr) return 0.0;
    const ParamValue value = stage.params.get(key);
    const auto* real = std::get_if<double>(&value);
    return real != nullptr ? *real : 0.0;
}

bool leadsTo(const Snapshot& snapshot, std::size_t stage, const ViewState& view) {
    return !view.source.isRecording() && reachedFrom(snapshot, stage)[view.source.stage];
}

/// A stage that corrects leads to the view.
bool isCorrected(const Snapshot& snapshot, const ViewState& view) {
    for (std::size_t i = 0; i < snapshot.stages.size(); ++i) {
        const StageState& stage = snapshot.stages[i];
        if (stage.type->id == kCorrector && !stage.bypass && realOf(stage, kStrength) > 0.0 &&
            leadsTo(snapshot, i, view))
            return true;
    }
    return false;
}

/// The number of a view without the correction, beside the first one that has it; 0: there is none.
std::size_t plainView(const Snapshot& snapshot) {
    if (!isCorrected(snapshot, snapshot.views.front())) return 0;
    for (std::size_t i = 1; i < snapshot.views.size(); ++i)
        if (!isCorrected(snapshot, snapshot.views[i])) return i;
    return 0;
}

/// And without the stages that only it had.
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

void give(PipelineConfig& config, const std::string& stage, const char* key, ParamValue value) {
    for (StageConfig& each : config.stages) {
        if (each.id != stage) continue;
        std::erase_if(each.values, [&](const auto& named) { return named.first == key; });
        each.values.emplace_back(key, std::move(value));
    }
}

} // namespace

void AberrationDesk::followCorrection(const Snapshot& snapshot) {
    const StageState* corrector = snapshot.findType(kCorrector);
    m_corrector = corrector != nullptr ? corrector->id : std::string();
    if (corrector == nullptr && m_blinkStrength) {
        m_blinking.stop();
        m_blinkStrength.reset();
    }
    const bool isSplit = plainView(snapshot) > 0;
    m_panel.setCorrectable(corrector != nullptr,
                           corrector != nullptr && (isSplit || snapshot.views.size() < kMostViews));
    if (corrector == nullptr) return m_panel.setCorrection(Correction::Off);
    if (m_blinkStrength) return m_panel.setCorrection(Correction::Blink);
    const double strength = realOf(*corrector, kStrength);
    if (strength > 0.0) m_lastStrength = strength;
    m_panel.setCorrection(isSplit          ? Correction::Split
                          : strength > 0.0 ? Correction::On
                                           : Correction::Off);
}

void AberrationDesk::followBox(const Snapshot& snapshot) {
    const StageState* stage = snapshot.findType(kEstimator);
    if (!m_regionShown || stage == nullptr) return m_image.setBox(std::nullopt);
    const double lateral = realOf(*stage, "region_lateral");
    const double depth = realOf(*stage, "region_depth");
    const double halfWide = realOf(*stage, "region_width") / 2.0;
    const double halfHigh = realOf(*stage, "region_height") / 2.0;
    m_image.setBox(
        Rect{lateral - halfWide, depth - halfHigh, lateral + halfWide, depth + halfHigh});
}

void AberrationDesk::showRegion(bool shown) {
    m_regionShown = shown;
    if (m_session.isOpen()) followBox(*m_session.snapshot());
}

/// One step for as long as the mouse holds it.
void AberrationDesk::editRegion(const Rect& box) {
    if (!m_session.isOpen()) return;
    const SnapshotPtr snapshot = m_session.snapshot();
    const StageState* stage = snapshot->findType(kEstimator);
    if (stage == nullptr) return;
    const Vec2 centre = box.centre();
    const std::array<std::pair<const char*, double>, 4> values{{{"region_lateral", centre.x},
                                                                {"region_depth", centre.y},
                                                                {"region_width", box.width()},
                                                                {"region_height", box.height()}}};
    const QString label = QString::fromStdString(stage->type->label);
    const QString refusal =
        m_desks.edits.edit({"region", label + ": region", "aberration/region"}, [&] {
            for (const auto& [key, value] : values) {
                const ParamRow* row = stage->type->table.find(key);
                if (row == nullptr) continue;
                const double round = std::round(value / row->step) * row->step;
                m_session.setValue(stage->id, key, std::clamp(round, row->min, row->max));
            }
        });
    m_panel.setProblem(refusal);
}

void AberrationDesk::correct(Correction correction) {
    if (!m_session.isOpen() || m_corrector.empty()) return;
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

void AberrationDesk::setStrength(double strength) {
    const SnapshotPtr snapshot = m_session.snapshot();
    if (realOf(snapshot->stage(m_corrector), kStrength) != strength)
        m_desks.parameters.edit(QString::fromStdString(m_corrector), kStrength, strength);
    followCorrection(*m_session.snapshot());
}

/// The image as it was recorded, beside the corrected one.
void AberrationDesk::split() {
    if (plainView(*m_session.snapshot()) > 0) return;
    const double strength = m_lastStrength;
    m_desks.pipelines.edit("corrected beside uncorrected", [&] {
        PipelineConfig config = withBranch(*m_session.snapshot(), m_corrector);
        give(config, m_corrector, kStrength, strength);
        give(config, m_corrector + kBranch, kStrength, 0.0);
        config.views[0].label = "Corrected";
        config.views[1].label = "As recorded";
        return config;
    });
    followCorrection(*m_session.snapshot());
}

/// Back from split(); false where that is refused.
bool AberrationDesk::join() {
    const SnapshotPtr snapshot = m_session.snapshot();
    const std::size_t plain = plainView(*snapshot);
    if (plain == 0) return true;
    const bool done =
        m_desks.pipelines.edit("one image", [&] { return withoutPlainView(*snapshot, plain); });
    followCorrection(*m_session.snapshot());
    return done;
}

/// No steps of the list of edits: nobody decides anything.
void AberrationDesk::blink() {
    if (!m_session.isOpen() || m_corrector.empty() || !m_blinkStrength) return;
    const bool isOn = realOf(m_session.snapshot()->stage(m_corrector), kStrength) > 0.0;
    m_desks.parameters.attempt(
        [&] { m_session.setValue(m_corrector, kStrength, isOn ? 0.0 : *m_blinkStrength); });
}

void AberrationDesk::stopBlinking() {
    m_blinking.stop();
    const auto strength = std::exchange(m_blinkStrength, std::nullopt);
    if (!strength || m_corrector.empty()) return;
    m_desks.parameters.attempt([&] { m_session.setValue(m_corrector, kStrength, *strength); });
}

QString AberrationDesk::saveFilter(const QString& path) const {
    try {
        const std::filesystem::path target = path.toStdString();
        aberration::checkFilterName(target);
        OutputFiles files(target, m_session.engine().info().path, true);
        aberration::saveFilter(files, m_filter, aberration::FilterNaming::Plain,
                               "Echolux " + QApplication::applicationVersion().toStdString());
        files.commit();
    } catch (const std::exception& error) {
        return QString::fromUtf8(error.what());
    }
    return {};
}

void AberrationDesk::chooseFilterFile() {
    if (!m_session.isOpen() || m_filter.filter.delayS.empty()) return;
    QString path = QFileDialog::getSaveFileName(&m_panel, "Save the filter", "filter.npz",
                                                "Filters (*.npz *.mat)");
    if (path.isEmpty()) return;
    if (QFileInfo(path).suffix().isEmpty()) path += ".npz";
    const QString refusal = saveFilter(path);
    refusal.isEmpty() ? emit m_panel.saved(path) : emit m_panel.failed(refusal);
}

} // namespace echolux
