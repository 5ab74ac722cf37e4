// SPDX-License-Identifier: GPL-3.0-or-later
// What users write into the rows of a description: types, axes and sizes; and what the names of
// arrays beside the samples tell.
#include "app/dataset/container/container.hpp"
#include "app/dataset/sidecar/described_rows.hpp"
#include "tests/dataset/sample_files.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <numbers>

namespace echolux::test {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

/// What is wrong with `text` in the first row of this kind.
template <class Import>
std::string takeInto(Import& import, RowKind kind, const std::string& text) {
    const auto& rows = echolux::rowsOf<Import>();
    const auto row = std::ranges::find(rows, kind, &RowFact::kind);
    EXPECT_NE(row, rows.end());
    return takeText(*row, import, text);
}

template <class Import> std::string textIn(const Import& import, RowKind kind) {
    const auto& rows = echolux::rowsOf<Import>();
    return textOf(*std::ranges::find(rows, kind, &RowFact::kind), import);
}

TEST(DescribedRows, TypesAreThoseOfNumPy) {
    ImageImport import;
    EXPECT_EQ(takeInto(import, RowKind::Type, ">i2"), "");
    EXPECT_EQ(nameOf(*import.type), ">i2");
    EXPECT_EQ(takeInto(import, RowKind::Type, "complex64"), "");
    EXPECT_TRUE(import.complexElements);
    EXPECT_THAT(takeInto(import, RowKind::Type, "int15"), HasSubstr("no type that NumPy knows"));
}

TEST(DescribedRows, AxesAreNamedInTheOrderOfTheArray) {
    using enum ArrayAxis;
    ImageImport import;
    import.type = parseElementType("<f4");
    import.axes = {{Frame, -1}, {Depth, 20}, { Lateral, 30 }};
    EXPECT_EQ(takeInto(import, RowKind::Axes, "lateral, depth, iq, none"), "");
    const std::vector<ImportAxis> axes{{Lateral, 30}, {Depth, 20}, {Iq, 2}, {std::nullopt, 1}};
    EXPECT_EQ(import.axes, axes) << "axes that stay keep their sizes";
    EXPECT_EQ(textIn(import, RowKind::Axes), "lateral,depth,iq,none");
    EXPECT_EQ(takeInto(import, RowKind::Axes, "[\"depth\", \"lateral\", \"iq\", \"frame\"]"), "");
    EXPECT_EQ(import.axes[0].size, 30) << "as many axes as before keep the sizes in their order";
    EXPECT_THAT(takeInto(import, RowKind::Axes, "depth,sample"),
                AllOf(HasSubstr("'sample'"), HasSubstr("depth, lateral, iq and none")));
    import.type.reset(); // an array in a file, whose number of axes is known
    EXPECT_EQ(takeInto(import, RowKind::Axes, "depth,lateral"),
              "names 2 axes, but the array has 4");
}

TEST(DescribedRows, SizesNameTheUsualAxesThemselves) {
    using enum ArrayAxis;
    const auto rolesOf = [](const std::string& text) {
        ChannelImport import;
        import.type = parseElementType("<i2");
        EXPECT_EQ(takeInto(import, RowKind::Sizes, text), "");
        EXPECT_EQ(textIn(import, RowKind::Sizes), text);
        std::vector<std::optional<ArrayAxis>> roles;
        for (const ImportAxis& axis : import.axes) roles.push_back(axis.role);
        return roles;
    };
    EXPECT_THAT(rolesOf("64,1000"), ElementsAre(Channel, Sample));
    EXPECT_THAT(rolesOf("3,64,1000"), ElementsAre(Transmit, Channel, Sample));
    EXPECT_THAT(rolesOf("-1,3,64,1000"), ElementsAre(Frame, Transmit, Channel, Sample));
    EXPECT_THAT(rolesOf("-1,3,64,1000,2"), ElementsAre(Frame, Transmit, Channel, Sample, Iq));
    ChannelImport import;
    import.axes = {{Channel, 1}, { Sample, 1 }};
    EXPECT_EQ(takeInto(import, RowKind::Sizes, "[64, 1000]"), "");
    EXPECT_EQ(import.axes[1].size, 1000);
    for (const char* wrong : {"1.5,2", "0,2", "-2,2", "1e16,2"})
        EXPECT_THAT(takeInto(import, RowKind::Sizes, wrong), HasSubstr("whole numbers")) << wrong;
    for (const char* wrong : {"many", "1,2,3,4,5,6,7"})
        EXPECT_THAT(takeInto(import, RowKind::Sizes, wrong), HasSubstr("no list of sizes"))
            << wrong;
    for (const char* wrong : {"5", "1,2,3,4,5,6"})
        EXPECT_THAT(takeInto(import, RowKind::Sizes, wrong), HasSubstr("--axes")) << wrong;
}

TEST(DescribedRows, EveryKindSaysWhatItCannotTake) {
    ChannelImport import;
    EXPECT_THAT(takeInto(import, RowKind::Number, "many"), HasSubstr("was not taken"));
    EXPECT_THAT(takeInto(import, RowKind::Numbers, "1,a"), HasSubstr("neither a number"));
    EXPECT_THAT(takeInto(import, RowKind::Choice, "spiral"), HasSubstr("is none of"));
    for (const char* wrong : {"1.5", "-1", "1e16"})
        EXPECT_THAT(takeInto(import, RowKind::Whole, wrong), HasSubstr("no whole number")) << wrong;
    EXPECT_EQ(takeInto(import, RowKind::Whole, "3"), "");
    EXPECT_EQ(textIn(import, RowKind::Whole), "3");
    EXPECT_EQ(takeInto(import, RowKind::Number, ""), "") << "an empty row takes the fact away";
}

TEST(DescribedNumbers, AreReadAsTheyAreWritten) {
    constexpr double kPerDegree = std::numbers::pi / 180.0;
    const QuantityUnit degrees{"rad", "deg", 1.0 / kPerDegree};
    EXPECT_THAT(*readQuantities("-10:10:5", {}), ElementsAre(-10, -5, 0, 5, 10));
    EXPECT_THAT(*readQuantities(" 1, +2.5 ,4e-1", {"", "", 0.5}), ElementsAre(2, 5, 0.8));
    EXPECT_THAT(*readQuantities("600 um, 2", {"m", "mm", 1e3}), ElementsAre(600e-6, 2e-3));
    for (const char* bad : {"", "a", "1,", "1;2", "1:2", "1:5:0", "5:1:1", "1:1e9:1", "nan", "1 2"})
        EXPECT_FALSE(readQuantities(bad, {})) << bad;
    for (const auto& values : std::vector<std::vector<double>>{
             {5.0},
             {1.0, 2.0},
             {-12 * kPerDegree, -6 * kPerDegree, 0, 6 * kPerDegree, 12 * kPerDegree},
             {1, 2, 4},
             {0, 0, 0}}) {
        const auto back = readQuantities(numbersText(values, degrees), degrees);
        ASSERT_TRUE(back);
        ASSERT_EQ(back->size(), values.size());
        for (std::size_t i = 0; i < values.size(); ++i) EXPECT_NEAR((*back)[i], values[i], 1e-7);
    }
    EXPECT_EQ(numbersText({-12 * kPerDegree, -6 * kPerDegree, 0, 6 * kPerDegree, 12 * kPerDegree},
                          degrees),
              "-12:12:6");
}

TEST(DescribedTexts, AreQuotedForToml) {
    EXPECT_EQ(inQuotes("a\"b\\c\n"), "\"a\\\"b\\\\c\\u000a\"");
}

class FactsBesideArrays : public testing::Test {
protected:
    using Numbers = std::vector<std::pair<std::string, std::vector<double>>>;

