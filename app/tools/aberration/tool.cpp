// SPDX-License-Identifier: GPL-3.0-or-later
// Decides what is estimated next and uses the result. edits.cpp and filters.cpp hold the user's
// actions.
#include "app/tools/aberration/tool.hpp"

#include "app/dataset/recording/recording.hpp"
#include "app/desktop/workbench/tool_type.hpp"
#include "app/desktop/workbench/workbench.hpp"
#include "app/session/known_screen.hpp"
#include "app/tools/aberration/values.hpp"
#include "gpu/core/aligned_channels.hpp"
#include "gpu/core/error.hpp"
#include "ui/aberration/aberration_panel.hpp"
#include "ui/aberration/iteration_view.hpp"

#include <QAction>
#include <QComboBox>
#include <QDir>
#include <QDockWidget>

#include <algorithm>
#include <cstdlib>
#include <utility>

namespace echolux {
namespace {

constexpr std::int64_t kLeastEstimatePauseMs = 250;
constexpr const char* kShippedPipeline = "aberration"; ///< shipped

} // namespace

namespace tools {

ToolType aberration();
ToolType aberration() {
    return toolType<AberrationPanel, AberrationTool>("aberration", "Aberration");
}

} // namespace tools

AberrationTool::AberrationTool(AberrationPanel& panel, Workbench& bench)
    : m_panel(panel), m_bench(bench), m_runner(bench, kLeastEstimatePauseMs),
      m_estimator(std::make_shared<AberrationEstimator>()) {
    m_clock.start();
    m_blinking.setInterval(kBlinkMs);
    connect(&m_runner, &ProbeRunner::due, this, &AberrationTool::estimateIfStale);
    connect(&m_blinking, &QTimer::timeout, this, &AberrationTool::blink);
    connect(&bench, &Workbench::recordingChanged, this, [this] {
        forgetRecording();
        openForCube();
    });
    connect(&bench, &Workbench::pipelineChanged, this, &AberrationTool::syncFromPipeline);
    connect(&bench, &Workbench::framePresented, this, [this] {
        showAge();
        requestEstimate();
    });
    bench.showOver(0, m_region);
    connect(&m_panel, &AberrationPanel::cameIntoSight, this, &AberrationTool::syncChain);
    connect(&m_panel, &AberrationPanel::regionToggled, this, &AberrationTool::showRegion);
    connect(&m_panel, &AberrationPanel::bandDragged, this, &AberrationTool::editBand);
    connect(&m_panel, &AberrationPanel::patchChosen, this, &AberrationTool::syncChain);
    connect(&m_panel, &AberrationPanel::correctionChosen, this, &AberrationTool::correct);
    connect(&m_panel, &AberrationPanel::filterWanted, this,
            [this] { chooseFilterFile(aberration::FilterNaming::Plain); });
    connect(&m_panel, &AberrationPanel::partsWanted, this,
            [this] { chooseFilterFile(aberration::FilterNaming::Herikstad); });
    connect(&bench, &Workbench::measured, this, &AberrationTool::showTimes);
    connect(&m_panel.iterations(), &IterationView::cineWanted, this,
            &AberrationTool::chooseCineFile);
    connect(&m_panel, &AberrationPanel::loadWanted, this, &AberrationTool::chooseLoadedFilter);
    connect(&m_panel, &AberrationPanel::estimateWanted, this, &AberrationTool::useEstimate);
    connect(&m_panel, &AberrationPanel::pipelineRequested, this,
            [this] { m_bench.openShipped(kShippedPipeline); });
    connect(&m_panel, &AberrationPanel::failed, &bench, &Workbench::fail);
    connect(&m_panel, &AberrationPanel::saved, this, [this](const QString& path) {
        m_bench.inform("Saved: " + QDir::toNativeSeparators(path));
    });
}

void AberrationTool::forgetRecording() {
    m_chain = nullptr;
    m_blinking.stop();
    m_blinkStrength.reset();
    m_lastStrength = 1.0;
    m_madeFrame = -1;
    m_timedKey.clear();
    m_panel.clear();
}

/// A cube of aligned channels is recorded for its estimate, so the dock opens with it.
void AberrationTool::openForCube() {
    if (!m_bench.isOpen()) return;
    const auto& acquisition = m_bench.recording().frame.acquisition;
    if (acquisition == nullptr || !alignedOn(*acquisition)) return;
    QWidget* dock = m_panel.parentWidget();
    while (dock != nullptr && qobject_cast<QDockWidget*>(dock) == nullptr)
        dock = dock->parentWidget();
    if (dock == nullptr) return;
    if (dock->isHidden()) qobject_cast<QDockWidget*>(dock)->toggleViewAction()->trigger();
    dock->raise();
}

void AberrationTool::syncFromPipeline() {
    if (!m_bench.isOpen()) return;
    const SnapshotPtr snapshot = m_bench.snapshot();
    syncCorrection(*snapshot);
    syncFilter(*snapshot);
    syncRegion(*snapshot);
    syncChain();
}

/// While the panel is hidden the chain is not updated. It is updated when the panel becomes
/// visible.
void AberrationTool::syncChain() {
    if (!m_bench.isOpen()) return;
    if (!m_panel.isSeen()) {
        m_chain = nullptr;
        return;
    }
    const SnapshotPtr snapshot = m_bench.snapshot();
    try {
        m_chain = std::make_shared<const AberrationChain>(
            aberrationChain(*snapshot, m_panel.patches().currentIndex()));
        m_panel.setPatches(static_cast<int>(m_chain->patches));
    } catch (const Error& error) {
        m_chain = nullptr;
        m_madeFrame = -1;
        const bool sound =
            snapshot->input.acquisition != nullptr && snapshot->input.spectrometer == nullptr;
        m_panel.setReason(m_bench.inLabels(error.what()),
                          sound && snapshot->findRole(Role::EstimatesScreen) == nullptr);
        return;
    }
    if (!m_panel.reason().isEmpty()) m_madeFrame = -1;
    m_panel.setReason({});
    requestEstimate();
}

void AberrationTool::showAge() {
    if (m_madeFrame < 0 || !m_bench.isOpen()) return;
    const std::int64_t shown = m_bench.shownFrame();
    m_panel.setAge(static_cast<int>(m_madeAge + std::abs(shown - m_madeFrame)));
}

void AberrationTool::showTimes(const Statistics& now) {
    if (m_chain == nullptr || !m_panel.isSeen()) return;
    AberrationTimes times;
    for (const StageDuration& step : now.stages) {
        const auto holds = [&](const std::string& id) {
            return std::ranges::find(step.ids, id) != step.ids.end();
        };
        if (holds(m_chain->stage)) times.estimateMs += step.ms.mean;
        if (std::ranges::any_of(m_correctors, holds)) times.correctionMs += step.ms.mean;
    }
    m_panel.setTimes(times);
}

void AberrationTool::requestEstimate() {
    if (m_chain != nullptr && m_panel.isSeen()) m_runner.request();
}

void AberrationTool::estimateIfStale() {
    if (m_chain == nullptr || !m_panel.isSeen()) return;
    const bool stands = m_madeFrame == m_bench.shownFrame();
    if (stands && m_madeKey == m_chain->key) return;
    estimate();
}

void AberrationTool::estimate() {
    auto batch = std::make_shared<Batch>();
    batch->key = m_chain->key;
    m_runner.start(
        {.stage = m_chain->stage,
         .prepare = [estimator = m_estimator, chain = m_chain] { estimator->prepare(*chain); },
         .take =
             [estimator = m_estimator, chain = m_chain, batch](const ProbedFrame& shown) {
                 // After an edit the frame comes again.
                 if (shown.snapshot == nullptr ||
                     aberrationChain(*shown.snapshot, chain->patch).key != chain->key)
                     return false;
                 estimator->take(shown.samples, shown.state);
                 batch->frame = shown.index;
                 return true;
             },
         .compute =
             [estimator = m_estimator, chain = m_chain, batch,
              truth = knownScreen(m_chain->screens, m_bench.recording().aberration.get()),
              backend = m_bench.backend(), timedKey = m_timedKey] {
                 AberrationLook look = estimator->look();
                 batch->values = valuesOf(look, truth);
                 batch->age = look.estimate.age;
                 batch->filter = {.filter = look.estimate.filter,
                                  .centreHz = look.estimate.centreHz,
                                  .elements = chain->raw.acquisition->probe.elements,
                                  .grid = look.grid};
                 batch->steps = std::move(look.estimate.steps);
                 batch->timedKey = batch->key + '\n' + backend.device;
                 if (batch->timedKey == timedKey) return;
                 chooseBackend(nameOf(backend.backend), backend.gpu); // for this thread
                 batch->parts = estimator->parts(backend.backend);
             },
         .accept = [this, batch](const ProbeOutcome& outcome) { show(*batch, outcome.problem); }});
}

void AberrationTool::show(Batch& batch, const std::string& problem) {
    if (m_chain == nullptr) return;
    if (batch.values) {
        m_panel.setValues(*batch.values, static_cast<double>(m_clock.elapsed()) * 1e-3);
        m_filter = batch.filter;
        m_steps = std::move(batch.steps);
        m_madeFrame = batch.frame;
        m_madeAge = batch.age;
        m_madeKey = batch.key;
        if (batch.parts) {
            m_timedKey = batch.timedKey;
            m_panel.setParts(AberrationParts{batch.parts->focusMs, batch.parts->sumsMs,
                                             batch.parts->solutionMs, batch.parts->endMs});
        }
        showAge();
        if (m_chain->key != batch.key) requestEstimate();
    } else if (!problem.empty()) {
        m_panel.setProblem(m_bench.inLabels(problem));
        m_madeKey = batch.key; // the same estimate would fail again
        m_madeFrame = m_bench.shownFrame();
        m_madeAge = 0;
    }
}

} // namespace echolux
