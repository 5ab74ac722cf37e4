// SPDX-License-Identifier: GPL-3.0-or-later
// Opening, playing, editing, showing.
#include "app/desktop/desktop.hpp"

#include "app/desktop/curves.hpp"
#include "app/desktop/recording_text.hpp"
#include "ui/a_line_plot.hpp"
#include "ui/display_group.hpp"
#include "ui/image_view.hpp"
#include "ui/main_window.hpp"
#include "ui/message_bar.hpp"
#include "ui/parameter_panel.hpp"
#include "ui/performance_panel.hpp"
#include "ui/spectrum_plot.hpp"
#include "ui/status_bar.hpp"
#include "ui/transport_bar.hpp"

#include <spdlog/spdlog.h>

#include <algorithm>

namespace echolux {
namespace {

constexpr int kReadoutPeriodMs = 250;

QString backendText(const BackendChoice& backend) {
    const QString device = QString::fromStdString(backend.device);
    return backend.backend == Backend::Cuda ? "CUDA: " + device : device;
}

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
    return entry;
}

bool sameStages(const Snapshot& a, const Snapshot& b) {
    return std::ranges::equal(a.stages, b.stages, [](const StageState& x, const StageState& y) {
        return x.id == y.id && x.type == y.type;
    });
}

} // namespace

Desktop::Desktop(BackendChoice backend, bool remember)
    : m_remember(remember), m_window(std::make_unique<MainWindow>()), m_view(new ImageView),
      m_session(std::move(backend),
                {[this] {
                     if (!m_imageAnnounced.exchange(true)) {
                         QMetaObject::invokeMethod(
                             this, [this] { imageReady(); }, Qt::QueuedConnection);
                     }
                 },
                 [this](const std::string& sentence) {
                     QMetaObject::invokeMethod(
                         this, [this, sentence] { failed(sentence); }, Qt::QueuedConnection);
                 },
                 [this] {
                     QMetaObject::invokeMethod(
                         this, [this] { showColumn(); }, Qt::QueuedConnection);
                 }}) {
    m_window->setCentralView(m_view);
    m_window->status().setBackend(backendText(m_session.backend()),
                                  QString::fromStdString(m_session.backend().reason));
    connectTransport();
    connectParameters();
    connectDisplay();
    connectFiles();
    restoreRemembered();
    m_sinceStart.start();
    m_readoutTimer.setInterval(kReadoutPeriodMs);
    connect(&m_readoutTimer, &QTimer::timeout, this, [this] { showReadouts(); });
    m_readoutTimer.start();
}

Desktop::~Desktop() {
    m_view->setFrameSupplier(nullptr);
    if (m_stopHash) *m_stopHash = true;
}

void Desktop::startHash() {
    if (m_stopHash) *m_stopHash = true; // the destructor of the former future waits for its thread
    m_stopHash = std::make_shared<std::atomic<bool>>(false);
    m_hash = std::async(std::launch::async, [path = m_path, stop = m_stopHash] {
                 return fileSha256(path, stop.get());
             }).share();
}

void Desktop::showWindow() { m_window->show(); }

void Desktop::open(const QString& path, const OpenOptions& options,
                   const std::optional<PipelineConfig>& pipeline) {
    // The view must not ask a supplier that is about to go.
    m_view->setFrameSupplier(nullptr);
    try {
        m_session.open(path.toStdString(), options, pipeline);
    } catch (...) {
        if (m_session.isOpen()) m_view->setFrameSupplier(&m_session.engine().mailbox());
        throw;
    }
    m_path = path;
    m_openOptions = options;
    startHash();
    Engine& engine = m_session.engine();
    m_view->clear();
    m_view->resetView();
    m_view->setFrameSupplier(&engine.mailbox());
    m_window->aLine().clear();
    m_window->spectrum().clear();
    m_window->status().setSource(sourceText(engine.info()), path);
    m_window->transport().setRecordedRate(
        engine.info().frameCount > 1 ? engine.player().state().frameRateHz : 0.0);
    m_window->setWindowTitle(QString::fromStdString(engine.info().path.filename().string()) +
                             " - Echolux");
    showStages();
    engine.player().setLoop(true);
    m_window->transport().setLoop(true);
    m_window->transport().setSpeed(1.0);
    if (engine.info().frameCount > 1) engine.player().play();
    showPosition();
    rememberRecent(path);
    for (const std::string& warning : engine.info().warnings) {
        m_window->messages().show(Severity::Warning, QString::fromStdString(warning));
    }
}

