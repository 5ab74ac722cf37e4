// SPDX-License-Identifier: GPL-3.0-or-later
// Calibrating a running pipeline: loaded, captured, found, taken back; refused ones change nothing.
#include "app/calibration/sharpness_probe.hpp"
#include "app/desktop/calibration_desk.hpp"
#include "app/desktop/edit_desk.hpp"
#include "app/desktop/file_desk.hpp"
#include "app/desktop/screenshot_desk.hpp"
#include "app/desktop/workbench/background.hpp"
#include "app/session/calibrated_pipeline.hpp"
#include "app/session/session.hpp"
#include "tests/desktop/buffer_recording.hpp"
#include "tests/desktop/open_window.hpp"
#include "ui/controls/combo_box.hpp"
#include "ui/dialogs/calibration_menu.hpp"
#include "ui/dialogs/dispersion_dialog.hpp"
#include "ui/dialogs/mirror_dialog.hpp"
#include "ui/parameters/capture_row.hpp"
#include "ui/parameters/parameter_panel.hpp"
#include "ui/parameters/simple_editors.hpp"
#include "ui/views/view_area.hpp"
#include "ui/window/message_bar.hpp"

#include <QPushButton>
#include <QSpinBox>
#include <QTemporaryDir>
#include <gtest/gtest.h>
#include <qcustomplot.h>

#include <cmath>

