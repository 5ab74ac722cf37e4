// SPDX-License-Identifier: GPL-3.0-or-later
// Parameters: what people edit becomes a new snapshot, or a sentence; rows, curves and limits
// follow.
#include "app/desktop/desktop.hpp"

#include "app/desktop/curves.hpp"
#include "app/desktop/label_text.hpp"
#include "app/desktop/recording_text.hpp"
#include "app/desktop/slider_ranges.hpp"
#include "ui/parameters/display_group.hpp"
#include "ui/parameters/param_text.hpp"
#include "ui/parameters/parameter_panel.hpp"
#include "ui/performance/performance_panel.hpp"
#include "ui/plots/view_lines_plot.hpp"
#include "ui/views/image_view.hpp"
#include "ui/views/view_area.hpp"
#include "ui/window/main_window.hpp"
#include "ui/window/message_bar.hpp"

#include <algorithm>
#include <utility>

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
    if (stage.type->id == "beamform" && stage.input.acquisition) {
        entry.items["transmits"] = transmitNames(*stage.input.acquisition);
    }
    entry.sliderRanges = sliderRangesOf(stage);
    return entry;
}

/// A label that does not begin a sentence; abbreviations keep their capitals.
QString inASentence(QString label) {
    const bool isWord = label.size() > 1 && label[1].isLower();
    if (isWord) label[0] = label[0].toLower();
    return label;
}

bool sameStages(const Snapshot& a, const Snapshot& b) {
    return std::ranges::equal(a.stages, b.stages, [](const StageState& x, const StageState& y) {
        return x.id == y.id && x.type == y.type;
    });
}

} // namespace

void Desktop::connectParameters() {
    ParameterPanel& panel = m_window->parameters();
    connect(&panel, &ParameterPanel::parameterEdited, this, &Desktop::editParameter);
    connect(&panel, &ParameterPanel::bypassToggled, this,
            [this](const QString& instance, bool bypassed) {
                const QString label = labelOf(instance);
                const QString what = (bypassed ? "switching off " : "switching on ") + label;
                const QString refusal =
                    m_edits.edit({what, label + (bypassed ? ": off" : ": on")},
                                 [&] { m_session.setBypass(instance.toStdString(), bypassed); });
                if (refusal.isEmpty()) return;
                m_window->parameters().setBypassed(instance, !bypassed);
                failed(refusal, Topic::Edit);
            });
    connect(&panel, &ParameterPanel::stageResetRequested, this, [this](const QString& instance) {
        const QString label = labelOf(instance);
        const QString refusal = m_edits.edit({"resetting " + label, label + ": reset"}, [&] {
            PipelineConfig config = toConfig(*m_session.snapshot());
            for (StageConfig& stage : config.stages)
                if (stage.id == instance.toStdString()) stage.values.clear();
            m_session.applyPipeline(config);
        });
        if (!refusal.isEmpty()) failed(refusal, Topic::Edit);
    });
    connect(m_window.get(), &MainWindow::resetParametersRequested, this, [this] {
        const QString refusal =
            m_edits.edit({"resetting all parameters", "Reset all parameters"},
                         [&] { m_session.applyPipeline(m_edits.atDefaults()); });
        if (!refusal.isEmpty()) failed(refusal, Topic::Edit);
        m_window->parameters().clearErrors();
    });
}

QString Desktop::labelOf(const QString& instance) const {
    return QString::fromStdString(m_session.snapshot()->stage(instance.toStdString()).type->label);
}

/// Where it is refused, the row says why and shows the value that holds.
void Desktop::editParameter(const QString& instance, const QString& key, const ParamValue& value) {
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
    const QString refusal = m_edits.edit(step, [&] { m_session.setValue(stage, name, value); });
    if (refusal.isEmpty()) return;
    const ParamValue held = m_session.snapshot()->stage(stage).params.get(name);
    m_window->parameters().setValue(instance, key, held);
    m_window->parameters().setError(instance, key, refusal);
}

