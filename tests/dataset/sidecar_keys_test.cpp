// SPDX-License-Identifier: GPL-3.0-or-later
// Keys of sidecars that are wrong by themselves or beside others: a sentence names the key.
#include "app/dataset/sidecar/sidecar.hpp"
#include "gpu/core/error.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace echolux::test {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

std::string refusalOfText(const std::string& text) {
    try {
        parseSidecar(text, "data.raw.toml");
    } catch (const Error& error) {
        return error.what();
    }
    return {};
}

struct WrongKey {
    const char* lines; ///< what the table holds
    const char* key;   ///< what the sentence names
    const char* says;
};

void expectRefusals(const std::string& before, const std::vector<WrongKey>& cases,
                    const std::string& after) {
    for (const WrongKey& each : cases) {
        SCOPED_TRACE(each.lines);
        EXPECT_THAT(refusalOfText(before + each.lines + "\n" + after),
                    AllOf(HasSubstr("data.raw.toml"), HasSubstr("'" + std::string(each.key) + "'"),
                          HasSubstr(each.says)));
    }
}

const std::string kEchoAxes = "[data]\naxes = [\"transmit\", \"channel\", \"sample\"]\n";
const std::string kEchoProbe = "[probe]\npitch = 1e-3\n";
const std::string kEchoSignal = "[signal]\nsampling_frequency = 20e6\n";

TEST(SidecarKeys, OfTheTop) {
    expectRefusals("",
                   {{"title = 3", "title", "text in quotes"},
                    {"sound_speed = { scale = 2 }", "sound_speed", "needs from"},
                    {"sound_speed = { from = \"c\", unit = \"m\" }", "sound_speed", "may only"},
                    {"sound_speed = { from = 3 }", "sound_speed", "may only"},
                    {"sound_speed = \"\"", "sound_speed", "is an empty name"},
                    {"sound_speed = []", "sound_speed", "is an empty list"},
                    {"sound_speed = [\"a\", 3]", "sound_speed", "mixes names"},
                    {"sound_speed = [\"a\", \"\"]", "sound_speed", "mixes names"},
                    {"sound_speed = true", "sound_speed", "must be a number"}},
                   kEchoAxes + kEchoProbe + kEchoSignal);
}

TEST(SidecarKeys, OfTheMatch) {
    expectRefusals("[match]\n",
                   {{"name = 3", "match.name", "text in quotes"},
                    {"size = -1", "match.size", "at least 0"},
                    {"size = 1.5", "match.size", "whole number"},
                    {"bytes = 3", "match.bytes", "no known key"}},
                   kEchoAxes + kEchoProbe + kEchoSignal);
}

TEST(SidecarKeys, OfTheData) {
    const char* const kLists = "a list of names, one for each transmit";
    expectRefusals(
        kEchoAxes,
        {{"transmit_arrays = \"a\"", "data.transmit_arrays", kLists},
         {"transmit_arrays = []", "data.transmit_arrays", kLists},
         {"transmit_arrays = [[]]", "data.transmit_arrays", kLists},
         {"transmit_arrays = [3]", "data.transmit_arrays", kLists},
         {"transmit_arrays = [[\"a\", \"b\", \"c\"]]", "data.transmit_arrays", kLists},
         {"transmit_arrays = [[\"a\", \"b\"], \"c\"]", "data.transmit_arrays", kLists},
         {"transmit_arrays = [\"a\", \"\"]", "data.transmit_arrays", kLists},
         {"transmit_arrays = [[\"a\", 3]]", "data.transmit_arrays", kLists},
         {"array = \"a\"\ntransmit_arrays = [\"b\"]", "data.transmit_arrays", "keep one"},
         {"array = [\"a\", \"b\", \"c\"]", "data.array", "I and Q are two"},
         {"array = 3", "data.array", "a name or a list of names"},
         {"array = [\"a\", 3]", "data.array", "a name or a list of names"},
         {"shape = 3", "data.shape", "list of whole numbers"},
         {"shape = [-2]", "data.shape", "from 1 on"},
         {"shape = [1.5]", "data.shape", "from 1 on"},
         {"offset = -1", "data.offset", "at least 0"},
         {"trailer = 0.5", "data.trailer", "whole number"},
         {"first_index = -1", "data.first_index", "at least 0"},
         {"conjugate = 1", "data.conjugate", "true or false"},
         {"dtype = 2", "data.dtype", "text in quotes"},
         {"code_offset = \"a\"", "data.code_offset", "must be a number"},
         {"code_offset = nan", "data.code_offset", "finite"}},
        kEchoProbe + kEchoSignal);
}

