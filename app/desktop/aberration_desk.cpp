// SPDX-License-Identifier: GPL-3.0-or-later
// What is estimated next, and what becomes of it; aberration_edits.cpp and
// aberration_filters.cpp have what people do.
#include "app/desktop/aberration_desk.hpp"

#include "app/desktop/aberration_values_of.hpp"
#include "app/desktop/pipeline_desk.hpp"
#include "app/desktop/workbench/label_text.hpp"
#include "gpu/core/error.hpp"
#include "ui/aberration/aberration_panel.hpp"
#include "ui/views/image_view.hpp"
#include "ui/window/main_window.hpp"

#include <QComboBox>

#include <algorithm>
#include <cstdlib>
#include <utility>

namespace echolux {
namespace {

constexpr std::int64_t kLeastPauseMs = 250;
constexpr const char* kPipeline = "aberration"; ///< shipped; and the stage's type

} // namespace

AberrationDesk::AberrationDesk(MainWindow& window, ImageView& image, Session& session,
                               const Desks& desks, Workbench& bench)
    : m_panel(window.aberration()), m_image(image), m_session(session), m_desks(desks),
      m_runner(bench, kLeastPauseMs), m_estimator(std::make_shared<AberrationEstimator>()) {
    m_clock.start();
    m_blinking.setInterval(kBlinkMs);
    connect(&m_runner, &ProbeRunner::due, this, &AberrationDesk::ask);
    connect(&m_blinking, &QTimer::timeout, this, &AberrationDesk::blink);
    connect(&image, &ImageView::framePresented, this, [this] {
        tellAge();
        wait();
    });
    connect(&image, &ImageView::boxDragged, this, &AberrationDesk::editRegion);
    connect(&m_panel, &AberrationPanel::cameIntoSight, this, &AberrationDesk::follow);
    connect(&m_panel, &AberrationPanel::regionToggled, this, &AberrationDesk::showRegion);
    connect(&m_panel, &AberrationPanel::bandDragged, this, &AberrationDesk::editBand);
    connect(&m_panel, &AberrationPanel::patchChosen, this, &AberrationDesk::follow);
    connect(&m_panel, &AberrationPanel::correctionChosen, this, &AberrationDesk::correct);
    connect(&m_panel, &AberrationPanel::filterWanted, this, &AberrationDesk::chooseFilterFile);
    connect(&m_panel, &AberrationPanel::loadWanted, this, &AberrationDesk::chooseLoadedFilter);
    connect(&m_panel, &AberrationPanel::estimateWanted, this, &AberrationDesk::useEstimate);
    connect(&m_panel, &AberrationPanel::pipelineRequested, this,
            [this] { m_desks.pipelines.openShipped(kPipeline); });
}

void AberrationDesk::recordingOpened() {
    m_chain = nullptr;
    m_blinking.stop();
    m_blinkStrength.reset();
    m_lastStrength = 1.0;
    m_madeFrame = -1;
    m_panel.clear();
}

void AberrationDesk::followPipeline() {
    if (!m_session.isOpen()) return;
    const SnapshotPtr snapshot = m_session.snapshot();
    followCorrection(*snapshot);
    followFilter(*snapshot);
    followBox(*snapshot);
    follow();
}

/// What is not seen follows when it comes into sight.
void AberrationDesk::follow() {
    if (!m_session.isOpen()) return;
    if (!m_panel.isSeen()) {
        m_chain = nullptr;
        return;
    }
    const SnapshotPtr snapshot = m_session.snapshot();
    try {
        m_chain = std::make_shared<const AberrationChain>(
            aberrationChain(*snapshot, m_panel.patches().currentIndex()));
        m_panel.setPatches(static_cast<int>(m_chain->patches));
    } catch (const Error& error) {
        m_chain = nullptr;
        m_madeFrame = -1;
        const bool sound =
            snapshot->input.acquisition != nullptr && snapshot->input.spectrometer == nullptr;
        m_panel.setReason(inLabels(error.what(), *snapshot),
                          sound && snapshot->findType(kPipeline) == nullptr);
        return;
    }
    if (!m_panel.reason().isEmpty()) m_madeFrame = -1;
    m_panel.setReason({});
    wait();
}

void AberrationDesk::tellAge() {
    if (m_madeFrame < 0 || !m_session.isOpen()) return;
    const std::int64_t shown = m_session.engine().mailbox().shownFrame();
    m_panel.setAge(static_cast<int>(m_madeAge + std::abs(shown - m_madeFrame)));
}

void AberrationDesk::wait() {
    if (m_chain != nullptr && m_panel.isSeen()) m_runner.request();
}

void AberrationDesk::ask() {
    if (m_chain == nullptr || !m_panel.isSeen()) return;
    const bool stands = m_madeFrame == m_session.engine().mailbox().shownFrame();
    if (stands && m_madeKey == m_chain->key) return;
    start();
}

void AberrationDesk::start() {
    auto batch = std::make_shared<Batch>();
    batch->key = m_chain->key;
    m_runner.start(
        {.stage = m_chain->stage,
         .prepare = [estimator = m_estimator, chain = m_chain] { estimator->prepare(*chain); },
         .take =
             [estimator = m_estimator, chain = m_chain, batch](const ProbedFrame& shown) {
                 // After an edit the frame comes anew.
                 if (shown.snapshot == nullptr ||
                     aberrationChain(*shown.snapshot, chain->patch).key != chain->key)
                     return false;
                 estimator->take(shown.samples, shown.state);
                 batch->frame = shown.index;
                 return true;
             },
         .compute =
             [estimator = m_estimator, chain = m_chain, batch,
              truth = knownScreen(m_chain->screens, m_session.engine().info().aberration.get())] {
                 const AberrationLook look = estimator->look();
                 batch->values = valuesOf(look, truth);
                 batch->age = look.estimate.age;
                 batch->filter = {.filter = look.estimate.filter,
                                  .centreHz = look.estimate.centreHz,
                                  .elements = chain->raw.acquisition->probe.elements,
                                  .grid = look.grid};
             },
         .accept = [this, batch](const ProbeOutcome& outcome) { show(*batch, outcome.problem); }});
}

void AberrationDesk::show(const Batch& batch, const std::string& problem) {
    if (m_chain == nullptr) return;
    if (batch.values) {
        m_panel.setValues(*batch.values, static_cast<double>(m_clock.elapsed()) * 1e-3);
        m_filter = batch.filter;
        m_madeFrame = batch.frame;
        m_madeAge = batch.age;
        m_madeKey = batch.key;
        tellAge();
        if (m_chain->key != batch.key) wait();
    } else if (!problem.empty()) {
        m_panel.setProblem(inLabels(problem, *m_session.snapshot()));
        m_madeKey = batch.key; // the same again would fail the same way
        m_madeFrame = m_session.engine().mailbox().shownFrame();
        m_madeAge = 0;
    }
}

} // namespace echolux
