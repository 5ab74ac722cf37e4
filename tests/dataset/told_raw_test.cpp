// SPDX-License-Identifier: GPL-3.0-or-later
// What is told of files of Clarius, OCTproZ and SD01RAW, and of named arrays, whose headers and
// texts beside them state too much or too little.
#include "app/dataset/formats/clarius_facts.hpp"
#include "tests/dataset/damaged_files.hpp"
#include "tests/dataset/told_of_files.hpp"

#include <limits>
#include <map>

namespace echolux::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

/// Frames of lines of samples, and the text beside it.
struct ClariusFile {
    std::uint32_t frames = 2, lines = 6, samples = 4, bytes = 4;
    std::uint64_t apartNs = 1'000'000'000;
    std::string text = {};
    std::string name = "scan.raw";

    std::string told() const {
        const TemporaryFolder folder;
        std::string all =
            bytesOfValues(std::vector<std::uint32_t>{1, frames, lines, samples, bytes});
        for (std::uint32_t i = 0; i < frames; ++i)
            all += bytesOfValues(std::vector<std::uint64_t>{apartNs * i}) +
                   std::string(std::size_t{lines} * samples * bytes, '\1');
        if (!text.empty()) writeFile(folder / "scan.yml", text);
        writeFile(folder / name, all);
        return toldOf(folder / name);
    }
};

TEST(ToldClarius, SizesAndTexts) {
    const std::string lines = "  - {rx element: 0, tx element: 0, angle: 5}\n"
                              "  - {rx element: 0, tx element: 0, angle: 5}\n";
    const auto told = [](const std::string& text) { return ClariusFile{.text = text}.told(); };
    EXPECT_THAT((ClariusFile{.samples = 1}.told()), HasSubstr("no format that Echolux knows"));
    EXPECT_THAT((ClariusFile{.lines = 1}.told()), HasSubstr("no format that Echolux knows"));
    EXPECT_THAT((ClariusFile{.bytes = 2}.told()),
                HasSubstr("2 x i16 [depth 4][lateral 6] at 1 Hz"));
    EXPECT_THAT((ClariusFile{.frames = 1, .bytes = 2, .text = "frame rate: 30\n"}.told()),
                HasSubstr("1 x i16 [depth 4][lateral 6] at 30 Hz"));
    EXPECT_THAT((ClariusFile{.apartNs = 0}.told()), HasSubstr("at 0 Hz"));
    EXPECT_THAT((ClariusFile{.apartNs = 5000}.told()), HasSubstr("at 0 Hz")) << "far too fast";
    EXPECT_THAT(
        (ClariusFile{.frames = 1, .text = "lines:\n" + lines + "  - {rx element: 1}\n"}.told()),
        HasSubstr("2 x complex_i16 [depth 4][lateral 3]"));
    EXPECT_THAT(told("a: b\n"), HasSubstr("2 x complex_i16 [depth 4][lateral 6] at 1 Hz"));
    EXPECT_THAT(told("lines:\n" + lines + "  - {rx element: 1}\n"),
                AllOf(HasSubstr("4 x complex_i16 [depth 4][lateral 3]"),
                      HasSubstr("Its lines are steered by 5 degrees"),
                      HasSubstr("Colour packet: 2 frames")));
    EXPECT_THAT(told("lines:\n" + lines + lines + "  - {rx element: 1}\n"),
                HasSubstr("2 x complex_i16 [depth 4][lateral 6]"))
        << "6 lines are no packets of 4";
    EXPECT_THAT(told("sampling rate: 15 MHz\ntransmit frequency: 3 MHz\n"),
                AllOf(HasSubstr("depth 4 from -0.0008085 by 5.133e-05 m"),
                      HasSubstr("centre 3e+06 Hz, mixed 3e+06 Hz"),
                      HasSubstr("The demodulation frequency is not recorded")));
    EXPECT_THAT(told("sampling rate: 15 MHz\ndelay samples: 16\n"),
                AllOf(HasSubstr("depth 4 from 0 by 5.133e-05 m"), HasSubstr("centre 0 Hz")));
    EXPECT_THAT(told("sampling rate: fast\ntransmit frequency: inf\nframe rate:\n"),
                HasSubstr("the scale of depths and lines is unknown"));
    EXPECT_THAT((ClariusFile{.text = {}, .name = "scan.yml"}.told()), HasSubstr("Clarius raw"))
        << "it is not its own text";
    const TemporaryFolder folder;
    writeFile(folder / "scan.yml", "frame rate: 5\n");
    EXPECT_TRUE(clariusFacts(folder / "scan.raw").found);
    std::filesystem::resize_file(folder / "scan.yml", (16U << 20U) + 1);
    EXPECT_FALSE(clariusFacts(folder / "scan.raw").found) << "no text is as long";
}

TEST(ToldClarius, PacketsOfSilenceAndOfLikeness) {
    EXPECT_EQ(packetSize(std::vector<std::int16_t>(48, 0), 6), 1);
    // Lines turn by a quarter every second time: packets of 2, and so of 4, which are no better.
    std::vector<std::int16_t> values;
    for (int i = 0; i < 64; ++i)
        values.insert(values.end(),
                      {std::int16_t(i % 4 < 2 ? 100 : 0), std::int16_t(i % 4 < 2 ? 0 : 100)});
    EXPECT_EQ(packetSize(values, 8), 2);
    // They turn by a hundredth of a radian, which is no change of place.
    for (int i = 0; i < 64; ++i)
        for (int part = 0; part < 2; ++part)
            values[static_cast<std::size_t>(2 * i + part)] =
                static_cast<std::int16_t>(part == 0   ? 1000
                                          : i % 4 < 2 ? 0
                                                      : 10);
    EXPECT_EQ(packetSize(values, 8), 1);
}