TEST(SidecarKeys, OfTheProbe) {
    const std::string twoRows = "elements = [[0, 0], [1e-3, 0]]\n";
    expectRefusals(
        kEchoAxes + "[probe]\n",
        {{"x = [0, 1]\nrows = 2", "probe", "by its pitch"},
         {"x = [0, 1]\nrow_column = true", "probe", "by its pitch"},
         {"x = [0, 1]\nradius = 0.1", "probe", "by its pitch"},
         {"x = [0, 1]\ncount = 2", "probe", "by its pitch"},
         {"x = [0, 1]\npitch_y = 1e-3", "probe", "by its pitch"},
         {"pitch = 1e-3\nradius = 0.1\nrow_column = true", "probe.radius", "curved row"},
         {"pitch = 1e-3\nradius = 0.1\ncolumns = 2\nrows = 2", "probe.radius", "curved row"},
         {"pitch = 1e-3\nrows = 2", "probe", "both columns and rows"},
         {"pitch = 1e-3\ncolumns = 2", "probe", "both columns and rows"},
         {"pitch = 1e-3\ncount = 2\nrow_column = true", "probe.count", "row of elements"},
         {"pitch = 1e-3\ncount = 4\ncolumns = 2\nrows = 2", "probe.count", "row of elements"},
         {"pitch = 1e-3\ngap = 1e-3", "probe.gap", "columns and rows"},
         {"pitch = 1e-3\nrows_per_block = 2", "probe.gap", "columns and rows"},
         {"pitch = 1e-3\ngap = 1e-3\ncolumns = 2\nrow_column = true", "probe.gap", "matrix array"},
         {"pitch = 1e-3\nrow_column = true\nlong_axes = [\"lateral\"]", "probe.long_axes",
          "keep one of the two"},
         {"pitch = 1e-3\nlong_axes = [\"across\"]", "probe.long_axes", "lateral or elevation"},
         {"pitch = 1e-3\nelement_columns = [\"x\"]", "probe.element_columns", "give elements"},
         {"elements = [[0, 0]]\nelement_columns = [\"x\", \"x\"]", "probe.element_columns", "once"},
         {"elements = [[0, 0]]\nelement_columns = [\"x\", \"w\"]", "probe.element_columns", "'w'"},
         {"elements = [[0, 0]]\nelement_columns = [\"z\", \"none\"]", "probe.element_columns",
          "neither x nor y"},
         {"pitch = 1e-3\nx = [0, 1]", "probe", "exactly one"},
         {"pitch = 1e-3\nrow_column = 1", "probe.row_column", "true or false"},
         {"name = true\npitch = 1e-3", "probe.name", "text in quotes"}},
        kEchoSignal);
    EXPECT_EQ(refusalOfText(kEchoAxes + "[probe]\n" + twoRows +
                            "element_columns = [\"none\", \"y\"]\nrow_column = false\n" +
                            kEchoSignal),
              "");
}

