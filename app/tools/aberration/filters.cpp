// SPDX-License-Identifier: GPL-3.0-or-later
// Reads and writes filters and their iterations. A loaded filter replaces the estimate.
#include "app/tools/aberration/tool.hpp"

#include "app/aberration/step_strip.hpp"
#include "app/dataset/recording/recording.hpp"
#include "app/desktop/workbench/workbench.hpp"
#include "app/pipeline/graph_edits.hpp"
#include "gpu/stage/registry.hpp"
#include "ui/aberration/aberration_panel.hpp"
#include "ui/controls/failure_sentence.hpp"

#include <QApplication>
#include <QFileDialog>
#include <QFileInfo>

#include <algorithm>
#include <utility>

namespace echolux {
namespace {

constexpr const char* kFiles = "Filters (*.npz *.mat)";

bool isFiltered(const Snapshot& snapshot, const StageState& corrector) {
    return std::ranges::any_of(corrector.sources, [&](const Source& source) {
        return !source.isRecording() &&
               snapshot.stages[source.stage].type->role == Role::LoadsFilter;
    });
}

/// The outputs that a corrector's ports are linked to, for a stage like `aberration`.
std::vector<OutputFor> linksOf(const StageState& corrector) {
    std::vector<OutputFor> links{{kOutputPort, {"delays", corrector.id}}};
    if (corrector.type->inputs.size() > 2)
        links.push_back({"amplitude", {"amplitudes", corrector.id}});
    return links;
}

StageConfig stageOf(const aberration::Filter& filter) {
    const std::string& type = stageTypeWith(Role::LoadsFilter).id;
    StageConfig stage{.id = type, .type = type};
    stage.values.emplace_back("delays", filter.delayS);
    stage.values.emplace_back("amplitudes", filter.amplitude);
    return stage;
}

/// Returns to the estimate: waves are sent with the previous result, echoes are corrected with the
/// current one.
PipelineConfig withEstimate(const Snapshot& from, const std::vector<std::string>& correctors,
                            const std::string& estimator) {
    PipelineConfig config =
        withLink(from, {kOutputPort, estimator}, {"delays", correctors.front()});
    for (const std::string& id : correctors) {
        for (const OutputFor& each : linksOf(from.stage(id))) {
            for (LinkConfig& link : config.links) {
                if (link.to != each.to) continue;
                link.from = {each.output, estimator};
                link.ofFrameBefore = from.stage(id).type->role == Role::SendsWaves;
            }
        }
    }
    const auto unused = [&](const StageConfig& stage) {
        return stageType(stage.type).role == Role::LoadsFilter &&
               std::ranges::none_of(config.links, [&](const LinkConfig& link) {
                   return link.from.stage == stage.id;
               });
    };
    std::vector<std::string> gone;
    for (const StageConfig& stage : config.stages)
        if (unused(stage)) gone.push_back(stage.id);
    for (const std::string& id : gone) {
        std::erase_if(config.links, [&](const LinkConfig& link) { return link.to.stage == id; });
        std::erase_if(config.stages, [&](const StageConfig& stage) { return stage.id == id; });
    }
    return config;
}

} // namespace

void AberrationTool::syncFilter(const Snapshot& snapshot) {
    const bool loaded = std::ranges::any_of(m_correctors, [&](const std::string& id) {
        return isFiltered(snapshot, snapshot.stage(id));
    });
    m_panel.setFilterLoaded(loaded && snapshot.findRole(Role::EstimatesScreen) != nullptr);
}

QString AberrationTool::saveFilter(const QString& path, aberration::FilterNaming naming) const {
    try {
        const std::filesystem::path target = path.toStdString();
        aberration::checkFilterName(target);
        OutputFiles files(target, m_bench.recording().path, true);
        aberration::saveFilter(files, m_filter, naming,
                               "Echolux " + QApplication::applicationVersion().toStdString());
        files.commit();
    } catch (const std::exception& error) {
        return sentenceOf(error);
    }
    return {};
}

void AberrationTool::chooseFilterFile(aberration::FilterNaming naming) {
    if (!m_bench.isOpen() || m_filter.filter.delayS.empty()) return;
    QString path = QFileDialog::getSaveFileName(&m_panel, "Save the filter", "filter.npz", kFiles);
    if (path.isEmpty()) return;
    if (QFileInfo(path).suffix().isEmpty()) path += ".npz";
    const QString refusal = saveFilter(path, naming);
    refusal.isEmpty() ? emit m_panel.saved(path) : emit m_panel.failed(refusal);
}

QString AberrationTool::saveCine(const QString& path) const {
    try {
        OutputFiles files(path.toStdString(), m_bench.recording().path, true);
        aberration::writeStepFilm(files, m_filter.grid, m_steps, m_filter.centreHz);
        files.commit();
    } catch (const std::exception& error) {
        return sentenceOf(error);
    }
    return {};
}

void AberrationTool::chooseCineFile() {
    if (!m_bench.isOpen() || m_steps.empty()) return;
    QString path = QFileDialog::getSaveFileName(&m_panel, "Save the iterations as a cine",
                                                "iterations.gif", "Cines (*.gif *.mp4 *.webm)");
    if (path.isEmpty()) return;
    if (QFileInfo(path).suffix().isEmpty()) path += ".gif";
    const QString refusal = saveCine(path);
    refusal.isEmpty() ? emit m_panel.saved(path) : emit m_panel.failed(refusal);
}

QString AberrationTool::loadFilter(const QString& path) {
    if (!m_bench.isOpen() || m_correctors.empty())
        return "This pipeline corrects no aberration; open one that does, then load the filter.";
    const SnapshotPtr snapshot = m_bench.snapshot();
    const std::filesystem::path file = path.toStdString();
    aberration::FilterFile loaded;
    try {
        loaded = aberration::loadFilter(file, snapshot->input.centreFrequencyHz);
        aberration::checkFilterFits(file, loaded, snapshot->input.acquisition->probe);
    } catch (const std::exception& error) {
        return sentenceOf(error);
    }
    const bool done =
        m_bench.editPipeline("filter " + QFileInfo(path).fileName(), [&](const Snapshot&) {
            std::vector<OutputFor> links;
            for (const std::string& id : m_correctors)
                for (OutputFor& each : linksOf(snapshot->stage(id)))
                    links.push_back(std::move(each));
            const StageState& first = snapshot->stage(m_correctors.front());
            PipelineConfig config = withSource(*snapshot, stageOf(loaded.filter),
                                               {first.type->inputs[0].name, first.id}, links);
            return config;
        });
    syncFromPipeline();
    return done ? QString() : QString("The filter does not suit this pipeline.");
}

void AberrationTool::chooseLoadedFilter() {
    const QString path = QFileDialog::getOpenFileName(&m_panel, "Load a filter", {}, kFiles);
    if (path.isEmpty()) return;
    const QString refusal = loadFilter(path);
    if (!refusal.isEmpty()) emit m_panel.failed(refusal);
}

void AberrationTool::useEstimate() {
    if (!m_bench.isOpen() || m_correctors.empty()) return;
    const SnapshotPtr snapshot = m_bench.snapshot();
    const StageState* estimator = snapshot->findRole(Role::EstimatesScreen);
    if (estimator == nullptr) return;
    m_bench.editPipeline("the estimate", [&](const Snapshot& now) {
        return withEstimate(now, m_correctors, estimator->id);
    });
    syncFromPipeline();
}

} // namespace echolux