void Desktop::tryOpen(const QString& path) {
    try {
        if (isScreenshot(path)) {
            restoreScreenshot(path);
        } else {
            open(path);
        }
    } catch (const std::exception& error) {
        failed(error.what());
    }
}

void Desktop::setSpeed(double speed) {
    m_session.engine().player().setSpeed(speed);
    m_window->transport().setSpeed(speed);
}

void Desktop::connectTransport() {
    TransportBar& bar = m_window->transport();
    const auto withPlayer = [this](auto action) {
        return [this, action](auto... values) {
            if (!m_session.isOpen()) return;
            action(m_session.engine().player(), values...);
            showPosition();
        };
    };
    connect(&bar, &TransportBar::playToggled, this,
            withPlayer([](Player& player, bool play) { play ? player.play() : player.freeze(); }));
    connect(&bar, &TransportBar::stepRequested, this,
            withPlayer([](Player& player, int frames) { player.step(frames); }));
    connect(&bar, &TransportBar::seekRequested, this,
            withPlayer([](Player& player, qint64 frame) { player.seek(frame); }));
    connect(&bar, &TransportBar::loopToggled, this,
            withPlayer([](Player& player, bool loop) { player.setLoop(loop); }));
    connect(&bar, &TransportBar::speedChosen, this,
            withPlayer([](Player& player, double speed) { player.setSpeed(speed); }));
    connect(m_view, &ImageView::framePresented, this, [this] { followPosition(); });
}

void Desktop::connectParameters() {
    ParameterPanel& panel = m_window->parameters();
    connect(&panel, &ParameterPanel::parameterEdited, this,
            [this](const QString& instance, const QString& key, const ParamValue& value) {
                edit(instance, key, value);
            });
    connect(&panel, &ParameterPanel::bypassToggled, this,
            [this](const QString& instance, bool bypassed) {
                if (!m_session.isOpen()) return;
                const SnapshotPtr before = m_session.snapshot();
                try {
                    m_session.setBypass(instance.toStdString(), bypassed);
                    refreshStages(before);
                } catch (const std::exception& error) {
                    m_window->parameters().setBypassed(instance, !bypassed);
                    failed(error.what());
                }
            });
    connect(m_window.get(), &MainWindow::resetParametersRequested, this, [this] {
        if (!m_session.isOpen()) return;
        const SnapshotPtr before = m_session.snapshot();
        try {
            m_session.resetParameters();
            refreshStages(before);
        } catch (const std::exception& error) {
            failed(error.what());
        }
    });
    connect(m_view, &ImageView::columnPicked, this, [this](double lateralM) {
        if (!m_session.isOpen()) return;
        m_view->setMarker(lateralM);
        m_session.engine().pickColumn(lateralM);
    });
}

void Desktop::edit(const QString& instance, const QString& key, const ParamValue& value) {
    if (!m_session.isOpen()) return;
    const SnapshotPtr before = m_session.snapshot();
    try {
        m_session.setValue(instance.toStdString(), key.toStdString(), value);
        m_window->parameters().setError(instance, key, {});
        refreshStages(before);
    } catch (const std::exception& error) {
        m_window->parameters().setError(instance, key, error.what());
    }
}

void Desktop::imageReady() {
    m_imageAnnounced = false;
    m_view->frameAvailable();
}

void Desktop::failed(const std::string& sentence) {
    spdlog::warn("{}", sentence);
    m_window->messages().show(Severity::Error, QString::fromStdString(sentence));
    if (!m_session.isOpen()) return;
    showStages(); // a refused snapshot has been replaced by the one in force
    showPosition();
}

void Desktop::showStages() {
    const SnapshotPtr snapshot = m_session.snapshot();
    std::vector<StageEntry> entries;
    for (const StageState& stage : snapshot->stages) entries.push_back(entryOf(stage));
    m_window->parameters().setStages(entries);
    for (const StageState& stage : snapshot->stages) showCurves(stage);
    followValueRange();
}

/// The display's sliders span what the pipeline's output is meant for, with as much room on either
/// side.
void Desktop::followValueRange() {
    const std::optional<ValueRange> range = m_session.snapshot()->output().valueRange;
    if (!range || range == m_shownRange) return;
    m_shownRange = range;
    const double span = range->max - range->min;
    DisplayGroup& group = m_window->display();
    group.setRangeLimits(range->min - span, range->max + span, QString::fromStdString(range->unit));
    DisplayChoice defaults;
    defaults.min = range->min;
    defaults.max = range->max;
    group.setDefaults(defaults);
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
}

