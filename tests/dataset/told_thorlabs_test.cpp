// SPDX-License-Identifier: GPL-3.0-or-later
// What is told of Thorlabs archives whose headers state too much, too little or nothing, and whose
// entries are missing, cut off or named otherwise.
#include "tests/dataset/thorlabs_files.hpp"
#include "tests/dataset/told_of_files.hpp"

namespace echolux::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

using Entries = std::vector<std::pair<std::string, std::string>>;
using ToldOct = Told<std::function<void(OctFile&)>>;

std::string toldOfEntries(const Entries& entries, const OpenOptions& options = {}) {
    const TemporaryFolder folder;
    const auto path = folder / "told.oct";
    writeZip(path, entries, true);
    return toldOf(path, options);
}
void expectToldOfOct(const std::vector<ToldOct>& all, const OpenOptions& options = {}) {
    for (const ToldOct& each : all) {
        SCOPED_TRACE(each.name);
        OctFile file;
        each.change(file);
        EXPECT_THAT(toldOfEntries(file.members(), options), each.says);
    }
}
/// A text of the header in place of another one; "" of the entry of a name: it is left out.
Entries octWith(const std::string& from, const std::string& to) {
    Entries entries = OctFile{}.members();
    std::string& header = entries.front().second;
    header.replace(header.find(from), from.size(), to);
    return entries;
}
Entries octWithoutChirp(OctFile file) {
    Entries entries = file.members();
    std::erase_if(entries, [](const auto& each) { return each.first == "data\\Chirp.data"; });
    return entries;
}

TEST(ToldThorlabs, Headers) {
    const auto instrument = [](const std::string& text) {
        return [=](OctFile& file) { file.instrument = text; };
    };
    const auto acquisition = [](const std::string& text) {
        return [=](OctFile& file) { file.acquisition = text; };
    };
    const auto bins = HasSubstr("so depth is counted in bins");
    const auto wavelength = [](const char* nm) {
        return std::string("<CentralWavelength>") + nm + "</CentralWavelength>";
    };
    expectToldOfOct(
        {{"an endless wavelength", instrument(wavelength("inf")), bins},
         {"a long wavelength", instrument(wavelength("6000")), bins},
         {"a short wavelength", instrument(wavelength("100")), bins},
         {"a wavelength that is a text", instrument(wavelength("red")), bins},
         {"a high index", acquisition("<RefractiveIndex>5</RefractiveIndex>"),
          HasSubstr("index 0,")},
         {"a low index", acquisition("<RefractiveIndex>0.5</RefractiveIndex>"),
          HasSubstr("index 0,")},
         {"a time", acquisition("<Timestamp>1700000000</Timestamp>"),
          HasSubstr("Recorded: 2023-11-14T22:13:20Z")},
         {"a time that is none", acquisition("<Timestamp>1e12</Timestamp>"),
          Not(HasSubstr("Recorded"))},
         {"a negative time", acquisition("<Timestamp>-5</Timestamp>"), Not(HasSubstr("Recorded"))},
         {"averages", acquisition("<IntensityAveraging><AScans>3</AScans></IntensityAveraging>"),
          HasSubstr("A-scans at each place: 3")},
         {"sizes below 0",
          [](OctFile& file) {
              file.image = "<SizePixel><SizeZ>-5</SizeZ></SizePixel>"
                           "<SizeReal><SizeZ>0.4</SizeZ></SizeReal>";
          },
          bins},
         {"sizes far too large",
          [](OctFile& file) {
              file.image = "<SizePixel><SizeZ>2e9</SizeZ></SizePixel>"
                           "<SizeReal><SizeZ>0.4</SizeZ></SizeReal>";
          },
          bins}});
    for (const char* text : {"True", "true", "1"})
        EXPECT_THAT(toldOfEntries(
                        octWith("<RawDataIsSigned>False", std::string("<RawDataIsSigned>") + text)),
                    HasSubstr("i16 [lateral 6]"))
            << text;
    EXPECT_THAT(toldOfEntries(octWith("ScanRegionEnd0=\"10\"", "")), HasSubstr("[lateral 6]"))
        << "the region begins behind the reference spectra";
    EXPECT_THAT(toldOfEntries({{"Header.xml", "<Other><Ocity/></Other>"}}),
                HasSubstr("whose root is 'Ocity'; choose a recording"));
}

TEST(ToldThorlabs, ChirpsOfOtherLengths) {
    for (const std::size_t bytes : {std::size_t{511}, std::size_t{516}}) {
        Entries entries = OctFile{}.members();
        for (auto& [name, data] : entries)
            if (name == "data\\Chirp.data") data.resize(bytes, '\1');
        EXPECT_THAT(toldOfEntries(entries),
                    HasSubstr(fmt::format("of {} bytes does not hold the 128 values of a spectrum",
                                          bytes)));
    }
}