namespace echolux {
namespace {

using testing_support::comesTrue;
using testing_support::kCine;
using testing_support::OpenWindow;
using testing_support::settle;

const std::string kRetina = ECHOLUX_SOURCE_DIR "/testdata/retina_cine.echolux.h5";
const std::filesystem::path kOct = std::filesystem::path(ECHOLUX_SHARED_DATA) / "data/oct";

/// The retina, frozen on one of its first frames.
struct Retina : OpenWindow {
    Retina() : OpenWindow(OpenRequest{kRetina}) { EXPECT_TRUE(freezes() && showsFrames(1)); }
    CalibrationDesk& desk() { return desktop.calibration(); }
    SnapshotPtr now() { return desktop.session().snapshot(); }
    std::shared_ptr<const Spectrometer> facts() { return desktop.session().spectrometer(); }
    ParamValue param(const char* stage, const char* key) {
        return now()->stage(stage).params.get(key);
    }
    QString choiceText(const char* stage, const char* key) {
        ParamEditor* editor = desktop.window().parameters().group(stage)->row(key)->editor();
        return qobject_cast<ChoiceEditor*>(editor)->control()->currentText();
    }
    std::int64_t samples() { return now()->input.sizeOf(AxisName::Sample); }
    QString message() { return desktop.window().messages().text(); }
    QAction* menu() { return desktop.window().calibration().menuAction(); }
};

/// Code number i of a frame of DType::Packed12.
unsigned packedCode(const std::vector<std::byte>& frame, std::size_t i) {
    const auto byte = [&](std::size_t b) {
        return std::to_integer<unsigned>(frame[i / 2 * 3 + b]);
    };
    return i % 2 == 0 ? byte(0) + 256U * (byte(1) % 16U) : byte(1) / 16U + 16U * byte(2);
}

Calibration bent(std::int64_t samples) {
    Calibration calibration;
    const auto last = static_cast<double>(samples - 1);
    for (std::int64_t m = 0; m < samples; ++m) {
        const double u = static_cast<double>(m) / last;
        calibration.resampling.push_back(static_cast<double>(m) - 12.0 * u * (1.0 - u));
    }
    return calibration;
}

struct Folder {
    QTemporaryDir folder;
    QString path(const char* name) const { return folder.filePath(name); }
    QString keep(const char* name, const Calibration& calibration) const {
        saveCalibration(path(name).toStdString(), calibration);
        return path(name);
    }
};

TEST(CalibrationDesk, ItsMenuShowsWhereThereAreSpectra) {
    OpenWindow window;
    QAction* menu = window.desktop.window().calibration().menuAction();
    EXPECT_FALSE(menu->isVisible());
    window.desktop.files().open(QString::fromStdString(kRetina));
    ASSERT_TRUE(window.openingEnds());
    EXPECT_TRUE(menu->isVisible());
    window.desktop.files().open(kCine);
    ASSERT_TRUE(window.openingEnds());
    EXPECT_FALSE(menu->isVisible());
}

TEST(CalibrationDesk, ALoadedCurveRunsTheShownFrameAgainAndIsTakenBack) {
    const Folder folder;
    Retina window;
    const auto former = window.facts();
    const PipelineConfig pipeline = toFullConfig(*window.now());
    const Calibration calibration = bent(window.samples());
    ASSERT_TRUE(window.rests());
    const qsizetype shown = window.presented.count();
    const auto read = window.desktop.session().engine().statistics().framesRead;
    window.desk().load(folder.keep("bent.toml", calibration));
    ASSERT_TRUE(comesTrue([&] { return window.facts() != former; }));
    EXPECT_EQ(window.facts()->resampling, calibration.resampling);
    EXPECT_EQ(window.facts()->background, former->background);
    EXPECT_EQ(window.param("k_linearize", "curve"), ParamValue(std::string("recording")));
    EXPECT_EQ(window.choiceText("k_linearize", "curve"), "From the calibration");
    EXPECT_EQ(window.choiceText("background_subtract", "source"), "Recorded spectrum");
    EXPECT_TRUE(window.showsFrames(shown + 1));
    EXPECT_EQ(window.desktop.session().engine().statistics().framesRead, read);
    window.desktop.edits().undo();
    EXPECT_EQ(window.facts(), former);
    EXPECT_EQ(window.choiceText("k_linearize", "curve"), "From the recording");
    EXPECT_EQ(toToml(toFullConfig(*window.now())), toToml(pipeline));
}

TEST(CalibrationDesk, UndoLeavesWhatWasEditedSince) {
    const Folder folder;
    Retina window;
    const auto former = window.facts();
    window.desk().load(folder.keep("bent.toml", bent(window.samples())));
    ASSERT_TRUE(comesTrue([&] { return window.facts() != former; }));
    window.desktop.session().setValue("window", "fill", 0.75);
    window.desktop.edits().undo();
    EXPECT_EQ(window.facts(), former);
    EXPECT_EQ(window.param("window", "fill"), ParamValue(0.75));
}

TEST(CalibrationDesk, WhatDoesNotFitIsRefusedInASentence) {
    const Folder folder;
    Retina window;
    const auto former = window.facts();
    Calibration wrong;
    for (int i = 0; i < 64; ++i) wrong.background.push_back(static_cast<float>(i));
    window.desk().load(folder.keep("short.toml", wrong));
    ASSERT_TRUE(comesTrue([&] { return !window.message().isEmpty(); }));
    EXPECT_TRUE(window.message().contains("short.toml")) << window.message().toStdString();
    window.desktop.window().messages().clear();
    window.desk().load(folder.path("nowhere.toml"));
    ASSERT_TRUE(comesTrue([&] { return !window.message().isEmpty(); }));
    EXPECT_TRUE(window.message().contains("nowhere.toml")) << window.message().toStdString();
    EXPECT_EQ(window.facts(), former);
}

TEST(CalibrationDesk, TheCapturedBackgroundIsTheMeanOfTheShownLines) {
    Retina window;
    const auto former = window.facts();
    const auto recording = openRecording(kRetina);
    const FrameSpec& raw = recording->info().frame;
    ASSERT_EQ(raw.dtype, DType::Packed12);
    std::vector<std::byte> frame(raw.bytes());
    recording->readFrame(window.desktop.session().engine().mailbox().shownFrame(), frame);
    const auto samples = static_cast<std::size_t>(window.samples());
    const std::size_t count = static_cast<std::size_t>(raw.count());
    std::vector<double> mean(samples, 0.0);
    for (std::size_t i = 0; i < count; ++i) {
        mean[i % samples] += packedCode(frame, i) / static_cast<double>(count / samples);
    }
    emit window.desktop.window().calibration().captureRequested(1);
    ASSERT_TRUE(comesTrue([&] { return window.facts() != former; }));
    ASSERT_EQ(window.facts()->background.size(), samples);
    for (std::size_t i = 0; i < samples; ++i)
        ASSERT_NEAR(window.facts()->background[i], mean[i], 1e-3) << i;
    EXPECT_EQ(window.param("background_subtract", "source"), ParamValue(std::string("recording")));
    const auto ofOne = window.facts();
    emit window.desktop.window().calibration().captureRequested(8);
    ASSERT_TRUE(comesTrue([&] { return window.facts() != ofOne; }));
    EXPECT_NE(window.facts()->background, ofOne->background);
    window.desktop.edits().undo();
    window.desktop.edits().undo();
    EXPECT_EQ(window.facts(), former);
}

TEST(CalibrationDesk, ABackgroundIsAveragedWhileFramesPlay) {
    Retina window;
    const auto former = window.facts();
    const auto recording = openRecording(kRetina);
    const RecordingInfo& info = recording->info();
    const auto samples = static_cast<std::size_t>(window.samples());
    const std::size_t each = static_cast<std::size_t>(info.frame.count()) / samples;
    // As many lines as the recording has: in a loop each counts once, wherever it begins.
    const int lines = static_cast<int>(each) * static_cast<int>(info.frameCount);
    std::vector<double> mean(samples, 0.0);
    std::vector<std::byte> frame(info.frame.bytes());
    for (std::int64_t number = 0; number < info.frameCount; ++number) {
        recording->readFrame(number, frame);
        for (std::size_t i = 0; i < each * samples; ++i)
            mean[i % samples] += packedCode(frame, i) / static_cast<double>(lines);
    }
    auto* row =
        window.desktop.window().parameters().group("background_subtract")->findChild<CaptureRow*>();
    ASSERT_NE(row, nullptr);
    EXPECT_TRUE(row->isVisible());
    row->setLines(lines);
    QTest::mouseClick(row->button(), Qt::LeftButton);
    EXPECT_FALSE(row->button()->isEnabled());
    EXPECT_TRUE(window.message().contains("Press Play")) << window.message().toStdString();
    EXPECT_EQ(window.facts(), former) << "no frame comes while playback is frozen";
    emit window.desktop.window().transport().playToggled(true);
    ASSERT_TRUE(comesTrue([&] { return window.facts() != former; }));
    ASSERT_EQ(window.facts()->background.size(), samples);
    for (std::size_t i = 0; i < samples; ++i)
        ASSERT_NEAR(window.facts()->background[i], mean[i], 1e-3) << i;
    EXPECT_TRUE(row->button()->isEnabled());
    EXPECT_EQ(window.choiceText("background_subtract", "source"), "Captured or loaded");
    const Folder folder;
    window.desk().save(folder.path("kept.toml"));
    EXPECT_EQ(loadCalibration(folder.path("kept.toml").toStdString()).background,
              window.facts()->background);
    window.desktop.edits().undo();
    EXPECT_EQ(window.facts(), former);
}

TEST(CalibrationDesk, ACaptureUnderWayIsCancelled) {
    Retina window;
    const auto former = window.facts();
    window.desk().captureNext(1000);
    auto* row =
        window.desktop.window().parameters().group("background_subtract")->findChild<CaptureRow*>();
    ASSERT_NE(row, nullptr);
    EXPECT_FALSE(row->button()->isEnabled());
    window.desktop.background().cancel();
    EXPECT_TRUE(comesTrue([&] { return row->button()->isEnabled() && !window.isAtWork(); }));
    EXPECT_EQ(window.facts(), former);
    // Another recording ends it, too.
    window.desk().captureNext(1000);
    window.desktop.files().open(kCine);
    ASSERT_TRUE(window.openingEnds());
    EXPECT_TRUE(comesTrue([&] { return !window.isAtWork(); }));
    EXPECT_EQ(window.openFile(), "phantom_cine.echolux.h5");
    EXPECT_EQ(window.desktop.window().parameters().findChild<CaptureRow*>(), nullptr);
}

TEST(CalibrationDesk, WhatIsInForceIsSavedWithTheSlidersIn) {
    const Folder folder;
    Retina window;
    window.desktop.session().setValue("dispersion", "use_recorded", false);
    window.desktop.session().setValue("dispersion", "c1", 20.0);
    window.desk().save(folder.path("kept.toml"));
    const Calibration kept = loadCalibration(folder.path("kept.toml").toStdString());
    ASSERT_TRUE(kept.dispersionTerms);
    EXPECT_EQ((*kept.dispersionTerms)[0], 20.0);
    EXPECT_EQ(kept.resampling, window.facts()->resampling);
    const auto before = window.facts();
    window.desk().load(folder.path("kept.toml"));
    ASSERT_TRUE(comesTrue([&] { return window.facts() != before; }));
    EXPECT_EQ(window.param("dispersion", "c1"), ParamValue(0.0));
    EXPECT_NEAR(window.facts()->dispersionRad.back(), 20.0 / 4.0, 1e-9);
}

TEST(CalibrationDesk, AScreenshotBringsItsCalibrationBack) {
    const Folder folder;
    Retina window;
    const auto former = window.facts();
    const Calibration calibration = bent(window.samples());
    const QString file = folder.keep("bent.toml", calibration);
    window.desk().load(file);
    ASSERT_TRUE(comesTrue([&] { return window.facts() != former; }));
    window.desktop.screenshots().saveWindow(folder.path("shot.png"));
    window.desktop.edits().undo();
    ASSERT_EQ(window.facts(), former);
    window.desktop.screenshots().saveWindow(folder.path("own.png"));
    window.desktop.files().open(folder.path("shot.png"));
    ASSERT_TRUE(comesTrue([&] { return window.facts() != former; }));
    EXPECT_EQ(window.facts()->resampling, calibration.resampling);
    EXPECT_EQ(window.desktop.edits().origin(), file);
    window.desktop.files().open(folder.path("own.png"));
    EXPECT_TRUE(comesTrue([&] { return window.facts() == former; }));
}

TEST(CalibrationDesk, TheSearchSharpensAndIsTakenBack) {
    Retina window;
    window.desktop.session().setValue("dispersion", "use_recorded", false);
    window.desktop.session().setValue("dispersion", "c1", 3.0);
    emit window.desktop.window().calibration().dispersionRequested();
    DispersionDialog* dialog = window.desk().dispersionDialog();
    ASSERT_NE(dialog, nullptr);
    EXPECT_TRUE(dialog->isVisible());
    const DispersionDialog::Choice whole = dialog->choice();
    dialog->setRegion({whole.region.depthFrom, whole.region.depthTo, 80, 120});
    QTest::mouseClick(dialog->findButton(), Qt::LeftButton);
    EXPECT_TRUE(dialog->isBusy());
    ASSERT_TRUE(comesTrue([&] { return !dialog->isBusy(); }));
    EXPECT_TRUE(dialog->note().contains("Found")) << dialog->note().toStdString();
    EXPECT_GT(dialog->plot().graph(0)->dataCount(), 20);
    const double best = (dialog->plot().graph(1)->data()->constEnd() - 1)->value;
    EXPECT_GT(best, dialog->plot().graph(0)->data()->constBegin()->value);
    EXPECT_NE(window.value("dispersion", "c1"), 3.0);
    emit dialog->undoRequested();
    EXPECT_EQ(window.value("dispersion", "c1"), 3.0);
}

TEST(CalibrationDesk, TheSearchLooksAtTheShownBscanOfAFrame) {
    const QTemporaryDir folder;
    OpenWindow window(OpenRequest{testing_support::buffersOfEight(folder.path())});
    Engine& engine = window.desktop.session().engine();
    engine.player().freeze(); // what is still to come stands before the chosen frame
    emit window.desktop.views().bscanChosen(2 * 8 + 3);
    ASSERT_TRUE(comesTrue(
        [&] { return engine.mailbox().shownFrame() == 2 && engine.mailbox().shownBscan() == 19; }));
    window.desktop.session().setValue("dispersion", "use_recorded", false); // terms to compare with
    const SnapshotPtr chain = window.desktop.session().snapshot();
    const auto terms = termsAlone(*chain);
    ASSERT_TRUE(terms);
    const Engine::RawCopy raw = engine.copyShownRaw();
    ASSERT_EQ(raw.frame, 2);
    emit window.desktop.window().calibration().dispersionRequested();
    DispersionDialog* dialog = window.desktop.calibration().dispersionDialog();
    EXPECT_TRUE(dialog->note().contains("8 B-scans")) << dialog->note().toStdString();
    const DispersionDialog::Region whole = dialog->choice().region;
    const auto sharpnessOf = [&](std::int64_t bscan) {
        const std::int64_t first = bscan * whole.lineTo;
        SharpnessProbe probe(Backend::Cpu, *chain,
                             {.firstLine = first, .lastLine = first + whole.lineTo},
                             sharpnessMetrics().front().second);
        probe.addFrame(raw.bytes);
        return "Sharpness " + QString::number(probe(*terms), 'f', 4).replace('-', QChar(0x2212)) +
               " before";
    };
    ASSERT_NE(sharpnessOf(3), sharpnessOf(0));
    QTest::mouseClick(dialog->findButton(), Qt::LeftButton);
    EXPECT_TRUE(dialog->note().contains("B-scan 4 of the frame's 8"))
        << dialog->note().toStdString();
    ASSERT_TRUE(comesTrue([&] { return !dialog->isBusy(); }));
    EXPECT_TRUE(dialog->note().contains(sharpnessOf(3))) << dialog->note().toStdString();
    EXPECT_TRUE(dialog->note().contains("B-scan 4 of the frame's 8"));
}

TEST(CalibrationDesk, ACancelledSearchChangesNothing) {
    Retina window;
    emit window.desktop.window().calibration().dispersionRequested();
    DispersionDialog* dialog = window.desk().dispersionDialog();
    const PipelineConfig pipeline = toFullConfig(*window.now());
    const auto holders = [&] { return window.desktop.session().shared().use_count(); };
    const auto before = holders();
    QTest::mouseClick(dialog->findButton(), Qt::LeftButton);
    ASSERT_TRUE(comesTrue([&] { return dialog->plot().graph(0)->dataCount() > 0; }));
    QTest::mouseClick(dialog->findButton(), Qt::LeftButton);
    EXPECT_FALSE(dialog->isBusy());
    const int trials = dialog->plot().graph(0)->dataCount();
    ASSERT_TRUE(comesTrue([&] { return holders() == before; })) << "the search has ended";
    settle();
    EXPECT_EQ(dialog->plot().graph(0)->dataCount(), trials);
    EXPECT_EQ(toToml(toFullConfig(*window.now())), toToml(pipeline));
    dialog->setRegion({100.0, 100.0, 0, 10});
    QTest::mouseClick(dialog->findButton(), Qt::LeftButton);
    EXPECT_FALSE(dialog->isBusy());
    EXPECT_TRUE(dialog->note().contains("empty")) << dialog->note().toStdString();
}

TEST(CalibrationDesk, RecordingsThatShowNoMirrorAreRefused) {
    Retina window;
    emit window.desktop.window().calibration().mirrorsRequested();
    MirrorDialog* dialog = window.desk().mirrorDialog();
    ASSERT_NE(dialog, nullptr);
    emit dialog->recordingsChosen({kCine});
    EXPECT_TRUE(comesTrue([&] { return dialog->note().contains("no OCT spectra"); }))
        << dialog->note().toStdString();
    EXPECT_FALSE(dialog->hasEstimate());
    emit dialog->recordingsChosen({"nowhere.raw"});
    EXPECT_TRUE(comesTrue([&] { return dialog->note().contains("nowhere.raw"); }));
    EXPECT_FALSE(dialog->hasEstimate());
}

TEST(CalibrationDesk, TwoMirrorsGiveACurve) {
    const auto folder = kOct / "mirror_LP01";
    if (!std::filesystem::exists(folder)) GTEST_SKIP() << "no mirror recordings here";
    Retina window;
    const auto former = window.facts();
    emit window.desktop.window().calibration().mirrorsRequested();
    MirrorDialog* dialog = window.desk().mirrorDialog();
    emit dialog->recordingsChosen({QString::fromStdString((folder / "mirror1.txt").string()),
                                   QString::fromStdString((folder / "mirror2.txt").string())});
    ASSERT_TRUE(comesTrue([&] { return dialog->hasEstimate(); })) << dialog->note().toStdString();
    EXPECT_EQ(dialog->plot().graph(1)->dataCount(), 1024);
    emit dialog->applyRequested();
    EXPECT_NE(window.facts(), former);
    EXPECT_EQ(window.facts()->resampling.size(), static_cast<std::size_t>(window.samples()));
    EXPECT_TRUE(window.message().contains("stretched")) << window.message().toStdString();
    window.desktop.edits().undo();
    EXPECT_EQ(window.facts(), former);
}

} // namespace
} // namespace echolux
