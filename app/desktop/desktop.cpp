// SPDX-License-Identifier: GPL-3.0-or-later
// Making the window and its session; playing and showing.
#include "app/desktop/desktop.hpp"

#include "app/desktop/recent_files.hpp"
#include "ui/parameters/display_group.hpp"
#include "ui/parameters/pipeline_menu.hpp"
#include "ui/views/further_views.hpp"
#include "ui/views/image_view.hpp"
#include "ui/views/view_area.hpp"
#include "ui/window/main_window.hpp"
#include "ui/window/message_bar.hpp"
#include "ui/window/status_bar.hpp"
#include "ui/window/transport_bar.hpp"

#include <QFileInfo>
#include <spdlog/spdlog.h>

namespace echolux {
namespace {

constexpr int kReadoutPeriodMs = 250;
constexpr std::size_t kVolumeNews = kMostViews; ///< after those of the views

QString backendText(const BackendChoice& backend) {
    const QString device = QString::fromStdString(backend.device);
    return backend.backend == Backend::Cuda ? "CUDA: " + device : device;
}

} // namespace

Desktop::Desktop(BackendChoice backend, bool remember, int inFlight)
    : m_remember(remember), m_window(std::make_unique<MainWindow>()), m_views(new ViewArea),
      m_view(&m_views->bscan()), m_background(m_window->progress()),
      m_importer(*m_window, m_background), m_sidecars(*m_window),
      m_session(std::move(backend),
                {[this](std::size_t view) { announce(view); }, posted(&Desktop::engineFailed),
                 [this] {
                     QMetaObject::invokeMethod(
                         this, [this] { showColumn(); }, Qt::QueuedConnection);
                 },
                 posted(&Desktop::engineWarned), [this] { announce(kVolumeNews); }},
                inFlight),
      m_edits(*m_window, m_session, editMeans()),
      m_pipelines(*m_window, m_session, m_edits, remember),
      m_graph(*m_window, m_session, m_pipelines), m_text(*m_window, m_session, m_edits),
      m_presets(*m_window, m_session, m_edits,
                QFileInfo(userSettings().fileName()).absolutePath() + "/presets"),
      m_calibration(*m_window, *m_view, m_session, m_background, m_edits) {
    m_window->setCentralView(m_views);
    showBackend();
    connectTransport();
    connectParameters();
    connectDisplay();
    connectEdits();
    connectPresets();
    connectFiles();
    connectVolume();
    connectCalibration();
    restoreRemembered();
    m_sinceStart.start();
    m_readoutTimer.setInterval(kReadoutPeriodMs);
    connect(&m_readoutTimer, &QTimer::timeout, this, [this] { showReadouts(); });
    m_readoutTimer.start();
}

Desktop::~Desktop() { supplyViews(nullptr); }

void Desktop::showBackend() {
    m_window->status().setBackend(backendText(m_session.backend()),
                                  QString::fromStdString(m_session.backend().reason));
}

void Desktop::showWindow() { m_window->show(); }

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
    connect(&bar, &TransportBar::partChosen, this,
            withPlayer([](Player& player, qint64 first, qint64 last) {
                player.setRange(first, last);
                const std::int64_t now = player.state().position;
                if (!player.state().playing && (now < first || now > last))
                    player.seek(now < first ? first : last);
            }));
    connect(m_view, &ImageView::frameTaken, this, [this] {
        followShownBscan();
        followPosition();
    });
}

void Desktop::connectDisplay() {
    DisplayGroup& group = m_window->display();
    connect(&group, &DisplayGroup::edited, this, [this](const DisplayChoice& chosen) {
        const DisplayChoice before = m_edits.display();
        applyDisplay(chosen);
        m_edits.displayEdited(before);
    });
    connect(m_view, &ImageView::displayRangeChanged, this, [this](double min, double max) {
        m_window->display().setRange(min, max);
        m_edits.displayFollowed();
    });
    connect(m_view, &ImageView::displayRangeEdited, this, [this](double min, double max) {
        DisplayChoice before = m_edits.display();
        before.min = min;
        before.max = max;
        m_edits.displayEdited(before);
    });
    connect(m_view, &ImageView::scaleFound, this, [this](double lowest, double highest) {
        if (m_session.isOpen() && !m_session.snapshot()->output().valueRange)
            showValueRange({lowest, highest, {}, {}});
    });
    const auto pick = [this](double lateralM) {
        if (!m_session.isOpen()) return;
        m_view->setMarker(lateralM);
        m_views->further().mark(lateralM);
        m_session.engine().pickColumn(lateralM);
    };
    connect(m_view, &ImageView::columnPicked, this, pick);
    connect(&m_views->further(), &FurtherViews::columnPicked, this, pick);
    connect(&m_window->pipeline(), &PipelineMenu::blinkToggled, m_views, &ViewArea::setBlinking);
    connect(&m_window->pipeline(), &PipelineMenu::linkToggled, &m_views->further(),
            &FurtherViews::setLinked);
    connect(m_view, &ImageView::displayPathChanged, this, [this] {
        const auto path = m_view->displayPath();
        m_window->status().setDisplayPath(path.badge, path.reason,
                                          path.badge.startsWith("interop"));
    });
    connect(m_view, &ImageView::problemChanged, this,
            [this](const QString& sentence) { tell(Severity::Error, sentence, Topic::ImageView); });
    connect(m_window.get(), &MainWindow::resetViewRequested, m_views, &ViewArea::resetViews);
    connect(m_window.get(), &MainWindow::autoRangeRequested, m_views, &ViewArea::autoRange);
    // NOTE: queued, since it is found while painting.
    connect(
        m_view, &ImageView::autoRangeFound, this,
        [this](double min, double max) {
            if (!m_session.isOpen()) return;
            EditDesk::State before = m_edits.state();
            before.display.min = min;
            before.display.max = max;
            m_edits.done({"auto range", "Display: auto range"}, before);
        },
        Qt::QueuedConnection);
}

