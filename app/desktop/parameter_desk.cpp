// SPDX-License-Identifier: GPL-3.0-or-later
// Shows the rows of parameters, applies edits, and shows the effect.
#include "app/desktop/parameter_desk.hpp"

#include "app/desktop/edit_desk.hpp"
#include "app/desktop/workbench/label_text.hpp"
#include "app/desktop/workbench/recording_text.hpp"
#include "app/pipeline/graph_edits.hpp"
#include "app/session/session.hpp"
#include "ui/parameters/param_text.hpp"
#include "ui/parameters/parameter_panel.hpp"

#include <algorithm>

namespace echolux {
namespace {

StageEntry entryOf(const StageState& stage) {
    StageEntry entry;
    entry.instance = QString::fromStdString(stage.id);
    entry.type = stage.type;
    entry.values = stage.params;
    entry.defaults = stage.defaults;
    entry.bypassable = stage.type->bypassable;
    entry.bypassed = stage.bypass;
    for (const ParamRow& row : stage.type->table.rows()) {
        const bool ofTransmits = row.type == ParamType::Mask && row.along == AxisName::Transmit;
        if (ofTransmits && stage.input().acquisition)
            entry.items[QString::fromStdString(row.key)] =
                transmitNames(*stage.input().acquisition);
    }
    entry.spans = stage.spans();
    return entry;
}

/// Of A against B, by the names that withBranch() gives.
StageEntry::Branch branchOf(const Snapshot& snapshot, const StageState& stage) {
    const auto exists = [&](const std::string& id) {
        return std::ranges::find(snapshot.stages, id, &StageState::id) != snapshot.stages.end();
    };
    if (exists(stage.id + kOfB)) return StageEntry::Branch::A;
    const bool isB = stage.id.ends_with(kOfB) &&
                     exists(stage.id.substr(0, stage.id.size() - std::string_view(kOfB).size()));
    return isB ? StageEntry::Branch::B : StageEntry::Branch::Both;
}

bool sameStages(const Snapshot& a, const Snapshot& b) {
    return std::ranges::equal(a.stages, b.stages, [](const StageState& x, const StageState& y) {
        return x.id == y.id && x.type == y.type;
    });
}

} // namespace

ParameterDesk::ParameterDesk(ParameterPanel& panel, Session& session, EditDesk& edits)
    : m_panel(panel), m_session(session), m_edits(edits) {
    connect(&panel, &ParameterPanel::parameterEdited, this, &ParameterDesk::edit);
    connect(&panel, &ParameterPanel::bypassToggled, this, &ParameterDesk::bypass);
    connect(&panel, &ParameterPanel::stageResetRequested, this, &ParameterDesk::reset);
    connect(&edits, &EditDesk::applied, this, &ParameterDesk::follow);
}

void ParameterDesk::recordingOpened() {
    m_panel.clearSearch();
    show();
}

void ParameterDesk::edit(const QString& instance, const QString& key, const ParamValue& value) {
    if (!m_session.isOpen()) return;
    const std::string stage = instance.toStdString();
    const std::string name = key.toStdString();
    const StageType& type = *m_session.snapshot()->stage(stage).type;
    const ParamRow* row = type.table.find(name);
    EditDesk::Name step{key, {}, instance + '/' + key};
    if (row != nullptr) {
        const QString label = QString::fromStdString(row->label);
        const QString shown = paramText(*row, value);
        step.what = inASentence(label);
        step.detail = QString::fromStdString(type.label) + ": " + step.what;
        if (!shown.isEmpty()) step.detail += ", " + shown;
    }
    const QString refusal = m_edits.edit(step, [&] {
        m_session.setValue(stage, name, value);
        for (const auto& [other, with] : m_session.snapshot()->stage(stage).companions(name))
            m_session.setValue(stage, other, with);
    });
    if (refusal.isEmpty()) return;
    const ParamValue held = m_session.snapshot()->stage(stage).params.get(name);
    m_panel.setValue(instance, key, held);
    m_panel.setError(instance, key, refusal);
}

void ParameterDesk::bypass(const QString& instance, bool bypassed) {
    const QString label = labelOf(instance);
    const QString what = (bypassed ? "switching off " : "switching on ") + label;
    const QString refusal = m_edits.edit({what, label + (bypassed ? ": off" : ": on")}, [&] {
        m_session.setBypass(instance.toStdString(), bypassed);
    });
    if (refusal.isEmpty()) return;
    m_panel.setBypassed(instance, !bypassed);
    emit failed(refusal);
}

void ParameterDesk::reset(const QString& instance) {
    const QString label = labelOf(instance);
    const QString refusal = m_edits.edit({"resetting " + label, label + ": reset"}, [&] {
        PipelineConfig config = toConfig(*m_session.snapshot());
        for (StageConfig& stage : config.stages)
            if (stage.id == instance.toStdString()) stage.values.clear();
        m_session.applyPipeline(config);
    });
    if (!refusal.isEmpty()) emit failed(refusal);
}

void ParameterDesk::resetAll() {
    const QString refusal = m_edits.edit({"resetting all parameters", "Reset all parameters"},
                                         [&] { m_session.applyPipeline(m_edits.atDefaults()); });
    if (!refusal.isEmpty()) emit failed(refusal);
    m_panel.clearErrors();
}

QString ParameterDesk::labelOf(const QString& instance) const {
    return QString::fromStdString(m_session.snapshot()->stage(instance.toStdString()).type->label);
}

void ParameterDesk::show() {
    const SnapshotPtr snapshot = m_session.snapshot();
    std::vector<StageEntry> entries;
    for (const StageState& stage : snapshot->stages) {
        entries.push_back(entryOf(stage));
        entries.back().branch = branchOf(*snapshot, stage);
    }
    m_panel.setStages(entries);
    for (const StageState& stage : snapshot->stages) showCurves(stage);
    followPipeline();
}

/// After an edit the defaults of later stages and the curves may have changed.
void ParameterDesk::follow(const SnapshotPtr& before) {
    const SnapshotPtr now = m_session.snapshot();
    if (!sameStages(*before, *now)) {
        show();
        return;
    }
    for (std::size_t i = 0; i < now->stages.size(); ++i)
        followRows(before->stages[i], now->stages[i]);
    followPipeline();
}

void ParameterDesk::followRows(const StageState& former, const StageState& stage) {
    const QString instance = QString::fromStdString(stage.id);
    for (const ParamRow& row : stage.type->table.rows()) {
        const QString key = QString::fromStdString(row.key);
        const ParamValue fallback = stage.defaults.get(row.key);
        if (fallback != former.defaults.get(row.key)) m_panel.setDefault(instance, key, fallback);
        const ParamValue value = stage.params.get(row.key);
        if (value != former.params.get(row.key)) m_panel.setValue(instance, key, value);
    }
    const std::vector<SliderSpan> before = former.spans();
    for (const SliderSpan& span : stage.spans())
        if (span.moves && std::ranges::find(before, span) == before.end())
            m_panel.setSliderRange(instance, QString::fromStdString(span.key), span.min, span.max);
    if (stage.bypass != former.bypass) m_panel.setBypassed(instance, stage.bypass);
    if (stage.curves() != former.curves()) showCurves(stage);
}

void ParameterDesk::followPipeline() {
    followMasks();
    nameSources();
    emit pipelineShown();
}

/// Curves and spectra from a calibration are named as such.
void ParameterDesk::nameSources() {
    const auto facts = m_session.spectrometer();
    if (!facts) return;
    const RecordingInfo& info = m_session.recording();
    const auto own = info.uncalibrated ? info.uncalibrated : info.frame.spectrometer;
    const SnapshotPtr snapshot = m_session.snapshot();
    const auto name = [this](const StageState* stage, const char* key, bool calibrated,
                             const char* ofCalibration, const char* ofRecording) {
        if (stage == nullptr) return;
        m_panel.setChoiceLabel(QString::fromStdString(stage->id), key, "recording",
                               calibrated ? ofCalibration : ofRecording);
    };
    name(snapshot->findRole(Role::Resamples), "curve", facts->resampling != own->resampling,
         "From the calibration", "From the recording");
    name(snapshot->findRole(Role::SubtractsBackground), "source",
         facts->background != own->background, "Captured or loaded", "Recorded spectrum");
}

/// A mask with all entries off leaves nothing to image.
void ParameterDesk::followMasks() {
    QString notice;
    for (const StageState& stage : m_session.snapshot()->stages) {
        for (const ParamRow& row : stage.type->table.rows()) {
            if (row.type != ParamType::Mask || stage.bypass) continue;
            const Mask mask = toMask(stage.params.get(row.key));
            const bool off = std::ranges::all_of(mask.entries, [](double on) { return on == 0.0; });
            if (!mask.word.empty() || !off) continue;
            notice = QString("Nothing to image: under %1, none of \"%2\" is switched on.")
                         .arg(QString::fromStdString(stage.type->label),
                              QString::fromStdString(row.label));
        }
    }
    emit noticeChanged(notice);
}

void ParameterDesk::showCurves(const StageState& stage) {
    for (const StageCurve& curve : stage.curves())
        m_panel.setCurve(QString::fromStdString(stage.id), curve);
}

} // namespace echolux
