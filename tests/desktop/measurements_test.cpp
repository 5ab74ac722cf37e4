// SPDX-License-Identifier: GPL-3.0-or-later
// The dock "Measurements": shapes on the image, figures on every shown frame, and their file.
#include "app/desktop/edit_desk.hpp"
#include "app/desktop/recording_desk.hpp"
#include "app/desktop/statistics_desk.hpp"
#include "app/desktop/workbench/file_hash.hpp"
#include "app/measure/measurement_file.hpp"
#include "app/pipeline/pipeline_config.hpp"
#include "app/session/pixels_look.hpp"
#include "app/session/session.hpp"
#include "app/tools/measurements/figure_dialog.hpp"
#include "app/tools/measurements/keeper.hpp"
#include "app/tools/measurements/paper.hpp"
#include "app/tools/measurements/sweep_panel.hpp"
#include "tests/desktop/measurements_window.hpp"
#include "tests/desktop/overlays_on.hpp"
#include "tests/support/active_stage.hpp"
#include "tests/support/temporary_folder.hpp"
#include "ui/controls/number_field.hpp"
#include "ui/dialogs/preview_picture.hpp"
#include "ui/parameters/parameter_panel.hpp"
#include "ui/views/overlay/handles_overlay.hpp"
#include "ui/window/main_window.hpp"

#include <QComboBox>
#include <QDockWidget>
#include <QDoubleSpinBox>
#include <QFile>
#include <QLabel>
#include <QPushButton>
#include <QSpinBox>
#include <QTabBar>
#include <QTreeWidget>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <numbers>

