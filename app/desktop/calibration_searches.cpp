// SPDX-License-Identifier: GPL-3.0-or-later
// The dialogs that search for a calibration: dispersion by sharpness, resampling by mirrors.
#include "app/desktop/calibration_desk.hpp"
#include "app/desktop/edit_desk.hpp"
#include "app/session/calibrated_pipeline.hpp"
#include "app/session/offline/mirror_recording.hpp"
#include "ui/controls/failure_sentence.hpp"
#include "ui/controls/number_text.hpp"
#include "ui/dialogs/calibration_menu.hpp"
#include "ui/dialogs/dispersion_dialog.hpp"
#include "ui/dialogs/mirror_dialog.hpp"
#include "ui/theme/theme.hpp"
#include "ui/views/drawn_region.hpp"
#include "ui/views/image_view.hpp"
#include "ui/views/view_area.hpp"

#include <QFileDialog>

#include <algorithm>
#include <cmath>

namespace echolux {
namespace {

const QString kFoundDispersion = QStringLiteral("the found dispersion");
constexpr double kUmPerM = 1e6;

/// Depth bins of the transform without padding, which the dialog counts.
struct DepthBins {
    std::int64_t count = 0;
    double axisPerBin = 1.0; ///< in the image's own unit
    double shownPerBin = 1.0;
    QString unit; ///< unit of shown depths