TEST(ToldThorlabs, Wavelengths) {
    const auto of = [](const std::string& model, const std::string& image) {
        OctFile file;
        file.instrument = "<Model>" + model + "</Model>";
        file.image = image;
        return toldOfEntries(octWithoutChirp(file));
    };
    const auto size = [](const char* z) {
        return std::string("<SizePixel><SizeZ>64</SizeZ></SizePixel><SizeReal><SizeZ>") + z +
               "</SizeZ></SizeReal>";
    };
    const auto known = AllOf(HasSubstr("wavelength 1.291e-06, bandwidth 1.638e-07"),
                             HasSubstr("grow evenly from 1208.7 to 1372.5 nm"));
    const auto unknown =
        AllOf(HasSubstr("equally spaced in wavenumber"), HasSubstr("so depth is counted in bins"));
    for (const char* image : {"", "0", "-1", "1e-6", "64"}) {
        SCOPED_TRACE(image);
        EXPECT_THAT(of("TELESTO", *image == '\0' ? "" : size(image)), known);
        EXPECT_THAT(of("TESTED", *image == '\0' ? "" : size(image)), unknown);
    }
    EXPECT_THAT(of("TE", size("0.448")), unknown);
    EXPECT_THAT(of("TEL", size("0.448")),
                AllOf(HasSubstr("wavelength 1.291e-06"), HasSubstr("Depth per bin: 7 um")));
    OctFile both;
    both.instrument = "<CentralWavelength>1300</CentralWavelength><Model>TEL</Model>";
    EXPECT_THAT(toldOfEntries(both.members()), HasSubstr("wavelength 1.3e-06"));
}

TEST(ToldThorlabs, NamesOfEntries) {
    const auto also = [](std::initializer_list<const char*> names) {
        return [=](OctFile& file) {
            for (const std::string name : names)
                file.further.emplace_back("data\\" + name, file.spectra(-4, 10, 0));
        };
    };
    const auto one = HasSubstr("1 x u16 [lateral 6]");
    expectToldOfOct(
        {{"no number", also({"Spectral.data"}), one},
         {"letters", also({"Spectralx.data"}), one},
         {"letters behind the number", also({"Spectral1x.data"}), one},
         {"a number below 0", also({"Spectral-1.data"}), one},
         {"far too large a number", also({"Spectral99999999999.data"}), one},
         {"another end", also({"Spectral1.dat"}), one},
         {"the same number twice", also({"Spectral00.data"}),
          HasSubstr("it holds 'data\\Spectral00.data' twice; copy the file again")},
         {"two that are lost", also({"Spectral3.data"}),
          HasSubstr("2 of 4 B-scans stay empty: missing or cut short in the file, first "
                    "'data\\Spectral1.data'")},
         {"more lost than there are", also({"Spectral9.data"}),
          HasSubstr("its entry 'data\\Spectral1.data' is missing; copy the file again")}});
    expectToldOfOct({{"a line in floating point",
                      [](OctFile& file) {
                          file.further.emplace_back("data\\SpectralFloat.data",
                                                    bytesOfValues(std::vector<float>(768, 1.5F)));
                          file.furtherFiles = OctFile::entry("SpectralFloat.data", 6, "");
                      },
                      HasSubstr("1 x f32 [lateral 6][sample 128]")}},
                    {.track = 1});
}

/// B-scans of so many lines (and some bytes more), and what the header says of each.
std::function<void(OctFile&)> scansOf(std::vector<int> lines, std::string says, int bytesMore = 0,
                                      std::string image = {}) {
    return [=](OctFile& file) {
        file.bscans = 0;
        if (!image.empty()) file.image = image;
        for (std::size_t i = 0; i < lines.size(); ++i) {
            const auto name = fmt::format("Spectral{}.data", i);
            file.further.emplace_back("data\\" + name,
                                      file.spectra(0, lines[i], 0) +
                                          std::string(static_cast<std::size_t>(bytesMore), '\0'));
            file.furtherFiles +=
                fmt::format("<DataFile SizeZ=\"128\" {}>data\\{}</DataFile>", says, name);
        }
    };
}
std::string apodized(int first, int end) {
    return fmt::format("ApoRegionStart0=\"{}\" ApoRegionEnd0=\"{}\" ", first, end);
}
std::string scanned(int first, int end) {
    return fmt::format("ScanRegionStart0=\"{}\" ScanRegionEnd0=\"{}\" ", first, end);
}

