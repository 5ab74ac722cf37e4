// SPDX-License-Identifier: GPL-3.0-or-later
// What is told of files of PICMUS, CUBDL and the task force's UFF whose facts are missing, no
// numbers, or do not fit each other.
#include "tests/dataset/told_of_files.hpp"

#include <limits>

namespace echolux::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

using ChangeHdf5 = std::function<void(const Hdf5Editor&)>;
constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();

const std::string kPicmus = "US/US_DATASET0000/";

TEST(ToldPicmus, KindsOfFiles) {
    const auto rf = [](const std::filesystem::path& path) { addPicmus(Hdf5Editor(path), false); };
    const auto only = [](const std::string& name) {
        return [=](const Hdf5Editor& file) {
            file.remove("US/US_DATASET0000");
            file.group(kPicmus + name);
        };
    };
    expectToldOfHdf5(
        rf, {{"a scan alone", only("scan"), HasSubstr("is a reconstructed image; choose")},
             {"a grid by depth", only("z_axis"), HasSubstr("is a grid of pixels to reconstruct")},
             {"another group", only("others"), HasSubstr("is no channel data; choose")},
             {"a scan beside data", [](const Hdf5Editor& file) { file.group(kPicmus + "scan"); },
              HasSubstr("is a reconstructed image")},
             {"two of no kind",
              [&](const Hdf5Editor& file) {
                  only("others")(file);
                  file.group("US/US_DATASET0001/scan");
              },
              HasSubstr("'US/US_DATASET0000' is no channel data; choose")},
             {"a number beside it", withNumber("US/extra", 1), HasSubstr("PICMUS HDF5 (RF)")},
             {"an empty name",
              [](const Hdf5Editor& file) {
                  file.textAttribute("US/US_DATASET0000", "name", std::string(1, '\0'));
              },
              Not(HasSubstr("Name:"))},
             {"a struct of MATLAB",
              [](const Hdf5Editor& file) { file.textAttribute("US", "MATLAB_class", "struct"); },
              Not(HasSubstr("PICMUS"))}});
}

TEST(ToldPicmus, PairsAndAxes) {
    const auto plain = [](const std::filesystem::path& path) {
        addPicmus(Hdf5Editor(path), true, picmusAngles(), "US/US_DATASET0000", false);
    };
    const auto only = [](std::vector<hsize_t> shape) {
        return [=](const Hdf5Editor& file) {
            file.remove(kPicmus + "data/imag");
            file.zeros(kPicmus + "data/real", shape);
        };
    };
    expectToldOfHdf5(
        plain, {{"by content", [](const Hdf5Editor&) {}, HasSubstr("PICMUS HDF5 (IQ)")},
                {"no imaginary part", without(kPicmus + "data/imag"),
                 AllOf(HasSubstr("PICMUS HDF5 (RF)"), HasSubstr("centre 5.208e+06 Hz"))},
                {"one imaginary number", withNumber(kPicmus + "data/imag", 1),
                 HasSubstr("PICMUS HDF5 (RF)")},
                {"RF that was mixed",
                 [](const Hdf5Editor& file) { file.numberAttribute(kPicmus, "signal_format", 0); },
                 HasSubstr("says that it holds RF data, but has a modulation frequency")},
                {"five axes", only({1, 1, 3, 16, 220}), HasSubstr("data of PICMUS have 3 axes")},
                {"one axis", only({220}), HasSubstr("data of PICMUS have 3 axes")},
                {"no speed", without(kPicmus + "sound_speed"),
                 HasSubstr("sound_speed' is missing; correct it")},
                {"a speed that is no number", withNumber(kPicmus + "sound_speed", kUnknown),
                 HasSubstr("sound_speed' is nan; correct it")},
                {"not one transmit for each element",
                 [](const Hdf5Editor& file) {
                     file.remove(kPicmus + "angles");
                     file.numberAttribute(kPicmus, "subtype", 0);
                 },
                 HasSubstr("and there is not one transmit for each element; add")},
                {"nobody knows what was sent", without(kPicmus + "angles"),
                 HasSubstr("nobody knows what was sent; add the angles")},
                {"places that are no numbers",
                 withNumbers(kPicmus + "probe_geometry", {3, 16}, std::vector(48, kUnknown)),
                 HasSubstr("no finite number")}});
    const auto three = [](const std::filesystem::path& path) {
        const Hdf5Editor file(path);
        addPicmus(file, false);
        file.zeros(kPicmus + "data/real", {3, 3, 20});
        file.remove(kPicmus + "data/imag");
    };
    // Rows of x, y and z, as PICMUS has them.
    expectToldOfHdf5(three, {{"three elements",
                              withNumbers(kPicmus + "probe_geometry", {3, 3},
                                          {-1e-3, 0, 2e-3, 0, 0, 0, 0, 0, 0}),
                              HasSubstr("of 3, pitch 0.0015")}});
}

