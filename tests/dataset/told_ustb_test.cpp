// SPDX-License-Identifier: GPL-3.0-or-later
// What is told of USTB's files whose facts are missing, empty, no numbers, or of another shape:
// objects, channel data and probes. Waves and images: told_ustb_waves_test.cpp.
#include "tests/dataset/told_of_files.hpp"

#include <limits>

namespace echolux::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

constexpr double kNoNumber = std::numeric_limits<double>::quiet_NaN();
constexpr double kEndless = std::numeric_limits<double>::infinity();

TEST(ToldUstb, VersionsAndObjects) {
    const auto empty = [](const std::filesystem::path& path) { Hdf5Editor(path).group("notes"); };
    const auto version = [](const char* text) {
        return [=](const Hdf5Editor& file) {
            file.group("channel_data");
            file.textAttribute("/", "version", text);
        };
    };
    const auto unknown = HasSubstr("are in no form that Echolux knows");
    expectToldOfHdf5(
        empty,
        {{"a version of blanks", version("  "), unknown},
         {"of PICMUS", version("v.0.0.40"), unknown},
         {"without its letter", version("1.0.0"), unknown},
         {"of USTB", version("v1.2.0  "),
          HasSubstr("with neither channel data nor beamformed data; write")},
         {"without channel data",
          [](const Hdf5Editor& file) { file.textAttribute("/", "version", "v1.2.0"); }, unknown},
         {"a class without a group",
          [](const Hdf5Editor& file) {
              file.number("plain/data", 1);
              file.textAttribute("plain/data", "class", "uff.beamformed_data");
          },
          unknown},
         {"images in a plain group",
          [](const Hdf5Editor& file) {
              file.group("plain/image");
              file.textAttribute("plain/image", "class", "uff.beamformed_data ");
          },
          HasSubstr("'plain/image' lacks 'scan'")},
         {"channel data in a plain group",
          [](const Hdf5Editor& file) {
              file.group("plain/echoes");
              file.textAttribute("plain/echoes", "class", "uff.channel_data");
          },
          HasSubstr("'plain/echoes' holds no array 'data'")},
         {"many other objects",
          [](const Hdf5Editor& file) {
              for (char name = 'a'; name <= 'i'; ++name) {
                  file.group(std::string(1, name));
                  file.textAttribute(std::string(1, name), "class", "uff.pulse");
              }
          },
          AllOf(HasSubstr(", but 'a' (uff.pulse), 'b' (uff.pulse)"),
                HasSubstr("'h' (uff.pulse), ...; write"), Not(HasSubstr("'i'")))}});
    expectToldOfHdf5(copyOfVector("uff_iq_delays.uff"),
                     {{"a newer version",
                       [](const Hdf5Editor& file) { file.textAttribute("/", "version", "v1.9.0"); },
                       HasSubstr("'v1.9.0', which is newer")}});
}

TEST(ToldUstb, MembersAreCountedByTheirNumbers) {
    const std::string waves = "recorded/sequence/";
    const auto copyOfWave = [waves](const std::string& name) {
        return [=](const Hdf5Editor& file) { file.group(waves + name); };
    };
    const auto three = HasSubstr("transmit 3");
    expectToldOfHdf5(copyOfVector("uff_iq_delays.uff"),
                     {{"no number", copyOfWave("sequence_"), three},
                      {"ten digits", copyOfWave("sequence_0000000004"), three},
                      {"a letter", copyOfWave("sequence_000x"), three},
                      {"another stem", copyOfWave("series_0004"), three},
                      {"no group", withNumber(waves + "sequence_0004", 1), three},
                      {"a fourth", copyOfWave("sequence_4"), HasSubstr("lacks 'source'")}});
}

TEST(ToldUstb, ChannelData) {
    const std::string root = "recorded/";
    const auto data = [root](const std::vector<hsize_t>& shape) {
        return [=](const Hdf5Editor& file) {
            file.remove(root + "data");
            file.zeros(root + "data", shape);
        };
    };
    expectToldOfHdf5(
        copyOfVector("uff_iq_delays.uff"),
        {{"one axis", data({220}), HasSubstr("channel data have 2 to 4 axes")},
         {"five axes", data({1, 1, 3, 16, 220}), HasSubstr("channel data have 2 to 4 axes")},
         {"no real part", without(root + "data/real"),
          HasSubstr("'recorded/data' is complex but lacks 'real'")},
         {"no sampling", without(root + "sampling_frequency"),
          HasSubstr("'recorded/sampling_frequency' is missing; give it in Hz")},
         {"endless sampling", withNumber(root + "sampling_frequency", kEndless),
          HasSubstr("'recorded/sampling_frequency' is inf; give it in Hz")},
         {"mixed with nothing", withNumber(root + "modulation_frequency", 0),
          AllOf(HasSubstr("centre 5e+06 Hz, mixed 0 Hz"), HasSubstr("not modulated"))},
         {"a centre that is no number", withNumber(root + "pulse/center_frequency", kNoNumber),
          HasSubstr("centre 5e+06 Hz")},
         {"two bandwidths", withNumbers(root + "pulse/fractional_bandwidth", {2}, {0.5, 0.6}),
          HasSubstr("bandwidth 0,")},
         {"a bandwidth of 0", withNumber(root + "pulse/fractional_bandwidth", 0),
          HasSubstr("bandwidth 0,")},
         {"a bandwidth of 3", withNumber(root + "pulse/fractional_bandwidth", 3),
          HasSubstr("bandwidth 0,")},
         {"a rate that is no number", withNumber(root + "PRF", kNoNumber), HasSubstr("at 0 Hz")},
         {"a rate of 0", withNumber(root + "PRF", 0), HasSubstr("at 0 Hz")},
         {"authors in a list",
          [root](const Hdf5Editor& file) {
              file.group(root + "author/a");
              file.text(root + "author/b", "one");
              file.group(root + "author/c");
              file.text(root + "author/d", "two");
          },
          HasSubstr("Author: one; two\n")}});
}