namespace echolux {
namespace {

using testing_support::activeStage;
using testing_support::boxOn;
using testing_support::comesTrue;
using testing_support::kCine;
using testing_support::MeasurementsWindow;
using testing_support::shapesOn;
using testing_support::writeFile;

/// A copy of the bundled recording, so that its measurements stand beside it.
struct CopiedRecording {
    test::TemporaryFolder folder;
    std::string path() const { return (folder / "cine.echolux.h5").string(); }
    QString measurements() const {
        return QString::fromStdString(measure::measurementsBeside(path()).string());
    }
    CopiedRecording() { std::filesystem::copy_file(kCine.toStdString(), path()); }
};

TEST(Measurements, AreClosedAtFirstAndCopyNothing) {
    MeasurementsWindow window;
    EXPECT_TRUE(window.dock().isHidden());
    ASSERT_TRUE(window.showsFrames(2));
    for (int n = 0; n < 3; ++n) {
        window.desktop.statistics().measure();
        ASSERT_TRUE(window.showsMoreFrames(1));
    }
    EXPECT_EQ(window.desktop.session().engine().look<PixelsLook>().latest(0), nullptr);
    ASSERT_TRUE(window.opens());
    window.desktop.statistics().measure();
    EXPECT_EQ(window.desktop.session().engine().look<PixelsLook>().latest(0), nullptr)
        << "nothing is measured yet";
}

TEST(Measurements, AWireIsAsWideAsItIsAndFollowsASlider) {
    MeasurementsWindow window;
    ASSERT_TRUE(window.opens());
    window.click(-7.0, 18.4); // a click without a tool
    window.press("Point");
    EXPECT_EQ(window.panel().list().topLevelItemCount(), 0);
    const auto marked = window.desktop.views().marker();
    window.click(-7.0, 18.4);
    EXPECT_EQ(window.desktop.views().marker(), marked) << "a click with a tool picks no column";
    ASSERT_TRUE(window.hasFigure("point 1", "Lateral width, -6 dB"));
    const QString depth = window.figure("point 1", "Depth");
    EXPECT_TRUE(depth.endsWith(" mm")) << depth.toStdString();
    EXPECT_NEAR(depth.section(' ', 0, 0).toDouble(), 18.0, 0.1);
    EXPECT_EQ(shapesOn(window.desktop.view()).size(), 1U);
    window.desktop.session().setValue("beamform", "speed_of_sound", 1500.0);
    EXPECT_TRUE(window.measures([&] {
        const QString now = window.figure("point 1", "Depth");
        return now.section(' ', 0, 0).toDouble() < 17.8 && now.endsWith(" mm");
    }));
}

TEST(Measurements, TwoRegionsAreComparedRenamedAndRemoved) {
    MeasurementsWindow window;
    ASSERT_TRUE(window.opens());
    window.press("Region"); // nothing was drawn
    EXPECT_EQ(window.panel().list().topLevelItemCount(), 0);
    window.press("Region"); // puts it away
    window.draws({-2.8, 19.6}, {-1.1, 21.2});
    window.press("Region");
    window.draws({-6.0, 19.5}, {-4.0, 22.0});
    window.press("Region");
    window.panel().list().clearSelection();
    window.draw("Contrast", {{0.0, 10.0}}); // there is no region
    EXPECT_EQ(window.panel().list().topLevelItemCount(), 2);
    window.press("Contrast"); // puts it away
    window.draw("Contrast", {{-2.0, 20.4}, {-5.0, 20.4}});
    ASSERT_TRUE(window.hasFigure("contrast 1", "Contrast"));
    EXPECT_LT(window.figure("contrast 1", "Contrast").section(' ', 0, 0).toDouble(), -10.0);
    EXPECT_FALSE(window.figure("rectangle 2", "Speckle SNR").isEmpty());
    EXPECT_TRUE(window.panel().text().contains("contrast 1\tgCNR\t"));

    window.panel().list().topLevelItem(0)->setText(0, "cyst");
    EXPECT_FALSE(window.figure("cyst", "Mean").isEmpty());
    EXPECT_FALSE(window.figure("contrast 1", "gCNR").isEmpty()) << "it follows the new name";
    window.panel().list().topLevelItem(0)->setText(0, "rectangle 2"); // taken
    EXPECT_FALSE(window.figure("cyst", "Mean").isEmpty());

    window.panel().list().clearSelection();
    window.panel().list().topLevelItem(0)->setSelected(true);
    window.press("Remove");
    EXPECT_EQ(window.panel().list().topLevelItemCount(), 1) << "what compares it goes with it";
    EXPECT_EQ(shapesOn(window.desktop.view()).size(), 1U);
}

TEST(Measurements, ASelectedShapeIsDraggedAndChangesAreTakenBack) {
    MeasurementsWindow window;
    ASSERT_TRUE(window.opens());
    window.draws({-6.0, 19.0}, {-4.0, 22.0});
    window.press("Region");
    window.press("Ellipse");
    ASSERT_TRUE(window.hasFigure("ellipse 1", "Area"));
    ImageView& view = window.desktop.view();
    const auto area = [&](const char* name) {
        return window.figure(name, "Area").section(' ', 0, 0).toDouble();
    };
    EXPECT_NEAR(area("rectangle 1"), 6.0, 1e-3);
    window.panel().list().clearSelection();
    EXPECT_EQ(boxOn(view), nullptr) << "nothing is selected";
    window.panel().list().topLevelItem(0)->setSelected(true);
    boxOn(view)->dragTo({-5e-3, 20e-3, -2e-3, 24e-3});
    boxOn(view)->dragTo({-5e-3, 20e-3, -1e-3, 24e-3});
    EXPECT_NEAR(area("rectangle 1"), 16.0, 1e-3);
    window.panel().list().clearSelection();
    window.panel().list().topLevelItem(1)->setSelected(true);
    boxOn(view)->dragTo({-5e-3, 20e-3, -1e-3, 24e-3});
    EXPECT_NEAR(area("ellipse 1"), 4.0 * std::numbers::pi, 0.01);
    window.desktop.edits().undo();
    EXPECT_NEAR(area("ellipse 1"), 1.5 * std::numbers::pi, 0.01);
    window.desktop.edits().undo();
    EXPECT_NEAR(area("rectangle 1"), 6.0, 1e-3) << "one drag is one step";
    window.desktop.edits().undo();
    EXPECT_EQ(window.panel().list().topLevelItemCount(), 1);
    window.desktop.edits().undo();
    window.desktop.edits().undo(); // nothing is left
    EXPECT_EQ(window.panel().list().topLevelItemCount(), 0);
}

TEST(Measurements, AreTakenBackInOneListWithThePipeline) {
    MeasurementsWindow window;
    ASSERT_TRUE(window.opens());
    EditDesk& edits = window.desktop.edits();
    const auto speed = [&] {
        return window.desktop.session().snapshot()->stage("beamform").params.get("speed_of_sound");
    };
    const ParamValue opened = speed();
    window.draw("Point", {{-7.0, 18.4}});
    emit window.desktop.window().parameters().parameterEdited("beamform", "speed_of_sound", 1500.0);
    window.draw("Point", {{-7.0, 25.0}});
    EXPECT_EQ(edits.newest(), "point 2");
    edits.undo();
    EXPECT_EQ(window.panel().list().topLevelItemCount(), 1);
    EXPECT_EQ(speed(), ParamValue(1500.0));
    edits.undo();
    EXPECT_EQ(speed(), opened);
    EXPECT_EQ(window.panel().list().topLevelItemCount(), 1);
    edits.undo();
    EXPECT_EQ(window.panel().list().topLevelItemCount(), 0);
    edits.goTo(3);
    EXPECT_EQ(window.panel().list().topLevelItemCount(), 2);
    EXPECT_EQ(speed(), ParamValue(1500.0));
}

TEST(Measurements, AnEllipseFillsTheRectangleAndAnAngleHasThreePlaces) {
    MeasurementsWindow window;
    ASSERT_TRUE(window.opens());
    window.draw("Ellipse", {{-3.0, 19.0}, {-1.0, 22.0}});
    ASSERT_TRUE(window.hasFigure("ellipse 1", "Area"));
    EXPECT_NEAR(window.figure("ellipse 1", "Area").section(' ', 0, 0).toDouble(),
                std::numbers::pi * 1.0 * 1.5, 0.01);
    window.draw("Angle", {{-4.0, 20.0}, {0.0, 20.0}, {0.0, 24.0}});
    ASSERT_TRUE(window.hasFigure("angle 1", "Angle"));
    EXPECT_NEAR(window.figure("angle 1", "Angle").section(' ', 0, 0).toDouble(), 90.0, 2.0);
}

TEST(Measurements, ToolsAreTakenByKeysAndTheEndsOfALineAreDragged) {
    MeasurementsWindow window;
    ASSERT_TRUE(window.freezes());
    ImageView& view = window.desktop.view();
    window.desktop.window().activateWindow();
    ASSERT_TRUE(QTest::qWaitForWindowActive(&window.desktop.window()));
    QTest::keyClick(&window.desktop.window(), Qt::Key_D, Qt::ShiftModifier);
    EXPECT_TRUE(comesTrue([&] { return window.panel().isSeen(); })) << "the dock opens";
    QTest::keyClick(&view, Qt::Key_Escape);
    window.click(-4.0, 20.0);
    EXPECT_EQ(window.panel().list().topLevelItemCount(), 0) << "the tool was put away";
    QTest::keyClick(&window.desktop.window(), Qt::Key_D, Qt::ShiftModifier);
    window.click(-4.0, 20.0);
    window.click(0.0, 20.0);
    ASSERT_TRUE(window.hasFigure("line 1", "Length"));
    const auto length = [&] {
        return window.figure("line 1", "Length").section(' ', 0, 0).toDouble();
    };
    EXPECT_NEAR(length(), 4.0, 0.3) << "clicks are whole pixels";
    HandlesOverlay* handles = nullptr;
    for (Overlay* each : view.overlays())
        if (auto* found = dynamic_cast<HandlesOverlay*>(each)) handles = found;
    ASSERT_NE(handles, nullptr);
    ASSERT_EQ(handles->places().size(), 2U) << "a new shape is selected";
    const OverlayPlace place{view.view(), view.picture(), view.font()};
    ASSERT_TRUE(handles->press(place, view.view().toPixel(handles->places()[1])));
    const double from = handles->places()[0].x;
    handles->drag(place, view.view().toPixel({from, 26.0}));
    handles->drag(place, view.view().toPixel({from, 23.0}));
    handles->release(place, {});
    EXPECT_NEAR(length(), 23.0 - handles->places()[0].y, 0.02);
    window.desktop.edits().undo();
    EXPECT_NEAR(length(), 4.0, 0.3) << "one drag is one step";
}

TEST(Measurements, ACalliperSpansTwoWiresAndItsBoxIsItsSpan) {
    MeasurementsWindow window;
    ASSERT_TRUE(window.opens());
    window.draw("Calliper", {{-7.0, 20.0}});
    ASSERT_TRUE(window.hasFigure("calliper 1", "Thickness"));
    const auto depth = [&](const char* label) {
        return window.figure("calliper 1", label).section(' ', 0, 0).toDouble();
    };
    EXPECT_NEAR(depth("Thickness"), depth("Lower surface") - depth("Upper surface"), 0.02);
    EXPECT_EQ(shapesOn(window.desktop.view()).front().places.size(), 6U);
    window.panel().list().topLevelItem(0)->setSelected(true);
    boxOn(window.desktop.view())->dragTo({-7.2e-3, 17e-3, -6.8e-3, 25e-3});
    EXPECT_GT(depth("Upper surface"), 17.0);
    EXPECT_LT(depth("Lower surface"), 25.0);
    EXPECT_NEAR(depth("Upper surface"), 18.0, 0.1);
}

/// Places in a volume lie on the plane that is shown.
TEST(Measurements, ABlobHasAnAreaAndKeepsItsPlane) {
    test::TemporaryFolder folder;
    const std::string path = (folder / "volume.h5").string();
    std::filesystem::copy_file(ECHOLUX_SOURCE_DIR "/testdata/volume_echoes.h5", path);
    OpenRequest request = testing_support::coarseMatrixArray();
    request.file = path;
    MeasurementsWindow window(request);
    ASSERT_TRUE(window.opens());
    window.draw("Blob", {{0.0, 15.0}});
    ASSERT_TRUE(window.hasFigure("blob 1", "Area"));
    EXPECT_GT(window.figure("blob 1", "Area").section(' ', 0, 0).toDouble(), 0.1);
    window.press("Save");
    const auto kept = measure::readMeasurements(measure::measurementsBeside(path));
    ASSERT_EQ(kept.size(), 1U);
    const Axis planes = *window.desktop.session().snapshot()->output().find(AxisName::Elevation);
    const auto shown = static_cast<double>(planes.size / 2);
    EXPECT_NEAR(kept[0].places[0].elevation, 1e3 * (planes.origin + shown * planes.spacing), 1e-6);
}

/// A click on the picture over time chooses it. Its places are times and depths.
TEST(Measurements, ALineInMModeHasADurationAndEachViewItsOwnShapes) {
    const CopiedRecording copy;
    MeasurementsWindow window(copy.path(), "m_mode");
    ASSERT_TRUE(window.opens());
    window.draw("Point", {{-7.0, 18.4}});
    ASSERT_TRUE(window.hasFigure("point 1", "Lateral width, -6 dB"));
    auto* mode = window.desktop.window().findChildren<ImageView*>().value(1);
    for (ImageView* view : window.desktop.window().findChildren<ImageView*>())
        if (view->hasImage() && view->spec().find(AxisName::SlowTime) != nullptr) mode = view;
    ASSERT_NE(mode, nullptr);
    window.draw("Line", {{-0.2, 12.0}, {-0.1, 14.0}}, mode); // s: its axis is long; mm
    ASSERT_TRUE(window.hasFigure("line 1", "Duration"));
    EXPECT_EQ(window.figure("line 1", "Duration"), "100 ms");
    EXPECT_EQ(window.figure("line 1", "Change of depth"), "2 mm");
    EXPECT_EQ(window.figure("line 1", "Slope"), "20 mm/s");
    EXPECT_EQ(window.panel().list().topLevelItemCount(), 1) << "of this view";
    EXPECT_EQ(shapesOn(*mode).size(), 1U);
    EXPECT_TRUE(shapesOn(window.desktop.view()).empty());
    QComboBox* views = nullptr;
    for (QComboBox* box : window.panel().findChildren<QComboBox*>())
        if (box->accessibleName() == "View that is measured") views = box;
    ASSERT_NE(views, nullptr);
    EXPECT_EQ(views->currentText(), "M-mode");
    window.press("Save");
    const auto kept = measure::readMeasurements(copy.measurements().toStdString());
    ASSERT_EQ(kept.size(), 2U);
    EXPECT_EQ(kept[0].view, "");
    EXPECT_EQ(kept[1].view, "m_mode");
    views->setCurrentIndex(0);
    EXPECT_TRUE(window.hasFigure("point 1", "Lateral width, -6 dB"));
    EXPECT_EQ(shapesOn(window.desktop.view()).size(), 1U);
}

/// The wire keeps its depth, because its point stays on its echo. Its width has a lowest value
/// between the ends; the highest one lies at an end and is not offered.
TEST(Measurements, AFigureIsPlottedAgainstAParameterAndTheBestValueIsTaken) {
    MeasurementsWindow window;
    ASSERT_TRUE(window.opens());
    window.press("Sweep"); // nothing is measured
    window.draw("Point", {{2.0, 30.0}});
    ASSERT_TRUE(window.hasFigure("point 1", "Depth"));
    window.panel().pages().setCurrentIndex(1);
    SweepPanel& sweep = window.panel().sweep();
    const auto choose = [&](const char* name, const QString& id) {
        for (QComboBox* box : sweep.findChildren<QComboBox*>())
            if (box->accessibleName() == name) box->setCurrentIndex(box->findData(id));
    };
    choose("Parameter", "beamform.speed_of_sound");
    choose("Figure", "point 1.lateral_width");
    for (QAbstractSpinBox* field : sweep.findChildren<QAbstractSpinBox*>()) {
        if (field->accessibleName() == "From") dynamic_cast<NumberField&>(*field).setValue(1430.0);
        if (field->accessibleName() == "To") dynamic_cast<NumberField&>(*field).setValue(1630.0);
        if (field->accessibleName() == "Values") dynamic_cast<QSpinBox&>(*field).setValue(5);
    }
    window.press("Sweep");
    QPushButton* use = nullptr;
    for (QPushButton* button : sweep.findChildren<QPushButton*>())
        if (button->text().startsWith("Use")) use = button;
    ASSERT_NE(use, nullptr);
    ASSERT_TRUE(comesTrue([&] { return use->isEnabled(); }));
    const SweepCurve& curve = sweep.plot().curve();
    EXPECT_EQ(curve.values, (QVector<double>{1430.0, 1480.0, 1530.0, 1580.0, 1630.0}));
    EXPECT_EQ(curve.now, 1540.0);
    EXPECT_EQ(curve.best, 1530.0);
    const auto speedInForce = [&] {
        return activeStage(*window.desktop.session().snapshot(), "beamform")
            ->params.get("speed_of_sound");
    };
    EXPECT_EQ(speedInForce(), ParamValue(1540.0)) << "the image stays";
    choose("Best", "highest");
    EXPECT_FALSE(sweep.plot().curve().best.has_value());
    EXPECT_FALSE(use->isEnabled()) << "at an end of the values";
    choose("Figure", "point 1.depth");
    for (const double depth : sweep.plot().curve().figures) EXPECT_NEAR(depth, 30.0, 0.15);
    choose("Figure", "point 1.lateral_width");
    choose("Best", "lowest");
    ASSERT_TRUE(use->isEnabled());
    use->click();
    EXPECT_TRUE(comesTrue([&] { return speedInForce() == ParamValue(1530.0); }));
    EXPECT_EQ(sweep.plot().curve().now, 1530.0);
}

TEST(Measurements, FiguresAndReportsOfTheShownImageAreWritten) {
    const CopiedRecording copy;
    MeasurementsWindow window(copy.path());
    ASSERT_TRUE(window.opens());
    window.draw("Point", {{-7.0, 18.0}});
    ASSERT_TRUE(window.hasFigure("point 1", "Depth"));
    auto* paper = window.panel().findChild<MeasurementPaper*>();
    ASSERT_NE(paper, nullptr);
    const auto path = [&](const char* name) {
        return QString::fromStdString((copy.folder / name).string());
    };
    const auto contentOf = [](const QString& name) {
        QFile file(name);
        return file.open(QIODevice::ReadOnly) ? file.readAll().toStdString() : std::string();
    };
    const auto comes = [&](const QString& file) {
        return comesTrue([&] { return std::filesystem::exists(file.toStdString()); });
    };
    paper->writeFigure(path("f.svg"), paper->panel(), paper->style());
    ASSERT_TRUE(comes(path("f.svg")));
    EXPECT_THAT(contentOf(path("f.svg")), testing::HasSubstr(">point 1<"));
    paper->writeReport(path("r.html"));
    ASSERT_TRUE(comes(path("r.html")));
    const std::string page = contentOf(path("r.html"));
    EXPECT_THAT(page, testing::HasSubstr("point 1: Lateral width, -6 dB (mm)"));
    EXPECT_THAT(page, testing::HasSubstr("beamform.speed_of_sound"));
    EXPECT_THAT(page,
                testing::HasSubstr(fileSha256(QString::fromStdString(copy.path())).toStdString()));
    paper->writeFigure(path("no/folder.pdf"), paper->panel(), paper->style()); // says why
    window.panel().findChild<MeasurementPaper*>()->writeReport(path("r.pdf"));
    EXPECT_TRUE(comes(path("r.pdf")));
}

TEST(Measurements, AreSavedBesideTheRecordingAndFoundAgain) {
    const CopiedRecording copy;
    {
        MeasurementsWindow window(copy.path());
        ASSERT_TRUE(window.opens());
        window.draw("Line", {{-7.0, 18.4}, {-2.0, 20.4}});
        window.draw("Point", {{-2.0, 20.4}});
        window.press("Save");
    }
    EXPECT_EQ(measure::readMeasurements(copy.measurements().toStdString()).size(), 2U);
    MeasurementsWindow window(copy.path());
    ASSERT_TRUE(window.opens());
    EXPECT_TRUE(window.hasFigure("line 1", "Length"));
    EXPECT_EQ(shapesOn(window.desktop.view()).size(), 2U);
}

/// Without a press on "Save": the window closes, or another recording opens.
TEST(Measurements, AreKeptWhereTheWindowClosesOrAnotherRecordingOpens) {
    const CopiedRecording copy;
    for (const bool closes : {true, false}) {
        SCOPED_TRACE(closes ? "closes" : "opens another");
        MeasurementsWindow window(copy.path());
        ASSERT_TRUE(window.opens());
        window.draw("Point", {{-7.0, 18.4}});
        if (closes) {
            window.desktop.window().close();
        } else {
            const OpenRequest another{kCine.toStdString()};
            window.desktop.recordings().adopt(prepareRecording(another, Backend::Cpu), another);
        }
        EXPECT_EQ(measure::readMeasurements(copy.measurements().toStdString()).size(),
                  closes ? 1U : 2U);
    }
}

TEST(Measurements, AreWrittenSoonAfterAChange) {
    const CopiedRecording copy;
    MeasurementsWindow window(copy.path());
    ASSERT_TRUE(window.opens());
    window.draw("Point", {{-7.0, 18.4}});
    const auto kept = [&] {
        return QFile::exists(copy.measurements())
                   ? measure::readMeasurements(copy.measurements().toStdString()).size()
                   : 99U;
    };
    EXPECT_TRUE(comesTrue([&] { return kept() == 1U; }));
    window.desktop.edits().undo();
    EXPECT_TRUE(comesTrue([&] { return kept() == 0U; }));
}

/// A file that could not be read is not written over: the user is asked, and asked again where the
/// place that he names cannot be written either.
TEST(Measurements, ADamagedFileIsSaidAndStays) {
    const CopiedRecording copy;
    const QByteArray damaged = "[[measurement]]\nname = 3\n";
    writeFile(copy.measurements(), damaged);
    MeasurementsWindow window(copy.path());
    ASSERT_TRUE(window.opens());
    EXPECT_EQ(window.panel().list().topLevelItemCount(), 0);
    EXPECT_TRUE(window.desktop.session().isOpen());
    const test::TemporaryFolder folder;
    std::vector<std::filesystem::path> places{folder / "fine.toml", folder / "none" / "a.toml"};
    std::vector<std::string> reasons;
    window.panel().findChild<MeasurementKeeper*>()->setAskPlace(
        [&](const std::filesystem::path& recording, const std::string& why) {
            EXPECT_EQ(recording, copy.path());
            reasons.push_back(why);
            const auto place = places.back();
            places.pop_back();
            return std::optional(place);
        });
    window.draw("Point", {{-7.0, 18.4}});
    window.desktop.window().close();
    EXPECT_EQ(reasons.size(), 2U);
    EXPECT_EQ(measure::readMeasurements(folder / "fine.toml").size(), 1U);
    QFile file(copy.measurements());
    ASSERT_TRUE(file.open(QIODevice::ReadOnly));
    EXPECT_EQ(file.readAll(), damaged);
}

/// Without a measurement, too: what is shown is drawn.
TEST(Measurements, AFigureIsShownBeforeItIsWritten) {
    MeasurementsWindow window;
    ASSERT_TRUE(window.opens());
    window.press("Figure\u2026");
    FigureDialog* dialog = nullptr;
    ASSERT_TRUE(window.measures([&] {
        dialog = window.desktop.window().findChild<FigureDialog*>();
        return dialog != nullptr;
    }));
    EXPECT_FALSE(dialog->preview().isEmpty());
    const auto field = [&](int at) { return dialog->findChildren<QDoubleSpinBox*>()[at]; };
    const auto note = [&] {
        QStringList texts;
        for (const QLabel* label : dialog->findChildren<QLabel*>()) texts << label->text();
        return texts.join('|').toStdString();
    };
    field(0)->setValue(101.6); // 4 inches
    field(2)->setValue(100.0);
    EXPECT_TRUE(comesTrue([&] { return note().find("400 x ") != std::string::npos; })) << note();
    EXPECT_NEAR(dialog->style().widthMm, 101.6, 1e-9);
    field(0)->setValue(12.0);
    EXPECT_TRUE(comesTrue([&] { return dialog->preview().isEmpty(); }));
    EXPECT_THAT(note(), testing::HasSubstr("too narrow"));
    delete dialog;
}

} // namespace
} // namespace echolux
