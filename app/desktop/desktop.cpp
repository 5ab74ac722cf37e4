// SPDX-License-Identifier: GPL-3.0-or-later
// Makes the desks and connects them.
#include "app/desktop/desktop.hpp"

#include "app/desktop/batch_desk.hpp"
#include "app/desktop/beam_desk.hpp"
#include "app/desktop/calibration_desk.hpp"
#include "app/desktop/closing_desk.hpp"
#include "app/desktop/column_desk.hpp"
#include "app/desktop/control_desk.hpp"
#include "app/desktop/describe_desk.hpp"
#include "app/desktop/display_desk.hpp"
#include "app/desktop/edit_desk.hpp"
#include "app/desktop/engine_news.hpp"
#include "app/desktop/export_desk.hpp"
#include "app/desktop/facts_desk.hpp"
#include "app/desktop/file_desk.hpp"
#include "app/desktop/gate_desk.hpp"
#include "app/desktop/habit_desk.hpp"
#include "app/desktop/help_desk.hpp"
#include "app/desktop/live_desk.hpp"
#include "app/desktop/message_desk.hpp"
#include "app/desktop/parameter_desk.hpp"
#include "app/desktop/pipeline_desk.hpp"
#include "app/desktop/playback_desk.hpp"
#include "app/desktop/plugin_desk.hpp"
#include "app/desktop/preset_desk.hpp"
#include "app/desktop/publish_desk.hpp"
#include "app/desktop/recent_files.hpp"
#include "app/desktop/recording_desk.hpp"
#include "app/desktop/screenshot_desk.hpp"
#include "app/desktop/session_desk.hpp"
#include "app/desktop/sidecar_desk.hpp"
#include "app/desktop/start_desk.hpp"
#include "app/desktop/statistics_desk.hpp"
#include "app/desktop/view_desk.hpp"
#include "app/desktop/volume_desk.hpp"
#include "app/desktop/work_desk.hpp"
#include "app/desktop/workbench/background.hpp"
#include "app/desktop/workbench/tool_type.hpp"
#include "app/desktop/workbench/workbench.hpp"
#include "app/session/session.hpp"
#include "ui/parameters/parameter_panel.hpp"
#include "ui/parameters/pipeline_menu.hpp"
#include "ui/plots/column_plots.hpp"
#include "ui/views/further_views.hpp"
#include "ui/views/image_actions.hpp"
#include "ui/views/image_view.hpp"
#include "ui/views/view_area.hpp"
#include "ui/window/docks.hpp"
#include "ui/window/main_window.hpp"
#include "ui/window/status_bar.hpp"

#include <QDir>
#include <QFileInfo>

#include <utility>