/// Elements of two crossed rows: x, y and 7 numbers of each.
std::vector<double> crossedRows() {
    std::vector<std::vector<double>> rows(7, std::vector<double>(16, 0.0));
    for (std::size_t k = 0; k < 16; ++k) {
        const double at = (static_cast<double>(k % 8) - 3.5) * 3e-4;
        rows[k < 8 ? 0 : 1][k] = at;
        rows[5][k] = k < 8 ? 2e-4 : 3e-3;
        rows[6][k] = k < 8 ? 3e-3 : 2e-4;
    }
    std::vector<double> all;
    for (const auto& row : rows) all.insert(all.end(), row.begin(), row.end());
    return all;
}

TEST(ToldUstb, Probes) {
    const std::string root = "recorded/probe/";
    const auto geometry = [root](std::vector<hsize_t> shape, std::vector<double> values) {
        return withNumbers(root + "geometry", std::move(shape), std::move(values));
    };
    /// Of all elements one number is `value`.
    const auto angles = [&](std::size_t row, double value) {
        std::vector<double> all(7 * 16, 0.0);
        const std::vector<double> x = uffElements();
        std::ranges::copy(x, all.begin());
        std::fill_n(all.begin() + static_cast<long>(16 * row), 16, value);
        return geometry({7, 16}, all);
    };
    const auto ofClass = [root](const char* name, bool complete) {
        return [=](const Hdf5Editor& file) {
            file.remove(root + "geometry");
            file.textAttribute("recorded/probe", "class", name);
            if (!complete) return;
            file.number(root + "radius", 60e-3);
            for (const char* axis : {"x", "y"}) {
                file.number(root + "N_" + axis, 4);
                file.number(root + "pitch_" + axis, 2e-4);
            }
        };
    };
    const auto wrongShape = HasSubstr("is not 7 numbers");
    expectToldOfHdf5(
        copyOfVector("uff_iq_delays.uff"),
        {{"one number", geometry({}, {1}), wrongShape},
         {"three axes", geometry({2, 8, 7}, std::vector<double>(112, 1.0)), wrongShape},
         {"8 columns", geometry({14, 8}, std::vector<double>(112, 1.0)), wrongShape},
         {"crossed rows", geometry({7, 16}, crossedRows()),
          HasSubstr("width 0.0002, height 0.003, focus 0, bandwidth 0.6, 0 normals, 16 long")},
         {"faces turned up", angles(4, 0.1), HasSubstr("16 normals")},
         {"faces turned to nowhere", angles(4, kNoNumber),
          AllOf(HasSubstr("0 normals"), HasSubstr("faces are no numbers"))},
         {"places that are no numbers", angles(0, kNoNumber), HasSubstr("no finite number")},
         {"a curved class", ofClass("uff.curvilinear_array", true), HasSubstr("16 normals")},
         {"a curved class without a radius", ofClass("uff.curvilinear_array", false),
          HasSubstr("'recorded/probe/radius' is no positive length")},
         {"a matrix", ofClass("uff.matrix_array", true), HasSubstr("of 16, pitch 0.0002")},
         {"another class", ofClass("uff.probe", true),
          HasSubstr("'recorded/probe' has no 'geometry'")},
         {"a matrix of far too many",
          [&](const Hdf5Editor& file) {
              ofClass("uff.matrix_array", true)(file);
              file.number(root + "N_x", 1e5);
              file.number(root + "N_y", 1e5);
          },
          HasSubstr("has 100000 x 100000 elements; correct 'N_x' and 'N_y'")},
         {"a radius less than half the pitch",
          [&](const Hdf5Editor& file) {
              ofClass("uff.curvilinear_array", true)(file);
              file.number(root + "radius", 1e-4);
          },
          HasSubstr("is smaller than half the pitch")},
         {"a pitch of 0", withNumber(root + "pitch", 0), HasSubstr("pitch 0.0003")},
         {"an endless pitch", withNumber(root + "pitch", kEndless), HasSubstr("pitch 0.0003")},
         {"off the origin", withNumber(root + "origin/distance", 2e-3),
          HasSubstr("it stands 2 mm off the origin")}});
}

} // namespace
} // namespace echolux::test