/// A file of CUBDL of three transmits and sixteen elements; `name` tells who gave it.
class ToldCubdl : public testing::Test {
protected:
    void expect(const std::string& name, const std::string& what, const ChangeHdf5& change,
                const testing::Matcher<std::string>& says) const {
        SCOPED_TRACE(what);
        const auto path = m_folder / (name + ".hdf5");
        std::filesystem::remove(path);
        {
            const Hdf5Editor file(path);
            file.zeros("channel_data", {3, 16, 20});
            file.number("modulation_frequency", kUffCarrier);
            file.number("sampling_frequency", kUffSampling);
            file.number("sound_speed", kUffSpeed);
            file.numbers("angles", {3}, {-0.1, 0.0, 0.1});
            change(file);
        }
        EXPECT_THAT(toldOf(path), says);
    }
    TemporaryFolder m_folder;
};

TEST_F(ToldCubdl, WhoGaveIt) {
    const auto unknown = HasSubstr("tell which institution gave it");
    const auto line = uffElements();
    const auto places = [&](const Hdf5Editor& file) {
        file.numbers("element_positions", {16}, line);
    };
    for (const char* name : {"OSL0.7", "OSL0x7", "ABC001", "short"})
        expect(
            name, name, [](const Hdf5Editor&) {}, unknown);
    expect("any", "times alone", withNumbers("time_zero", {1}, {0}), unknown);
    expect(
        "any", "times and places without a speed",
        [&](const Hdf5Editor& file) {
            file.number("time_zero", 1e-6);
            places(file);
            file.remove("sound_speed");
        },
        unknown);
    expect(
        "any", "times, places and speed",
        [&](const Hdf5Editor& file) {
            file.number("time_zero", 1e-6);
            places(file);
        },
        AllOf(HasSubstr("CUBDL HDF5 (Johns Hopkins University)"), HasSubstr("first 1e-06")));
    const std::vector<double> columns{-0.1, 0, 0, 0, 0.1, 0};
    expect("any", "directions without places", withNumbers("transmit_direction", {3, 2}, columns),
           unknown);
    expect(
        "any", "two directions",
        [&](const Hdf5Editor& file) {
            places(file);
            file.numbers("transmit_direction", {2, 2}, {0, 0, 0, 0});
        },
        unknown);
    for (const char* name : {"OSL001", "OSL015", "JHU003", "JHU018"})
        expect(
            name, name, [](const Hdf5Editor&) {},
            HasSubstr("CUBDL says nothing of the waves and the clock of"));
}