namespace echolux {

Desktop::Desktop(BackendChoice backend, bool remember)
    : Desktop(std::move(backend), remember, EnginePlace::kUsualInFlight) {}

Desktop::Desktop(BackendChoice backend, bool remember, int inFlight)
    : m_window(std::make_unique<MainWindow>([this] { return makeToolDocks(); })),
      m_views(new ViewArea), m_background(std::make_unique<Background>(m_window->progress())),
      m_importer(std::make_unique<DescribeDesk>(*m_window, *m_background)),
      m_sidecars(std::make_unique<SidecarDesk>(*m_window)),
      m_news(std::make_unique<EngineNews>(*m_window)),
      m_session(std::make_unique<Session>(std::move(backend), m_news->callbacks(), inFlight)),
      m_messages(std::make_unique<MessageDesk>(m_window->messages(), *m_session)),
      m_edits(std::make_unique<EditDesk>(m_window->edits(), m_window->parameters(),
                                         m_window->display(), *m_session)),
      m_recordings(std::make_unique<RecordingDesk>(m_window->status(), *m_session, *m_background,
                                                   *m_edits, *m_messages)),
      m_viewDesk(std::make_unique<ViewDesk>(*m_views, m_window->display(), m_window->status(),
                                            *m_session, *m_messages)),
      m_work(std::make_unique<WorkDesk>(m_window->status(), m_views->bscan(), *m_session)),
      m_volume(std::make_unique<VolumeDesk>(m_window->status(), *m_views, *m_session)),
      m_display(std::make_unique<DisplayDesk>(m_window->display(), *m_views, *m_session, *m_edits)),
      m_column(std::make_unique<ColumnDesk>(*m_views, *m_session)),
      m_playback(std::make_unique<PlaybackDesk>(m_window->transport(), *m_views, *m_session)),
      m_parameters(std::make_unique<ParameterDesk>(m_window->parameters(), *m_session, *m_edits)),
      m_bench(makeBench()), m_pipelines(std::make_unique<PipelineDesk>(
                                *m_window, m_window->pipeline(), *m_session, *m_edits, remember)),
      m_plugins(
          std::make_unique<PluginDesk>(*m_window, m_window->pipeline(), *m_session, *m_pipelines)),
      m_presets(std::make_unique<PresetDesk>(
          m_window->presets(), *m_session, *m_edits,
          QFileInfo(userSettings().fileName()).absolutePath() + "/presets", remember)),
      m_files(std::make_unique<FileDesk>(*m_window, *m_session, *m_background, *m_recordings,
                                         FileDesk::Askers{*m_importer, *m_sidecars}, *m_messages,
                                         remember)),
      m_live(std::make_unique<LiveDesk>(
          LiveDesk::Widgets{*m_window, m_window->transport(), m_window->status()}, *m_session,
          *m_files, *m_recordings, *m_messages, remember)),
      m_publish(std::make_unique<PublishDesk>(*m_window, *m_session)),
      m_screenshots(std::make_unique<ScreenshotDesk>(*m_window, *m_views, *m_session, *m_background,
                                                     *m_edits, *m_recordings, remember)),
      m_exports(std::make_unique<ExportDesk>(*m_window, *m_session, *m_background, *m_edits,
                                             *m_recordings, remember)),
      m_batches(std::make_unique<BatchDesk>(*m_window, *m_session, *m_background, *m_exports)),
      m_facts(std::make_unique<FactsDesk>(*m_window, *m_session)),
      m_start(std::make_unique<StartDesk>(*m_views, *m_files, remember)),
      m_help(std::make_unique<HelpDesk>(*m_window)),
      m_statistics(std::make_unique<StatisticsDesk>(*m_views, *m_session)),
      m_sessions(std::make_unique<SessionDesk>(
          *m_window, *m_session, *m_background,
          SessionDesk::Desks{*m_edits, *m_files, *m_display, *m_playback, *m_views,
                             [this] { return m_window->saveLayout(); },
                             [this](const QByteArray& kept) { m_window->restoreLayout(kept); },
                             remember})),
      m_control(std::make_unique<ControlDesk>([this] {
          return [this, from = m_sessions->sender(QDir::currentPath())](SessionEntry entry,
                                                                        ControlDone done) {
              m_sessions->add(std::move(entry), from, std::move(done));
          };
      })),
      m_beams(std::make_unique<BeamDesk>(*m_views, *m_session)),
      m_gate(std::make_unique<GateDesk>(*m_bench)), m_tools(makeTools()),
      m_habits(std::make_unique<HabitDesk>(m_window->display(), *m_views, *m_display, *m_bench)),
      m_closing(std::make_unique<ClosingDesk>(*m_window, *m_background)),
      m_calibration(std::make_unique<CalibrationDesk>(
          CalibrationDesk::Widgets{*m_window, m_window->calibration(), m_window->parameters(),
                                   *m_views},
          *m_session, *m_background, *m_edits)) {
    fillMenus();
    m_window->setCentralView(m_views);
    m_window->setCloseGuard([this] { return m_closing->mayClose(); });
    connectEngine();
    connectRecordings();
    connectPipeline();
    connectBench();
    connectFiles();
    connectViews();
    connectMessages();
    connect(m_window.get(), &MainWindow::aboutToClose, m_bench.get(), &Workbench::closing);
    if (remember) connectHabits();
}

Desktop::~Desktop() { m_viewDesk->supply(false); }

ImageView& Desktop::view() { return m_views->bscan(); }

std::vector<DockEntry> Desktop::makeToolDocks() {
    std::vector<DockEntry> docks;
    for (const ToolType& type : toolTypes()) {
        m_toolPanels.push_back(type.makePanel == nullptr ? nullptr : type.makePanel());
        if (m_toolPanels.back() == nullptr) continue;
        const bool opens = type.place == ToolType::Place::Open;
        docks.push_back({type.title, type.id, m_toolPanels.back(), Qt::RightDockWidgetArea,
                         opens ? DockEntry::Kind::AtNeed : DockEntry::Kind::Further, type.group});
    }
    return docks;
}

std::unique_ptr<Workbench> Desktop::makeBench() {
    Workbench::Means means{
        .step = [this](const StepName& name,
                       const std::function<void()>& change) { return m_edits->edit(name, change); },
        .attempt = [this](const std::function<void()>& change) { return m_edits->attempt(change); },
        .editPipeline =
            [this](const QString& what, const std::function<PipelineConfig()>& make) {
                return m_pipelines->edit(what, make);
            },
        .beams = [this] { return m_beams->geometry(); },
        .selectedPixel = [this] { return m_beams->pixel(); }};
    return std::make_unique<Workbench>(*m_session, *m_background, *m_views, m_edits->document(),
                                       std::move(means));
}

std::vector<std::unique_ptr<QObject>> Desktop::makeTools() {
    connectRequests(); // tools may have some while they are made
    std::vector<std::unique_ptr<QObject>> tools;
    for (std::size_t i = 0; i < m_toolPanels.size(); ++i)
        tools.push_back(toolTypes()[i].makeTool(m_toolPanels[i], *m_bench));
    return tools;
}

void Desktop::connectRequests() {
    const Workbench* bench = m_bench.get();
    MainWindow* window = m_window.get();
    connect(bench, &Workbench::setValue, m_parameters.get(), &ParameterDesk::edit);
    connect(bench, &Workbench::bypass, m_parameters.get(), &ParameterDesk::bypass);
    connect(bench, &Workbench::openShipped, m_pipelines.get(), &PipelineDesk::openShipped);
    connect(bench, &Workbench::move, this, [this](PipelineMove move) {
        move.file = m_pipelines->file();
        m_recordings->move(move);
    });
    connect(bench, &Workbench::reveal, &window->parameters(), &ParameterPanel::reveal);
    connect(bench, &Workbench::openDock, window, &MainWindow::openDock);
    connect(bench, &Workbench::removeDock, window, &MainWindow::removeDock);
    connect(bench, &Workbench::addDock, window,
            [window](const QString& title, const QString& name, QWidget* content) {
                window->addDock(
                    {title, name, content, Qt::RightDockWidgetArea, DockEntry::Kind::Further});
            });
    connect(bench, &Workbench::showContours, m_beams.get(), &BeamDesk::showContours);
    const auto tell = [this](Severity severity) {
        return [=, this](const QString& text) { m_messages->tell(severity, text, Topic::General); };
    };
    connect(bench, &Workbench::inform, this, tell(Severity::Info));
    connect(bench, &Workbench::warn, this, tell(Severity::Warning));
    connect(bench, &Workbench::fail, this, tell(Severity::Error));
}

void Desktop::fillMenus() {
    using Menu = MainWindow::MenuPlace;
    const ImageActions& image = m_views->imageActions();
    m_window->addEntries(Menu::Views, m_views->viewEntries() + QList{m_views->aloneEntry()});
    m_window->addActions(m_views->viewActions() + m_views->aloneActions()); // for their shortcuts
    m_window->addEntries(Menu::Edit, {image.copy(), m_sessions->entry()});
    m_window->addEntries(Menu::Pictures, image.saving());
    m_window->addEntries(Menu::Image, image.drawing());
    m_window->addEntries(Menu::Sources, m_live->sources() + m_publish->entries());
    m_window->addEntries(Menu::Playback, m_live->recording());
    m_window->addEntries(Menu::Exports, {m_batches->entry()});
    m_window->addEntries(Menu::Recording, {m_facts->entry()});
    m_window->addEntries(Menu::Help, m_help->entries());
    for (std::size_t i = 0; i < m_toolPanels.size(); ++i) {
        if (m_toolPanels[i] == nullptr) continue;
        const bool measures = toolTypes()[i].menu == ToolType::Menu::Measure;
        m_window->addEntries(measures ? Menu::Measure : Menu::Pipeline, m_toolPanels[i]->actions());
    }
}

void Desktop::connectEngine() {
    connect(m_news.get(), &EngineNews::imageReady, m_viewDesk.get(), &ViewDesk::imageReady);
    connect(m_news.get(), &EngineNews::volumeChanged, m_volume.get(), &VolumeDesk::volumeChanged);
    connect(m_news.get(), &EngineNews::looked, m_bench.get(), &Workbench::looked);
    connect(
        m_news.get(), &EngineNews::warned, m_messages.get(), [this](const std::string& sentence) {
            m_messages->tell(Severity::Warning, m_messages->inLabels(sentence), Topic::Recording);
        });
    connect(m_news.get(), &EngineNews::failed, this, [this](const std::string& sentence) {
        m_messages->fail(m_messages->inLabels(sentence), Topic::Engine);
        m_work->failed();
        if (!m_session->isOpen()) return;
        m_volume->showProgress(); // a failed sweep has ended
        m_edits->engineRefused();
        m_parameters->show(); // the snapshot in force has replaced a refused one
        m_playback->showPosition();
    });
    const StatisticsDesk* statistics = m_statistics.get();
    connect(statistics, &StatisticsDesk::measured, this, [this](const Statistics& now) {
        const LiveCounters live = now.live.value_or(LiveCounters{});
        m_window->status().setMissingFrames(
            static_cast<qint64>(live.lostAtSource + live.withoutRoom + live.malformed),
            static_cast<qint64>(now.framesDropped));
        m_live->follow(now);
        m_publish->follow();
        m_volume->showProgress();
        m_playback->showReachedRate(now.processedPerS);
        m_playback->showPosition(); // playback stops after the last frame
    });
    ExportDesk* exports = m_exports.get();
    connect(statistics, &StatisticsDesk::measured, exports, &ExportDesk::followPreview);
    connect(statistics, &StatisticsDesk::measuredTheSame, exports, &ExportDesk::followPreview);
    const auto lookAround = [this] { m_sessions->lookAround(); };
    connect(statistics, &StatisticsDesk::measured, this, lookAround);
    connect(statistics, &StatisticsDesk::measuredTheSame, this, lookAround);
    connect(m_volume.get(), &VolumeDesk::frozen, m_playback.get(), &PlaybackDesk::showPosition);
    connect(m_playback.get(), &PlaybackDesk::frozen, m_bench.get(), &Workbench::looked);
    const MainWindow* window = m_window.get();
    connect(window, &MainWindow::forgetPickedRequested, m_column.get(), &ColumnDesk::forget);
    connect(window, &MainWindow::forgetPickedRequested, m_beams.get(), &BeamDesk::forget);
}

void Desktop::connectRecordings() {
    const RecordingDesk* recordings = m_recordings.get();
    MainWindow* window = m_window.get();
    connect(recordings, &RecordingDesk::titleChanged, window, &QWidget::setWindowTitle);
    connect(recordings, &RecordingDesk::tracksChanged, window, &MainWindow::setTracks);
    connect(recordings, &RecordingDesk::parameterWanted, window, &MainWindow::revealParameter);
    connect(recordings, &RecordingDesk::leaving, this, [this] {
        m_presets->leaving();
        m_live->leaving();
        m_publish->leaving();
        m_viewDesk->supply(false);
        m_news->forget();
    });
    connect(recordings, &RecordingDesk::adopted, this, &Desktop::recordingOpened);
    connect(recordings, &RecordingDesk::moved, this,
            [this](const PipelineMove& move, const PlayState& left) {
                m_pipelines->moved(move);
                m_playback->resume(left);
                emit m_bench->moved(move);
            });
}

void Desktop::recordingOpened() {
    m_viewDesk->recordingOpened();
    m_work->recordingOpened();
    m_volume->recordingOpened();
    m_beams->recordingOpened();
    m_publish->adopted();
    emit m_bench->recordingChanged();
    m_parameters->recordingOpened();
    m_calibration->recordingOpened(m_recordings->shown());
    m_pipelines->recordingOpened();
    m_screenshots->recordingOpened();
    m_files->recordingOpened();
    m_playback->recordingOpened();
    m_presets->recordingOpened();
    m_facts->recordingOpened();
    m_start->recordingOpened();
    m_sessions->recordingOpened();
}

/// All parts that show the pipeline in force are updated after the rows of its parameters.
void Desktop::connectPipeline() {
    ParameterDesk* rows = m_parameters.get();
    connect(rows, &ParameterDesk::pipelineShown, m_work.get(), &WorkDesk::followPipeline);
    connect(rows, &ParameterDesk::pipelineShown, m_viewDesk.get(), &ViewDesk::followPipeline);
    connect(rows, &ParameterDesk::pipelineShown, m_display.get(), &DisplayDesk::followPipeline);
    connect(rows, &ParameterDesk::pipelineShown, m_messages.get(), &MessageDesk::followPipeline);
    connect(rows, &ParameterDesk::pipelineShown, m_beams.get(), &BeamDesk::followPipeline);
    connect(rows, &ParameterDesk::pipelineShown, m_bench.get(), &Workbench::pipelineChanged);
    connect(rows, &ParameterDesk::noticeChanged, &m_views->bscan(), &ImageView::setNotice);
    connect(m_pipelines.get(), &PipelineDesk::moveWanted, m_recordings.get(), &RecordingDesk::move);
    connect(m_window.get(), &MainWindow::resetParametersRequested, rows, &ParameterDesk::resetAll);
}

void Desktop::connectBench() {
    connect(m_column.get(), &ColumnDesk::forgotten, m_bench.get(), &Workbench::columnForgotten);
    const auto needPlots = [this](bool needed) {
        return [this, needed] { m_window->setDockNeeded(panel<ColumnPlots>(), needed); };
    };
    connect(m_column.get(), &ColumnDesk::picked, this, needPlots(true));
    connect(m_column.get(), &ColumnDesk::forgotten, this, needPlots(false));
    connect(m_bench.get(), &Workbench::recordingChanged, this, needPlots(false));
    connect(m_beams.get(), &BeamDesk::pixelMoved, m_bench.get(), &Workbench::selectionChanged);
    connect(m_statistics.get(), &StatisticsDesk::measured, m_bench.get(), &Workbench::measured);
    connect(m_statistics.get(), &StatisticsDesk::measuredTheSame, m_bench.get(),
            &Workbench::measuredTheSame);
    connect(m_bench.get(), &Workbench::liveParameterSet, m_live.get(), &LiveDesk::parameterSet);
}

void Desktop::connectFiles() {
    const MainWindow* window = m_window.get();
    FileDesk* files = m_files.get();
    ScreenshotDesk* screenshots = m_screenshots.get();
    connect(window, &MainWindow::openRequested, files, &FileDesk::choose);
    connect(window, &MainWindow::recentFileChosen, files, &FileDesk::openRecent);
    connect(window, &MainWindow::trackChosen, files, &FileDesk::openTrack);
    connect(window, &MainWindow::filesDropped, files, &FileDesk::openDropped);
    connect(window, &MainWindow::importRawRequested, files, &FileDesk::describe);
    connect(window, &MainWindow::openDescribedRequested, files, &FileDesk::openWithSidecar);
    connect(files, &FileDesk::recentChanged, m_window.get(), &MainWindow::setRecentFiles);
    files->showRecent();
    connect(files, &FileDesk::screenshotChosen, screenshots, &ScreenshotDesk::restore);
    connect(files, &FileDesk::sessionChosen, m_sessions.get(), &SessionDesk::runChosen);
    connect(files, &FileDesk::pipelineChosen, m_pipelines.get(), &PipelineDesk::open);
    connect(window, &MainWindow::exportRequested, m_exports.get(), &ExportDesk::ask);
    connect(window, &MainWindow::screenshotRequested, screenshots, &ScreenshotDesk::saveImage);
    connect(window, &MainWindow::openScreenshotSettingsRequested, screenshots,
            &ScreenshotDesk::choose);
    connect(screenshots, &ScreenshotDesk::restored, this, &Desktop::showRestored);
}

void Desktop::connectViews() {
    const MainWindow* window = m_window.get();
    const PipelineMenu* pipeline = &m_window->pipeline();
    connect(window, &MainWindow::resetViewRequested, m_views, &ViewArea::resetViews);
    connect(window, &MainWindow::autoRangeRequested, m_views, &ViewArea::autoRange);
    connect(pipeline, &PipelineMenu::blinkToggled, m_views, &ViewArea::setBlinking);
    connect(pipeline, &PipelineMenu::linkToggled, &m_views->further(), &FurtherViews::setLinked);
}

void Desktop::showRestored(const ScreenshotRecord& record) {
    m_parameters->show();
    m_playback->freezeAt(record.frame, record.bscan);
    if (!record.views.isEmpty()) m_views->restoreScene(record.views);
    m_display->show(record.display);
}

void Desktop::connectMessages() {
    m_messages->listenTo(*m_edits, Topic::Edit);
    m_messages->listenTo(*m_parameters, Topic::Edit);
    m_messages->listenTo(*m_presets, Topic::Edit);
    m_messages->listenTo(*m_pipelines, Topic::Edit);
    m_messages->listenTo(*m_plugins, Topic::Edit);
    m_messages->listenTo(*m_calibration, Topic::Edit, Topic::Calibration);
    m_messages->listenTo(*m_playback, Topic::General, Topic::Pace);
    m_messages->listenTo(*m_volume, Topic::General, Topic::Volume);
    m_messages->listenTo(*m_publish, Topic::General);
    m_messages->listenTo(m_views->imageActions(), Topic::Saving);
    m_messages->listenTo(*m_screenshots, Topic::Saving);
    m_messages->listenTo(*m_exports, Topic::Saving);
    m_messages->listenTo(*m_batches, Topic::Saving);
    m_messages->listenTo(*m_sessions, Topic::Edit);
    m_messages->listenTo(*m_control, Topic::General);
    m_messages->listenTo(*m_help, Topic::General);
    const auto withdrawn = [this](auto... topics) {
        return [this, topics...] { m_messages->withdraw({topics...}); };
    };
    connect(m_screenshots.get(), &ScreenshotDesk::saved, this, withdrawn(Topic::Saving));
    connect(m_screenshots.get(), &ScreenshotDesk::opening, this, withdrawn(Topic::Opening));
    connect(m_exports.get(), &ExportDesk::exported, this, withdrawn(Topic::Saving));
    connect(m_plugins.get(), &PluginDesk::loading, this, withdrawn(Topic::Edit));
    connect(m_edits.get(), &EditDesk::steppedOver, this, withdrawn(Topic::Calibration));
    connect(m_edits.get(), &EditDesk::changed, this, withdrawn(Topic::Edit, Topic::Opening));
}

void Desktop::connectHabits() {
    const QSettings kept = userSettings();
    m_window->restoreGeometry(kept.value("geometry").toByteArray());
    if (kept.contains("layout")) m_window->restoreLayout(kept.value("layout").toByteArray());
    m_window->fitScreen(); // the saved size may be that of a larger screen
    if (m_habits->restore(kept) == ThemeKind::Light) m_window->setTheme(ThemeKind::Light);
    connect(m_window.get(), &MainWindow::themeChosen, m_habits.get(), &HabitDesk::keepTheme);
    connect(m_window.get(), &MainWindow::aboutToClose, m_habits.get(), [this] {
        m_presets->keepLastUsed();
        QSettings store = userSettings();
        store.setValue("layout", m_window->saveLayout());
        store.setValue("geometry", m_window->saveGeometry());
        m_habits->keep(store);
    });
}

} // namespace echolux