TEST(SidecarKeys, OfTheSignal) {
    expectRefusals(
        kEchoAxes + kEchoProbe + "[signal]\n",
        {{"sampling_frequency = 1\nsampling_interval = 1", "signal.sampling_interval", "keep one"},
         {"frame_rate = 50", "signal.sampling_frequency", "is missing"},
         {"sampling_interval = 1\ncentre_frequency_estimated = true",
          "signal.centre_frequency_estimated", "needs centre_frequency"},
         {"sampling_interval = 1\nclock = \"noon\"", "signal.clock", "wave_at_origin"},
         {"sampling_interval = 1\nclock = \"zero_delay\"", "signal.clock", "transmit.delays"},
         {"sampling_interval = 1\niq_phase_zero = \"noon\"", "signal.iq_phase_zero",
          "first_sample"}},
        "");
    EXPECT_EQ(refusalOfText(kEchoAxes + kEchoProbe + "[signal]\nsampling_interval = 1e-8\n"), "");
}

TEST(SidecarKeys, OfTheAberration) {
    expectRefusals(kEchoAxes + kEchoProbe + kEchoSignal + "[aberration]\n",
                   {{"amplitude = [1, 1]", "aberration.delay", "is missing"},
                    {"phase = [1, 1]", "aberration.phase", "no known key"}},
                   "");
}

TEST(SidecarKeys, OfTheTransmits) {
    expectRefusals(
        kEchoAxes + kEchoProbe + kEchoSignal + "[transmit]\n",
        {{"wave = \"element\"\nangles = [0]", "transmit.angles", "plane"},
         {"wave = \"element\"\nelevations = [0]", "transmit.elevations", "plane"},
         {"wave = \"focused\"\nangles = [0]\nsources = [[0, 0, 1]]", "transmit.angles", "focus"},
         {"angles = [0]\nangles_deg = [0]", "transmit.angles", "keep one"},
         {"wave = \"focused\"\nfocus = 1\nsources = [[0, 0, 1]]", "transmit.sources", "keep one"},
         {"focus = 1", "transmit.focus", "diverging and focused"},
         {"sources = [[0, 0, 1]]", "transmit.sources", "diverging and focused"},
         {"wave = \"diverging\"", "transmit.sources", "is missing"},
         {"wave = \"none\"\norigins = [[0, 0, 0]]", "transmit.origins", "nothing is sent"},
         {"wave = \"none\"\napodization = [1]", "transmit.apodization", "nothing is sent"},
         {"wave = \"none\"\nsound_speed = 1480", "transmit.sound_speed", "nothing is sent"},
         {"elements = [0]", "transmit.elements", "wave = \"element\""},
         {"active_first = [0]", "transmit.active_first", "go together"},
         {"active_first = [0]\nactive_count = [1]\napodization = [1]", "transmit.apodization",
          "keep one"},
         {"receive_first = [0]\nreceive_elements = [0]", "transmit.receive_first", "keep one"},
         {"receive_weights = [[1]]", "transmit.receive_weights", "go together"},
         {"receive_weights_first = 1", "transmit.receive_weights", "go together"},
         {"delays = [0]\nwave = \"plane\"", "transmit.wave", "keep one"},
         {"delays = [0]\nfocus = 1", "transmit.focus", "keep one"},
         {"first_element = -1", "transmit.first_element", "at least 0"},
         {"steering = \"turns\"", "transmit.steering", "projections"}},
        "");
}

TEST(SidecarKeys, OfImages) {
    const std::string axes = "[data]\naxes = [\"depth\", \"lateral\"]\n";
    expectRefusals(
        axes + "[image]\n",
        {{"frame_rate = 1", "image.form", "is missing"},
         {"form = \"film\"", "image.form", "envelope"},
         {"form = \"envelope\"\ndepth_step = 1\nsampling_frequency = 1", "image.depth_step",
          "keep one"},
         {"form = \"envelope\"\nangles = [0]\nangle_step = 1", "image.angles", "one way"},
         {"form = \"envelope\"\nangles = [0]\nangle_first = 1", "image.angles", "one way"},
         {"form = \"envelope\"\nangle_first = 1", "image.angle_step", "is missing"},
         {"form = \"envelope\"\nangles = [0]\nlateral_first = 1", "image.lateral_step", "fan out"},
         {"form = \"envelope\"\nangle_step = 1\nlateral_step = 1", "image.lateral_step", "fan out"},
         {"form = \"envelope\"\napex = [0, 0]", "image.apex", "sector"},
         {"form = \"envelope\"\nradius = 1", "image.apex", "sector"},
         {"form = \"picture\"\nshown_range = [-60, 0]", "image.shown_range", "brightnesses"}},
        "");
    EXPECT_THAT(refusalOfText(kEchoAxes + "[image]\nform = \"envelope\"\n"),
                HasSubstr("axes of images"));
    EXPECT_THAT(refusalOfText(axes + kEchoProbe + kEchoSignal), HasSubstr("belongs to images"));
}