TEST_F(ToldCubdl, DataAndWaves) {
    const auto samples = [](std::vector<hsize_t> shape) {
        return [=](const Hdf5Editor& file) { file.zeros("channel_data", shape); };
    };
    expect("MYO001", "complex", withComplex("channel_data", {3, 16, 20}),
           HasSubstr("have real numbers with the axes transmit, element and sample"));
    expect("TSH001", "in rows", samples({16, 60}),
           HasSubstr("[transmit 3][channel 16][sample 20]"));
    expect("TSH001", "element by element", samples({16, 3, 20}),
           HasSubstr("[transmit 3][channel 16][sample 20]"));
    expect("TSH001", "in rows of other lengths", samples({16, 61}),
           HasSubstr("no equal parts for the 3 transmits of 'angles'"));
    expect(
        "TSH001", "in rows without angles",
        [&](const Hdf5Editor& file) {
            samples({16, 60})(file);
            file.remove("angles");
        },
        HasSubstr("no equal parts for the 0 transmits of 'angles'"));
    expect(
        "JHU024", "a line of other elements",
        [](const Hdf5Editor& file) {
            file.number("time_zero", 0);
            file.numbers("element_positions", {3}, {0, 1, 2});
        },
        HasSubstr("'element_positions' has 3 elements, but the data 16"));
    expect(
        "JHU024", "a line of no numbers",
        [](const Hdf5Editor& file) {
            file.number("time_zero", 0);
            file.numbers("element_positions", {16}, std::vector(16, kUnknown));
        },
        HasSubstr("no finite number"));
    expect(
        "JHU024", "times of other transmits",
        [&](const Hdf5Editor& file) {
            file.numbers("time_zero", {2}, {0, 0});
            file.numbers("element_positions", {16}, uffElements());
        },
        HasSubstr("'time_zero' has 2 entries, but the data 3 transmits"));
    std::vector<double> rows = uffElements();
    rows.resize(48, 0.0);
    const auto placed = [&](const Hdf5Editor& file) {
        file.numbers("element_positions", {3, 16}, rows);
    };
    const auto directed = [&](std::vector<hsize_t> shape) {
        return [=](const Hdf5Editor& file) {
            placed(file);
            file.number("start_time", 0);
            file.zeros("transmit_direction", shape);
        };
    };
    expect("EUT001", "rows", directed({2, 3}), HasSubstr("3 transmits, in columns; correct it"));
    for (const char* oslo : {"OSL007", "OSL010"})
        expect(oslo, oslo, directed({3, 2}), HasSubstr("3 transmits, in rows; correct it"));
    expect(
        "INS001", "one transmit",
        [&](const Hdf5Editor& file) {
            placed(file);
            file.number("start_time", 0);
            file.zeros("channel_data", {1, 16, 20});
        },
        HasSubstr("it has one transmit, but files of INSERM have several"));
    const auto focused = [&](std::vector<double> focus) {
        return [=](const Hdf5Editor& file) {
            directed({2, 3})(file);
            file.zeros("transmit_origin", {3, 3});
            file.numbers("transmit_focus", {focus.size()}, focus);
        };
    };
    expect("OSL008", "a focus of each beam", focused({10e-3, 20e-3, 30e-3}),
           HasSubstr("source (0 0 0.02)"));
    expect("OSL008", "too near a focus", focused({1e-4}),
           HasSubstr("is 0.0001 m, which is no focal"));
    expect("OSL008", "too far a focus", focused({2}),
           HasSubstr("is 2 m, which is no focal length"));
}

const std::string kTask = "uff.channel_data/";
const std::string kFirstEvent = kTask + "unique_events/00000001/";
const std::string kFirstProbe = kTask + "probes/00000001/";

