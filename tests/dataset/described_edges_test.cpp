// SPDX-License-Identifier: GPL-3.0-or-later
// Whatever one line of a description is replaced by, the file opens with facts that agree or a
// sentence names it.
#include "app/dataset/frames/channel_import.hpp"
#include "app/dataset/frames/image_import.hpp"
#include "app/dataset/frames/raw_import.hpp"
#include "app/dataset/sidecar/sidecar.hpp"
#include "tests/dataset/altered_hdf5.hpp"
#include "tests/dataset/damage_attempts.hpp"
#include "tests/dataset/sidecar_fixture.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace echolux::test {
namespace {

/// 2 x 3 x 4 x 8 numbers, once as they are and once as arrays by name, with numbers beside them.
std::filesystem::path headerless(const TemporaryFolder& folder) {
    writeFile(folder / "data.raw", bytesOfValues(countedUp<std::int16_t>(192)));
    return folder / "data.raw";
}

std::filesystem::path named(const TemporaryFolder& folder) {
    Hdf5Builder file(folder / "data.h5");
    const auto add = [&](const char* name, const std::vector<hsize_t>& shape,
                         const std::vector<double>& values) {
        file.add<double>(name, shape, values);
    };
    file.add<std::int16_t>("rf", {2, 3, 4, 8}, countedUp<std::int16_t>(192));
    for (const char* name : {"rf1", "rf2", "one_by_one/a1/q", "one_by_one/a2/q"})
        file.add<std::int16_t>(name, {1, 3, 4, 8}, countedUp<std::int16_t>(96));
    for (const char* name : {"i", "q"}) file.add<float>(name, {3, 4, 8}, countedUp<float>(96));
    add("number", {1}, {5e6});
    add("none", {1}, {std::nan("")});
    add("two", {2}, {0.1, 0.2});
    add("three", {3}, {-0.1, 0.0, 0.1});
    add("four", {4}, {0.0, 1e-3, 2e-3, 3e-3});
    add("eight", {8}, {0, 1, 2, 3, 4, 5, 6, 7});
    add("places", {4, 3}, {0, 0, 0, 1e-3, 0, 0, 2e-3, 0, 0, 3e-3, 0, 0});
    add("lying", {3, 4}, {0, 1e-3, 2e-3, 3e-3, 0, 0, 0, 0, 0, 0, 0, 0});
    add("flat", {12}, {0, 0, 0, 1e-3, 0, 0, 2e-3, 0, 0, 3e-3, 0, 0});
    add("delays", {3, 4}, {0, 1e-8, 2e-8, 3e-8, 0, 0, 0, 0, 3e-8, 2e-8, 1e-8, 0});
    add("turned", {4, 3}, {0, 0, 3e-8, 1e-8, 0, 2e-8, 2e-8, 0, 1e-8, 3e-8, 0, 0});
    add("t1", {1}, {0.1});
    add("t2", {1}, {0.2});
    add("t3", {1}, {0.3});
    return folder / "data.h5";
}

struct Description {
    const char* name;
    std::filesystem::path (*file)(const TemporaryFolder&);
    /// Lines, of which one after the other is altered.
    std::vector<std::string> lines;
};

const std::string kEchoes = R"(axes = ["frame", "transmit", "channel", "sample"])";

/// Each opens as it is.
std::vector<Description> descriptions() {
    const std::string type = R"(dtype = "<i2")";
    return {
        {"linear",
         headerless,
         {R"(title = "a title")",
          "sound_speed = 1500",
          "[data]",
          type,
          "shape = [2, 3, 4, 8]",
          kEchoes,
          "code_offset = 1",
          "code_scale = 0.5",
          "converter_range = [-2048, 2047]",
          "[probe]",
          R"(name = "a probe")",
          "pitch = 0.3e-3",
          "element_width = 0.2e-3",
          "element_height = 5e-3",
          "elevation_focus = 20e-3",
          "fractional_bandwidth = 0.6",
          "count = 4",
          "[signal]",
          "sampling_frequency = 20e6",
          "centre_frequency = 5e6",
          "centre_frequency_estimated = true",
          "first_sample = [1e-6, 0, 0]",
          "offset_samples = 2",
          "frame_rate = 100",
          R"(clock = "first_element_fires")",
          "[transmit]",
          "angles_deg = [-10, 0, 10]",
          "elevations_deg = 0",
          R"(steering = "projections")",
          "sound_speed = 1540",
          "receive_weights = [[1, 1], [1, 1], [1, 1], [1, 1]]",
          "receive_weights_step = 1e-3",
          "receive_weights_first = 0"}},
        {"cut and curved",
         headerless,
         {"[data]", type, "offset = 192", "trailer = 0", "shape = [-1, 3, 4, 8]", kEchoes,
          "[probe]", "pitch = 0.3e-3", "radius = 40e-3", "[signal]", "sampling_interval = 5e-8",
          "[transmit]", R"(wave = "focused")", "focus = 20e-3", "angles_deg = [-10, 0, 10]",
          "active_first = [0, 1, 2]", "active_count = 2", "first_element = 0"}},
        {"matrix",
         headerless,
         {"[data]", type, "shape = [2, 3, 4, 8]", kEchoes, "[probe]", "pitch = 0.3e-3",
          "pitch_y = 0.4e-3", "columns = 2", "rows = 2", "rows_per_block = 1", "gap = 1e-3",
          "[signal]", "sampling_frequency = 20e6", "[transmit]", R"(wave = "element")",
          "elements = [0, 1, 2]"}},
        {"rows and columns",
         headerless,
         {"[data]", type, "shape = [2, 3, 4, 8]", kEchoes, "[probe]", "pitch = 0.3e-3",
          "row_column = true", "columns = 2", "rows = 2", "[signal]", "sampling_frequency = 20e6",
          "[transmit]", "angles = [0, 0, 0]",
          "apodization = [[1, 1, 0, 0], [0, 0, 1, 1], [1, 1, 1, 1]]",
          "receive_elements = [[0, 1, 2, 3], [0, 1, 2, 3], [0, 1, 2, 3]]"}},
        {"places",
         headerless,
         {"[data]", type, "shape = [2, 3, 4, 8]", kEchoes, "[probe]", "x = [0, 1e-3, 2e-3, 3e-3]",
          "z = [0, 0, 0, 0]", R"(long_axes = ["lateral"])",
          "normals = [[0, 0, 1], [0, 0, 1], [0, 0, 1], [0, 0, 1]]", "[aberration]",
          "delay = [0, 1e-8, 0, 0]", "amplitude = [1, 1, 1, 1]", "[signal]",
          "sampling_frequency = 20e6", "centre_frequency = 5e6", "[transmit]",
          R"(wave = "diverging")", "sources = [[0, 0, -1e-2], [0, 0, -2e-2], [0, 0, -3e-2]]",
          "origins = [[0, 0, 0], [0, 0, 0], [0, 0, 0]]"}},
        {"numbers of arrays",
         named,
         {"[data]", R"(array = "rf")", kEchoes, "first_index = 1", "[probe]",
          R"(elements = "places")", R"(element_columns = ["x", "y", "z"])",
          R"(long_axes = ["none", "none", "none", "none"])", "[signal]",
          R"(sampling_frequency = { from = "number", scale = 4 })",
          R"(centre_frequency = "number")", R"(first_sample = ["t1", "t2", "t3"])", "[transmit]",
          R"(angles = "t{transmit}")", "[match]", "size = 1"}},
        {"delays of an array",
         named,
         {"[data]", R"(array = "rf")", kEchoes, "[probe]", R"(x = "four")", "[signal]",
          "sampling_frequency = 20e6", "centre_frequency = 5e6", R"(clock = "zero_delay")",
          "[transmit]", R"(delays = "delays")"}},
        {"stacked",
         named,
         {"[data]", R"(array = "rf{frame}")", R"(axes = ["none", "transmit", "channel", "sample"])",
          "first_index = 1", "[probe]", R"(elements = "lying")", "[signal]",
          "sampling_frequency = 20e6", "[transmit]", "angles = 0"}},
        {"pairs",
         named,
         {"[data]", R"(array = ["i", "q"])", R"(axes = ["transmit", "channel", "sample"])",
          "code_offset = 2", "converter_range = [-8, 8]", "conjugate = true", "[probe]",
          "pitch = 0.3e-3", "[signal]", "sampling_frequency = 20e6", "demodulation_frequency = 5e6",
          R"(iq_phase_zero = "file_clock")", "[transmit]", "angles_deg = [-10, 0, 10]"}},
        {"images",
         headerless,
         {R"(title = "a title")", "sound_speed = 1500", "[data]", type, "shape = [-1, 2, 4, 8]",
          R"(axes = ["frame", "elevation", "depth", "lateral"])", "[image]", R"(form = "decibels")",
          "sampling_frequency = 20e6", "depth_first = 1e-3", "lateral_step = 1e-3",
          "lateral_first = 0", "elevation_step = 1e-3", "elevation_first = 0",
          "shown_range = [-60, 0]", "frame_rate = 10", "centre_frequency = 5e6"}},
        {"fans",
         headerless,
         {"[data]", type, "shape = [6, 4, 8]", R"(axes = ["frame", "depth", "lateral"])", "[image]",
          R"(form = "envelope")", "depth_step = 1e-3", "angle_step_deg = 5",
          "angle_first_deg = -17", "apex = [0, -0.01]", "radius = 0.01"}},
        {"listed fans",
         headerless,
         {"[data]", type, "shape = [6, 8, 4]", R"(axes = ["frame", "depth", "lateral"])", "[image]",
          R"(form = "envelope")", "depth_step = 1e-3", "angles = [-0.1, 0, 0.1, 0.3]"}},
        {"images of an array",
         named,
         {"[data]", R"(array = "q")", R"(axes = ["frame", "depth", "lateral"])", "[image]",
          R"(form = "envelope")", R"(depth_step = "t1")", "lateral_step = 1e-3"}},
        {"spectra",
         headerless,
         {"[data]",
          R"(dtype = "<u2")",
          "offset = 32",
          "shape = [-1, 2, 4]",
          R"(axes = ["bscan", "lateral", "sample"])",
          "shift = 1",
          "background_lines = 2",
          "background_per_bscan = false",
          R"(mirrored_bscans = "odd")",
          "[spectrometer]",
          "centre_wavelength = 900e-9",
          "bandwidth = 100e-9",
          "refractive_index = 1.3",
          "line_spacing = 1e-5",
          "bscan_spacing = 1e-5",
          "bscan_rate = 10",
          "bscans_per_volume = 2",
          "bscans_per_place = 2",
          "dispersion = [0, 0.1, 0.2, 0]",
          "resampling = [0, 1, 2, 3]"}},
        {"packed spectra",
         headerless,
         {"[data]", R"(dtype = "packed12")", "shape = [-1, 2, 8]",
          R"(axes = ["bscan", "lateral", "sample"])", "[spectrometer]",
          "wavelengths_nm = [800, 810, 820, 830, 840, 850, 860, 870]"}},
        {"spectra of an array",
         named,
         {"[data]", R"(array = "rf")", R"(axes = ["volume", "bscan", "lateral", "sample"])",
          "[spectrometer]", R"(background = "eight")", R"(wavelength_polynomial = [8e-7, 1e-8])"}},
    };
}

/// What a line gets in turns: every fourth of these, the next line others.
constexpr std::size_t kDescribedTurns = 4;
const std::vector<std::string> kStandIns{"0",
                                         "1",
                                         "2",
                                         "-1",
                                         "0.5",
                                         "1e9",
                                         "nan",
                                         "true",
                                         "[]",
                                         "[1]",
                                         "[1, 2]",
                                         "[2, 1]",
                                         "[0, 0, 1]",
                                         "[0, 1, 2, 3]",
                                         "[[0, 0, 1], [0, 0, 1], [0, 0, 1]]",
                                         "[-1, -1]",
                                         R"("")",
                                         R"("x")",
                                         R"("none")",
                                         R"("number")",
                                         R"("places")",
                                         R"("lying")",
                                         R"("flat")",
                                         R"("turned")",
                                         R"("two")",
                                         R"("t{transmit}")",
                                         R"(["x"])",
                                         R"(["i", "q"])",
                                         R"(["t1", "t2", "t3"])",
                                         R"({ from = "four", scale = 2 })",
                                         R"(["none", "none", "depth", "lateral"])",
                                         R"(["frame", "frame", "channel", "sample"])",
                                         R"("one_by_one/a{transmit}/q")"};

std::string textOfLines(const std::vector<std::string>& lines) {
    std::string text;
    for (const std::string& line : lines) text += line + "\n";
    return text;
}

class AlteredDescriptions : public testing::TestWithParam<std::size_t> {};

TEST_P(AlteredDescriptions, OpenOrSayWhy) {
    const Description description = descriptions()[GetParam()];
    SCOPED_TRACE(description.name);
    const TemporaryFolder folder;
    const auto path = description.file(folder);
    const ReadsInside inside;
    const auto opens = [&](const std::vector<std::string>& lines) {
        writeFile(path.string() + ".toml", textOfLines(lines));
        readChannelImport(path);
        readImageImport(path);
        readRawImport(path);
        return opensOrSaysWhy(path);
    };
    ASSERT_TRUE(opens(description.lines)) << refusalOf(path);
    int opened = 0;
    for (std::size_t i = 0; i < description.lines.size(); ++i) {
        const std::string& line = description.lines[i];
        const std::size_t equals = line.find(" = ");
        std::vector<std::string> lines = description.lines;
        lines[i].clear(); // taken away
        opened += opens(lines) ? 1 : 0;
        if (equals == std::string::npos) continue;
        for (std::size_t k = i % kDescribedTurns; k < std::size(kStandIns); k += kDescribedTurns) {
            lines[i] = line.substr(0, equals + 3) + kStandIns[k];
            SCOPED_TRACE(lines[i]);
            opened += opens(lines) ? 1 : 0;
        }
    }
    EXPECT_GT(opened, 0);
}
INSTANTIATE_TEST_SUITE_P(All, AlteredDescriptions,
                         testing::Range(std::size_t{0}, descriptions().size()));

} // namespace
} // namespace echolux::test
