// SPDX-License-Identifier: GPL-3.0-or-later
// What was done in a window is done again without one, to the bit, and in another window.
#include "app/desktop/calibration_desk.hpp"
#include "app/desktop/edit_desk.hpp"
#include "app/desktop/file_desk.hpp"
#include "app/desktop/pipeline_desk.hpp"
#include "app/desktop/playback_desk.hpp"
#include "app/desktop/session_desk.hpp"
#include "app/pipeline/graph_edits.hpp"
#include "app/replay/replayer.hpp"
#include "gpu/core/error.hpp"
#include "tests/desktop/open_window.hpp"
#include "tests/support/refusal.hpp"
#include "ui/dialogs/calibration_menu.hpp"
#include "ui/parameters/display_group.hpp"
#include "ui/parameters/parameter_panel.hpp"
#include "ui/views/image_actions.hpp"
#include "ui/views/view_area.hpp"
#include "ui/window/message_bar.hpp"

#include <QAction>
#include <QFile>
#include <QTemporaryDir>
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <optional>
#include <ostream>
#include <string>

namespace echolux {
namespace {

using testing_support::bundled;
using testing_support::coarseMatrixArray;
using testing_support::comesTrue;
using testing_support::OpenWindow;
using testing_support::refusal;
using testing_support::writeFile;

constexpr const char* kShape = R"([[measurement]]
name = "of the scene"
kind = "rectangle"
places = [[-6.0, 19.5], [-4.0, 22.0]]
)";

/// A window whose session is recorded.
struct Recorded : OpenWindow {
    explicit Recorded(const OpenRequest& request, const QString& path) : OpenWindow(request) {
        EXPECT_TRUE(showsFrames(1));
        desktop.sessions().record(path);
    }
    SessionRecorder& recorder() { return desktop.sessions().recorder(); }
    qsizetype images() {
        return std::ranges::count(recorder().entries(), session_words::kValues, &SessionEntry::id);
    }
    /// Stands still, until the session holds the image.
    void see() {
        desktop.session().player().freeze();
        const qsizetype before = images();
        ASSERT_TRUE(comesTrue([&] { return images() > before; }));
    }
    void see(std::int64_t frame, std::int64_t bscan = 0) {
        desktop.playback().freezeAt(frame, bscan);
        see();
    }
    void set(const char* stage, const char* key, const ParamValue& value) {
        emit desktop.window().parameters().parameterEdited(stage, key, value);
    }
};

/// Lets a sender's entry be done. Empty, or why it was not.
std::string answer(OpenWindow& window, const EntryQueue::SenderPtr& from, SessionEntry entry) {
    std::optional<QString> problem;
    window.desktop.sessions().add(std::move(entry), from,
                                  [&](const QString& said) { problem = said; });
    EXPECT_TRUE(comesTrue([&] { return problem.has_value(); }));
    return problem.value_or("no answer").toStdString();
}
std::string answer(OpenWindow& window, const char* line) {
    return answer(window, window.desktop.sessions().sender("/"), parseEntry(line));
}

struct Case {
    const char* name;
    OpenRequest recording;
    std::function<void(Recorded&)> act;
};

void PrintTo(const Case& each, std::ostream* out) { *out << each.name; }

const Case kCases[]{
    {"Values", bundled("phantom_cine.echolux.h5"),
     [](Recorded& window) {
         window.set("beamform", "speed_of_sound", 1480.0);
         window.set("beamform", "f_number", 1.1);
         window.set("log_compression", "range_db", 47.3);
         window.see();
         window.set("beamform", "window", std::string("hann"));
         window.see();
     }},
    {"UndoneAndDoneAgain", bundled("phantom_cine.echolux.h5"),
     [](Recorded& window) {
         window.set("beamform", "f_number", 2.3);
         window.set("beamform", "speed_of_sound", 1600.0);
         window.see();
         window.desktop.edits().undo();
         window.see();
         window.desktop.edits().redo();
         window.desktop.edits().undo();
         window.desktop.edits().undo();
         window.see(5);
     }},
    {"FramesSteppedAndSought", bundled("phantom_cine.echolux.h5"),
     [](Recorded& window) {
         window.see(7);
         emit window.desktop.window().transport().stepRequested(1);
         window.see();
         emit window.desktop.window().transport().stepRequested(-3);
         window.see();
     }},
    {"SeveralViews", bundled("phantom_cine.echolux.h5"),
     [](Recorded& window) {
         window.desktop.pipelines().openShipped("compounding");
         window.see(2);
     }},
    {"StagesOff", bundled("phantom_cine.echolux.h5"),
     [](Recorded& window) {
         const auto stages = window.desktop.session().snapshot()->stages;
         const auto can = std::ranges::find_if(stages, [](const StageState& each) {
             return each.type->bypassable && each.type->id == "log_compression";
         });
         ASSERT_NE(can, stages.end());
         emit window.desktop.window().parameters().bypassToggled(can->id.c_str(), true);
         window.see(3);
     }},
    {"TwoBranches", bundled("phantom_cine.echolux.h5"),
     [](Recorded& window) {
         window.desktop.pipelines().edit("two branches", [&] {
             return withBranch(*window.desktop.session().snapshot(), "beamform");
         });
         window.set("beamform_b", "f_number", 3.0);
         window.see(1);
     }},
    {"SlidingFlow", bundled("vessel_flow.echolux.h5"),
     [](Recorded& window) {
         window.desktop.pipelines().openShipped("colour_flow_sliding");
         window.see(20);
         window.see(21);
     }},
    {"Ensembles", bundled("vessel_flow.echolux.h5"),
     [](Recorded& window) {
         window.desktop.pipelines().openShipped("colour_flow");
         window.see(9);
     }},
    {"Sector", bundled("sector.h5"),
     [](Recorded& window) {
         window.see();
         window.set("log_compression", "range_db", 70.0);
         window.see();
     }},
    {"CapturedBackground", bundled("retina_cine.echolux.h5"),
     [](Recorded& window) {
         window.desktop.session().player().freeze();
         ASSERT_TRUE(window.rests());
         emit window.desktop.window().calibration().captureRequested(1);
         ASSERT_TRUE(comesTrue([&] {
             return window.desktop.session().spectrometer() !=
                    window.desktop.session().recording().frame.spectrometer;
         }));
         window.see(3);
     }},
    {"BscanOfAVolume", bundled("retina_volume.echolux.h5"),
     [](Recorded& window) { window.see(4); }},
    {"PlaneOfAMatrixArray", coarseMatrixArray(), [](Recorded& window) { window.see(0, 3); }},
    {"AnotherRecording", bundled("phantom_cine.echolux.h5"),
     [](Recorded& window) {
         window.set("beamform", "f_number", 2.0);
         window.see(1);
         window.desktop.files().open(
             QString::fromStdString(bundled("aberrated_cine.echolux.h5").file.string()));
         ASSERT_TRUE(comesTrue([&] { return window.openFile() == "aberrated_cine.echolux.h5"; }));
         window.see(0);
         window.desktop.edits().undo();
         ASSERT_TRUE(comesTrue([&] { return window.openFile() == "phantom_cine.echolux.h5"; }));
         window.see(2);
     }},
};

class Sessions : public testing::TestWithParam<Case> {
protected:
    QString path(const char* name) const { return m_folder.filePath(name); }
    QTemporaryDir m_folder;
};

struct Images {
    int all = 0;
    int same = 0;
};

Images replayed(const QString& path, const QString& folder) {
    Images images;
    Replayer replayer([&](const ReplayedImage& image) {
        ++images.all;
        images.same += image.same ? 1 : 0;
        EXPECT_TRUE(image.same) << image.view << ", frame " << image.frame + 1;
    });
    SessionPerformer performer(replayer, folder.toStdString());
    for (const SessionEntry& entry : loadSession(path.toStdString())) performer.perform(entry);
    EXPECT_EQ(performer.backend(), "cpu");
    return images;
}

TEST_P(Sessions, AreRepeatedToTheBit) {
    {
        Recorded window(GetParam().recording, path("a.session"));
        GetParam().act(window);
    } // the window closes: the session is written
    QFile file(path("a.session"));
    ASSERT_TRUE(file.open(QIODevice::ReadOnly));
    SCOPED_TRACE(file.readAll().left(4000).toStdString());
    const Images images = replayed(path("a.session"), m_folder.path());
    EXPECT_GT(images.all, 0);
    EXPECT_EQ(images.same, images.all);
}
INSTANTIATE_TEST_SUITE_P(All, Sessions, testing::ValuesIn(kCases),
                         [](const auto& each) { return each.param.name; });

class SessionWindow : public testing::Test {
protected:
    QString path(const char* name) const { return m_folder.filePath(name); }
    QTemporaryDir m_folder;
};

TEST_F(SessionWindow, AnotherWindowDoesTheSame) {
    {
        Recorded window(bundled("phantom_cine.echolux.h5"), path("a.session"));
        window.set("beamform", "f_number", 1.9);
        window.desktop.views().imageActions().scaleBar()->trigger();
        window.see(4);
        window.desktop.pipelines().openShipped("compounding");
        window.see(6);
    }
    OpenWindow other((OpenRequest()));
    QSignalSpy ended(&other.desktop.sessions(), &SessionDesk::ranToItsEnd);
    const bool bar = other.desktop.views().imageActions().scaleBar()->isChecked();
    other.desktop.sessions().run(path("a.session"));
    ASSERT_TRUE(comesTrue([&] { return ended.count() == 1; }))
        << other.desktop.window().messages().text().toStdString();
    EXPECT_GE(ended.front().at(0).toInt(), 3) << "one view, then several";
    EXPECT_EQ(ended.front().at(1), ended.front().at(0));
    EXPECT_EQ(other.desktop.session().snapshot()->name, shippedPipeline("compounding").name);
    EXPECT_FALSE(QFile::exists(testing_support::kCine + ".echolux-measurements.toml"));
    EXPECT_NE(other.desktop.views().imageActions().scaleBar()->isChecked(), bar);
}

TEST_F(SessionWindow, ASceneOpensTheSameElsewhere) {
    const auto places = [](OpenWindow& window) { return window.desktop.window().saveLayout(); };
    QByteArray layout;
    {
        ASSERT_TRUE(QFile::copy(testing_support::kCine, path("cine.h5"))); // it gets measurements
        OpenWindow window(OpenRequest{path("cine.h5").toStdString()});
        ASSERT_TRUE(window.showsFrames(1));
        SessionDesk& sessions = window.desktop.sessions();
        const auto from = sessions.sender("/");
        for (const char* line : {"pipeline.open compounding", "parameters.beamform.f_number 2.25",
                                 "display.gamma 1.5", "view.docks.histogram", "playback.frame 6"})
            EXPECT_EQ(answer(window, from, parseEntry(line)), "");
        answer(window, from, {.id = "document.measurements", .text = kShape});
        ASSERT_TRUE(window.rests());
        layout = places(window);
        sessions.saveScene(path("a.session"));
        ASSERT_TRUE(comesTrue([&] { return QFile::exists(path("a.session")); }));
    }
    ASSERT_TRUE(QFile::remove(path("cine.h5.echolux-measurements.toml")));
    OpenWindow other((OpenRequest()));
    other.desktop.files().open(path("a.session"));
    ASSERT_TRUE(comesTrue([&] {
        return !other.desktop.sessions().isRunning() && other.desktop.session().isOpen() &&
               !other.desktop.background().isOpening();
    })) << other.desktop.window().messages().text().toStdString();
    ASSERT_TRUE(other.rests());
    EXPECT_EQ(other.desktop.session().snapshot()->name, shippedPipeline("compounding").name);
    EXPECT_EQ(other.value("beamform", "f_number"), 2.25);
    EXPECT_EQ(other.desktop.window().display().settings().gamma, 1.5);
    EXPECT_EQ(other.desktop.session().mailbox().shownFrame(), 5);
    EXPECT_EQ(places(other), layout);
    const auto measured = sessionStateOf(other.desktop.edits()).parts.at("measurements");
    EXPECT_NE(measured.find("of the scene"), std::string::npos);
}

/// The scene names the recording by its content, too.
TEST_F(SessionWindow, AnotherFileAtThePlaceIsSaid) {
    ASSERT_TRUE(QFile::copy(testing_support::kCine, path("copy.h5")));
    writeFile(path("a.session"),
              "echolux session 1\nrecording.sha256 00\nrecording.open copy.h5\n");
    OpenWindow window((OpenRequest()));
    window.desktop.files().open(path("a.session"));
    EXPECT_TRUE(comesTrue([&] {
        return window.desktop.window().messages().text() ==
               "copy.h5 has another content than the recording of this session; what is shown may "
               "differ.";
    })) << window.desktop.window().messages().text().toStdString();
}

TEST_F(SessionWindow, ADragIsOneEntry) {
    Recorded window(bundled("phantom_cine.echolux.h5"), path("a.session"));
    for (int i = 1; i <= 20; ++i) window.set("beamform", "f_number", 1.0 + 0.1 * i);
    const auto& entries = window.recorder().entries();
    EXPECT_EQ(std::ranges::count(entries, "parameters.beamform.f_number", &SessionEntry::id), 1);
    EXPECT_EQ(entries.back().value, "3");
}

TEST_F(SessionWindow, SingleEntriesAreDoneOrRefused) {
    OpenWindow window;
    ASSERT_TRUE(window.showsFrames(1));
    EXPECT_EQ(answer(window, "parameters.beamform.speed_of_sound 1.5 km/s"), "");
    EXPECT_EQ(window.speedOfSound(), 1500.0);
    EXPECT_EQ(answer(window, "parameters.beamform.speed_of_sound"), "");
    EXPECT_EQ(window.speedOfSound(), 1540.0);
    EXPECT_EQ(answer(window, "display.gamma 1.5"), "");
    EXPECT_EQ(window.desktop.window().display().settings().gamma, 1.5);
    window.desktop.edits().undo();
    EXPECT_EQ(window.desktop.window().display().settings().gamma, 1.0);
    EXPECT_EQ(answer(window, "image.values image 00"),
              "the image does not stand still; write 'playback.frame N' before this line.");
    EXPECT_EQ(answer(window, "playback.frame 9"), "");
    ASSERT_TRUE(window.rests());
    EXPECT_EQ(window.desktop.session().mailbox().shownFrame(), 8);
    EXPECT_EQ(answer(window, "image.values image 00"), "") << "compared, and another";
    EXPECT_EQ(answer(window, "playback.frame 99"), "the recording has frames 1 to 32, not 99.");
    EXPECT_EQ(answer(window, "display.gama 1"),
              "the display has no 'gama'; it has colour_map, inverted, smooth, gamma, opacity, "
              "priority, particles, particle_count, particle_pace, min, max.");
    EXPECT_EQ(answer(window, "display.gamma much"), "'much' is no value of display.gamma.");
    EXPECT_NE(answer(window, "parameters.beamform.f_numbre 1").find("f_numbre"), std::string::npos);
    EXPECT_NE(answer(window, "parameters.beamfrom.f_number 1").find("beamfrom"), std::string::npos);
    EXPECT_NE(answer(window, "view.nothing").find("view.nothing"), std::string::npos);
}

/// Otherwise what is meant for one recording would change another.
TEST_F(SessionWindow, AfterAnOpeningThatFailsNothingIsDone) {
    ASSERT_TRUE(QFile::copy(testing_support::kCine, path("cine.h5")));
    OpenWindow window(OpenRequest{path("cine.h5").toStdString()});
    ASSERT_TRUE(window.showsFrames(1));
    const auto from = window.desktop.sessions().sender(m_folder.path());
    const auto says = [&](const SessionEntry& entry) { return answer(window, from, entry); };
    EXPECT_EQ(says({.id = "document.measurements", .text = kShape}), "");
    EXPECT_NE(says(parseEntry("recording.open gone.h5")).find("gone.h5"), std::string::npos);
    EXPECT_EQ(says({.id = "document.measurements"}),
              "It was not done, because the recording before it was not opened.");
    EXPECT_NE(sessionStateOf(window.desktop.edits()).parts.at("measurements"), "");
    EXPECT_EQ(answer(window, "display.gamma 1.5"), "") << "another sender";
    EXPECT_EQ(says(parseEntry("recording.open cine.h5")), "");
    EXPECT_EQ(says(parseEntry("display.gamma 1.25")), "") << "an opening mends it";
}

TEST_F(SessionWindow, MeasurementsThatAreReplacedAreSaid) {
    ASSERT_TRUE(QFile::copy(testing_support::kCine, path("cine.h5")));
    OpenWindow window(OpenRequest{path("cine.h5").toStdString()});
    ASSERT_TRUE(window.showsFrames(1));
    const auto from = window.desktop.sessions().sender("/");
    answer(window, from, {.id = "document.measurements", .text = kShape});
    answer(window, from, {.id = "document.measurements"});
    EXPECT_EQ(window.desktop.window().messages().text(),
              "The measurements of this recording were replaced by those of the session; Undo "
              "(Ctrl+Z) brings them back.");
    window.desktop.edits().undo();
    EXPECT_NE(sessionStateOf(window.desktop.edits()).parts.at("measurements"), "");
}

/// Two gestures of other values, while the list of edits is full or one step holds several.
TEST_F(SessionWindow, NoValueIsLostFromADrag) {
    Recorded window(bundled("phantom_cine.echolux.h5"), path("a.session"));
    const auto from = window.desktop.sessions().sender("/");
    const auto together = [&](const char* text) {
        const Document& document = window.desktop.edits().document();
        const std::size_t before = document.position();
        answer(window, from, {.id = "parameters", .text = text});
        EXPECT_EQ(document.position(), before + 1);
    };
    together("beamform.f_number 2\nlog_compression.range_db 50\n");
    window.desktop.edits().undo();
    window.desktop.edits().redo();
    together("beamform.speed_of_sound 1500\nlog_compression.range_db 40\n");
    window.see(3);
    EXPECT_EQ(window.value("beamform", "f_number"), 2.0);
    const Images images = replayed(path("a.session"), m_folder.path());
    EXPECT_EQ(images.same, images.all);
}

TEST_F(SessionWindow, TheRecordingIsNoPlaceForASession) {
    ASSERT_TRUE(QFile::copy(testing_support::kCine, path("cine.h5")));
    OpenWindow window(OpenRequest{path("cine.h5").toStdString()});
    ASSERT_TRUE(window.showsFrames(1));
    SessionDesk& sessions = window.desktop.sessions();
    EXPECT_THROW(sessions.record(path("cine.h5")), Error);
    EXPECT_THROW(sessions.saveScene(path("cine.h5")), Error);
    EXPECT_GT(QFile(path("cine.h5")).size(), 1000000);
}

TEST_F(SessionWindow, AFailingLineIsNamedAndTheRestIsLeft) {
    OpenWindow window;
    ASSERT_TRUE(window.showsFrames(1));
    writeFile(path("bad.session"), "echolux session 1\n"
                                   "parameters.beamform.f_number 2.5\n"
                                   "parameters.beamform.f_number minus\n"
                                   "parameters.beamform.f_number 3.5\n");
    window.desktop.sessions().run(path("bad.session"));
    ASSERT_TRUE(comesTrue([&] { return !window.desktop.sessions().isRunning(); }));
    EXPECT_TRUE(window.desktop.window().messages().text().startsWith("bad.session, line 3: "))
        << window.desktop.window().messages().text().toStdString();
    EXPECT_EQ(window.value("beamform", "f_number"), 2.5);
}

TEST_F(SessionWindow, AFileThatCannotBeWrittenIsSaidAtOnce) {
    OpenWindow window;
    ASSERT_TRUE(window.showsFrames(1));
    EXPECT_THROW(window.desktop.sessions().record(path("no/such/folder.session")), Error);
    EXPECT_FALSE(window.desktop.sessions().recorder().isOn());
}

} // namespace
} // namespace echolux