    /// The guess for an array of this type and shape, beside these numbers.
    ChannelImport guessed(const std::string& descr, const std::string& shape, std::size_t bytes,
                          const Numbers& beside, const std::string& name = {}) const {
        std::vector<std::pair<std::string, std::string>> members{
            {"rf.npy", npyBytes(npyDictionary(descr, shape), std::string(bytes, '\0'))}};
        for (const auto& [key, values] : beside)
            members.emplace_back(
                key + ".npy",
                npyBytes(npyDictionary("<f8", "(" + std::to_string(values.size()) + ",)"),
                         bytesOfValues(values)));
        writeZip(m_path, members, false);
        return guessArray(m_path, *openContainer(std::make_shared<const InputFile>(m_path)), name)
            .import;
    }
    TemporaryFolder m_folder;
    std::filesystem::path m_path = m_folder / "a.npz";
};

TEST_F(FactsBesideArrays, NamesTellMeaningAndUnit) {
    const ChannelImport import = guessed("<i2", "(3, 64, 200)", 2 * 3 * 64 * 200,
                                         {{"fs_mhz", {20.0}},
                                          {"F0_kHz", {5000.0}},
                                          {"c0_mps", {1500.0}},
                                          {"pitch_mm", {0.3}},
                                          {"radius_m", {0.06}},
                                          {"fps", {50.0}},
                                          {"t0_us", {1.0, 2.0, 3.0}},
                                          {"angles_deg", {-1.0, 0.0, 1.0}}});
    EXPECT_EQ(import.name, "rf");
    EXPECT_EQ(import.samplingFrequencyHz, 20e6);
    EXPECT_EQ(import.centreFrequencyHz, 5e6);
    EXPECT_EQ(import.soundSpeedMps, 1500.0);
    EXPECT_NEAR(import.pitchM, 0.3e-3, 1e-12);
    EXPECT_EQ(import.radiusM, 0.06);
    EXPECT_EQ(import.frameRateHz, 50.0);
    EXPECT_THAT(import.firstSampleS, ElementsAre(1e-6, 2e-6, 3e-6));
    EXPECT_NEAR(import.anglesRad[2], std::numbers::pi / 180.0, 1e-12) << "one degree";
}

TEST_F(FactsBesideArrays, AnglesAboveAQuarterTurnAreDegrees) {
    const auto angles = [&](const std::vector<double>& values) {
        return guessed("<i2", "(3, 64, 200)", 2 * 3 * 64 * 200, {{"angles", values}}).anglesRad;
    };
    EXPECT_NEAR(angles({-10.0, 0.0, 10.0})[2], 10.0 * std::numbers::pi / 180.0, 1e-12);
    EXPECT_EQ(angles({-0.2, 0.0, 0.2})[2], 0.2);
    EXPECT_EQ(angles({0.1}).size(), 3U) << "one angle counts for all transmits";
    EXPECT_TRUE(angles({-0.2, 0.2}).empty()) << "two belong to something else";
    EXPECT_TRUE(angles({0.0, 0.0, 400.0}).empty());
}

TEST_F(FactsBesideArrays, ImpossibleFactsAreLeftOut) {
    const ChannelImport import = guessed("<i2", "(3, 64, 200)", 2 * 3 * 64 * 200,
                                         {{"fs", {20.0}},
                                          {"f0", {1e30}},
                                          {"c", {1.0}},
                                          {"pitch", {0.3, 0.3}},
                                          {"t0", {1e-6, 2e-6}},
                                          {"angles", std::vector<double>(5000)}});
    EXPECT_EQ(import.samplingFrequencyHz, 0.0) << "20 Hz";
    EXPECT_EQ(import.centreFrequencyHz, 0.0);
    EXPECT_EQ(import.soundSpeedMps, 1540.0);
    EXPECT_EQ(import.pitchM, 0.0);
    EXPECT_THAT(import.firstSampleS, ElementsAre(0.0));
    EXPECT_TRUE(import.anglesRad.empty());
}

TEST_F(FactsBesideArrays, PairsAreMixedDownByTheirCentreUnlessSaidOtherwise) {
    constexpr std::size_t kBytes = 4 * 3 * 64 * 200 * 2;
    ChannelImport import = guessed("<f4", "(3, 64, 200, 2)", kBytes, {{"f0", {5e6}}});
    EXPECT_TRUE(import.pairs());
    EXPECT_EQ(import.axes.back().role, ArrayAxis::Iq);
    EXPECT_EQ(import.demodulationFrequencyHz, 5e6);
    import = guessed("<c8", "(3, 64, 200)", kBytes, {{"f0", { 5e6 }}, { "fd", { 4.5e6 } }});
    EXPECT_TRUE(import.complexElements);
    EXPECT_EQ(import.demodulationFrequencyHz, 4.5e6);
    import = guessed("<i2", "(3, 64, 200)", 2 * 3 * 64 * 200, {{ "fd", { 4.5e6 } }});
    EXPECT_EQ(import.demodulationFrequencyHz, 0.0) << "echoes at their own frequency";
}

TEST_F(FactsBesideArrays, AsManyTransmitsAsChannelsAreSingleElements) {
    EXPECT_EQ(guessed("<i2", "(64, 64, 200)", 2 * 64 * 64 * 200, {}).wave, Wave::Element);
    EXPECT_EQ(guessed("<i2", "(4, 64, 200)", 2 * 4 * 64 * 200, {}).wave, Wave::Plane);
    EXPECT_THROW(guessed("<i2", "()", 2, {}, "rf"), Error) << "a single number";
    EXPECT_THROW(guessed("<i2", "(5,)", 10, {}), Error) << "no array of two axes";
}

TEST(Mat5Names, LeadThroughStructsAndCells) {
    const TemporaryFolder folder;
    const auto path = folder / "nested.mat";
    {
        MatBuilder mat(path);
        mat.add(MatBuilder::cells("c", {MatBuilder::row({1, 2}), MatBuilder::row({3, 4, 5})}));
        mat.add(MatBuilder::structure("s", {{"x", MatBuilder::row({6, 7})}}));
        const char* fields[] = {"y"};
        std::size_t dims[2] = {1, 2};
        matvar_t* list = Mat_VarCreateStruct("l", 2, dims, fields, 1);
        for (std::size_t i = 0; i < 2; ++i)
            Mat_VarSetStructFieldByName(list, "y", i,
                                        MatBuilder::row({8.0 + static_cast<double>(i), 0}));
        mat.add(list);
    }
    const auto container = openContainer(std::make_shared<const InputFile>(path));
    EXPECT_THAT(container->names(), ElementsAre("c{1}", "c{2}", "s.x", "l(1).y", "l(2).y"));
    const auto first = [&](const std::string& where) {
        return readNumbers(path, *container->open(where), where).front();
    };
    EXPECT_EQ(first("c{2}"), 3.0);
    EXPECT_EQ(first("s.x"), 6.0);
    EXPECT_EQ(first("l(2).y"), 9.0);
    for (const char* wrong : {"c", "c{0}", "c{3}", "c{2", "c{x}", "c(1)", "s.z", "l(3).y", "l(0).y",
                              "l(1", "S.x", "", "l(2)y{"})
        EXPECT_THROW(container->open(wrong), Error) << wrong;
}

} // namespace
} // namespace echolux::test
