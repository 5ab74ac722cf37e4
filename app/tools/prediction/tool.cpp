// SPDX-License-Identifier: GPL-3.0-or-later
// From the pipeline in force to predictions, with the times that are measured here beside them.
#include "app/tools/prediction/tool.hpp"

#include "app/desktop/workbench/tool_type.hpp"
#include "app/desktop/workbench/workbench.hpp"
#include "app/pipeline/steps.hpp"
#include "app/prediction/device_file.hpp"
#include "app/tools/prediction/panel.hpp"
#include "gpu/core/error.hpp"
#include "gpu/microbench/microbench.hpp"

#include <QPointer>
#include <QSettings>
#include <QVariantList>

#include <algorithm>
#include <utility>

namespace echolux {
namespace {

constexpr const char* kDeviceKey = "prediction/device";
constexpr const char* kMarksKey = "prediction/marks";
constexpr const char* kUsualDevice = "h200";
constexpr std::size_t kFramesInFlight = 3;
constexpr double kMillisPerSecond = 1e3;

QString text(std::string_view words) {
    return QString::fromUtf8(words.data(), static_cast<qsizetype>(words.size()));
}

/// In words that explain themselves.
QString boundText(model::Bound bound) {
    return bound == model::Bound::Offsets ? "addresses and loads" : text(nameOf(bound));
}

/// The name without its maker, which would leave no room for what differs.
QString shortName(const model::Device& device) {
    QString name = text(device.name);
    for (const char* maker : {"NVIDIA ", "GeForce "}) name.remove(maker);
    return name;
}

double perSecond(double seconds) { return seconds > 0.0 ? 1.0 / seconds : 0.0; }

/// Mean seconds of a step that was measured; null where the measured steps are others.
std::optional<double> measuredMs(const Statistics& now, const PipelinePrediction& prediction,
                                 std::size_t step) {
    if (now.stages.size() != prediction.steps.size()) return std::nullopt;
    const StageDuration& measured = now.stages[step];
    if (labelOf(measured.ids) != prediction.steps[step].label || measured.ms.mean <= 0.0)
        return std::nullopt;
    return measured.ms.mean;
}

void setMixedRoofs(const PipelinePrediction& prediction, PredictedRoofs& roofs) {
    double operations = 0.0;
    double bytes = 0.0;
    model::RooflineTimes times;
    for (const StepPrediction& step : prediction.steps) {
        operations += step.operations;
        bytes += step.globalBytes;
        times.compute += step.roofs.compute;
        times.memory += step.roofs.memory;
    }
    if (!(times.compute > 0.0) || !(times.memory > 0.0)) return;
    roofs.mixedOperations = operations / times.compute;
    roofs.mixedBytes = bytes / times.memory;
}

/// Parts and occupancy of the longest kernel.
void setParts(const StepPrediction& step, bool isCpu, PredictedStage& stage) {
    const StepKernel* const longest = step.longest();
    if (longest == nullptr) return;
    for (const model::PartPrediction& part : longest->predicted.parts)
        stage.parts.append({text(part.name), kMillisPerSecond * part.total.low,
                            kMillisPerSecond * part.total.high});
    if (isCpu) return;
    const model::Occupancy& most = longest->predicted.occupancy;
    stage.occupancy = QString("%1 blocks of %2 threads are active on a multiprocessor, %3 % of "
                              "what it holds")
                          .arg(most.blocks)
                          .arg(longest->launch.threads)
                          .arg(100.0 * most.threads, 0, 'f', 0);
    if (!most.limit.empty()) stage.occupancy += QString("; the limit is %1").arg(text(most.limit));
}

PredictedPipeline pipelineOf(const model::Device& device, const PipelinePrediction& prediction,
                             const Statistics* measured) {
    PredictedPipeline shown;
    shown.device = text(device.name);
    const model::Rates reached = model::reachedRates(device);
    shown.roofs = {reached.ffma, reached.global, device.theory.ffma, device.theory.global};
    setMixedRoofs(prediction, shown.roofs);
    for (std::size_t i = 0; i < prediction.steps.size(); ++i) {
        const StepPrediction& step = prediction.steps[i];
        PredictedStage stage{text(step.label), kMillisPerSecond * step.likely.low,
                             kMillisPerSecond * step.likely.high};
        if (measured != nullptr) stage.measuredMs = measuredMs(*measured, prediction, i);
        stage.bound = boundText(step.bound);
        stage.operations = step.operations;
        stage.globalBytes = step.globalBytes;
        setParts(step, device.isCpu, stage);
        shown.stages.append(stage);
    }
    shown.lowFps = perSecond(prediction.likelyFrame.high);
    shown.highFps = perSecond(prediction.likelyFrame.low);
    shown.latencyMs = kMillisPerSecond * prediction.latency.middle();
    shown.uploadMs = kMillisPerSecond * prediction.upload;
    shown.bound = boundText(prediction.bound);
    shown.bytes = static_cast<double>(prediction.bytes);
    shown.fits = prediction.fits;
    return shown;
}

} // namespace

namespace tools {

ToolType prediction();
ToolType prediction() {
    return toolType<PredictionPanel, PredictionTool>("prediction", "Prediction");
}

} // namespace tools

PredictionTool::PredictionTool(PredictionPanel& panel, Workbench& bench)
    : m_panel(panel), m_bench(bench),
      m_processor(QString::fromStdString(microbench::processorName())) {
    for (const model::Device& device : shippedDevices()) m_known.push_back({device});
    listDevices();
    panel.choose(kUsualDevice);
    panel.setMarks({2000.0, 6800.0});
    connect(&bench, &Workbench::measured, this, [this](const Statistics& now) {
        m_now = now;
        follow();
    });
    connect(&bench, &Workbench::measuredTheSame, this, &PredictionTool::rest);
    connect(&bench, &Workbench::pipelineChanged, this, &PredictionTool::syncFromPipeline);
    connect(&bench, &Workbench::recordingChanged, this, &PredictionTool::syncFromPipeline);
    connect(&panel, &SeenWidget::cameIntoSight, this, &PredictionTool::follow);
    connect(&panel, &PredictionPanel::deviceChosen, this, &PredictionTool::showChosen);
    connect(&panel, &PredictionPanel::fileChosen, this, &PredictionTool::openFile);
    connect(&panel, &PredictionPanel::measureWanted, this, &PredictionTool::measureHere);
    connect(&bench, &Workbench::habitsRestored, this, [this](const QSettings& store) {
        m_panel.choose(store.value(kDeviceKey, kUsualDevice).toString());
        const QVariantList marks = store.value(kMarksKey).toList();
        QList<double> rates;
        for (const QVariant& mark : marks)
            if (mark.toDouble() > 0.0) rates.append(mark.toDouble());
        if (!rates.isEmpty()) m_panel.setMarks(rates);
    });
    connect(&bench, &Workbench::habitsKept, this, [this](QSettings& store) {
        store.setValue(kDeviceKey, m_panel.device());
        QVariantList marks;
        for (const double mark : m_panel.marks()) marks << mark;
        store.setValue(kMarksKey, marks);
    });
}

bool PredictionTool::isHere(const model::Device& device) const {
    const BackendChoice& place = m_bench.backend();
    if (device.isCpu) return place.backend == Backend::Cpu && text(device.name) == m_processor;
    return place.backend == Backend::Cuda && isCalled(device, place.device);
}

Fusing PredictionTool::fusing() const { return m_now.isSeparate ? Fusing::Never : Fusing::Allowed; }

void PredictionTool::listDevices() {
    QStringList ids;
    QStringList names;
    for (const Known& known : m_known) {
        ids << QString::fromStdString(known.device.id);
        names << QString::fromStdString(known.device.name);
    }
    m_panel.setDevices(ids, names);
}

/// Adds the device, or replaces the one with the same id, and shows it.
void PredictionTool::add(model::Device device) {
    const QString id = QString::fromStdString(device.id);
    const auto same = [&](const Known& known) { return known.device.id == device.id; };
    const auto former = std::ranges::find_if(m_known, same);
    Known& known = former == m_known.end() ? m_known.emplace_back() : *former;
    known.device = std::move(device);
    listDevices();
    m_panel.choose(id);
    syncFromPipeline();
    follow();
}

void PredictionTool::openFile(const QString& path) {
    try {
        add(readDevice(path.toStdString()));
    } catch (const Error& error) {
        m_bench.fail(QString::fromUtf8(error.what()));
    }
}

void PredictionTool::measureHere() {
    m_panel.setMeasuring(true);
    m_bench.compute([tool = QPointer(this)](const std::stop_token&) -> Background::Finish {
        model::Device device = microbench::measureHost(microbench::kUsualHostSeconds).device;
        return [tool, device = std::move(device)] {
            if (!tool) return;
            tool->m_panel.setMeasuring(false);
            tool->add(device);
        };
    });
}

void PredictionTool::syncFromPipeline() {
    m_predicted.reset();
    if (!m_bench.isOpen()) m_panel.clear();
}

bool PredictionTool::isStale() const {
    return m_predicted != m_bench.snapshot() || m_fusing != fusing();
}

/// Predicts where the pipeline is another one, and shows the times that were measured since.
void PredictionTool::follow() {
    if (!m_bench.isOpen() || !m_panel.isSeen()) return;
    if (isStale()) {
        predict();
        showRates();
    }
    showChosen();
}

/// Nothing was measured anew.
void PredictionTool::rest() {
    if (m_bench.isOpen() && isStale()) follow();
}

void PredictionTool::predict() {
    m_predicted = m_bench.snapshot();
    m_fusing = fusing();
    for (Known& known : m_known) {
        known.refusal.clear();
        try {
            known.prediction =
                predictPipeline(m_predicted, known.device, {m_fusing, kFramesInFlight});
        } catch (const Error& error) {
            known.refusal = QString::fromUtf8(error.what());
        }
    }
}

void PredictionTool::showChosen() {
    if (!m_predicted) return;
    const std::string id = m_panel.device().toStdString();
    const auto chosen =
        std::ranges::find_if(m_known, [&](const Known& known) { return known.device.id == id; });
    if (chosen == m_known.end()) return;
    if (!chosen->refusal.isEmpty()) return m_panel.setRefusal(chosen->refusal);
    m_panel.setPipeline(
        pipelineOf(chosen->device, chosen->prediction, isHere(chosen->device) ? &m_now : nullptr));
}

void PredictionTool::showRates() {
    QList<PredictedRate> rates;
    for (const Known& known : m_known) {
        const PipelinePrediction& prediction = known.prediction;
        PredictedRate rate{shortName(known.device), perSecond(prediction.likelyFrame.high),
                           perSecond(prediction.likelyFrame.low), boundText(prediction.bound),
                           known.refusal};
        if (rate.refusal.isEmpty() && !prediction.fits)
            rate.refusal = "needs more memory than it has";
        rate.isHere = isHere(known.device);
        rates.append(rate);
    }
    std::ranges::stable_sort(rates, std::ranges::greater(), [](const PredictedRate& rate) {
        return rate.refusal.isEmpty() ? rate.highFps : 0.0;
    });
    m_panel.setRates(rates);
}

} // namespace echolux