EditDesk::Means Desktop::editMeans() {
    return {[this](const std::function<void()>& change) { return attempt(change); },
            [this](const DisplayChoice& choice) { showDisplay(choice); },
            [this](const RecordingState& left, const std::function<void()>& adopted) {
                reopen(left, adopted);
            }};
}

void Desktop::connectEdits() {
    connect(&m_window->performance(), &PerformancePanel::separatelyToggled, this,
            [this](bool separately) {
                if (m_session.isOpen()) m_session.engine().timeSeparately(separately);
            });
    m_edits.displayFollowed();
    connect(&m_edits, &EditDesk::changed, this, [this] {
        m_window->messages().withdraw({Topic::Edit, Topic::Opening});
    });
    connect(&m_edits, &EditDesk::steppedOver, this,
            [this] { m_window->messages().withdraw({Topic::Calibration}); });
    connect(&m_edits, &EditDesk::failed, this,
            [this](const QString& sentence) { failed(sentence, Topic::Edit); });
}

void Desktop::connectPresets() {
    connect(&m_presets, &PresetDesk::failed, this,
            [this](const QString& sentence) { failed(sentence, Topic::Edit); });
    connect(&m_pipelines, &PipelineDesk::failed, this, [this](const QString& sentence) {
        failed(inLabels(sentence.toStdString()), Topic::Edit);
    });
    connect(&m_pipelines, &PipelineDesk::moveWanted, this, &Desktop::movePipeline);
    connect(&m_pipelines, &PipelineDesk::warned, this,
            [this](const QString& sentence) { tell(Severity::Warning, sentence, Topic::General); });
    connect(&m_pipelines, &PipelineDesk::informed, this,
            [this](const QString& sentence) { tell(Severity::Info, sentence, Topic::General); });
    connect(&m_presets, &PresetDesk::informed, this,
            [this](const QString& sentence) { tell(Severity::Info, sentence, Topic::General); });
}

/// Also where the pipeline has just been made to mean another range.
void Desktop::showDisplay(const DisplayChoice& choice) {
    m_window->display().setSettings(choice);
    m_views->setColours(choice);
    const std::optional<ValueRange> meant = m_session.snapshot()->output().valueRange;
    m_view->setDisplayRangeFor(meant, choice.min, choice.max);
}

void Desktop::connectCalibration() {
    connect(&m_calibration, &CalibrationDesk::failed, this,
            [this](const QString& sentence) { failed(sentence, Topic::Edit); });
    connect(&m_calibration, &CalibrationDesk::warned, this, [this](const QString& sentence) {
        tell(Severity::Warning, sentence, Topic::Calibration);
    });
    connect(&m_calibration, &CalibrationDesk::informed, this,
            [this](const QString& sentence) { tell(Severity::Info, sentence, Topic::General); });
}

/// Does what was asked and shows what follows from it; returns why it was refused, or nothing.
QString Desktop::attempt(const std::function<void()>& change) {
    if (!m_session.isOpen()) return {};
    const SnapshotPtr before = m_session.snapshot();
    try {
        change();
        refreshStages(before);
    } catch (const std::exception& error) {
        return inLabels(error.what());
    }
    return {};
}

void Desktop::showStages() {
    const SnapshotPtr snapshot = m_session.snapshot();
    std::vector<StageEntry> entries;
    for (const StageState& stage : snapshot->stages) entries.push_back(entryOf(stage));
    m_window->parameters().setStages(entries);
    for (const StageState& stage : snapshot->stages) showCurves(stage);
    followViews();
    followValueRange();
    followMasks();
    nameSources();
    tellPipelineWarnings();
    m_graph.follow();
    m_text.follow();
}

void Desktop::followViews() {
    const QStringList names = viewNames(*m_session.snapshot());
    const auto& first = m_session.snapshot()->output();
    const bool compares = names.size() > 1 || first.find(AxisName::Channel) != nullptr;
    if (!compares) m_window->viewLines().clear();
    m_window->showViewLines(compares);
    if (std::exchange(m_viewNames, names) != names) m_views->setViewNames(names);
}

