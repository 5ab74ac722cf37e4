// SPDX-License-Identifier: GPL-3.0-or-later
// The calibration menu at work on the session: load, save, capture, find.
#pragma once

#include "app/dataset/calibration/calibration.hpp"
#include "app/desktop/dispersion_finder.hpp"
#include "app/desktop/workbench/background.hpp"
#include "app/session/session.hpp"
#include "render/view/view_transform.hpp"

#include <QObject>
#include <QString>

#include <memory>
#include <optional>

namespace echolux {

class DispersionDialog;
class EditDesk;
class ImageView;
class MainWindow;
class MirrorDialog;

class CalibrationDesk : public QObject {
    Q_OBJECT
public:
    CalibrationDesk(MainWindow& window, ImageView& view, Session& session, Background& background,
                    EditDesk& edits);
    ~CalibrationDesk() override;

    void recordingOpened(const OpenRequest& request);

    void load(const QString& path);
    void save(const QString& path);
    /// 1: of the shown frame, from host memory; more: spread over the recording, from its file.
    void capture(int frames);
    void findDispersion();
    void measureMirrors();
    DispersionDialog* dispersionDialog() const { return m_dispersionDialog; }
    MirrorDialog* mirrorDialog() const { return m_mirrorDialog; }

signals:
    void warned(const QString& sentence);
    void informed(const QString& sentence);
    void failed(const QString& sentence);

private:
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
    EditDesk& m_edits;
    OpenRequest m_request;
    DispersionDialog* m_dispersionDialog = nullptr; ///< owned by the window; made when asked for
    MirrorDialog* m_mirrorDialog = nullptr;         ///< the same
    QString m_searchedIn;                           ///< "B-scan 4 of the frame's 8", or empty
    std::uint64_t m_estimating = 0;                 ///< the estimate that the dialog waits for
    Calibration m_estimated;                        ///< of the mirrors measured last
    DispersionFinder m_finder;                      ///< last: its thread calls in
};

} // namespace echolux
