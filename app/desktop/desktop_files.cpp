// SPDX-License-Identifier: GPL-3.0-or-later
// Opening recordings, recent files, what is remembered.
#include "app/desktop/desktop.hpp"

#include "app/dataset/recording/headerless_data.hpp"
#include "app/desktop/recent_files.hpp"
#include "app/desktop/recording_text.hpp"
#include "ui/graph/graph_view.hpp"
#include "ui/parameters/display_group.hpp"
#include "ui/parameters/parameter_panel.hpp"
#include "ui/plots/depth_profile_plot.hpp"
#include "ui/plots/fringe_plot.hpp"
#include "ui/plots/rf_line_plot.hpp"
#include "ui/plots/spectrum_plot.hpp"
#include "ui/plots/view_lines_plot.hpp"
#include "ui/theme/theme.hpp"
#include "ui/views/image_actions.hpp"
#include "ui/views/image_view.hpp"
#include "ui/views/view_area.hpp"
#include "ui/window/main_window.hpp"
#include "ui/window/message_bar.hpp"
#include "ui/window/status_bar.hpp"
#include "ui/window/transport_bar.hpp"

#include <QFileDialog>
#include <QFileInfo>

#include <algorithm>
#include <utility>

namespace echolux {
namespace {

QStringList pathsOf(const std::vector<OpenRequest>& requests) {
    QStringList paths;
    for (const OpenRequest& each : requests) paths << QString::fromStdString(each.file.string());
    return paths;
}

} // namespace

void Desktop::connectFiles() {
    MainWindow* window = m_window.get();
    connect(window, &MainWindow::openRequested, this, [this] { chooseFile(); });
    connect(window, &MainWindow::recentFileChosen, this,
            [this](const QString& path) { openRecent(path); });
    connect(window, &MainWindow::fileDropped, this, [this](const QString& path) { open(path); });
    connect(window, &MainWindow::screenshotRequested, this, [this] { saveScreenshot(); });
    connect(&m_views->imageActions(), &ImageActions::saveRequested, this,
            [this](const QImage& picture, const QString& name) { savePictureAs(picture, name); });
    connect(&m_views->imageActions(), &ImageActions::failed, this,
            [this](const QString& sentence) { failed(sentence, Topic::Saving); });
    connect(window, &MainWindow::openScreenshotSettingsRequested, this,
            [this] { chooseScreenshotSettings(); });
    connect(window, &MainWindow::importRawRequested, this, [this] { chooseRawFile(); });
    connect(window, &MainWindow::openDescribedRequested, this, [this] { chooseDescribedFile(); });
    connect(&m_sidecars, &SidecarDesk::chosen, this,
            [this](const OpenRequest& request) { open(request); });
    connect(&m_sidecars, &SidecarDesk::refused, this,
            [this](const QString& sentence) { failed(sentence, Topic::Opening); });
    connect(&m_importer, &RawImporter::described, this, [this] { open(m_asked); });
    connect(&m_importer, &RawImporter::keptElsewhere, this,
            [this](const QString& sentence) { tell(Severity::Info, sentence, Topic::General); });
    connect(&m_importer, &RawImporter::failed, this,
            [this](const QString& sentence) { failed(sentence, Topic::Opening); });
    connect(&m_background, &Background::failed, this,
            [this](const QString& sentence, Background::Kind kind) {
                failed(sentence, kind == Background::Kind::Saving ? Topic::Saving : Topic::Opening);
            });
    connect(window, &MainWindow::aboutToClose, this, [this] { remember(); });
}

void Desktop::chooseFile() {
    const QString folder = m_shown.file.empty() ? QString() : QFileInfo(openPath()).absolutePath();
    const QString path = QFileDialog::getOpenFileName(m_window.get(), "Open a recording", folder);
    if (!path.isEmpty()) open(path);
}

void Desktop::chooseRawFile() {
    const QString folder = m_shown.file.empty() ? QString() : QFileInfo(openPath()).absolutePath();
    const QString path = QFileDialog::getOpenFileName(m_window.get(), "Import raw spectra", folder);
    if (!path.isEmpty()) askHowStored(OpenRequest{path.toStdString()});
}

void Desktop::chooseDescribedFile() {
    const QString folder = m_shown.file.empty() ? QString() : QFileInfo(openPath()).absolutePath();
    const QString path =
        QFileDialog::getOpenFileName(m_window.get(), "Open with a sidecar: the recording", folder);
    if (!path.isEmpty()) m_sidecars.choose(OpenRequest{path.toStdString()});
}

void Desktop::askHowStored(const OpenRequest& request) {
    m_asked = request;
    m_importer.ask(QString::fromStdString(request.file.string()));
}

void Desktop::open(const QString& path) {
    if (isScreenshot(path)) {
        restoreScreenshot(path);
    } else if (isPipelineFile(path)) {
        m_pipelines.open(path);
    } else {
        open(OpenRequest{path.toStdString()});
    }
}

void Desktop::open(const OpenRequest& request) {
    m_window->messages().withdraw({Topic::Opening});
    const QString name = QString::fromStdString(request.file.filename().string());
    m_background.start(
        Background::Kind::Opening, "Opening " + name,
        [this, request, place = m_session.place(), beside = std::weak_ptr(m_session.shared())](
            const std::stop_token& stop) -> Background::Finish {
            try {
                const auto prepared =
                    std::make_shared<PreparedEngine>(prepareEngine(request, place, stop, beside));
                return [this, request, prepared] { adopt(std::move(*prepared), request); };
            } catch (const HeaderlessData&) {
                return [this, request] { askHowStored(request); };
            } catch (const UndescribedData& refusal) {
                return [this, request, sentence = QString(refusal.what())] {
                    m_sidecars.ask(request, sentence);
                };
            }
        });
}

/// With the sidecar and the pipeline that were given when it was opened before.
void Desktop::openRecent(const QString& path) {
    QSettings store = userSettings();
    const auto known = recentFiles(store);
    const OpenRequest plain{path.toStdString()};
    const auto at = std::ranges::find(known, plain.file, &OpenRequest::file);
    open(at != known.end() ? *at : plain);
}

/// The recording as it was left, on `choice`; then `adopted` takes it over.
Background::Work Desktop::preparing(const RecordingState& left, const BackendChoice& choice,
                                    const std::function<void(PreparedEngine)>& adopted) {
    OpenRequest request = left.asked;
    request.pipeline = left.pipeline;
    request.calibration = left.calibration;
    request.choosePipeline = nullptr;
    return [request, choice, place = m_session.placeOn(choice), adopted,
            beside = std::weak_ptr(m_session.shared())](
               const std::stop_token& stop) -> Background::Finish {
        const auto prepared =
            std::make_shared<PreparedEngine>(prepareEngine(request, place, stop, beside));
        prepared->choice = choice;
        return [adopted, prepared] { adopted(std::move(*prepared)); };
    };
}

/// As it was left; told of as another opening of what was asked for then.
void Desktop::reopen(const RecordingState& left, const std::function<void()>& adopted) {
    m_window->messages().withdraw({Topic::Opening});
    m_background.start(
        Background::Kind::Opening,
        "Opening " + QString::fromStdString(left.asked.file.filename().string()),
        preparing(left, left.backend, [this, asked = left.asked, adopted](PreparedEngine prepared) {
            adopt(std::move(prepared), asked, adopted);
        }));
}

/// The frame and the playing go on from there.
void Desktop::movePipeline(const PipelineMove& move) {
    RecordingState left = m_edits.recordingState();
    left.pipeline = move.pipeline;
    const PlayState at = m_session.engine().player().state();
    const auto adopted = [this, move, at](PreparedEngine prepared) {
        if (!prepared.engine) return;
        const double speed = at.speed;
        adopt(std::move(prepared), m_shown, [this, &move] { m_edits.moved(move.name); });
        m_pipelines.moved(move);
        Player& player = m_session.engine().player();
        setSpeed(speed);
        player.setLoop(at.loop);
        m_window->transport().setLoop(at.loop);
        if (!at.playing) player.freeze();
        player.seek(at.position);
        showPosition();
        tell(Severity::Info,
             move.name.detail + ": it runs on " +
                 QString::fromStdString(m_session.backend().device) + " now, as the file asks.",
             Topic::General);
    };
    m_window->messages().withdraw({Topic::Opening});
    m_background.start(
        Background::Kind::Opening, "Moving to " + move.placeName(),
        [this, left, move, adopted](const std::stop_token& stop) -> Background::Finish {
            const BackendChoice choice = chooseBackend(nameOf(move.place.backend), move.place.gpu);
            return preparing(left, choice, adopted)(stop);
        });
}

void Desktop::adopt(PreparedEngine prepared, const OpenRequest& request) {
    adopt(std::move(prepared), request, [this] { m_edits.opened(m_shown); });
}

/// `told`: in place of telling the list of edits.
void Desktop::adopt(PreparedEngine prepared, const OpenRequest& request,
                    const std::function<void()>& told) {
    if (!prepared.engine) return;
    m_edits.leaving();
    const bool kept = m_remember && m_session.isOpen() && m_presets.keepLastUsed();
    const QString former = QFileInfo(openPath()).fileName();
    // The view must not ask a supplier that is about to go.
    supplyViews(nullptr);
    m_shown = request;
    ++m_recording;
    close(m_session.adopt(std::move(prepared)),
          std::exchange(m_hash, std::make_shared<FileHash>(openPath())));
    showBackend();
    Engine& engine = m_session.engine();
    if (const auto choose = std::exchange(m_shown.choosePipeline, nullptr); choose)
        m_shown.pipeline = toConfig(*m_session.snapshot());
    m_views->clear();
    m_views->resetViews();
    m_volumeProblem.clear();
    m_pipelineWarning.clear();
    m_window->messages().withdraw({Topic::Recording, Topic::Volume, Topic::Calibration,
                                   Topic::Opening, Topic::Edit, Topic::Pipeline, Topic::Engine});
    supplyViews(&engine);
    followVolume();
    m_window->parameters().clearSearch();
    m_window->viewLines().clear();
    m_window->aLine().clear();
    m_window->spectrum().clear();
    m_window->fringe().clear();
    m_window->ascan().clear();
    m_window->showOctPlots(engine.info().frame.spectrometer != nullptr);
    m_window->status().setSource(sourceText(engine.info()), openPath());
    m_window->transport().setRecordedRate(
        engine.info().frameCount > 1 ? engine.player().state().frameRateHz : 0.0);
    m_window->setWindowTitle(QString::fromStdString(engine.info().path.filename().string()) +
                             " - Echolux");
    showStages();
    m_calibration.recordingOpened(m_shown);
    m_pipelines.recordingOpened();
    m_window->transport().setPart(0, engine.info().frameCount - 1);
    told();
    m_presets.offer();
    engine.player().setLoop(true);
    m_window->transport().setLoop(true);
    m_window->transport().setSpeed(1.0);
    if (engine.info().frameCount > 1) engine.player().play();
    showPosition();
    rememberRecent(m_shown);
    // The first is on view, the others below it.
    const auto& warnings = engine.info().warnings;
    for (auto warning = warnings.rbegin(); warning != warnings.rend(); ++warning)
        tell(Severity::Warning, QString::fromStdString(*warning), Topic::Recording);
    if (kept) {
        tell(Severity::Info,
             "The settings of " + former +
                 " are kept: Edit > Undo leads back, Pipeline > Presets > Last used brings them.",
             Topic::General);
    }
}

/// Away from the window's thread, since both wait for a read in progress.
void Desktop::close(PreparedEngine former, std::shared_ptr<FileHash> hash) {
    if (!former.engine) return;
    m_background.start(Background::Kind::Quiet, {},
                       [held = std::make_shared<PreparedEngine>(std::move(former)),
                        hash = std::move(hash)](const std::stop_token&) {
                           held->engine.reset();
                           return Background::Finish();
                       });
}

QString Desktop::openPath() const { return QString::fromStdString(m_shown.file.string()); }

void Desktop::rememberRecent(const OpenRequest& request) {
    if (!m_remember) return;
    QSettings store = userSettings();
    addRecentFile(store, request);
    m_window->setRecentFiles(pathsOf(recentFiles(store)));
}

void Desktop::restoreRemembered() {
    if (!m_remember) return;
    QSettings store = userSettings();
    m_window->setRecentFiles(pathsOf(recentFiles(store)));
    m_window->restoreGeometry(store.value("geometry").toByteArray());
    if (store.contains("layout")) m_window->restoreLayout(store.value("layout").toByteArray());
    m_views->restore(store.value("views").toMap());
    if (store.value("graph_to_the_right").toBool()) m_window->graph().setFlow(GraphFlow::Right);
    DisplayChoice shown = m_window->display().settings();
    shown.colourMap = store.value("colour_map", shown.colourMap).toString();
    shown.inverted = store.value("inverted").toBool();
    shown.smooth = store.value("smooth", shown.smooth).toBool();
    shown.gamma = store.value("gamma", shown.gamma).toDouble();
    m_window->display().setSettings(shown);
    applyDisplay(shown);
    m_edits.displayFollowed();
    if (store.value("light_theme").toBool()) m_window->setTheme(ThemeKind::Light);
}

void Desktop::remember() {
    if (!m_remember) return;
    if (m_session.isOpen()) m_presets.keepLastUsed();
    QSettings store = userSettings();
    store.setValue("layout", m_window->saveLayout());
    store.setValue("geometry", m_window->saveGeometry());
    store.setValue("views", m_views->state());
    store.setValue("graph_to_the_right", m_window->graph().flow() == GraphFlow::Right);
    const DisplayChoice& display = m_window->display().settings();
    store.setValue("smooth", display.smooth);
    store.setValue("gamma", display.gamma);
    store.setValue("colour_map", m_view->colourMapName());
    store.setValue("inverted", m_view->inverted());
    store.setValue("light_theme", Theme::instance().kind() == ThemeKind::Light);
}

} // namespace echolux