    std::int64_t binAt(double shown) const { return std::llround(shown / shownPerBin); }
    double shownAt(double axisDepth) const {
        return std::clamp(axisDepth / axisPerBin, 0.0, static_cast<double>(count)) * shownPerBin;
    }
};

/// Throws Error where the chain has no transform to depth.
DepthBins depthBinsOf(const Snapshot& chain) {
    const Axis depths = searchedDepths(chain);
    if (depths.unit != "m") return {depths.size, depths.spacing, 1.0, QStringLiteral("bins")};
    return {depths.size, depths.spacing, depths.spacing * kUmPerM, QStringLiteral("\u00b5m")};
}

QString number(double value) { return numberText(value, 4); }

QString rad(double value) { return numberText(value, 1); }

/// The search is exact to about a radian, so further digits would have no meaning.
DispersionTerms rounded(DispersionTerms terms) {
    for (double& term : terms) term = std::round(term * 10.0) / 10.0;
    return terms;
}

/// Places the dialog over the docks on the right, so that the image stays visible.
void placeAside(QDialog& dialog, const QWidget& window) {
    dialog.adjustSize();
    constexpr int kMargin = 2 * kGrid;
    constexpr int kBelowBars = 10 * kGrid;
    dialog.move(window.mapToGlobal(QPoint(window.width() - dialog.width() - kMargin, kBelowBars)));
}

QString foundText(const DispersionFinder::Outcome& outcome) {
    const DispersionFound& found = outcome.found;
    QString text = "Found c1 = " + rad(found.terms[0]) + ", c2 = " + rad(found.terms[1]);
    if (found.terms[2] != 0.0) text += ", c3 = " + rad(found.terms[2]);
    text += QString(" rad in %1 trials. Sharpness ").arg(found.trials);
    if (outcome.before) text += number(*outcome.before) + " before, ";
    if (!outcome.before || *outcome.before != found.sharpnessWithout)
        text += number(found.sharpnessWithout) + " without dispersion, ";
    return text + number(found.sharpness) + " now; larger is sharper.";
}

QString estimateText(const MirrorMeasurement& measured) {
    const MirrorEstimate& estimate = measured.estimate;
    QStringList bins;
    for (const double bin : measured.fringeBins) bins << QString::number(bin, 'f', 0);
    QString text = QString("The fringe has %1 periods. Its phase lies within %2 rad of a smooth "
                           "curve. The curve is up to %3 samples from linear.")
                       .arg(bins.join(" and "))
                       .arg(estimate.residualRad, 0, 'f', 3)
                       .arg(estimate.largestDeviation, 0, 'f', 2);
    if (measured.fringeBins.size() == 1) return text + " " + kOneMirror;
    if (estimate.dispersionRad.empty()) return text;
    return text + QString(" Dispersion near c1 = %1, c2 = %2 rad, for a sample on the side of the "
                          "first mirror.")
                      .arg(rad(estimate.dispersion[0]), rad(estimate.dispersion[1]));
}

} // namespace

void CalibrationDesk::showUndo() {
    if (m_dispersionDialog != nullptr)
        m_dispersionDialog->setUndoable(m_edits.newest() == kFoundDispersion);
}

void CalibrationDesk::connectDispersionDialog() {
    QStringList metrics;
    for (const auto& metric : sharpnessMetrics()) metrics << QString::fromStdString(metric.first);
    m_dispersionDialog = new DispersionDialog(metrics, &m_widgets.window);
    DispersionDialog* dialog = m_dispersionDialog;
    connect(dialog, &DispersionDialog::startRequested, this, [this] { startSearch(); });
    connect(dialog, &DispersionDialog::cancelRequested, this, [this, dialog] {
        m_finder.cancel();
        dialog->end();
        dialog->setNote("Cancelled; the dispersion is as before.");
    });
    connect(dialog, &DispersionDialog::undoRequested, this, [this, dialog] {
        m_edits.undo();
        dialog->setNote("The former dispersion is back.");
    });
    connect(dialog, &DispersionDialog::regionFromViewRequested, this,
            [this] { takeRegion(m_widgets.views.bscan().visiblePart()); });
    connect(dialog, &DispersionDialog::regionFromDrawingRequested, this,
            [this] { takeRegion(m_widgets.views.region().bounds()); });
    connect(&m_widgets.views.region(), &DrawnRegion::changed, dialog, [this, dialog] {
        dialog->setHasDrawnRegion(m_widgets.views.region().region().has_value());
        if (dialog->isVisible() && !dialog->isBusy()) takeRegion(m_widgets.views.region().bounds());
    });
    connect(dialog, &DispersionDialog::regionFromWindowRequested, this, [this] {
        std::optional<Rect> part = m_widgets.views.bscan().visiblePart();
        const auto window = m_widgets.views.shownWindow();
        if (!part || !window) return;
        part->top = window->nearest;
        part->bottom = window->deepest;
        takeRegion(part);
    });
    connect(&m_finder, &DispersionFinder::tried, dialog,
            [dialog](const DispersionFinder::Trials& trials) {
                dialog->addTrials(trials.numbers, trials.sharpness, trials.best, trials.progress);
            });
    connect(&m_finder, &DispersionFinder::failed, dialog, [dialog](const QString& sentence) {
        dialog->end();
        dialog->setNote(sentence, true);
    });
}

void CalibrationDesk::findDispersion() {
    if (!m_session.isOpen() || !m_session.spectrometer()) return;
    try {
        const SnapshotPtr chain = m_session.snapshot();
        const DepthBins bins = depthBinsOf(*chain);
        const bool fresh = m_dispersionDialog == nullptr;
        if (fresh) connectDispersionDialog();
        if (fresh || !m_dispersionDialog->isVisible()) {
            m_dispersionDialog->setLimits(
                static_cast<double>(bins.count) * bins.shownPerBin,
                static_cast<double>(ImageRegion{}.firstBin) * bins.shownPerBin, bins.unit,
                static_cast<int>(chain->input.sizeOf(AxisName::Lateral)),
                static_cast<int>(bscansIn(chain->input)),
                static_cast<int>(std::min<std::int64_t>(m_session.recording().frameCount,
                                                        CalibrationMenu::kCapturedFrames)));
        }
        m_dispersionDialog->setHasDepthWindow(m_widgets.views.shownWindow().has_value());
        m_dispersionDialog->setHasDrawnRegion(m_widgets.views.region().region().has_value());
        if (fresh || !m_dispersionDialog->isVisible())
            takeRegion(m_widgets.views.region().bounds());
        showUndo();
        if (fresh) placeAside(*m_dispersionDialog, m_widgets.window);
        m_dispersionDialog->show();
        m_dispersionDialog->raise();
    } catch (const std::exception& error) {
        emit failed(sentenceOf(error));
    }
}

/// The region in the units of the image's axes.
void CalibrationDesk::takeRegion(const std::optional<Rect>& part) {
    const SnapshotPtr chain = m_session.snapshot();
    const Axis* lateral = chain->output().find(AxisName::Lateral);
    if (!part || lateral == nullptr) return;
    try {
        const DepthBins bins = depthBinsOf(*chain);
        const auto line = [&](double place) {
            return (place - lateral->origin) / lateral->spacing;
        };
        const int lines = static_cast<int>(chain->input.sizeOf(AxisName::Lateral));
        // Pixels extend half a line beyond their centres.
        const auto inside = [&](double at) {
            return std::clamp(static_cast<int>(std::lround(at + 0.5)), 0, lines);
        };
        const double first =
            std::max(bins.shownAt(part->top),
                     static_cast<double>(ImageRegion{}.firstBin) * bins.shownPerBin);
        m_dispersionDialog->setRegion({first, bins.shownAt(part->bottom), inside(line(part->left)),
                                       inside(line(part->right))});
    } catch (const std::exception& error) {
        m_dispersionDialog->setNote(sentenceOf(error), true);
    }
}

void CalibrationDesk::startSearch() {
    if (!m_session.isOpen()) return;
    const DispersionDialog::Choice choice = m_dispersionDialog->choice();
    try {
        DispersionFinder::Task task;
        task.chain = m_session.snapshot();
        const DepthBins bins = depthBinsOf(*task.chain);
        task.region = {.firstBin = bins.binAt(choice.region.depthFrom),
                       .lastBin = std::min(bins.binAt(choice.region.depthTo), bins.count),
                       .firstLine = choice.region.lineFrom,
                       .lastLine = choice.region.lineTo};
        if (task.region.firstBin >= task.region.lastBin ||
            task.region.firstLine >= task.region.lastLine)
            throw Error("The region is empty: it ends where it begins, or before; choose a larger "
                        "one.");
        // The search counts lines through a whole frame.
        const std::int64_t bscans = bscansIn(task.chain->input);
        const std::int64_t shown =
            std::clamp<std::int64_t>(m_session.mailbox().chosenBscan(), 0, bscans - 1);
        const std::int64_t before = shown * task.chain->input.sizeOf(AxisName::Lateral);
        task.region.firstLine += before;
        task.region.lastLine += before;
        m_searchedIn = bscans > 1
                           ? QString("B-scan %1 of the frame's %2").arg(shown + 1).arg(bscans)
                           : QString();
        task.engine = m_session.shared();
        task.recording = m_request;
        task.place = m_session.place();
        task.metric = sharpnessMetric(choice.metric.toStdString());
        task.quartic = choice.quartic;
        task.frames = choice.frames;
        task.present = termsAlone(*task.chain);
        m_dispersionDialog->begin();
        if (!m_searchedIn.isEmpty())
            m_dispersionDialog->setNote("Looking at " + m_searchedIn + " \u2026");
        m_finder.start(std::move(task));
    } catch (const std::exception& error) {
        m_dispersionDialog->end();
        m_dispersionDialog->setNote(sentenceOf(error), true);
    }
}

void CalibrationDesk::showFound(const DispersionFinder::Outcome& outcome) {
    m_dispersionDialog->end();
    const SnapshotPtr now = m_session.snapshot();
    if (apply(kFoundDispersion, m_edits.origin(), now->input.spectrometer,
              usingTerms(*now, rounded(outcome.found.terms))))
        m_dispersionDialog->setNote(
            foundText(outcome) +
            (m_searchedIn.isEmpty() ? QString() : " The search covered " + m_searchedIn + "."));
}

void CalibrationDesk::connectMirrorDialog() {
    m_mirrorDialog = new MirrorDialog(&m_widgets.window);
    connect(m_mirrorDialog, &MirrorDialog::recordingsChosen, this,
            [this](const QStringList& paths) { estimate(paths); });
    connect(m_mirrorDialog, &MirrorDialog::applyRequested, this, [this] {
        if (!m_session.isOpen()) return;
        if (bring(m_estimated, "the mirrors' curve", "estimate from mirrors", {}))
            m_mirrorDialog->setApplied(true);
    });
    connect(m_mirrorDialog, &MirrorDialog::saveRequested, this, [this] {
        const QString path = QFileDialog::getSaveFileName(
            m_mirrorDialog, "Save the curve", folder() + "/mirror_calibration.toml",
            "Whole calibration (*.toml *.npz);;Resampling curve alone (*.csv *.npy)");
        if (path.isEmpty()) return;
        try {
            saveCalibration(path.toStdString(), m_estimated);
            emit informed("Calibration saved: " + path);
        } catch (const std::exception& error) {
            m_mirrorDialog->setError(sentenceOf(error));
        }
    });
}

void CalibrationDesk::measureMirrors() {
    if (m_mirrorDialog == nullptr) {
        connectMirrorDialog();
        placeAside(*m_mirrorDialog, m_widgets.window);
    }
    m_mirrorDialog->show();
    m_mirrorDialog->raise();
}

void CalibrationDesk::estimate(const QStringList& paths) {
    m_mirrorDialog->begin(paths);
    std::vector<std::filesystem::path> files;
    for (const QString& path : paths) files.emplace_back(path.toStdString());
    const std::uint64_t id = ++m_estimating;
    m_background.start(Background::Kind::Quiet, {},
                       [this, files, id](const std::stop_token&) -> Background::Finish {
                           try {
                               const MirrorMeasurement measured = echolux::measureMirrors(files);
                               return [this, measured, id] {
                                   if (id != m_estimating) return;
                                   m_estimated = measured.calibration;
                                   QVector<double> deviation;
                                   for (const double position : measured.estimate.resampling)
                                       deviation.push_back(position -
                                                           static_cast<double>(deviation.size()));
                                   m_mirrorDialog->setEstimate(deviation, estimateText(measured));
                               };
                           } catch (const std::exception& error) {
                               return [this, sentence = sentenceOf(error), id] {
                                   if (id == m_estimating) m_mirrorDialog->setError(sentence);
                               };
                           }
                       });
}

} // namespace echolux
