// SPDX-License-Identifier: GPL-3.0-or-later
// Reads, writes and applies calibrations.
#include "app/desktop/calibration_desk.hpp"

#include "app/desktop/edit_desk.hpp"
#include "app/session/calibrated_pipeline.hpp"
#include "gpu/core/error.hpp"
#include "ui/controls/failure_sentence.hpp"
#include "ui/dialogs/calibration_menu.hpp"
#include "ui/dialogs/dispersion_dialog.hpp"
#include "ui/dialogs/mirror_dialog.hpp"
#include "ui/parameters/parameter_panel.hpp"

#include <QDir>
#include <QFileDialog>
#include <QFileInfo>

#include <utility>

namespace echolux {
namespace {

const QString kAnyCalibration =
    QStringLiteral("Calibrations (*.toml *.npz *.npy *.csv *.txt);;All files (*)");
const QString kWholeOrCurve =
    QStringLiteral("Whole calibration (*.toml *.npz);;Resampling curve alone (*.csv *.npy)");

} // namespace

CalibrationDesk::CalibrationDesk(const Widgets& widgets, Session& session, Background& background,
                                 EditDesk& edits)
    : m_widgets(widgets), m_session(session), m_background(background), m_edits(edits) {
    connectMenu();
    connect(&m_finder, &DispersionFinder::found, this, &CalibrationDesk::showFound);
    connect(&m_edits, &EditDesk::changed, this, &CalibrationDesk::showUndo);
    connect(&m_widgets.parameters, &ParameterPanel::stagesReplaced, this,
            &CalibrationDesk::offerCapture);
    connect(&m_background, &Background::ended, this, &CalibrationDesk::showCapturing);
}

CalibrationDesk::~CalibrationDesk() = default;

void CalibrationDesk::connectMenu() {
    const CalibrationMenu* menu = &m_widgets.menu;
    connect(menu, &CalibrationMenu::loadRequested, this, [this] { chooseFileToLoad(); });
    connect(menu, &CalibrationMenu::saveRequested, this, [this] { chooseFileToSave(); });
    connect(menu, &CalibrationMenu::captureRequested, this, &CalibrationDesk::capture);
    connect(menu, &CalibrationMenu::dispersionRequested, this, &CalibrationDesk::findDispersion);
    connect(menu, &CalibrationMenu::mirrorsRequested, this, &CalibrationDesk::measureMirrors);
}

void CalibrationDesk::recordingOpened(const OpenRequest& request) {
    m_request = request;
    m_finder.cancel();
    const RecordingInfo& info = m_session.recording();
    const bool spectra = info.frame.spectrometer != nullptr;
    m_widgets.menu.setAvailable(spectra);
    m_widgets.menu.setFrames(info.live ? 1 : info.frameCount);
    if (m_dispersionDialog != nullptr) {
        m_dispersionDialog->end();
        m_dispersionDialog->hide();
    }
    if (m_mirrorDialog != nullptr) {
        m_mirrorDialog->setApplied(false);
        if (!spectra) m_mirrorDialog->hide();
    }
}

QString CalibrationDesk::folder() const {
    const QString& origin = m_edits.origin();
    const QString last =
        origin.isEmpty() ? QString::fromStdString(m_request.file.string()) : origin;
    return QFileInfo(last).absolutePath();
}

void CalibrationDesk::chooseFileToLoad() {
    const QString path = QFileDialog::getOpenFileName(&m_widgets.window, "Load a calibration",
                                                      folder(), kAnyCalibration);
    if (!path.isEmpty()) load(path);
}

void CalibrationDesk::chooseFileToSave() {
    if (!m_session.isOpen()) return;
    const QString stem = QFileInfo(QString::fromStdString(m_request.file.string())).baseName();
    QString path =
        QFileDialog::getSaveFileName(&m_widgets.window, "Save the calibration",
                                     folder() + '/' + stem + "_calibration.toml", kWholeOrCurve);
    if (path.isEmpty()) return;
    if (QFileInfo(path).suffix().isEmpty()) path += ".toml";
    save(path);
}

void CalibrationDesk::load(const QString& path) {
    const QString name = QFileInfo(path).fileName();
    m_background.start(Background::Kind::Opening, "Loading " + name,
                       [this, path, name](const std::stop_token&) -> Background::Finish {
                           const Calibration calibration = loadCalibration(path.toStdString());
                           return [this, calibration, path, name] {
                               if (m_session.isOpen())
                                   bring(calibration, "loading " + name, name, path);
                           };
                       });
}

void CalibrationDesk::save(const QString& path) {
    if (!m_session.isOpen()) return;
    try {
        Calibration calibration = calibrationOf(*m_session.snapshot());
        calibration.title = "in force for " + m_request.file.filename().string();
        saveCalibration(path.toStdString(), calibration);
        emit informed("Calibration saved: " + QDir::toNativeSeparators(path));
    } catch (const std::exception& error) {
        emit failed(sentenceOf(error));
    }
}

bool CalibrationDesk::bring(const Calibration& calibration, const QString& what,
                            const QString& name, const QString& origin) {
    const SnapshotPtr now = m_session.snapshot();
    if (!now->input.spectrometer) {
        emit failed("Calibrations are for OCT spectra; open a recording of spectra first.");
        return false;
    }
    try {
        AppliedCalibration result =
            applied(calibration, *now->input.spectrometer, now->input.sizeOf(AxisName::Sample),
                    name.toStdString());
        const bool taken =
            apply(what, origin, std::make_shared<const Spectrometer>(std::move(result.facts)),
                  usingCalibration(*now, calibration));
        if (!taken) return false;
        for (const std::string& warning : result.warnings)
            emit warned(QString::fromStdString(warning));
        return true;
    } catch (const std::exception& error) {
        emit failed(sentenceOf(error));
        return false;
    }
}

bool CalibrationDesk::apply(const QString& what, const QString& origin,
                            std::shared_ptr<const Spectrometer> facts,
                            const PipelineConfig& pipeline) {
    const QString refusal = m_edits.edit(
        {what, "Calibration: " + what},
        [&] { m_session.applyCalibration(std::move(facts), pipeline); }, origin);
    if (!refusal.isEmpty()) emit failed(refusal);
    return refusal.isEmpty();
}

} // namespace echolux
