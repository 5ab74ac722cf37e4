// SPDX-License-Identifier: GPL-3.0-or-later
// Wires a session to the window: what people do becomes calls, what happens becomes pictures and
// words.
#pragma once

#include "app/desktop/screenshot.hpp"
#include "app/session/session.hpp"

#include <QElapsedTimer>
#include <QObject>
#include <QString>
#include <QTimer>

#include <atomic>
#include <future>
#include <memory>
#include <optional>

namespace echolux {

class ImageView;
class MainWindow;

class Desktop : public QObject {
    Q_OBJECT
public:
    /// `remember`: read and keep layout, recent files and display choices in the user's settings.
    Desktop(BackendChoice backend, bool remember);
    ~Desktop() override;

    void showWindow();
    MainWindow& window() { return *m_window; }
    ImageView& view() { return *m_view; }
    Session& session() { return m_session; }

    /// Opens and plays. Throws Error with what was open still open.
    void open(const QString& path, const OpenOptions& options = {},
              const std::optional<PipelineConfig>& pipeline = {});
    /// The same for people: a refusal is shown above the image.
    void tryOpen(const QString& path);
    void setSpeed(double speed); ///< times the recorded rate; 0 = as fast as possible

    /// The whole window, with the settings that made it. Throws Error where it cannot be written.
    void saveWindowShot(const QString& path);
    /// Applies a screenshot's settings to the recording it shows, opening it from the recent files
    /// if need be.
    void restoreScreenshot(const QString& path);
    /// What --stats writes: counts, rates, latency, milliseconds per stage, display path.
    QByteArray statsJson();

private:
    void connectTransport();
    void connectParameters();
    void connectDisplay();
    void connectFiles();
    void chooseFile();
    void chooseScreenshotSettings();
    void saveScreenshot(); ///< of the image with its axes, into the user's pictures
    ScreenshotRecord screenshotRecord();
    void imageReady();
    void showPosition();
    void followPosition();
    void showReadouts();
    void showColumn();
    void showStages();
    void followValueRange();
    void startHash();
    void refreshStages(const SnapshotPtr& before);
    void showCurves(const StageState& stage);
    void edit(const QString& instance, const QString& key, const ParamValue& value);
    void failed(const std::string& sentence);
    void rememberRecent(const QString& path);
    void restoreRemembered();
    void remember();
    void applyDisplay(const DisplayChoice& choice);

    bool m_remember;
    std::unique_ptr<MainWindow> m_window;
    ImageView* m_view; ///< owned by the window
    std::atomic<bool> m_imageAnnounced{
        false}; ///< one event at a time, however fast frames are processed
    QTimer m_readoutTimer;
    QElapsedTimer m_sinceStart;
    QElapsedTimer m_sincePosition;
    QString m_path;
    OpenOptions m_openOptions;
    std::optional<ValueRange> m_shownRange; ///< of the pipeline's output
    std::shared_ptr<std::atomic<bool>> m_stopHash;
    std::shared_future<QString> m_hash; ///< of the open file
    Session m_session;                  ///< last: its threads call into the above
};

} // namespace echolux
