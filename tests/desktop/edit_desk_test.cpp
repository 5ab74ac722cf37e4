// SPDX-License-Identifier: GPL-3.0-or-later
// Edits of every sort taken back and done again, in one list that names them.
#include "app/desktop/edit_desk.hpp"
#include "app/desktop/file_desk.hpp"
#include "app/desktop/screenshot_desk.hpp"
#include "app/session/session.hpp"
#include "tests/desktop/open_window.hpp"
#include "ui/controls/small_buttons.hpp"
#include "ui/parameters/display_group.hpp"
#include "ui/parameters/edit_menu.hpp"
#include "ui/parameters/parameter_panel.hpp"
#include "ui/views/view_area.hpp"
#include "ui/window/message_bar.hpp"

#include <QAction>
#include <QTemporaryDir>
#include <gtest/gtest.h>

namespace echolux {
namespace {

using testing_support::comesTrue;
using testing_support::kCine;
using testing_support::OpenWindow;

const QString kRetinaFile = QStringLiteral(ECHOLUX_SOURCE_DIR "/testdata/retina_cine.echolux.h5");

/// The bundled recording, and what people do to it.
struct Edited : OpenWindow {
    using OpenWindow::OpenWindow;

    ParameterPanel& panel() { return desktop.window().parameters(); }
    EditDesk& edits() { return desktop.edits(); }
    DisplayGroup& display() { return desktop.window().display(); }
    void set(const char* stage, const char* key, const ParamValue& to) {
        emit panel().parameterEdited(stage, key, to);
    }
    void press(Qt::Key key, Qt::KeyboardModifiers modifiers) {
        desktop.window().activateWindow();
        ASSERT_TRUE(QTest::qWaitForWindowActive(&desktop.window()));
        QTest::keyClick(&desktop.window(), key, modifiers);
    }
    void click() { // somewhere: the next edit is another one
        QTest::mouseClick(&desktop.window(), Qt::LeftButton, {}, QPoint(2, 2));
    }
    bool bypassed(const char* stage) { return desktop.session().snapshot()->stage(stage).bypass; }
    QAction* entry(int place) { return desktop.window().edits().actions()[place]; }
    QString undoText() { return entry(0)->text().remove('&'); }
    QString redoText() { return entry(1)->text().remove('&'); }
    ParamRowWidget* row(const char* stage, const char* key) {
        return panel().group(stage)->row(key);
    }
    DisplayChoice chosen(const std::function<void(DisplayChoice&)>& change) {
        DisplayChoice choice = display().settings();
        change(choice);
        display().setSettings(choice);
        emit display().edited(choice);
        return choice;
    }
};

TEST(EditDesk, ValuesAreTakenBackAndDoneAgain) {
    Edited window;
    EXPECT_FALSE(window.entry(0)->isEnabled());
    window.set("beamform", "speed_of_sound", 1480.0);
    window.click();
    window.set("beamform", "f_number", 2.0);
    EXPECT_EQ(window.undoText(), "Undo f-number");
    window.press(Qt::Key_Z, Qt::ControlModifier);
    EXPECT_NE(window.value("beamform", "f_number"), 2.0);
    EXPECT_EQ(window.undoText(), "Undo speed of sound");
    EXPECT_EQ(window.redoText(), "Redo f-number");
    window.press(Qt::Key_Z, Qt::ControlModifier);
    EXPECT_EQ(window.speedOfSound(), 1540.0);
    EXPECT_EQ(window.row("beamform", "speed_of_sound")->value(), ParamValue(1540.0));
    EXPECT_FALSE(window.entry(0)->isEnabled());
    const auto both = Qt::ControlModifier | Qt::ShiftModifier;
    window.press(Qt::Key_Z, both);
    window.press(Qt::Key_Z, both);
    EXPECT_EQ(window.speedOfSound(), 1480.0);
    EXPECT_EQ(window.value("beamform", "f_number"), 2.0);
    EXPECT_FALSE(window.entry(1)->isEnabled());
    EXPECT_EQ(window.edits().details(),
              QStringList({"Beamform: speed of sound, 1480 m/s", "Beamform: f-number, 2.0"}));
}

TEST(EditDesk, ADragIsOneStep) {
    Edited window;
    for (int c = 1500; c < 1530; ++c)
        window.set("beamform", "speed_of_sound", static_cast<double>(c));
    EXPECT_EQ(window.edits().details().size(), 1);
    window.click();
    for (int c = 1530; c < 1560; ++c)
        window.set("beamform", "speed_of_sound", static_cast<double>(c));
    EXPECT_EQ(window.edits().details().size(), 2);
    window.edits().undo();
    EXPECT_EQ(window.speedOfSound(), 1529.0);
    window.edits().undo();
    EXPECT_EQ(window.speedOfSound(), 1540.0);
    window.set("beamform", "speed_of_sound", 1490.0);
    EXPECT_EQ(window.edits().details().size(), 1) << "what was undone is given up";
    window.click();
    window.set("beamform", "speed_of_sound", 1600.0);
    window.set("beamform", "speed_of_sound", 1490.0);
    window.click();
    EXPECT_EQ(window.edits().details().size(), 1) << "there and back is no edit";
}

TEST(EditDesk, SwitchesAreTakenBack) {
    Edited window;
    emit window.panel().bypassToggled("bandpass", true);
    EXPECT_TRUE(window.bypassed("bandpass"));
    EXPECT_EQ(window.undoText(), "Undo switching off Band-pass");
    window.edits().undo();
    EXPECT_FALSE(window.bypassed("bandpass"));
    EXPECT_FALSE(window.panel().group("bandpass")->isBypassed());
}

TEST(EditDesk, ARefusedEditIsNotInTheListAndTheValueThatHoldsIsShown) {
    Edited window;
    const double held = window.value("beamform", "pixel_depth");
    window.set("beamform", "pixel_depth", 1e-9);
    EXPECT_TRUE(window.edits().details().isEmpty());
    EXPECT_FALSE(window.row("beamform", "pixel_depth")->error().isEmpty());
    EXPECT_EQ(window.row("beamform", "pixel_depth")->value(), ParamValue(held));
    window.set("beamform", "speed_of_sound", 1500.0);
    EXPECT_TRUE(window.row("beamform", "pixel_depth")->error().isEmpty())
        << "the refusal was about an earlier state";
}

TEST(EditDesk, ResetAllReachesSwitchesAndRefusalsAndIsTakenBack) {
    Edited window(OpenRequest{kRetinaFile.toStdString()});
    ASSERT_TRUE(window.bypassed("fixed_pattern"));
    emit window.panel().bypassToggled("fixed_pattern", false);
    emit window.panel().bypassToggled("window", true);
    window.set("dispersion", "c1", 12.0);
    window.panel().setError("dispersion", "c1", "Refused.");
    emit window.desktop.window().resetParametersRequested();
    EXPECT_TRUE(window.row("dispersion", "c1")->error().isEmpty());
    EXPECT_TRUE(window.bypassed("fixed_pattern")) << "off is its default";
    EXPECT_FALSE(window.bypassed("window"));
    EXPECT_EQ(window.value("dispersion", "c1"), 0.0);
    EXPECT_EQ(window.undoText(), "Undo resetting all parameters");
    window.edits().undo();
    EXPECT_FALSE(window.bypassed("fixed_pattern"));
    EXPECT_TRUE(window.bypassed("window"));
    EXPECT_EQ(window.value("dispersion", "c1"), 12.0);
}

TEST(EditDesk, ResettingAStageIsOneStep) {
    Edited window;
    window.set("beamform", "speed_of_sound", 1500.0);
    window.set("beamform", "f_number", 2.0);
    QTest::mouseClick(window.panel().group("beamform")->dot(), Qt::LeftButton);
    EXPECT_EQ(window.speedOfSound(), 1540.0);
    EXPECT_EQ(window.edits().details().size(), 3);
    window.edits().undo();
    EXPECT_EQ(window.speedOfSound(), 1500.0);
    EXPECT_EQ(window.value("beamform", "f_number"), 2.0);
}

TEST(EditDesk, TheDisplayIsTakenBack) {
    Edited window;
    ASSERT_TRUE(window.showsFrames(1));
    const DisplayChoice before = window.display().settings();
    window.chosen([](DisplayChoice& choice) { choice.colourMap = "viridis"; });
    EXPECT_EQ(window.undoText(), "Undo colour map");
    window.chosen([](DisplayChoice& choice) { choice.min = -35.0; });
    EXPECT_EQ(window.undoText(), "Undo display range");
    EXPECT_EQ(window.desktop.view().displayMin(), -35.0);
    window.edits().undo();
    EXPECT_EQ(window.desktop.view().displayMin(), before.min);
    EXPECT_EQ(window.desktop.view().colourMapName(), "viridis");
    window.edits().undo();
    EXPECT_EQ(window.desktop.view().colourMapName(), before.colourMap);
    EXPECT_EQ(window.display().settings(), before);
    window.edits().redo();
    EXPECT_EQ(window.desktop.view().colourMapName(), "viridis");
}

TEST(EditDesk, TheColourBarAndAutoRangeAreTakenBack) {
    Edited window;
    ASSERT_TRUE(window.showsFrames(1));
    ASSERT_TRUE(window.freezes());
    ImageView& view = window.desktop.view();
    const double min = view.displayMin();
    const double max = view.displayMax();
    const QRectF bar = view.colourBarRect();
    const QPoint end(static_cast<int>(bar.center().x()), static_cast<int>(bar.top()));
    QTest::mousePress(&view, Qt::LeftButton, {}, end);
    for (int y = 5; y <= 60; y += 5) QTest::mouseMove(&view, end + QPoint(0, y));
    QTest::mouseRelease(&view, Qt::LeftButton, {}, end + QPoint(0, 60));
    ASSERT_LT(view.displayMax(), max);
    const QStringList details = window.edits().details();
    ASSERT_EQ(details.size(), 1);
    EXPECT_EQ(details.front(), QString("Display: display range, %1 to %2")
                                   .arg(window.display().row("min")->valueText(),
                                        window.display().row("max")->valueText()));
    const double dragged = view.displayMax();
    emit window.desktop.window().autoRangeRequested();
    ASSERT_TRUE(comesTrue([&] { return window.edits().newest() == "auto range"; }));
    ASSERT_NE(view.displayMax(), dragged);
    window.edits().undo();
    EXPECT_EQ(view.displayMax(), dragged);
    window.edits().undo();
    EXPECT_EQ(view.displayMax(), max);
    EXPECT_EQ(view.displayMin(), min);
}

TEST(EditDesk, AnotherRecordingIsAStepOfTheList) {
    Edited window;
    window.set("beamform", "speed_of_sound", 1480.0);
    window.chosen([](DisplayChoice& choice) { choice.colourMap = "magma"; });
    window.desktop.files().open(kRetinaFile);
    ASSERT_TRUE(window.openingEnds());
    ASSERT_EQ(window.openFile(), "retina_cine.echolux.h5");
    window.set("dispersion", "c1", 12.0);
    EXPECT_EQ(window.edits().document().position(), 4);
    window.edits().undo();
    EXPECT_EQ(window.value("dispersion", "c1"), 0.0);
    EXPECT_EQ(window.undoText(), "Undo opening retina_cine.echolux.h5");
    window.edits().undo();
    ASSERT_TRUE(window.openingEnds());
    ASSERT_EQ(window.openFile(), "phantom_cine.echolux.h5");
    EXPECT_EQ(window.speedOfSound(), 1480.0) << "as it was left";
    EXPECT_EQ(window.edits().document().position(), 2);
    window.edits().undo();
    window.edits().undo();
    EXPECT_EQ(window.speedOfSound(), 1540.0);
    window.edits().goTo(4);
    ASSERT_TRUE(comesTrue([&] { return window.edits().document().position() == 4; }));
    EXPECT_EQ(window.openFile(), "retina_cine.echolux.h5");
    EXPECT_EQ(window.value("dispersion", "c1"), 12.0);
}

TEST(EditDesk, ARecordingThatIsGoneStaysGone) {
    const QTemporaryDir folder;
    const QString copy = folder.filePath("lent.h5");
    ASSERT_TRUE(QFile::copy(kCine, copy));
    Edited window(OpenRequest{copy.toStdString()});
    window.set("beamform", "speed_of_sound", 1480.0);
    window.desktop.files().open(kRetinaFile);
    ASSERT_TRUE(window.openingEnds());
    ASSERT_TRUE(QFile::remove(copy));
    window.edits().undo();
    ASSERT_TRUE(window.openingEnds());
    EXPECT_EQ(window.openFile(), "retina_cine.echolux.h5");
    EXPECT_EQ(window.edits().document().position(), 2);
    EXPECT_TRUE(window.desktop.window().messages().text().contains("lent.h5"));
    window.set("dispersion", "c1", 12.0);
    window.edits().undo();
    EXPECT_EQ(window.value("dispersion", "c1"), 0.0);
}

TEST(EditDesk, TheMenuLeadsToAnyStep) {
    Edited window;
    for (const double c : {1500.0, 1510.0, 1520.0}) {
        window.set("beamform", "speed_of_sound", c);
        window.click();
    }
    QMenu& history = window.desktop.window().edits().history();
    emit history.aboutToShow();
    ASSERT_EQ(history.actions().size(), 4);
    EXPECT_TRUE(history.actions()[3]->isChecked());
    EXPECT_EQ(history.actions()[2]->text(), "Beamform: speed of sound, 1510 m/s");
    history.actions()[1]->trigger();
    EXPECT_EQ(window.speedOfSound(), 1500.0);
    emit history.aboutToShow();
    history.actions()[3]->trigger();
    EXPECT_EQ(window.speedOfSound(), 1520.0);
    emit history.aboutToShow();
    history.actions()[0]->trigger();
    EXPECT_EQ(window.speedOfSound(), 1540.0);
}

TEST(EditDesk, AScreenshotsSettingsAreTakenBack) {
    const QTemporaryDir folder;
    Edited window;
    ASSERT_TRUE(window.showsFrames(1));
    window.set("beamform", "speed_of_sound", 1600.0);
    window.desktop.screenshots().saveWindow(folder.filePath("shot.png"));
    window.edits().undo();
    window.desktop.files().open(folder.filePath("shot.png"));
    ASSERT_TRUE(window.openingEnds());
    ASSERT_EQ(window.speedOfSound(), 1600.0);
    EXPECT_EQ(window.undoText(), "Undo the settings of shot.png");
    window.edits().undo();
    EXPECT_EQ(window.speedOfSound(), 1540.0);
}

} // namespace
} // namespace echolux
