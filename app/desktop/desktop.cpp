// SPDX-License-Identifier: GPL-3.0-or-later
// Makes the desks and connects them.
#include "app/desktop/desktop.hpp"

#include "app/desktop/recent_files.hpp"
#include "ui/parameters/parameter_panel.hpp"
#include "ui/plots/column_plots.hpp"
#include "ui/views/image_view.hpp"
#include "ui/views/view_area.hpp"
#include "ui/window/docks.hpp"
#include "ui/window/main_window.hpp"
#include "ui/window/status_bar.hpp"

#include <QFileInfo>

#include <utility>

namespace echolux {

Desktop::Desktop(BackendChoice backend, bool remember, int inFlight)
    : m_window(std::make_unique<MainWindow>([this] { return makeToolDocks(); })),
      m_views(new ViewArea), m_background(m_window->progress()),
      m_importer(*m_window, m_background), m_sidecars(*m_window), m_news(*m_window),
      m_session(std::move(backend), m_news.callbacks(), inFlight),
      m_messages(m_window->messages(), m_session), m_edits(*m_window, m_session, editMeans()),
      m_recordings(*m_window, m_session, m_background, m_edits, m_messages),
      m_viewDesk(*m_window, *m_views, m_session, m_messages),
      m_work(*m_window, m_views->bscan(), m_session),
      m_volume(*m_window, *m_views, m_session, m_messages),
      m_display(*m_window, *m_views, m_session, m_edits), m_column(*m_views, m_session),
      m_playback(*m_window, *m_views, m_session), m_parameters(*m_window, m_session, m_edits),
      m_bench(m_session, m_background, *m_views, benchMeans()),
      m_pipelines(*m_window, m_session, m_edits, remember),
      m_plugins(*m_window, m_session, m_pipelines),
      m_presets(*m_window, m_session, m_edits,
                QFileInfo(userSettings().fileName()).absolutePath() + "/presets", remember),
      m_files(*m_window, m_session, m_background, m_recordings, {m_importer, m_sidecars},
              m_messages, remember),
      m_live(*m_window, m_session, {m_files, m_recordings, m_messages, m_bench}, remember),
      m_publish(*m_window, m_session, m_messages),
      m_screenshots(*m_window, *m_views, m_session, m_background, m_edits, m_recordings, m_messages,
                    remember),
      m_exports(*m_window, m_session, m_background, m_edits, m_recordings, m_messages, remember),
      m_batches(*m_window, m_session, {m_background, m_exports, m_recordings, m_messages}),
      m_facts(*m_window, m_session), m_start(*m_views, m_files), m_help(*m_window),
      m_statistics(*m_views, m_session), m_beams(*m_views, m_session), m_gate(m_bench),
      m_tools(makeTools()), m_habits(*m_window, *m_views, m_display, m_bench),
      m_closing(*m_window, m_background),
      m_calibration(*m_window, m_views->bscan(), m_session, m_background, m_edits) {
    m_window->setCentralView(m_views);
    connectEngine();
    connectRecordings();
    connectPipeline();
    connectBench();
    connectFiles();
    connectMessages();
    connect(m_window.get(), &MainWindow::aboutToClose, &m_bench, &Workbench::closing);
    if (remember) connectHabits();
}

Desktop::~Desktop() { m_viewDesk.supply(nullptr); }

ImageView& Desktop::view() { return m_views->bscan(); }

std::vector<DockEntry> Desktop::makeToolDocks() {
    std::vector<DockEntry> docks;
    for (const ToolType& type : toolTypes()) {
        m_toolPanels.push_back(type.makePanel == nullptr ? nullptr : type.makePanel());
        if (m_toolPanels.back() == nullptr) continue;
        docks.push_back({type.title, type.id, m_toolPanels.back(), Qt::RightDockWidgetArea,
                         type.place == ToolType::Place::Open ? DockEntry::Kind::AtNeed
                                                             : DockEntry::Kind::Further,
                         type.group});
    }
    return docks;
}

std::vector<std::unique_ptr<QObject>> Desktop::makeTools() {
    std::vector<std::unique_ptr<QObject>> tools;
    for (std::size_t i = 0; i < m_toolPanels.size(); ++i) {
        tools.push_back(toolTypes()[i].makeTool(m_toolPanels[i], m_bench));
        if (m_toolPanels[i] == nullptr) continue;
        m_window->addEntries(toolTypes()[i].menu == ToolType::Menu::Measure
                                 ? MainWindow::MenuPlace::Measure
                                 : MainWindow::MenuPlace::Pipeline,
                             m_toolPanels[i]->actions());
    }
    return tools;
}

EditDesk::Means Desktop::editMeans() {
    return {[this](const std::function<void()>& change) { return m_parameters.attempt(change); },
            [this](const DisplayChoice& choice) { m_display.show(choice); },
            [this](const RecordingState& left, const std::function<void()>& adopted) {
                m_recordings.reopen(left, adopted);
            }};
}

Workbench::Means Desktop::benchMeans() {
    const auto tell = [this](Severity severity) {
        return [this, severity](const QString& sentence) {
            m_messages.tell(severity, sentence, Topic::General);
        };
    };
    return {
        .edit = [this](const QString& stage, const QString& key,
                       const ParamValue& value) { m_parameters.edit(stage, key, value); },
        .step = [this](const StepName& name,
                       const std::function<void()>& change) { return m_edits.edit(name, change); },
        .attempt =
            [this](const std::function<void()>& change) { return m_parameters.attempt(change); },
        .editPipeline =
            [this](const QString& what, const std::function<PipelineConfig()>& make) {
                return m_pipelines.edit(what, make);
            },
        .openShipped = [this](const QString& name) { m_pipelines.openShipped(name); },
        .bypass = [this](const QString& stage, bool bypass) { m_parameters.bypass(stage, bypass); },
        .reveal = [this](const QString& stage) { m_window->parameters().reveal(stage); },
        .openDock = [this](QWidget& content) { m_window->openDock(content); },
        .inform = tell(Severity::Info),
        .warn = tell(Severity::Warning),
        .fail = tell(Severity::Error),
        .beams = [this] { return m_beams.geometry(); },
        .selectedPixel = [this] { return m_beams.pixel(); },
        .showContours = [this](const std::vector<ViewSketch::Contour>& contours,
                               const QString& text) { m_beams.showContours(contours, text); },
        .addDock =
            [this](const QString& title, const QString& name, QWidget* content) {
                m_window->addDock(
                    {title, name, content, Qt::RightDockWidgetArea, DockEntry::Kind::Further});
            },
        .removeDock = [this](QWidget& content) { m_window->removeDock(content); }};
}

void Desktop::connectEngine() {
    connect(&m_news, &EngineNews::imageReady, &m_viewDesk, &ViewDesk::imageReady);
    connect(&m_news, &EngineNews::volumeChanged, &m_volume, &VolumeDesk::volumeChanged);
    connect(&m_news, &EngineNews::looked, &m_bench, &Workbench::looked);
    connect(&m_news, &EngineNews::warned, &m_messages, [this](const std::string& sentence) {
        m_messages.tell(Severity::Warning, m_messages.inLabels(sentence), Topic::Recording);
    });
    connect(&m_news, &EngineNews::failed, this, [this](const std::string& sentence) {
        m_messages.fail(m_messages.inLabels(sentence), Topic::Engine);
        m_work.failed();
        if (!m_session.isOpen()) return;
        m_volume.showProgress(); // a failed sweep has ended
        m_edits.engineRefused();
        m_parameters.show(); // the snapshot in force has replaced a refused one
        m_playback.showPosition();
    });
    connect(&m_statistics, &StatisticsDesk::measured, this, [this](const Statistics& now) {
        const LiveCounters live = now.live.value_or(LiveCounters{});
        m_window->status().setMissingFrames(
            static_cast<qint64>(live.lostAtSource + live.withoutRoom + live.malformed),
            static_cast<qint64>(now.framesDropped));
        m_live.follow(now);
        m_publish.follow();
        m_volume.showProgress();
        m_playback.showReachedRate(now.processedPerS);
        m_playback.showPosition(); // playback stops after the last frame
    });
    connect(&m_volume, &VolumeDesk::frozen, &m_playback, &PlaybackDesk::showPosition);
    connect(&m_playback, &PlaybackDesk::frozen, &m_bench, &Workbench::looked);
    connect(m_window.get(), &MainWindow::forgetPickedRequested, &m_column, &ColumnDesk::forget);
    connect(m_window.get(), &MainWindow::forgetPickedRequested, &m_beams, &BeamDesk::forget);
    connect(&m_playback, &PlaybackDesk::paceTold, &m_messages, [this](const QString& sentence) {
        m_messages.tell(Severity::Warning, sentence, Topic::Pace);
    });
}

void Desktop::connectRecordings() {
    connect(&m_recordings, &RecordingDesk::leaving, this, [this] {
        m_presets.leaving();
        m_live.leaving();
        m_publish.leaving();
        m_viewDesk.supply(nullptr);
        m_news.forget();
    });
    connect(&m_recordings, &RecordingDesk::adopted, this, &Desktop::recordingOpened);
    connect(&m_recordings, &RecordingDesk::moved, this,
            [this](const PipelineMove& move, const PlayState& left) {
                m_pipelines.moved(move);
                m_playback.resume(left);
                emit m_bench.moved(move);
            });
}

void Desktop::recordingOpened() {
    m_viewDesk.recordingOpened();
    m_work.recordingOpened();
    m_volume.recordingOpened();
    m_beams.recordingOpened();
    m_publish.adopted();
    emit m_bench.recordingChanged();
    m_parameters.recordingOpened();
    m_calibration.recordingOpened(m_recordings.shown());
    m_pipelines.recordingOpened();
    m_screenshots.recordingOpened();
    m_files.recordingOpened();
    m_playback.recordingOpened();
    m_presets.recordingOpened();
    m_facts.recordingOpened();
    m_start.recordingOpened();
}

/// All parts that show the pipeline in force are updated after the rows of its parameters.
void Desktop::connectPipeline() {
    const ParameterDesk* rows = &m_parameters;
    connect(rows, &ParameterDesk::pipelineShown, &m_work, &WorkDesk::followPipeline);
    connect(rows, &ParameterDesk::pipelineShown, &m_viewDesk, &ViewDesk::followPipeline);
    connect(rows, &ParameterDesk::pipelineShown, &m_display, &DisplayDesk::followPipeline);
    connect(rows, &ParameterDesk::pipelineShown, &m_messages, &MessageDesk::followPipeline);
    connect(rows, &ParameterDesk::pipelineShown, &m_beams, &BeamDesk::followPipeline);
    connect(rows, &ParameterDesk::pipelineShown, &m_bench, &Workbench::pipelineChanged);
    connect(rows, &ParameterDesk::noticeChanged, &m_views->bscan(), &ImageView::setNotice);
    connect(&m_pipelines, &PipelineDesk::moveWanted, &m_recordings, &RecordingDesk::move);
}

void Desktop::connectBench() {
    connect(&m_column, &ColumnDesk::forgotten, &m_bench, &Workbench::columnForgotten);
    const auto needPlots = [this](bool needed) {
        return [this, needed] { m_window->setDockNeeded(panel<ColumnPlots>(), needed); };
    };
    connect(&m_column, &ColumnDesk::picked, this, needPlots(true));
    connect(&m_column, &ColumnDesk::forgotten, this, needPlots(false));
    connect(&m_bench, &Workbench::recordingChanged, this, needPlots(false));
    connect(&m_beams, &BeamDesk::pixelMoved, &m_bench, &Workbench::selectionChanged);
    connect(&m_statistics, &StatisticsDesk::measured, &m_bench, &Workbench::measured);
    connect(&m_statistics, &StatisticsDesk::measuredTheSame, &m_bench, &Workbench::measuredTheSame);
    connect(&m_bench, &Workbench::moveWanted, this, [this](PipelineMove move) {
        move.file = m_pipelines.file();
        m_recordings.move(move);
    });
}

void Desktop::connectFiles() {
    connect(&m_files, &FileDesk::screenshotChosen, &m_screenshots, &ScreenshotDesk::restore);
    connect(&m_files, &FileDesk::pipelineChosen, &m_pipelines, &PipelineDesk::open);
    connect(&m_screenshots, &ScreenshotDesk::restored, this, &Desktop::showRestored);
}

void Desktop::showRestored(const ScreenshotRecord& record) {
    m_parameters.show();
    m_playback.freezeAt(record.frame, record.bscan);
    if (!record.views.isEmpty()) m_views->restoreScene(record.views);
    m_display.show(record.display);
}

void Desktop::connectMessages() {
    m_messages.listenTo(m_edits, Topic::Edit);
    m_messages.listenTo(m_parameters, Topic::Edit);
    m_messages.listenTo(m_presets, Topic::Edit);
    m_messages.listenTo(m_pipelines, Topic::Edit);
    m_messages.listenTo(m_plugins, Topic::Edit);
    connect(&m_plugins, &PluginDesk::loading, this, [this] { m_messages.withdraw({Topic::Edit}); });
    m_messages.listenTo(m_calibration, Topic::Edit, Topic::Calibration);
    connect(&m_edits, &EditDesk::changed, &m_messages, [this] {
        m_messages.withdraw({Topic::Edit, Topic::Opening});
    });
    connect(&m_edits, &EditDesk::steppedOver, &m_messages,
            [this] { m_messages.withdraw({Topic::Calibration}); });
}

void Desktop::connectHabits() {
    m_habits.restore();
    connect(m_window.get(), &MainWindow::aboutToClose, &m_habits, [this] {
        m_presets.keepLastUsed();
        m_habits.keep();
    });
}

} // namespace echolux