/// Each text once, however long a slider is dragged.
void Desktop::tellPipelineWarnings() {
    QStringList sentences;
    for (const std::string& warning : m_session.snapshot()->warnings())
        sentences.push_back(inLabels(warning));
    const QString text = sentences.join(' ');
    if (std::exchange(m_pipelineWarning, text) != text)
        tell(Severity::Warning, text, Topic::Pipeline);
}

/// The display's sliders span what the pipeline's output is meant for, with as much room on either
/// side.
void Desktop::followValueRange() {
    const std::optional<ValueRange> range = m_session.snapshot()->output().valueRange;
    if (range) showValueRange(*range); // else the first such frame tells what it holds
}

void Desktop::showValueRange(const ValueRange& range) {
    if (range == m_shownRange) return;
    m_shownRange = range;
    const double span = range.max - range.min;
    const bool magnitudes = range.unit.empty() && range.min >= 0.0;
    DisplayGroup& group = m_window->display();
    group.setRangeLimits(magnitudes ? 0.0 : range.min - span, range.max + span,
                         QString::fromStdString(range.unit));
    DisplayChoice defaults;
    defaults.min = range.min;
    defaults.max = range.max;
    group.setDefaults(defaults);
}

QString Desktop::inLabels(const std::string& sentence) {
    return m_session.isOpen() ? echolux::inLabels(sentence, *m_session.snapshot())
                              : QString::fromStdString(sentence);
}

/// After an edit: later stages' defaults may have followed, curves change.
void Desktop::refreshStages(const SnapshotPtr& before) {
    const SnapshotPtr now = m_session.snapshot();
    if (!sameStages(*before, *now)) {
        showStages();
        return;
    }
    ParameterPanel& panel = m_window->parameters();
    for (std::size_t i = 0; i < now->stages.size(); ++i) {
        const StageState& stage = now->stages[i];
        const StageState& former = before->stages[i];
        const QString instance = QString::fromStdString(stage.id);
        for (const ParamRow& row : stage.type->table.rows()) {
            const QString key = QString::fromStdString(row.key);
            const ParamValue fallback = stage.defaults.get(row.key);
            if (fallback != former.defaults.get(row.key)) panel.setDefault(instance, key, fallback);
            const ParamValue value = stage.params.get(row.key);
            if (value != former.params.get(row.key)) panel.setValue(instance, key, value);
        }
        if (stage.bypass != former.bypass) panel.setBypassed(instance, stage.bypass);
        if (!haveSameCurves(former, stage)) showCurves(stage);
    }
    followViews();
    followValueRange();
    followMasks();
    nameSources();
    tellPipelineWarnings();
    m_graph.follow();
    m_text.follow();
}

/// Curves and spectra that did not come with the recording are called those of the calibration.
void Desktop::nameSources() {
    const auto facts = m_session.spectrometer();
    if (!facts) return;
    const RecordingInfo& info = m_session.engine().info();
    const auto own = info.uncalibrated ? info.uncalibrated : info.frame.spectrometer;
    const auto name = [this](const char* type, const char* key, bool calibrated,
                             const char* ofCalibration, const char* ofRecording) {
        const StageState* stage = m_session.snapshot()->findType(type);
        if (stage == nullptr) return;
        m_window->parameters().setChoiceLabel(QString::fromStdString(stage->id), key, "recording",
                                              calibrated ? ofCalibration : ofRecording);
    };
    name("k_linearize", "curve", facts->resampling != own->resampling, "From the calibration",
         "From the recording");
    name("background_subtract", "source", facts->background != own->background,
         "Captured or loaded", "Recorded spectrum");
}

/// A mask with everything off leaves nothing to image.
void Desktop::followMasks() {
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
    m_view->setNotice(notice);
}

void Desktop::showCurves(const StageState& stage) {
    for (const CurveData& curve : curvesOf(stage)) {
        m_window->parameters().setCurve(QString::fromStdString(stage.id), curve);
    }
}

} // namespace echolux
