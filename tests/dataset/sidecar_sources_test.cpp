// SPDX-License-Identifier: GPL-3.0-or-later
// Where a sidecar finds arrays and numbers: MAT-files of version 5, one array per wave, tables of
// columns, axes of one entry.
#include "tests/dataset/sidecar_fixture.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace echolux::test {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

class SidecarSources : public SidecarTest {
protected:
    std::unique_ptr<Recording> openOther(const std::string& name, const std::string& text) {
        writeFile(m_folder / (name + ".toml"), text);
        return openRecording(m_folder / name);
    }
    std::string refusalOfOther(const std::string& name, const std::string& text) {
        writeFile(m_folder / (name + ".toml"), text);
        return refusalOf(m_folder / name);
    }
};

TEST_F(SidecarSources, FieldsOfMatlabVersion5) {
    {
        MatBuilder file(m_folder / "set.mat");
        file.add(MatBuilder::structure(
            "data", {{"rf", MatBuilder::array(nullptr, {4, 3, 2}, countedUp<std::int16_t>(24))}}));
        file.add(MatBuilder::structure("param", {{"fs", MatBuilder::number(20e6)},
                                                 {"x", MatBuilder::row({-1e-3, 0, 2e-3})},
                                                 {"angles", MatBuilder::row({-0.1, 0.2})}}));
    }
    const std::string rest = "[probe]\nx = \"param.x\"\n[signal]\nsampling_frequency = "
                             "\"param.fs\"\n[transmit]\nangles = \"param.angles\"\n";
    const std::string axes = "axes = [\"sample\", \"channel\", \"transmit\"]\n";
    const auto recording = openOther("set.mat", "[data]\narray = \"data.rf\"\n" + axes + rest);
    const RecordingInfo& info = recording->info();
    EXPECT_EQ(info.frame.describe(), "i16 [transmit 2][channel 3][sample 4]");
    EXPECT_EQ(frameOf(*recording), countedUp<double>(24));
    EXPECT_EQ(info.frame.acquisition->probe.elements[2].x, 2e-3);
    EXPECT_EQ(info.frame.acquisition->transmits[1].angleRad, 0.2);
    EXPECT_THAT(refusalOfOther("set.mat", "[data]\narray = \"data.iq\"\n" + axes + rest),
                AllOf(HasSubstr("'data.iq'"), HasSubstr("'data.rf'"), HasSubstr("'param.fs'")));
}

TEST_F(SidecarSources, MatlabDropsTheLastAxesOfOneEntry) {
    {
        MatBuilder file(m_folder / "one.mat");
        file.add(MatBuilder::array("rf", {4, 3}, countedUp<std::int16_t>(12)));
    }
    const auto recording = openOther(
        "one.mat", "[data]\narray = \"rf\"\naxes = [\"sample\", \"channel\", \"transmit\"]\n"
                   "[probe]\npitch = 1e-3\n[signal]\nsampling_frequency = 1e6\n");
    EXPECT_EQ(recording->info().frame.describe(), "i16 [transmit 1][channel 3][sample 4]");
}

TEST_F(SidecarSources, OneArrayPerWaveOfMatlab) {
    {
        MatBuilder file(m_folder / "waves.mat");
        std::vector<std::int16_t> more = countedUp<std::int16_t>(12);
        for (auto& value : more) value = static_cast<std::int16_t>(value + 100);
        file.add(MatBuilder::array("left", {4, 3}, countedUp<std::int16_t>(12)));
        file.add(MatBuilder::array("right", {4, 3}, more));
        file.add(MatBuilder::array<double>("a1", {1, 1}, {-0.1}));
        file.add(MatBuilder::array<double>("a2", {1, 1}, {0.1}));
    }
    const std::string rest = "[probe]\npitch = 1e-3\n[signal]\nsampling_frequency = 1e6\n"
                             "first_sample = [\"a1\", \"a2\"]\n[transmit]\nangles = "
                             "\"a{transmit}\"\n";
    const auto recording =
        openOther("waves.mat", "[data]\ntransmit_arrays = [\"left\", \"right\"]\nfirst_index = 1\n"
                               "axes = [\"sample\", \"channel\"]\n" +
                                   rest);
    EXPECT_EQ(recording->info().frame.describe(), "i16 [transmit 2][channel 3][sample 4]");
    const auto values = frameOf(*recording);
    EXPECT_EQ(values[5], 5.0);
    EXPECT_EQ(values[12 + 5], 105.0);
    const auto& transmits = recording->info().frame.acquisition->transmits;
    EXPECT_EQ(transmits[1].angleRad, 0.1);
    EXPECT_EQ(transmits[0].firstSampleS, -0.1);
}