void Desktop::applyDisplay(const DisplayChoice& choice) {
    m_views->setColours(choice);
    if (choice.min != m_view->displayMin() || choice.max != m_view->displayMax()) {
        m_view->setDisplayRange(choice.min, choice.max);
    }
}

void Desktop::announce(std::size_t what) {
    if (m_news.fetch_or(1U << what) != 0) return; // an event is on its way
    QMetaObject::invokeMethod(
        this, [this] { showNews(); }, Qt::QueuedConnection);
}

void Desktop::showNews() {
    const unsigned news = m_news.exchange(0);
    const auto isNew = [&](std::size_t what) { return (news >> what & 1U) != 0; };
    if (isNew(0)) m_view->frameAvailable();
    for (int i = 0; i < m_views->further().count(); ++i)
        if (isNew(static_cast<std::size_t>(i) + 1)) m_views->further().view(i).frameAvailable();
    if (isNew(kVolumeNews)) showVolume();
}

/// From a thread of the engine to the window's, where the recording it is about is still open.
std::function<void(const std::string&)>
Desktop::posted(void (Desktop::*handler)(const std::string&)) {
    return [this, handler](const std::string& sentence) {
        QMetaObject::invokeMethod(
            this,
            [this, handler, sentence, about = m_recording.load()] {
                if (about == m_recording) (this->*handler)(sentence);
            },
            Qt::QueuedConnection);
    };
}

void Desktop::engineWarned(const std::string& sentence) {
    tell(Severity::Warning, inLabels(sentence), Topic::Recording);
}

void Desktop::engineFailed(const std::string& sentence) {
    failed(inLabels(sentence), Topic::Engine);
    if (!m_session.isOpen()) return;
    m_edits.engineRefused();
    showStages(); // a refused snapshot has been replaced by the one in force
    showPosition();
}

/// In place of what was told of the same; nothing to tell: it is mended.
void Desktop::tell(Severity severity, const QString& sentence, Topic topic) {
    const bool several = topic == Topic::Recording || topic == Topic::Calibration;
    if (!several) m_window->messages().withdraw({topic});
    if (!sentence.isEmpty()) m_window->messages().show(severity, sentence, topic);
}

void Desktop::failed(const QString& sentence, Topic topic) {
    spdlog::warn("{}", sentence.toStdString());
    tell(Severity::Error, sentence, topic);
}

/// While frames run, ten times a second: each repaint of the bar costs the image a composition,
/// unless its B-scan's number has changed anyway.
void Desktop::followPosition() {
    constexpr qint64 kPeriodMs = 100;
    const bool playing = m_session.isOpen() && m_session.engine().player().state().playing;
    const bool recent = m_sincePosition.isValid() && m_sincePosition.elapsed() < kPeriodMs;
    if (playing && recent && !m_views->hasVolume()) return;
    m_sincePosition.start();
    showPosition();
}

/// While frames run, what is shown; at rest what has been asked for, which is shown soon.
void Desktop::showPosition() {
    if (!m_session.isOpen()) return;
    Engine& engine = m_session.engine();
    const PlayState state = engine.player().state();
    m_window->transport().setFrame(state.playing ? engine.mailbox().shownFrame() : state.position,
                                   state.frameCount);
    const bool freezes = m_window->transport().isPlaying() && !state.playing;
    m_window->transport().setPlaying(state.playing);
    if (freezes) showColumn(); // whose axes fit it at once
}

} // namespace echolux
