// SPDX-License-Identifier: GPL-3.0-or-later
// Sessions as texts: read, written, refused.
#include "app/replay/session_state.hpp"
#include "app/replay/session_target.hpp"
#include "gpu/core/error.hpp"
#include "tests/support/refusal.hpp"

#include <gtest/gtest.h>

#include <array>
#include <string>
#include <utility>
#include <vector>

namespace echolux {
namespace {

using namespace session_words;
using testing_support::refusal;

TEST(SessionText, WhatIsWrittenIsReadAgain) {
    const std::vector<SessionEntry> entries{
        {.id = kOpen, .value = "a file with spaces.h5"},
        {.id = kPipelineText, .text = "version = 1\n\n[[stage]]\ntype = \"rf\"\n"},
        {.id = "view.theme.light"},
        {.id = "parameters.beamform.window", .value = "hann"}};
    const std::string text = toText(entries);
    EXPECT_TRUE(text.starts_with("echolux session 1\nrecording.open a file with spaces.h5\n"));
    EXPECT_EQ(parseSession(text, "a.session"), entries);
    EXPECT_EQ(parseSession("echolux session 1\r\n\r\n# a remark\r\nview.theme.light \r\n", "a"),
              (std::vector<SessionEntry>{{.id = "view.theme.light"}}));
}

TEST(SessionText, OthersAreRefusedWithTheirLine) {
    const std::array<std::pair<std::string, std::string>, 5> cases{{
        {"", "a, line 1: it is no session, which begins with 'echolux session 1'."},
        {"version = 1\n", "a, line 1: it is no session, which begins with 'echolux session 1'."},
        {"echolux session 2\n",
         "a, line 1: it was written by a newer Echolux; update the program."},
        {"echolux session 1\n= 3\n",
         "a, line 2: '= 3' begins with no name of an entry; write a name and a value, for example "
         "'parameters.beamform.f_number 1.5'."},
        {"echolux session 1\n\nview.zoom\nfil\xc3\xa9 3\n",
         "a, line 4: 'fil\xc3\xa9 3' begins with no name of an entry; write a name and a value, "
         "for "
         "example 'parameters.beamform.f_number 1.5'."},
    }};
    for (const auto& [text, expected] : cases) {
        SCOPED_TRACE(text);
        EXPECT_EQ(refusal([&] { parseSession(text, "a"); }), expected);
    }
    EXPECT_EQ(refusal([] { loadSession("/no/such.session"); }),
              "The session '/no/such.session' cannot be read; check its name.");
}

/// What hashlib.sha256(numpy.float32([0, 1, -2.5]).tobytes()) says.
/// What a line cannot say is not written; what a terminal or Python might obey is not read.
TEST(SessionText, ControlCharactersAreRefused) {
    for (const char* value : {"a\nb", "a\rb", " a", "a\t", "\x1b[2J"}) {
        SCOPED_TRACE(value);
        EXPECT_EQ(refusal([&] { toText(SessionEntry{.id = kOpen, .value = value}); }),
                  "A session cannot hold the value of 'recording.open': it begins or ends with a "
                  "space, or holds a line break");
    }
    EXPECT_EQ(refusal([] { parseEntry("display.gamma 1\rimport os"); }),
              "an entry holds a control character; take it out");
    EXPECT_EQ(refusal([] { parseSession("echolux session 1\npipeline.text\n  a\x1b", "a"); }),
              "a, line 3: the text holds a control character; take it out.");
    EXPECT_EQ(refusal([] { parseSession("echolux session 1\ndisplay.gamma 1\n  more", "a"); }),
              "a, line 3: no text belongs below 'display.gamma'; begin entries without spaces.");
}

TEST(SessionText, TheDigestIsThatOfTheBytes) {
    EXPECT_EQ(digestOf(std::array{0.0F, 1.0F, -2.5F}),
              "4356516ed57de986ba8080c557e8856871336d6a17b170fb946df125605466c9");
}

/// Writes down what it is asked.
struct Listener : SessionTarget {
    std::string heard;
    void open(const SessionRecording& r) override {
        heard += "open " + r.file.string() + '|' + r.sidecar.string() + '|' +
                 r.calibration.string() + '|' + std::to_string(r.track) + '\n';
    }
    void usePipeline(const std::string& name) override { heard += "pipeline " + name + '\n'; }
    void usePipelineText(const std::string& toml) override { heard += "text " + toml; }
    void useCalibration(const std::string& toml) override { heard += "calibration " + toml + '\n'; }
    void set(const std::vector<ParameterChange>& changes) override {
        for (const ParameterChange& each : changes)
            heard += each.stage + '/' + each.key + '=' + each.value.value_or("default") + ' ';
        heard += '\n';
    }
    void bypass(const std::string& stage, bool off) override {
        heard += stage + (off ? " off\n" : " on\n");
    }
    void display(const std::string& key, const std::string& value) override {
        heard += key + ':' + value + '\n';
    }
    void show(std::int64_t frame, std::int64_t bscan) override {
        heard += "show " + std::to_string(frame) + ' ' + std::to_string(bscan) + '\n';
    }
    void check(const std::string& view, const std::string& digest) override {
        heard += view + '#' + digest + '\n';
    }
    void command(const std::string& id) override { heard += "command " + id + '\n'; }
    void part(const std::string& name, const std::string& text) override {
        heard += name + ": " + text;
    }
    void views(const std::string& json) override { heard += "views " + json + '\n'; }
    void layout(const std::string& base64) override { heard += "layout " + base64 + '\n'; }
};

std::string heard(const std::string& lines) {
    Listener listener;
    SessionPerformer performer(listener, "/folder");
    for (const SessionEntry& entry : parseSession("echolux session 1\n" + lines, "a"))
        performer.perform(entry);
    return listener.heard;
}

TEST(SessionEntries, ReachTheirTarget) {
    const std::array<std::pair<std::string, std::string>, 15> cases{{
        {"recording.sidecar a.toml\nrecording.calibration /c.npz\nrecording.track 2\n"
         "recording.open b.h5\nrecording.open shared:probe",
         "open /folder/b.h5|/folder/a.toml|/c.npz|2\nopen shared:probe|||0\n"},
        {"pipeline.open compounding", "pipeline compounding\n"},
        {"pipeline.open mine.toml", "pipeline /folder/mine.toml\n"},
        {"pipeline.text\n  a = 1\n  b = 2", "text a = 1\nb = 2\n"},
        {"calibration.text", "calibration \n"},
        {"parameters.beamform.f_number 1.5", "beamform/f_number=1.5 \n"},
        {"parameters.beamform.f_number", "beamform/f_number=default \n"},
        {"parameters\n  bandpass.low 1e6\n  bandpass.high 2 MHz",
         "bandpass/low=1e6 bandpass/high=2 MHz \n"},
        {"parameters.fir.bypass on\nparameters.fir.bypass off", "fir off\nfir on\n"},
        {"display.gamma 1.5", "gamma:1.5\n"},
        {"playback.bscan 4\nplayback.frame 3\nplayback.frame 1", "show 2 3\nshow 0 0\n"},
        {"document.measurements\n  [[measurement]]", "measurements: [[measurement]]\n"},
        {"views.look {}\nwindow.layout AAA=", "views {}\nlayout AAA=\n"},
        {"image.values image 0123\nview.theme.light", "image#0123\ncommand view.theme.light\n"},
        {"image.values side view 0123", "side view#0123\n"},
    }};
    for (const auto& [lines, expected] : cases) {
        SCOPED_TRACE(lines);
        EXPECT_EQ(heard(lines), expected);
    }
}

TEST(SessionEntries, AreRefusedWithWhatWouldBeRight) {
    const std::array<std::pair<std::string, std::string>, 9> cases{{
        {"nothing.known 1",
         "there is no entry 'nothing.known'; 'echolux help sessions' lists them"},
        {"playback.frame 0", "'playback.frame' needs a number from 1, not '0'"},
        {"playback.frame two", "'playback.frame' needs a number from 1, not 'two'"},
        {"recording.open", "'recording.open' needs a path"},
        {"recording.track 1.5", "'recording.track' needs a number from 1, not '1.5'"},
        {"parameters", "'parameters' has no parameters below it"},
        {"parameters.beamform 1",
         "'beamform' names no parameter; write STAGE.KEY, for example beamform.f_number"},
        {"parameters.fir.bypass yes", "'parameters.fir.bypass' is 'on' or 'off', not 'yes'"},
        {"image.values image", "'image.values' needs the name of a view and a digest"},
    }};
    for (const auto& [lines, expected] : cases) {
        SCOPED_TRACE(lines);
        EXPECT_EQ(refusal([&] { heard(lines); }), expected);
    }
}

PipelineConfig chain() {
    return {.name = "chain",
            .stages = {{.id = "beamform", .type = "beamform", .values = {{"f_number", 1.5}}},
                       {.id = "log_compression", .type = "log_compression"}}};
}

TEST(SessionState, ADifferenceIsItsEntries) {
    SessionState from{.recording = {}, .pipeline = chain(), .display = {{"gamma", "1"}}};
    EXPECT_TRUE(entriesBetween(from, from).empty());
    SessionState to = from;
    to.display["gamma"] = "1.5";
    to.pipeline.stages[0].values = {{"speed_of_sound", 1480.0}};
    to.pipeline.stages[1].bypass = true;
    EXPECT_EQ(toText(entriesBetween(from, to)), "echolux session 1\n"
                                                "parameters.log_compression.bypass on\n"
                                                "parameters\n"
                                                "  beamform.speed_of_sound 1480\n"
                                                "  beamform.f_number\n"
                                                "display.gamma 1.5\n");
    to.pipeline.stages.pop_back();
    const auto entries = entriesBetween(from, to);
    EXPECT_EQ(entries.front(), (SessionEntry{.id = kPipelineText, .text = toToml(to.pipeline)}));
}

TEST(SessionState, AnOpeningNamesWhatItNeeds) {
    SessionState state{.recording = {"/data/b.h5", "/data/side/b.toml", "/other/c.npz", 2},
                       .pipeline = chain(),
                       .calibration = "echolux_calibration = 1\n"};
    const FittedPipeline shipped{
        "shipped",
        {.name = "chain",
         .stages = {{.id = "beamform", .type = "beamform"},
                    {.id = "log_compression", .type = "log_compression"}}}};
    EXPECT_EQ(toText(openingEntries(state, shipped, "/data")),
              "echolux session 1\n"
              "recording.sidecar side/b.toml\n"
              "recording.calibration /other/c.npz\n"
              "recording.track 2\n"
              "recording.open b.h5\n"
              "calibration.text\n"
              "  echolux_calibration = 1\n"
              "pipeline.open shipped\n"
              "parameters.beamform.f_number 1.5\n");
    const auto entries = openingEntries(state, std::nullopt, "/data");
    EXPECT_EQ(entries.back().id, kPipelineText);
}

} // namespace
} // namespace echolux