TEST(SidecarKeys, OfSpectra) {
    const std::string axes = "[data]\naxes = [\"lateral\", \"sample\"]\n";
    const auto spectrometer = [](const std::string& key) { return "spectrometer." + key; };
    const std::string background = spectrometer("background");
    const std::string wavelengths = spectrometer("wavelengths");
    const std::string polynomial = spectrometer("wavelength_polynomial");
    const std::string chirp = spectrometer("chirp");
    expectRefusals(
        axes + "[spectrometer]\n",
        {{"bandwidth = -1", "spectrometer.bandwidth", "negative"},
         {"bscans_per_volume = 0", "spectrometer.bscans_per_volume", "at least 1"},
         {"background = []", background.c_str(), "empty list"},
         {"background = 3", background.c_str(), "a list of numbers"},
         {"background = \"\"", background.c_str(), "empty name"},
         {"background = [1, \"a\"]", background.c_str(), "must be a number"},
         {"background = [{ file = \"a\" }, 3]", background.c_str(), "a list of numbers"},
         {"background = { file = \"a\", unit = 1 }", background.c_str(), "may only hold"},
         {"background = { file = 3 }", background.c_str(), "may only hold"},
         {"background = { from = 3 }", background.c_str(), "may only hold"},
         {"background = { scale = 3 }", background.c_str(), "needs file"},
         {"wavelengths = [1]\nwavelengths_nm = [1]", wavelengths.c_str(), "keep one"},
         {"resampling = [1]\nchirp = [1]", chirp.c_str(), "the inverse"},
         {"chirp = [1]\nwavelengths = [1]", wavelengths.c_str(), "keep one of"},
         {"chirp = [1]\nwavelength_polynomial = [1]", polynomial.c_str(), "keep one of"},
         {"resampling = [1]\nwavelengths = [1]", wavelengths.c_str(), "keep one of"},
         {"wavelengths = [1]\nwavelength_polynomial = [1]", wavelengths.c_str(), "keep one of"}},
        "");
    expectRefusals(
        "[spectrometer]\nbackground = [1]\n[data]\n",
        {{"axes = [\"time\", \"sample\"]", "data.axes", "volume"},
         {"axes = [\"sample\", \"sample\"]", "data.axes", "twice"},
         {"axes = [\"lateral\"]", "data.axes", "'sample'"},
         {"axes = [\"sample\"]\nshift = 16", "data.shift", "0 to 15"},
         {"axes = [\"sample\"]\nmirrored_bscans = \"all\"", "data.mirrored_bscans", "even"},
         {"axes = [\"sample\"]\nbackground_lines = 1", "spectrometer.background", "keep one"},
         {"axes = [\"sample\"]\ndtype = 3", "data.dtype", "text in quotes"}},
        "");
    const Sidecar named = parseSidecar(
        axes + "dtype = \"packed12\"\n[spectrometer]\nbackground = [{ from = \"a\" }, \"b\"]\n"
               "dispersion = { file = \"d.txt\", scale = 2 }\n",
        "here");
    ASSERT_TRUE(named.spectra);
    EXPECT_TRUE(named.spectra->packed);
    ASSERT_EQ(named.spectra->background.size(), 2U);
    EXPECT_EQ(named.spectra->background[1].from, "b");
    EXPECT_EQ(named.spectra->dispersion.front().scale, 2.0);
    EXPECT_THAT(namedFiles(*named.spectra), ElementsAre("d.txt"));
}

} // namespace
} // namespace echolux::test
