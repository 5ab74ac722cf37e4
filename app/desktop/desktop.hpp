// SPDX-License-Identifier: GPL-3.0-or-later
// Wires a session to the window: what people do becomes calls, what happens becomes pictures and
// words.
#pragma once

#include "app/desktop/background.hpp"
#include "app/desktop/calibration_desk.hpp"
#include "app/desktop/edit_desk.hpp"
#include "app/desktop/file_hash.hpp"
#include "app/desktop/graph_desk.hpp"
#include "app/desktop/pipeline_desk.hpp"
#include "app/desktop/preset_desk.hpp"
#include "app/desktop/raw_importer.hpp"
#include "app/desktop/screenshot.hpp"
#include "app/desktop/sidecar_desk.hpp"
#include "app/desktop/text_desk.hpp"
#include "app/session/session.hpp"

#include <QElapsedTimer>
#include <QObject>
#include <QString>
#include <QTimer>

#include <atomic>
#include <functional>
#include <memory>
#include <optional>

namespace echolux {

class ImageView;
class MainWindow;
enum class Severity;
enum class Topic;
class ViewArea;

class Desktop : public QObject {
    Q_OBJECT
public:
    /// `remember`: read and keep layout, recent files and display choices in the user's settings.
    /// `inFlight`: frames, on CUDA.
    Desktop(BackendChoice backend, bool remember, int inFlight = EnginePlace::kUsualInFlight);
    ~Desktop() override;

    void showWindow();
    MainWindow& window() { return *m_window; }
    ImageView& view() { return *m_view; }
    ViewArea& views() { return *m_views; }
    Session& session() { return m_session; }

    /// Opens and plays a recording, or brings back what a screenshot shows. The window stays alive
    /// meanwhile and keeps what was open until the new one is ready, or for good where it is
    /// refused or cancelled. A later call replaces this one.
    void open(const QString& path);
    void open(const OpenRequest& request);
    /// Shows and plays what prepareEngine() made of `request`; nothing where that gave up.
    void adopt(PreparedEngine prepared, const OpenRequest& request);
    /// The file is headerless: asks for its sizes, then opens it.
    void askHowStored(const OpenRequest& request);
    void setSpeed(double speed); ///< times the recorded rate; 0 = as fast as possible

    /// The whole window, with the settings that made it. Waits for the source's checksum. Throws
    /// Error where it cannot be written.
    void saveWindowShot(const QString& path);
    /// What --stats writes: counts, rates, latency, milliseconds per stage, display path.
    QByteArray statsJson();
    Background& background() { return m_background; }
    CalibrationDesk& calibration() { return m_calibration; }
    EditDesk& edits() { return m_edits; }
    PipelineDesk& pipelines() { return m_pipelines; }
    PresetDesk& presets() { return m_presets; }
    RawImporter& importer() { return m_importer; }
    SidecarDesk& sidecars() { return m_sidecars; }

private:
    void connectTransport();
    void connectParameters();
    void connectEdits();
    void connectPresets();
    EditDesk::Means editMeans();
    void connectDisplay();
    void connectFiles();
    void connectVolume();
    void supplyViews(Engine* engine);
    void followVolume();
    void showVolume();
    void showVolumeProgress();
    void followShownBscan();
    void chooseBscan(std::int64_t bscan);
    void connectCalibration();
    void chooseFile();
    void chooseRawFile();
    void chooseDescribedFile();
    void openRecent(const QString& path);
    void close(PreparedEngine former, std::shared_ptr<FileHash> hash);
    QString openPath() const;
    void chooseScreenshotSettings();
    void restoreScreenshot(const QString& path);
    Background::Work restoring(const QString& screenshot);
    void showRestored(const ScreenshotRecord& record);
    void saveScreenshot(); ///< of the image with its axes, into the user's pictures
    void savePictureAs(const QImage& picture, const QString& name); ///< asks where
    void savePicture(const QString& path, const QImage& picture);
    QString pictureName(); ///< "recording_frame012"
    ScreenshotRecord screenshotRecord();
    void announce(std::size_t what); ///< any thread: a view's number, or kVolumeNews
    void showNews();
    void showPosition();
    void followPosition();
    void showReadouts();
    void showColumn();
    void showAscan(const ColumnData& column);
    void showViewLines(const ColumnData& column);
    void showStages();
    void followViews();
    void followValueRange();
    void followMasks();
    void showValueRange(const ValueRange& range);
    QString inLabels(const std::string& sentence);
    void nameSources();
    void tellPipelineWarnings();
    void refreshStages(const SnapshotPtr& before);
    void showCurves(const StageState& stage);
    QString attempt(const std::function<void()>& change);
    void editParameter(const QString& instance, const QString& key, const ParamValue& value);
    QString labelOf(const QString& instance) const;
    void reopen(const RecordingState& left, const std::function<void()>& adopted);
    void movePipeline(const PipelineMove& move);
    void showBackend();
    void adopt(PreparedEngine prepared, const OpenRequest& request,
               const std::function<void()>& told);
    Background::Work preparing(const RecordingState& left, const BackendChoice& choice,
                               const std::function<void(PreparedEngine)>& adopted);
    std::function<void(const std::string&)> posted(void (Desktop::*handler)(const std::string&));
    void engineFailed(const std::string& sentence);
    void engineWarned(const std::string& sentence);
    void tell(Severity severity, const QString& sentence, Topic topic);
    void failed(const QString& sentence, Topic topic);
    void rememberRecent(const OpenRequest& request);
    void restoreRemembered();
    void remember();
    void applyDisplay(const DisplayChoice& choice);
    void showDisplay(const DisplayChoice& choice);

    bool m_remember;
    std::unique_ptr<MainWindow> m_window;
    ViewArea* m_views;               ///< owned by the window
    ImageView* m_view;               ///< the B-scan, or the only image; one of m_views
    std::atomic<unsigned> m_news{0}; ///< announced, as bits; one event at a time, however fast
                                     ///< frames are processed
    QTimer m_readoutTimer;
    QElapsedTimer m_sinceStart;
    QElapsedTimer m_sincePosition;
    OpenRequest m_shown; ///< as it was asked for, with the pipeline that was chosen for it
    OpenRequest m_asked; ///< waits for its sizes
    std::optional<ValueRange> m_shownRange; ///< of the pipeline's output
    std::string m_volumeProblem;            ///< told already
    QString m_pipelineWarning;              ///< told already
    QStringList m_viewNames;                ///< shown
    std::shared_ptr<FileHash> m_hash;       ///< of the open file
    std::atomic<int> m_recording{0};        ///< counts those that were opened
    Background m_background;
    RawImporter m_importer;
    SidecarDesk m_sidecars;
    Session m_session; ///< its threads call into the above
    EditDesk m_edits;
    PipelineDesk m_pipelines;
    GraphDesk m_graph;
    TextDesk m_text;
    PresetDesk m_presets;
    CalibrationDesk m_calibration; ///< last: its threads, too
};

} // namespace echolux
