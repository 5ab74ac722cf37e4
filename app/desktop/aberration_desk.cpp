// SPDX-License-Identifier: GPL-3.0-or-later
// What is estimated next, and what becomes of it; aberration_edits.cpp and
// aberration_filters.cpp have what people do.
#include "app/desktop/aberration_desk.hpp"

#include "app/desktop/aberration_values_of.hpp"
#include "app/desktop/background.hpp"
#include "app/desktop/label_text.hpp"
#include "app/desktop/pipeline_desk.hpp"
#include "gpu/core/error.hpp"
#include "ui/aberration/aberration_panel.hpp"
#include "ui/views/image_view.hpp"
#include "ui/window/main_window.hpp"

#include <QComboBox>

#include <algorithm>
#include <cstdlib>
#include <exception>
#include <utility>

namespace echolux {
namespace {

constexpr qint64 kLeastPauseMs = 250;
constexpr qint64 kPausePerWork = 3;
constexpr const char* kPipeline = "aberration"; ///< shipped; and the stage's type

} // namespace

AberrationDesk::AberrationDesk(MainWindow& window, ImageView& image, Session& session,
                               const Desks& desks, Background& background)
    : m_panel(window.aberration()), m_image(image), m_session(session), m_desks(desks),
      m_background(background), m_door(std::make_shared<Door>()),
      m_estimator(std::make_shared<AberrationEstimator>()) {
    m_clock.start();
    m_soon.setSingleShot(true);
    m_blinking.setInterval(kBlinkMs);
    connect(&m_soon, &QTimer::timeout, this, &AberrationDesk::ask);
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

AberrationDesk::~AberrationDesk() {
    const std::lock_guard lock(m_door->mutex);
    m_door->closed = true;
}

void AberrationDesk::recordingOpened() {
    ++m_recording;
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
    m_again = m_busy;
    if (m_busy || m_soon.isActive() || m_chain == nullptr || !m_panel.isSeen()) return;
    const qint64 rest = m_sinceEstimate.isValid() ? m_pauseMs - m_sinceEstimate.elapsed() : 0;
    m_soon.start(static_cast<int>(std::max<qint64>(rest, 0)));
}

void AberrationDesk::ask() {
    if (m_busy || !m_session.isOpen() || m_chain == nullptr || !m_panel.isSeen()) return;
    const bool stands = m_madeFrame == m_session.engine().mailbox().shownFrame();
    if (stands && m_madeKey == m_chain->key) return;
    start();
}

void AberrationDesk::start() {
    m_busy = true;
    m_again = false;
    ++m_estimates;
    m_background.start(
        Background::Kind::Quiet, {},
        [this, door = m_door, estimator = m_estimator, chain = m_chain,
         engine = std::weak_ptr(m_session.shared()),
         truth = knownScreen(m_chain->screens, m_session.engine().info().aberration.get()),
         recording = m_recording](const std::stop_token&) -> Background::Finish {
            Batch batch{.recording = recording, .key = chain->key};
            try {
                QElapsedTimer clock;
                clock.start();
                estimator->prepare(*chain);
                batch.ms = clock.elapsed();
                {
                    // Between the two it waits for the pipeline.
                    const std::lock_guard lock(door->mutex);
                    const std::shared_ptr<Engine> open = door->closed ? nullptr : engine.lock();
                    if (open == nullptr) return [this, batch] { take(batch); };
                    const Engine::ShownFrame shown = open->shownFrame(chain->stage);
                    // After an edit the frame comes anew.
                    if (shown.snapshot == nullptr ||
                        aberrationChain(*shown.snapshot, chain->patch).key != chain->key)
                        return [this, batch] { take(batch); };
                    estimator->take(shown.raw.samples(), shown.state);
                    batch.frame = shown.raw.index();
                }
                clock.start();
                const AberrationLook look = estimator->look();
                batch.values = valuesOf(look, truth);
                batch.age = look.estimate.age;
                batch.filter = {.filter = look.estimate.filter,
                                .centreHz = look.estimate.centreHz,
                                .elements = chain->raw.acquisition->probe.elements,
                                .grid = look.grid};
                batch.ms += clock.elapsed();
            } catch (const std::exception& error) {
                batch.problem = error.what();
            }
            return [this, batch = std::move(batch)] { take(batch); };
        });
}

void AberrationDesk::take(const Batch& batch) {
    m_busy = false;
    m_sinceEstimate.start();
    const bool playing = m_session.isOpen() && m_session.engine().player().state().playing;
    m_pauseMs = playing ? std::max(kLeastPauseMs, kPausePerWork * batch.ms) : 0;
    if (batch.recording != m_recording || m_chain == nullptr) return wait();
    if (batch.values) {
        m_panel.setValues(*batch.values, static_cast<double>(m_clock.elapsed()) * 1e-3);
        m_filter = batch.filter;
        m_madeFrame = batch.frame;
        m_madeAge = batch.age;
        m_madeKey = batch.key;
        tellAge();
    } else if (!batch.problem.empty()) {
        m_panel.setProblem(inLabels(batch.problem, *m_session.snapshot()));
        m_madeKey = batch.key; // the same again would fail the same way
        m_madeFrame = m_session.engine().mailbox().shownFrame();
        m_madeAge = 0;
    }
    if (m_again || (batch.values && m_chain->key != batch.key)) wait();
}

} // namespace echolux