TEST(ToldThorlabs, Regions) {
    const std::string planes = "<SizePixel><SizeZ>64</SizeZ><SizeX>6</SizeX><SizeY>2</SizeY>"
                               "</SizePixel>";
    const std::string ten = "SizeX=\"10\" ";
    expectToldOfOct(
        {{"reference spectra alone", scansOf({4}, apodized(0, 4)), HasSubstr("A-scans 4 to 4")},
         {"reference spectra twice", scansOf({4, 4}, apodized(0, 4)),
          HasSubstr("holds reference spectra only, no B-scan")},
         {"no reference spectra", scansOf({10}, ten + apodized(2, 2) + scanned(4, 10)),
          AllOf(HasSubstr("[lateral 6]"), HasSubstr("0 of background"))},
         {"no reference spectra at all", scansOf({10}, ten + apodized(0, 0)),
          HasSubstr("[lateral 10]")},
         {"reference spectra, then the rest", scansOf({10}, ten + apodized(0, 4)),
          AllOf(HasSubstr("[lateral 6]"), HasSubstr("128 of background"))},
         {"reference spectra in between", scansOf({10}, ten + apodized(2, 4)),
          AllOf(HasSubstr("[lateral 10]"), HasSubstr("128 of background"))},
         {"reference spectra outside", scansOf({10}, ten + apodized(20, 24) + scanned(0, 10)),
          HasSubstr("puts the reference spectra outside 'data\\Spectral0.data'")},
         {"a part of a line more", scansOf({10}, ten, 5), HasSubstr("should hold 11 lines")},
         {"a part of a line more, twice", scansOf({10, 10}, ten, 5),
          HasSubstr("should hold 11 lines")},
         {"no lines", scansOf({0}, ""), HasSubstr("should hold 1 line of 128 pixels")},
         {"no lines, twice", scansOf({0, 0}, ""), HasSubstr("should hold 1 line of 128 pixels")},
         {"planes of an unknown size", scansOf({10}, "", 0, planes),
          AllOf(HasSubstr("1 x u16 [lateral 10]"), Not(HasSubstr("speaks of")))},
         {"planes that do not fit", scansOf({10}, "SizeX=\"4\" ", 0, planes),
          AllOf(HasSubstr("1 x u16 [lateral 10]"), HasSubstr("speaks of 4 lines per B-scan"))},
         {"a region beyond the end", scansOf({10}, ten + scanned(4, 12)), HasSubstr("[lateral 6]")},
         {"a region beyond the end of unequal B-scans", scansOf({10, 9}, ten + scanned(4, 12)),
          HasSubstr("A-scans 4 to 12 by its Header.xml, but 10 lines per B-scan")},
         {"a width in the entry", scansOf({10}, ten + "RangeX=\"2\" ", 0, planes),
          HasSubstr("lateral 10 from 0 by 0.0002 m")}});
}

TEST(ToldThorlabs, Stacks) {
    const auto averaged = [](int bscans, int stored, int planes) {
        return [=](OctFile& file) {
            file.bscans = bscans;
            file.acquisition =
                fmt::format("<IntensityAveraging><BScans>{}</BScans></IntensityAveraging>", stored);
            file.image = fmt::format("<SizePixel><SizeZ>64</SizeZ><SizeX>6</SizeX><SizeY>{}</SizeY>"
                                     "</SizePixel><SizeReal><SizeZ>0.448</SizeZ><SizeX>0.3</SizeX>"
                                     "<SizeY>1</SizeY></SizeReal>",
                                     planes);
        };
    };
    expectToldOfOct(
        {{"all of one place", averaged(2, 4, 2), Not(HasSubstr("volumes of"))},
         {"twice at each place", averaged(4, 2, 2), HasSubstr("volumes of 4 by 0.0005, 2 repeats")},
         {"not as often at each place", averaged(3, 2, 2),
          HasSubstr("volumes of 3 by 0.0003333, 1 repeats")}});
}

TEST(ToldThorlabs, Images) {
    const auto levels = [](std::size_t numbers, std::string says, std::string image) {
        return [=](OctFile& file) {
            file.image = image;
            file.further.emplace_back("data\\Intensity.data",
                                      bytesOfValues(std::vector<float>(numbers, -3.0F)));
            file.furtherFiles = "<DataFile " + says + ">data\\Intensity.data</DataFile>";
        };
    };
    const auto size = [](const char* z, const char* x, const char* y) {
        return fmt::format("SizeZ=\"{}\" SizeX=\"{}\" SizeY=\"{}\"", z, x, y);
    };
    const auto none = HasSubstr("copy the file again");
    expectToldOfOct(
        {{"of no stated range", levels(24, size("4", "6", "1"), ""),
          HasSubstr("depth 4 from 0 by 1 \nlateral 6 from 0 by 1 \n")},
         {"of no depths", levels(24, size("0", "6", "1"), ""), none},
         {"of no lines", levels(24, size("4", "0", "1"), ""), none},
         {"of far too many depths", levels(24, size("1e8", "6", "1"), ""), none},
         {"of far too many lines", levels(24, size("4", "1e8", "1"), ""), none},
         {"a number more", levels(25, size("4", "6", "1"), ""),
          HasSubstr("has 100 bytes, but 1 image of 6")},
         {"an image fewer", levels(24, size("4", "6", "2"), ""),
          HasSubstr("has 96 bytes, but 2 images of 6")},
         {"far too many images", levels((1U << 22U) + 1, size("1", "1", "1"), ""), none}},
        {.track = 1});
}

} // namespace
} // namespace echolux::test