TEST(ToldOctproz, TextsOfDescriptions) {
    const auto told = [](const std::string& head, const std::string& width = "8",
                         const std::string& name = "scan_meta.txt") {
        const TemporaryFolder folder;
        writeFile(folder / "scan_raw.raw", bytesOfValues(countedUp<std::uint16_t>(192)));
        writeFile(folder / name, head + "[Virtual%20OCT%20System]\nbit_depth=12\nwidth=" + width +
                                     "\nheight=4\ndepth=3\nbuffers_per_volume=2\n");
        return toldOf(folder / (name == "scan_meta.txt" ? "scan_raw.raw" : name));
    };
    const auto opens = HasSubstr("6 x u16 [lateral 4][sample 8]");
    EXPECT_THAT(told(""), opens);
    EXPECT_THAT(told("[open\n;a=b\n[]\nno value\n"), opens);
    EXPECT_THAT(told("", "8 pixels"), HasSubstr("'width' is '8 pixels', which is no number"));
    EXPECT_THAT(told("", "wide"), HasSubstr("'width' is 'wide', which is no number"));
    EXPECT_THAT(told(std::string((1U << 20U) + 1, '\n')), Not(HasSubstr("OCTproZ raw")))
        << "no description is as long";
    EXPECT_THAT(told("", "8", "scan.ini"),
                HasSubstr("it describes an OCTproZ recording; choose the raw file beside it"));
}

TEST(ToldSdRaw, Headers) {
    const auto told = [](std::size_t at, auto value) {
        const TemporaryFolder folder;
        std::string bytes = sdRawBytes();
        std::memcpy(bytes.data() + at, &value, sizeof value);
        writeFile(folder / "told.raw", bytes);
        return toldOf(folder / "told.raw");
    };
    const auto unknown = HasSubstr("no plausible centre wavelength, so depth is unknown");
    for (const float wavelength : {std::numeric_limits<float>::quiet_NaN(), 100.0F, 6000.0F})
        EXPECT_THAT(told(64, wavelength), unknown) << wavelength;
    for (const float step : {std::numeric_limits<float>::infinity(), 1e-6F, 1.0F})
        EXPECT_THAT(told(104, step), HasSubstr("wavelength 9.3e-07, bandwidth 0,")) << step;
    for (const std::size_t at : {20U, 36U})
        for (const std::int32_t count : {0, -1, (1 << 20) + 1})
            EXPECT_THAT(told(at, count), HasSubstr("its header speaks of")) << at << " " << count;
    EXPECT_THAT(told(44, '2'), HasSubstr("Recorded: 2024-01-02,03:04:05"));
    EXPECT_THAT(told(44, '\x7f'), Not(HasSubstr("Recorded")));
    EXPECT_THAT(told(44, '\x1f'), Not(HasSubstr("Recorded")));
}

struct NamedList {
    std::string shape;
    std::vector<double> values;
};

TEST(ToldNames, ArraysOfOneEntry) {
    const auto told = [](std::vector<std::pair<std::string, NamedList>> changed) {
        std::map<std::string, NamedList> all{{"rf", {"(1, 3, 4)", countedUp<double>(12)}},
                                             {"fs", {"()", {20e6}}},
                                             {"fc", {"()", {5e6}}},
                                             {"c", {"()", {1500}}},
                                             {"pitch", {"()", {3e-4}}}};
        for (auto& [name, list] : changed) all[name] = list;
        if (all.contains("data")) all.erase("rf");
        std::vector<std::pair<std::string, std::string>> members;
        for (const auto& [name, list] : all)
            members.emplace_back(name + ".npy", npyBytes(npyDictionary("<f8", list.shape),
                                                         bytesOfValues(list.values)));
        const TemporaryFolder folder;
        writeZip(folder / "told.npz", members, false);
        return toldOf(folder / "told.npz");
    };
    EXPECT_THAT(told({{"receive_weights", {"(3,)", {1, 0.5, 1}}}}), HasSubstr("with 3 weights"))
        << "a flat list of one transmit";
    EXPECT_THAT(told({{"receive_weights", {"(2,)", {1, 0.5}}}}),
                HasSubstr("1 transmits of 3 channels are needed"));
    EXPECT_THAT(told({{"long_axes", {"(3,)", {0, 1, 2}}}}), HasSubstr("3 long"));
    EXPECT_THAT(told({{"long_axes", {"(3,)", {0, 1, 3}}}}),
                HasSubstr("'long_axes' holds 3, but must be 0 for an element"));
    EXPECT_THAT(told({{"wave", {"()", {4}}}}), HasSubstr("none turned 0 0"));
    EXPECT_THAT(told({{"rf", {"(1, 1, 4)", countedUp<double>(4)}}, {"x", {"(1,)", {0}}}}),
                HasSubstr("of 1, pitch"))
        << "one element lies at no pitch from others";
    EXPECT_THAT(told({{"f0", {"()", {5e6}}}}), HasSubstr("centre 5e+06 Hz"));
    EXPECT_THAT(told({{"f0", {"()", {6e6}}}}),
                HasSubstr("which both are the centre frequency; keep the one that is right"));
    EXPECT_THAT(told({{"data", {"(1, 4)", countedUp<double>(4)}},
                      {"form", {"()", {2}}},
                      {"depth", {"(1,)", {5e-3}}},
                      {"lateral", {"(4,)", {0, 1e-3, 2e-3, 3e-3}}}}),
                HasSubstr("depth 1 from 0.005 by 1 m"));
}

} // namespace
} // namespace echolux::test