TEST(ToldTaskForce, DataAndEvents) {
    const auto make = [](const std::filesystem::path& path) { addTaskForce(Hdf5Editor(path)); };
    const std::string mapping = kFirstEvent + "receive_setup/channel_mapping";
    const auto entry = [&](double value) {
        std::vector<double> list = countedUp<double>(16);
        for (double& each : list) each += 1.0;
        list[3] = value;
        return withNumbers(mapping, {16}, list);
    };
    const auto names = [](const char* value) {
        return HasSubstr(
            fmt::format("names element {}, but the probe has elements 1 to 16", value));
    };
    expectToldOfHdf5(
        make,
        {{"no group", without("uff.channel_data"),
          HasSubstr("it lacks the group 'uff.channel_data'")},
         {"five axes", withZeros(kTask + "data", {1, 1, 3, 16, 20}), HasSubstr("but have 4 axes")},
         {"one axis", withZeros(kTask + "data", {20}), HasSubstr("but have 4 axes")},
         {"a speed that is no number", withNumber(kTask + "sound_speed", kUnknown),
          HasSubstr("sound_speed' is no positive speed")},
         {"mixed otherwise",
          withNumber(kTask + "unique_events/00000002/receive_setup/modulation_frequency", 5e6),
          HasSubstr("mixed with 5e+06 Hz, other than the event before it")},
         {"mixed with no number",
          [](const Hdf5Editor& file) {
              file.remove(kTask + "sequence/00000002");
              file.remove(kTask + "sequence/00000003");
              file.zeros(kTask + "data", {1, 1, 16, 20});
              file.number(kFirstEvent + "receive_setup/modulation_frequency", kUnknown);
          },
          HasSubstr("centre 0 Hz")},
         {"an empty author",
          [](const Hdf5Editor& file) { file.text(kTask + "authors", std::string(1, '\0')); },
          Not(HasSubstr("Author:"))},
         {"two waves at once",
          [](const Hdf5Editor& file) {
              file.group(kFirstEvent + "transmit_setup/transmit_waves/00000002");
          },
          HasSubstr("sends 2 waves at once")},
         {"no wave", without(kFirstEvent + "transmit_setup/transmit_waves"),
          HasSubstr("sends 0 waves at once")},
         {"an entry below 0", entry(-1), names("-1")},
         {"a half entry", entry(1.5), names("1.5")},
         {"an entry beyond the probe", entry(17), names("17")},
         {"a number among the events", withNumber(kTask + "sequence/extra", 1),
          HasSubstr("[transmit 3][channel 16][sample 220]")},
         {"a reference beyond the focus",
          withNumber(kTask + "unique_events/00000003/transmit_setup/transmit_waves/00000001/"
                             "time_zero_reference_point/z",
                     20e-3),
          // The wave is timed 4 mm beyond its focus at (-1, 16) mm, where it comes 4.1 mm later.
          HasSubstr(fmt::format(
              "first {:.4g}",
              7e-6 - 5e-7 + (std::hypot(1e-3, 16e-3) + std::hypot(1e-3, 4e-3)) / kUffSpeed))},
         {"a channel more than elements",
          [&](const Hdf5Editor& file) {
              file.zeros(kTask + "data", {1, 3, 17, 20});
              std::vector<double> list = countedUp<double>(17);
              for (const char* event : {"1", "2", "3"})
                  file.numbers(kTask + "unique_events/0000000" + event +
                                   "/receive_setup/channel_mapping",
                               {17}, list);
          },
          HasSubstr("the data have 17 channels, more than the probe's 16 elements")}});
}

TEST(ToldTaskForce, Probes) {
    const auto make = [](const std::filesystem::path& path) { addTaskForce(Hdf5Editor(path)); };
    const auto typed = [](const char* type) {
        return [=](const Hdf5Editor& file) {
            file.textAttribute(kTask + "probes/00000001", "probe_type", type);
        };
    };
    expectToldOfHdf5(
        make, {{"no element", [](const Hdf5Editor& file) { file.group(kFirstProbe + "element"); },
                HasSubstr("lists no elements; write the probe again")},
               {"curved without a radius", typed("uff.probe.curvilinear_array"),
                HasSubstr("radius' is no positive length")},
               {"a matrix without counts", typed("uff.probe.matrix_array"),
                HasSubstr("number_elements_x' is no whole number of elements")},
               {"curved and turned",
                [](const Hdf5Editor& file) {
                    file.number(kFirstProbe + "radius", 60e-3);
                    file.number(kFirstProbe + "transform/rotation/y", 0.1);
                },
                HasSubstr("16 normals")}});
}

} // namespace
} // namespace echolux::test