TEST_F(SidecarSources, OneArrayPerWaveOfNumPy) {
    const auto member = [](std::int16_t start) {
        std::vector<std::int16_t> values = countedUp<std::int16_t>(12);
        for (auto& value : values) value = static_cast<std::int16_t>(value + start);
        return npyBytes(npyDictionary("<i2", "(3, 4)"), bytesOfValues(values));
    };
    const auto angle = [](double value) {
        return npyBytes(npyDictionary("<f8", "()"), bytesOfValues(std::vector{value}));
    };
    writeZip(m_folder / "waves.npz",
             {{"i0.npy", member(0)},
              {"q0.npy", member(50)},
              {"i1.npy", member(100)},
              {"q1.npy", member(150)},
              {"angle_0.npy", angle(-0.1)},
              {"angle_1.npy", angle(0.1)}},
             true);
    const std::string rest =
        "axes = [\"channel\", \"sample\"]\n[probe]\npitch = 1e-3\n[signal]\nsampling_frequency = "
        "1e6\ndemodulation_frequency = 1e6\n[transmit]\nangles = \"angle_{transmit}\"\n";
    for (const char* arrays : {"array = [\"i{transmit}\", \"q{transmit}\"]\n",
                               "transmit_arrays = [[\"i0\", \"q0\"], [\"i1\", \"q1\"]]\n"}) {
        const auto recording = openOther("waves.npz", std::string("[data]\n") + arrays + rest);
        EXPECT_EQ(recording->info().frame.describe(),
                  "complex_i16 [transmit 2][channel 3][sample 4]");
        const auto values = frameOf(*recording);
        EXPECT_EQ(values[1], 50.0);
        EXPECT_EQ(values[24], 100.0);
        EXPECT_EQ(recording->info().frame.acquisition->transmits[1].angleRad, 0.1);
    }
    EXPECT_THAT(
        refusalOfOther("waves.npz", "[data]\narray = \"i0\"\ntransmit_arrays = [\"i1\"]\n" + rest),
        HasSubstr("keep one"));
    EXPECT_THAT(refusalOfOther("waves.npz",
                               "[data]\ntransmit_arrays = [[\"i0\", \"q0\"], [\"i1\"]]\n" + rest),
                HasSubstr("I and Q"));
}

TEST_F(SidecarSources, TablesOfColumns) {
    {
        Hdf5Builder file(m_folder / "probe.h5");
        file.add<std::int16_t>("rf", {3, 4}, countedUp<std::int16_t>(12));
        file.add<double>("wide", {3, 5}, {9, 0, -1, 0, 2, 9, 0, 0, 0, 2, 9, 0, 1, 0.5, 2});
        file.add<double>("lying", {5, 3}, {9, 9, 9, 0, 0, 0, -1, 0, 1, 0, 0, 0.5, 2, 2, 2});
    }
    const auto text = [](const std::string& name, const std::string& columns) {
        return "[data]\narray = \"rf\"\naxes = [\"channel\", \"sample\"]\n[probe]\nelements = "
               "{ from = \"" +
               name + "\", scale = 1e-3 }\nelement_columns = " + columns +
               "\n[signal]\nsampling_frequency = 1e6\n";
    };
    for (const char* name : {"wide", "lying"}) {
        const auto recording =
            openOther("probe.h5", text(name, "[\"none\", \"y\", \"x\", \"z\", \"none\"]"));
        const auto& elements = recording->info().frame.acquisition->probe.elements;
        ASSERT_EQ(elements.size(), 3U);
        EXPECT_EQ(elements[0].x, -1e-3);
        EXPECT_EQ(elements[2].z, 0.5e-3);
    }
    EXPECT_THAT(refusalOfOther("probe.h5", text("wide", "[\"x\", \"y\"]")), HasSubstr("no table"));
    EXPECT_THAT(refusalOfOther("probe.h5", text("wide", "[\"x\", \"theta\"]")),
                HasSubstr("'theta'"));
}

