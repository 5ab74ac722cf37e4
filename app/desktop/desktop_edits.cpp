// SPDX-License-Identifier: GPL-3.0-or-later
// Parameters: what people edit becomes a new snapshot, or a sentence; rows, curves and limits
// follow.
#include "app/desktop/desktop.hpp"

#include "app/desktop/curves.hpp"
#include "app/desktop/label_text.hpp"
#include "app/desktop/recording_text.hpp"
#include "app/desktop/slider_ranges.hpp"
#include "ui/display_group.hpp"
#include "ui/image_view.hpp"
#include "ui/main_window.hpp"
#include "ui/message_bar.hpp"
#include "ui/parameter_panel.hpp"

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
    if (stage.type->id == "beamform" && stage.input.acquisition) {
        entry.items["transmits"] = transmitNames(*stage.input.acquisition);
    }
    entry.sliderRanges = sliderRangesOf(stage);
    return entry;
}

bool sameStages(const Snapshot& a, const Snapshot& b) {
    return std::ranges::equal(a.stages, b.stages, [](const StageState& x, const StageState& y) {
        return x.id == y.id && x.type == y.type;
    });
}

} // namespace

void Desktop::connectParameters() {
    ParameterPanel& panel = m_window->parameters();
    connect(&panel, &ParameterPanel::parameterEdited, this,
            [this](const QString& instance, const QString& key, const ParamValue& value) {
                const QString refusal = attempt(
                    [&] { m_session.setValue(instance.toStdString(), key.toStdString(), value); });
                m_window->parameters().setError(instance, key, refusal);
            });
    connect(&panel, &ParameterPanel::bypassToggled, this,
            [this](const QString& instance, bool bypassed) {
                const QString refusal =
                    attempt([&] { m_session.setBypass(instance.toStdString(), bypassed); });
                if (refusal.isEmpty()) return;
                m_window->parameters().setBypassed(instance, !bypassed);
                failed(refusal.toStdString());
            });
    connect(m_window.get(), &MainWindow::resetParametersRequested, this, [this] {
        const QString refusal = attempt([&] { m_session.resetParameters(); });
        if (!refusal.isEmpty()) failed(refusal.toStdString());
    });
}

void Desktop::connectCalibration() {
    connect(&m_calibration, &CalibrationDesk::failed, this,
            [this](const QString& sentence) { failed(sentence.toStdString()); });
    connect(&m_calibration, &CalibrationDesk::warned, this,
            [this](const QString& sentence) { warned(sentence.toStdString()); });
    connect(&m_calibration, &CalibrationDesk::informed, this, [this](const QString& sentence) {
        m_window->messages().show(Severity::Info, sentence);
    });
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
    followValueRange();
    followMasks();
    nameSources();
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
        showCurves(stage);
    }
    followValueRange();
    followMasks();
    nameSources();
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
            const auto mask = std::get<std::vector<double>>(stage.params.get(row.key));
            const bool off = std::ranges::all_of(mask, [](double on) { return on == 0.0; });
            if (mask.empty() || !off) continue;
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
