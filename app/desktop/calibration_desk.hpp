// SPDX-License-Identifier: GPL-3.0-or-later
// Carries out the calibration menu on the session: load, save, capture, find.
#pragma once

#include "app/dataset/calibration/calibration.hpp"
#include "app/desktop/dispersion_finder.hpp"
#include "app/desktop/workbench/background.hpp"
#include "app/session/session.hpp"
#include "render/view/view_transform.hpp"

#include <QObject>
#include <QPointer>
#include <QString>

#include <functional>
#include <memory>
#include <optional>
#include <vector>

class QWidget;

namespace echolux {

class CalibrationMenu;
class CaptureRow;
class DispersionDialog;
class EditDesk;
class MirrorDialog;
class ParameterPanel;
class ViewArea;

class CalibrationDesk : public QObject {
    Q_OBJECT
public:
    struct Widgets {
        QWidget& window; ///< parent of dialogs
        CalibrationMenu& menu;
        ParameterPanel& parameters;
        ViewArea& views;
    };
    CalibrationDesk(const Widgets& widgets, Session& session, Background& background,
                    EditDesk& edits);
    ~CalibrationDesk() override;

    void recordingOpened(const OpenRequest& request);

    void load(const QString& path);
    void save(const QString& path);
    /// Captures the background: from the shown frame in host memory where `frames` is 1, otherwise
    /// from frames of the file, spread over the recording.
    void capture(int frames);
    /// Captures the background from the next `lines` lines that are imaged. Playback goes on.
    void captureNext(int lines);
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
    /// One step of the undo list; false where it was refused.
    bool apply(const QString& what, const QString& origin,
               std::shared_ptr<const Spectrometer> facts, const PipelineConfig& pipeline);
    /// Applies `calibration` in place of the same facts in force; other facts stay. Returns false
    /// where it was refused.
    bool bring(const Calibration& calibration, const QString& what, const QString& name,
               const QString& origin);
    std::function<Background::Finish(std::vector<float>)> subtracting();
    void offerCapture();
    void showCapturing();
    void showUndo();
    void connectDispersionDialog();
    void startSearch();
    void showFound(const DispersionFinder::Outcome& outcome);
    void takeRegion(const std::optional<Rect>& part);
    void connectMirrorDialog();
    void estimate(const QStringList& paths);

    Widgets m_widgets;
    Session& m_session;
    Background& m_background;
    EditDesk& m_edits;
    OpenRequest m_request;
    DispersionDialog* m_dispersionDialog = nullptr; ///< owned by the window; created at first use
    MirrorDialog* m_mirrorDialog = nullptr;         ///< owned by the window; created at first use
    QPointer<CaptureRow> m_captureRow;
    std::optional<int> m_capturedLines; ///< as the user set it last
    QString m_searchedIn;               ///< "B-scan 4 of the frame's 8", or empty
    std::uint64_t m_estimating = 0;     ///< number of the estimate that the dialog waits for
    Calibration m_estimated;            ///< result of the latest mirror measurement
    DispersionFinder m_finder;          ///< must stay the last member: its thread calls this object
};

} // namespace echolux