TEST_F(SidecarSources, ElementsCountedFromOne) {
    Parts parts;
    parts.probe = "pitch = 1e-3\ncount = 5\n";
    parts.transmit = "angles_deg = [0, 1]\nfirst_element = 1\nreceive_elements = [[1, 2, 3], "
                     "[3, 4, 5]]\nactive_first = [1, 3]\nactive_count = 3\n";
    const auto acquisition = open(parts)->info().frame.acquisition;
    EXPECT_THAT(acquisition->receiveElements, ElementsAre(0, 1, 2, 2, 3, 4));
    EXPECT_THAT(acquisition->transmits[1].apodization, ElementsAre(0, 0, 1, 1, 1));
    parts.transmit = "angles_deg = [0, 1]\nfirst_element = 1\nreceive_first = [0, 3]\n";
    EXPECT_THAT(refusal(parts), HasSubstr("from 1 to 5"));
}

TEST_F(SidecarSources, WalkingAperturesInAnArray) {
    {
        Hdf5Builder file(m_folder / "walk.h5");
        file.add<std::int16_t>("rf", {2, 3, 4}, countedUp<std::int16_t>(24));
        file.add<double>("heard", {2, 3}, {1, 2, 3, 3, 4, 5});
        file.add<double>("turned", {3, 2}, {1, 3, 2, 4, 3, 5});
    }
    for (const char* name : {"heard", "turned"}) {
        const auto recording =
            openOther("walk.h5", std::string("[data]\narray = \"rf\"\naxes = [\"transmit\", "
                                             "\"channel\", \"sample\"]\n[probe]\npitch = 1e-3\n"
                                             "count = 5\n[signal]\nsampling_frequency = 1e6\n"
                                             "[transmit]\nangles = [0, 0.1]\nfirst_element = 1\n"
                                             "receive_elements = \"") +
                                     name + "\"\n");
        EXPECT_THAT(recording->info().frame.acquisition->receiveElements,
                    ElementsAre(0, 1, 2, 2, 3, 4));
    }
}

TEST_F(SidecarSources, AxesOfOneEntryAreLeftOut) {
    Parts parts;
    parts.data = "dtype = \"<i2\"\nshape = [1, 2, 4, 1, 3, 1]\n"
                 "axes = [\"transmit\", \"sample\", \"channel\"]\n";
    EXPECT_EQ(open(parts)->info().frame.describe(), "i16 [transmit 2][channel 3][sample 4]");
    parts.data = "dtype = \"<i2\"\nshape = [1, 1, 6, 4]\n"
                 "axes = [\"transmit\", \"channel\", \"sample\"]\n";
    parts.transmit = "";
    EXPECT_EQ(open(parts)->info().frame.describe(), "i16 [transmit 1][channel 6][sample 4]");
    parts.data = "dtype = \"<i2\"\nshape = [1, 6, 1, 4]\n"
                 "axes = [\"transmit\", \"channel\", \"sample\"]\n";
    EXPECT_THAT(refusal(parts), HasSubstr("4 axes")) << "which of the two is not said";
}

} // namespace
} // namespace echolux::test
