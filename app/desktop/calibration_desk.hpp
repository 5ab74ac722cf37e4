// SPDX-License-Identifier: GPL-3.0-or-later
// The calibration menu at work on the session: load, save, capture, find, undo.
#pragma once

#include "app/desktop/background.hpp"
#include "app/desktop/calibration_edit.hpp"
#include "app/desktop/dispersion_finder.hpp"
#include "app/session/session.hpp"
#include "render/view/view_transform.hpp"

#include <QObject>
#include <QString>

#include <functional>
#include <memory>
#include <optional>
#include <vector>

namespace echolux {

class DispersionDialog;
class ImageView;
class MainWindow;
class MirrorDialog;

class CalibrationDesk : public QObject {
    Q_OBJECT
public:
    /// Does a change of the session, shows what follows; returns why it was refused, or nothing.
    using Attempt = std::function<QString(const std::function<void()>& change)>;

    CalibrationDesk(MainWindow& window, ImageView& view, Session& session, Background& background,
                    Attempt attempt);
    ~CalibrationDesk() override;

    /// Another recording is open; nothing of the former one can be taken back.
    void recordingOpened(const OpenRequest& request);
    /// Other facts are in force that no step here has brought; `origin`: see origin().
    void replaced(const QString& origin);

    void load(const QString& path);
    void save(const QString& path);
    /// 1: of the shown frame, from host memory; more: spread over the recording, from its file.
    void capture(int frames);
    void findDispersion();
    void measureMirrors();
    void undo();

    /// The file whose calibration is in force, where it is one.
    QString origin() const { return m_origin; }
    DispersionDialog* dispersionDialog() const { return m_dispersionDialog; }
    MirrorDialog* mirrorDialog() const { return m_mirrorDialog; }

signals:
    void warned(const QString& sentence);
    void informed(const QString& sentence);
    void failed(const QString& sentence);

private:
    struct Step {
        QString what; ///< "loading a.toml"
        QString origin;
        SnapshotPtr before;
        SnapshotPtr after;
    };
    void connectMenu();
    void chooseFileToLoad();
    void chooseFileToSave();
    QString folder() const;
    /// One step that can be taken back; false where it was refused.
    bool apply(const QString& what, const QString& origin,
               std::shared_ptr<const Spectrometer> facts, const PipelineConfig& pipeline);
    /// Facts in force with the calibration in their place.
    bool bring(const Calibration& calibration, const QString& what, const QString& name,
               const QString& origin);
    void forgetSteps();
    void showUndo();
    void connectDispersionDialog();
    void startSearch();
    void showFound(const DispersionFinder::Outcome& outcome);
    void takeRegion(const std::optional<Rect>& part);
    void connectMirrorDialog();
    void estimate(const QStringList& paths);

    MainWindow& m_window;
    ImageView& m_view;
    Session& m_session;
    Background& m_background;
    Attempt m_attempt;
    OpenRequest m_request;
    QString m_origin;
    std::vector<Step> m_steps;
    DispersionDialog* m_dispersionDialog = nullptr; ///< owned by the window; made when asked for
    MirrorDialog* m_mirrorDialog = nullptr;         ///< the same
    QString m_searchedIn;                           ///< "B-scan 4 of the frame's 8", or empty
    std::uint64_t m_estimating = 0;                 ///< the estimate that the dialog waits for
    Calibration m_estimated;                        ///< of the mirrors measured last
    DispersionFinder m_finder;                      ///< last: its thread calls in
};

} // namespace echolux