void Desktop::showCurves(const StageState& stage) {
    for (const CurveData& curve : curvesOf(stage)) {
        m_window->parameters().setCurve(QString::fromStdString(stage.id), curve);
    }
}

/// While frames run, ten times a second: each repaint of the bar costs the image a composition.
void Desktop::followPosition() {
    constexpr qint64 kPeriodMs = 100;
    const bool playing = m_session.isOpen() && m_session.engine().player().state().playing;
    if (playing && m_sincePosition.isValid() && m_sincePosition.elapsed() < kPeriodMs) return;
    m_sincePosition.start();
    showPosition();
}

void Desktop::showPosition() {
    if (!m_session.isOpen()) return;
    const PlayState state = m_session.engine().player().state();
    m_window->transport().setFrame(state.position, state.frameCount);
    m_window->transport().setPlaying(state.playing);
}

void Desktop::showColumn() {
    if (!m_session.isOpen()) return;
    const std::optional<ColumnData> column = m_session.engine().column();
    if (!column) return;
    const RecordingInfo& info = m_session.engine().info();
    const SnapshotPtr snapshot = m_session.snapshot(); // keeps the stage below alive
    const StageState* beamform = snapshot->findType("beamform");
    const QString title = QString("%1 mm, channel %2")
                              .arg(column->lateralM * 1e3, 0, 'f', 1)
                              .arg(column->channel + 1);
    ALineData line;
    line.title = title;
    line.rf = column->rf;
    line.rfStartUs = column->rfStartS * 1e6;
    line.rfStepUs = column->rfStepS * 1e6;
    line.clipped = column->clipped;
    line.envelope = column->envelope;
    line.depthStartMm = column->depthStartM * 1e3;
    line.depthStepMm = column->depthStepM * 1e3;
    line.soundSpeedMps = beamform != nullptr
                             ? std::get<double>(beamform->params.get("speed_of_sound"))
                             : info.frame.acquisition->soundSpeedMps;
    m_window->aLine().setData(line);
    SpectrumData spectrum;
    spectrum.title = title;
    spectrum.levelDb = column->spectrumDb;
    spectrum.startMHz = column->spectrumStartHz * 1e-6;
    spectrum.stepMHz = column->spectrumStepHz * 1e-6;
    spectrum.centreMHz = info.frame.centreFrequencyHz * 1e-6;
    m_window->spectrum().setData(spectrum);
}

void Desktop::showReadouts() {
    if (!m_session.isOpen()) return;
    const Statistics now = m_session.engine().statistics();
    Readouts readouts;
    readouts.timeS = static_cast<double>(m_sinceStart.elapsed()) * 1e-3;
    readouts.read = static_cast<std::int64_t>(now.framesRead);
    readouts.processed = static_cast<std::int64_t>(now.framesProcessed);
    readouts.shown = static_cast<std::int64_t>(now.framesShown);
    readouts.readPerS = now.readPerS;
    readouts.processedPerS = now.processedPerS;
    readouts.shownPerS = now.shownPerS;
    readouts.dropped = static_cast<std::int64_t>(now.framesDropped);
    readouts.late = static_cast<std::int64_t>(now.framesLate);
    readouts.latencyMedianMs = now.latencyMedianMs;
    readouts.latency99Ms = now.latency99Ms;
    readouts.megabytesPerS = now.megabytesPerS;
    readouts.deviceBytes = static_cast<std::int64_t>(now.gpuBytesHeld);
    readouts.deviceTotalBytes = static_cast<std::int64_t>(m_session.backend().deviceBytes);
    const double frames = std::max<double>(1.0, static_cast<double>(now.framesProcessed));
    readouts.copiesToHostPerFrame = static_cast<double>(now.deviceToHostCopies) / frames;
    readouts.allocationsPerFrame = static_cast<double>(now.allocations) / frames;
    readouts.frameMs = now.frameMs;
    const SnapshotPtr snapshot = m_session.snapshot();
    readouts.stages.push_back({"Upload", now.uploadMs});
    for (const StageDuration& stage : now.stages) {
        const auto at = std::ranges::find(snapshot->stages, stage.id, &StageState::id);
        if (at == snapshot->stages.end()) continue;
        readouts.stages.push_back({QString::fromStdString(at->type->label), stage.ms});
    }
    m_window->performance().setReadouts(readouts);
    m_window->status().setLostFrames(readouts.dropped);
}

} // namespace echolux
