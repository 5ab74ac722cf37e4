// SPDX-License-Identifier: GPL-3.0-or-later
// Thorlabs archives made here from a closed form, the samples of known truth, and damage.
#include "tests/dataset/thorlabs_files.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <tuple>

namespace echolux::test {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class Thorlabs : public testing::Test {
protected:
    std::unique_ptr<Recording> opened(const OctFile& file, const OpenOptions& options = {}) {
        file.write(m_path);
        return openRecording(m_path, options);
    }
    std::string refused(const OctFile& file) {
        file.write(m_path);
        return refusalOf(m_path);
    }
    /// Bins 12 and 20 + line + B-scan.
    static void expectReflectors(Recording& recording, std::int64_t frame = 0) {
        const auto found = reflectorsOf(recording, frame);
        ASSERT_EQ(found.size(), 6U);
        for (std::size_t line = 0; line < found.size(); ++line) {
            EXPECT_EQ(found[line].first, 12.0) << line;
            EXPECT_EQ(found[line].second, 20.0 + static_cast<double>(line) + frame) << line;
        }
    }
    TemporaryFolder m_folder;
    std::filesystem::path m_path = m_folder / "a.oct";
};

TEST_F(Thorlabs, OneBscan) {
    for (const bool deflate : {false, true}) {
        OctFile file;
        file.deflate = deflate;
        const auto recording = opened(file);
        const RecordingInfo& info = recording->info();
        EXPECT_EQ(info.format, "Thorlabs .oct");
        EXPECT_EQ(info.frame.describe(), "u16 [lateral 6][sample 128]");
        EXPECT_EQ(info.frameCount, 1);
        EXPECT_EQ(info.frame.codeScale, 2.5);
        EXPECT_EQ(info.frame.axes[0].unit, "m");
        EXPECT_NEAR(info.frame.axes[0].spacing, 0.05e-3, 1e-12);
        EXPECT_EQ(info.frame.stack.bscansPerVolume, 1);
        EXPECT_THAT(info.warnings, IsEmpty());
        EXPECT_THAT(info.tracks, ElementsAre("raw spectra"));
        const Spectrometer& facts = *info.frame.spectrometer;
        for (const std::size_t p : {0U, 64U, 127U})
            EXPECT_NEAR(facts.background[p], 100 * OctFile::level(static_cast<int>(p)), 0.5);
        // The header's step of 7 um per bin follows from centre wavelength and bandwidth.
        EXPECT_EQ(facts.centreWavelengthM, 1300e-9);
        const double shortest = facts.centreWavelengthM - 0.5 * facts.bandwidthM;
        const double longest = facts.centreWavelengthM + 0.5 * facts.bandwidthM;
        EXPECT_NEAR(127.0 / 128.0 / (2.0 * (1.0 / shortest - 1.0 / longest)), 7e-6, 1e-11);
        EXPECT_EQ(facts.refractiveIndex, 1.0);
        expectReflectors(*recording);
    }
}

TEST_F(Thorlabs, SampleTypes) {
    const std::vector<std::tuple<int, bool, DType>> cases{{1, false, DType::U8},
                                                          {2, true, DType::I16},
                                                          {4, false, DType::F32},
                                                          {4, true, DType::F32}};
    for (const auto& [bytes, isSigned, type] : cases) {
        OctFile file;
        file.bytes = bytes;
        file.isSigned = isSigned;
        const auto recording = opened(file);
        EXPECT_EQ(recording->info().frame.dtype, type);
        if (bytes > 1) expectReflectors(*recording);
    }
}

TEST_F(Thorlabs, VolumesWithReferenceSpectraInEachBscanOrOnceForAll) {
    for (const bool once : {false, true}) {
        OctFile file;
        file.bscans = 3;
        file.oneApodization = once;
        file.image =
            "<SizePixel><SizeZ>64</SizeZ><SizeX>6</SizeX><SizeY>3</SizeY></SizePixel>"
            "<SizeReal><SizeZ>0.448</SizeZ><SizeX>0.3</SizeX><SizeY>0.6</SizeY></SizeReal>";
        const auto recording = opened(file);
        const RecordingInfo& info = recording->info();
        EXPECT_EQ(info.frameCount, 3);
        EXPECT_EQ(info.frame.stack.bscansPerVolume, 3);
        EXPECT_NEAR(info.frame.stack.spacingM, 0.2e-3, 1e-12);
        EXPECT_NEAR(info.frame.spectrometer->background[64], 100 * OctFile::level(64), 0.5);
        for (const std::int64_t frame : {2, 0, 1}) expectReflectors(*recording, frame);
    }
}

TEST_F(Thorlabs, RepeatedBscansOfOnePlaceAreNoVolume) {
    OctFile file;
    file.bscans = 4;
    file.image = "<SizePixel><SizeZ>64</SizeZ><SizeX>6</SizeX><SizeY>4</SizeY></SizePixel>"
                 "<SizeReal><SizeZ>0.448</SizeZ><SizeX>0.3</SizeX><SizeY>0</SizeY></SizeReal>";
    EXPECT_EQ(opened(file)->info().frame.stack.bscansPerVolume, 1);
}

TEST_F(Thorlabs, BscansBehindEachOtherInOneMember) {
    OctFile one;
    OctFile stacked;
    stacked.bscans = 0;
    stacked.image = "<SizePixel><SizeZ>64</SizeZ><SizeX>6</SizeX><SizeY>2</SizeY></SizePixel>"
                    "<SizeReal><SizeZ>0.448</SizeZ><SizeX>0.3</SizeX><SizeY>1</SizeY></SizeReal>";
    stacked.further = {{"data/Spectral0.data", one.spectra(-4, 10, 0) + one.spectra(-4, 10, 1)}};
    stacked.furtherFiles = OctFile::entry("Spectral0.data", 10,
                                          "SizeY=\"2\" ApoRegionStart0=\"0\" ApoRegionEnd0=\"4\" "
                                          "ScanRegionStart0=\"4\" ScanRegionEnd0=\"10\"");
    const auto recording = opened(stacked);
    EXPECT_EQ(recording->info().frameCount, 2);
    EXPECT_NEAR(recording->info().frame.stack.spacingM, 0.5e-3, 1e-12);
    for (const std::int64_t frame : {1, 0}) expectReflectors(*recording, frame);
}

TEST_F(Thorlabs, BytesCountMoreThanTheHeader) {
    OctFile file;
    file.bscans = 0;
    for (const char* name : {"Spectral0.data", "Spectral1.data"}) {
        file.further.emplace_back(std::string("data\\") + name, file.spectra(0, 6, 0));
        file.furtherFiles += OctFile::entry(name, 9, "");
    }
    const auto recording = opened(file);
    EXPECT_EQ(recording->info().frame.describe(), "u16 [lateral 6][sample 128]");
    EXPECT_THAT(recording->info().warnings, ElementsAre(HasSubstr("9 lines per B-scan")));
    EXPECT_TRUE(recording->info().frame.spectrometer->background.empty());
    EXPECT_NEAR(frameOf(*recording)[0], 100 * OctFile::level(0) * 1.4, 0.5);
}

TEST_F(Thorlabs, BscansOfOnePlaceAgainstSpeckle) {
    // i = y * N + a: N B-scans follow each other at each of SizeY places, SizeReal.SizeY / SizeY
    // apart.
    const std::string speckle = "<SpeckleAveraging><FastAxis>1</FastAxis><SlowAxis>2</SlowAxis>"
                                "</SpeckleAveraging>";
    const std::string intensity = "<IntensityAveraging><BScans>2</BScans></IntensityAveraging>";
    for (const auto& [averaging, places, repeats] : {std::tuple{speckle, 2, 2},
                                                     {intensity, 2, 2},
                                                     {speckle + intensity, 1, 4},
                                                     {speckle + intensity, 2, 2}}) {
        OctFile file;
        file.bscans = 4;
        file.acquisition += averaging;
        file.image = "<SizePixel><SizeZ>64</SizeZ><SizeX>6</SizeX><SizeY>" +
                     std::to_string(places) +
                     "</SizeY></SizePixel><SizeReal><SizeZ>0.448</SizeZ><SizeX>0.3</SizeX>"
                     "<SizeY>1</SizeY></SizeReal>";
        const auto recording = opened(file);
        const RecordingInfo& info = recording->info();
        EXPECT_THAT(info.notes, testing::Contains(std::pair<std::string, std::string>(
                                    "B-scans at each place", std::to_string(repeats))));
        if (places == 1)
            EXPECT_EQ(info.frame.stack.bscansPerVolume, 1) << "one place is no volume";
        else
            EXPECT_EQ(info.frame.stack, (VolumeStack{4, 0.5e-3, 2}));
    }
}

TEST_F(Thorlabs, LostBscansAreGapsAmongTheOthers) {
    OctFile file;
    file.bscans = 4;
    file.image = "<SizePixel><SizeZ>64</SizeZ><SizeX>6</SizeX><SizeY>4</SizeY></SizePixel>"
                 "<SizeReal><SizeZ>0.448</SizeZ><SizeX>0.3</SizeX><SizeY>1</SizeY></SizeReal>";
    for (const bool once : {false, true})
        for (const bool isShort : {false, true})
            for (const std::int64_t lost : {0, 2, 3}) {
                SCOPED_TRACE(testing::Message() << once << isShort << lost);
                file.oneApodization = once;
                const std::string name =
                    "data\\Spectral" + std::to_string(lost + (once ? 1 : 0)) + ".data";
                auto members = file.members();
                if (isShort)
                    for (auto& [each, data] : members)
                        if (each == name) data.resize(data.size() - 256);
                if (!isShort)
                    std::erase_if(members, [&](const auto& each) { return each.first == name; });
                writeZip(m_path, members, true);
                const auto recording = openRecording(m_path);
                const RecordingInfo& info = recording->info();
                EXPECT_EQ(info.frameCount, 4);
                EXPECT_EQ(info.firstFrameSound, lost != 0);
                EXPECT_EQ(info.frame.stack, (VolumeStack{4, 0.25e-3, 1}));
                EXPECT_EQ(info.frame.describe(), "f32 [lateral 6][sample 128]");
                EXPECT_THAT(info.warnings,
                            testing::Contains(HasSubstr("1 of 4 B-scans stays empty")));
                EXPECT_NEAR(info.frame.spectrometer->background[64], 100 * OctFile::level(64), 0.5);
                for (std::int64_t frame = 0; frame < 4; ++frame)
                    if (frame == lost)
                        EXPECT_THAT(frameOf(*recording, frame), testing::Each(testing::IsNan()));
                    else
                        expectReflectors(*recording, frame);
            }
}

TEST_F(Thorlabs, LostReferenceSpectraAreNoBscan) {
    OctFile file;
    file.bscans = 2;
    file.oneApodization = true;
    auto members = file.members();
    std::erase_if(members, [](const auto& each) { return each.first == "data\\Spectral0.data"; });
    writeZip(m_path, members, true);
    const auto recording = openRecording(m_path);
    EXPECT_EQ(recording->info().frameCount, 2);
    EXPECT_EQ(recording->info().frame.describe(), "u16 [lateral 6][sample 128]");
    EXPECT_TRUE(recording->info().frame.spectrometer->background.empty());
    EXPECT_THAT(recording->info().warnings, ElementsAre(HasSubstr("reference spectra in")));
}

TEST_F(Thorlabs, StoredReferenceIsTakenWhereNoLinesAre) {
    OctFile file;
    file.bscans = 0;
    file.further = {{"data\\Spectral0.data", file.spectra(0, 6, 0)}};
    std::vector<float> reference;
    for (int p = 0; p < OctFile::kPixels; ++p)
        reference.push_back(static_cast<float>(250 * OctFile::level(p))); // electrons
    file.further.emplace_back("data\\ApodizationSpectrum.data", bytesOfValues(reference));
    file.furtherFiles = OctFile::entry("Spectral0.data", 6, "");
    const auto recording = opened(file);
    EXPECT_NEAR(recording->info().frame.spectrometer->background[9], 100 * OctFile::level(9), 0.01);
    expectReflectors(*recording);
}

TEST_F(Thorlabs, ProcessedLevelsAreATrack) {
    OctFile file;
    file.processed = true;
    file.bscans = 2;
    file.image = "<SizePixel><SizeZ>64</SizeZ><SizeX>6</SizeX><SizeY>2</SizeY></SizePixel>"
                 "<SizeReal><SizeZ>0.448</SizeZ><SizeX>0.3</SizeX><SizeY>0.4</SizeY></SizeReal>";
    const auto recording = opened(file, {.track = 1});
    const RecordingInfo& info = recording->info();
    EXPECT_THAT(info.tracks, ElementsAre("raw spectra", "processed levels"));
    EXPECT_EQ(info.track, 1U);
    EXPECT_EQ(info.frame.describe(), "f32 [depth 64][lateral 6]");
    EXPECT_EQ(info.frame.recordedForm, RecordedForm::Decibels);
    EXPECT_NEAR(info.frame.axes[0].spacing, 7e-6, 1e-12);
    EXPECT_NEAR(info.frame.axes[1].spacing, 0.05e-3, 1e-12);
    EXPECT_EQ(info.frame.valueRange->max, 96.0);
    EXPECT_EQ(info.frame.valueRange->min, 36.0);
    EXPECT_EQ(info.frame.stack.bscansPerVolume, 2);
    // Depth is fastest in the file, lateral in a frame.
    const std::vector<double> second = frameOf(*recording, 1);
    EXPECT_EQ(second[0], 384 % 97);
    EXPECT_EQ(second[1], (384 + 64) % 97);
    EXPECT_EQ(second[6], 385 % 97);
    EXPECT_THAT(refusalOf(m_path, {.track = 2}),
                AllOf(HasSubstr("track 3 was asked for"), HasSubstr("2 'processed levels'")));
    file.bscans = 0;
    file.processed = false;
    file.further = {{"data\xc2\xb7"
                     "Complex.data",
                     std::string(2 * 64 * 6 * 8, '\1')}};
    EXPECT_EQ(opened(file)->info().frame.describe(), "complex_f32 [depth 64][lateral 6]");
}

TEST_F(Thorlabs, DevicesWithoutChirp) {
    OctFile file;
    file.bscans = 0;
    file.furtherFiles = OctFile::entry("Spectral0.data", 6, "");
    auto members = file.members();
    std::erase_if(members, [](const auto& each) { return each.first == "data\\Chirp.data"; });
    members.emplace_back("data\\Spectral0.data", file.spectra(0, 6, 0));
    writeZip(m_path, members, true);
    EXPECT_THAT(openRecording(m_path)->info().warnings,
                ElementsAre(HasSubstr("equally spaced in wavenumber")));
    const std::size_t at = members[0].second.find("<Instrument>") + 12;
    members[0].second.insert(at, "<Model>TEL220</Model>");
    writeZip(m_path, members, true);
    const auto recording = openRecording(m_path);
    EXPECT_THAT(recording->info().warnings, ElementsAre(HasSubstr("1208.7 to 1372.5 nm")));
    // Output m takes wavenumbers 1 / 1208.7 ... 1 / 1372.5 per nm in equal steps.
    const auto& curve = recording->info().frame.spectrometer->resampling;
    const double wanted = 0.5 * (1 / 1208.7 + 1 / 1372.5) + 0.5 / 127 * (1 / 1208.7 - 1 / 1372.5);
    EXPECT_NEAR(curve[63], (1 / wanted - 1208.7) / (1372.5 - 1208.7) * 127, 1e-3);
}

TEST_F(Thorlabs, Refusals) {
    OctFile file;
    file.prolog = "<!DOCTYPE a [<!ENTITY b \"c\">]>";
    EXPECT_THAT(refused(file), HasSubstr("entities"));
    file = {};
    file.instrument = "<Open>";
    EXPECT_THAT(refused(file), HasSubstr("Header.xml is damaged at byte"));
    file = {};
    file.bytes = 3;
    EXPECT_THAT(refused(file), HasSubstr("3 bytes"));
    file = {};
    file.furtherFiles =
        OctFile::entry("Spectral1.data", 10, "") + OctFile::entry("Spectral2.data", 10, "");
    EXPECT_THAT(refused(file), AllOf(HasSubstr("spectral1.data"), HasSubstr("missing")));
    file = {};
    file.bscans = 0;
    EXPECT_THAT(refused(file), HasSubstr("neither spectra nor processed images"));
    file.furtherFiles =
        OctFile::entry("Spectral0.data", 10, "ScanRegionStart0=\"12\" ScanRegionEnd0=\"10\"");
    file.further = {{"data\\Spectral0.data", file.spectra(-4, 10, 0)}};
    EXPECT_THAT(refused(file), HasSubstr("A-scans 12 to 10"));

    auto members = OctFile{}.members();
    for (auto& [name, data] : members)
        if (name == "data\\Spectral0.data") data.resize(data.size() - 256); // a line
    writeZip(m_path, members, true);
    EXPECT_THAT(refusalOf(m_path), AllOf(HasSubstr("10 lines"), HasSubstr("2560 bytes")));
    members = OctFile{}.members();
    members[2].second.resize(400);
    writeZip(m_path, members, true);
    EXPECT_THAT(refusalOf(m_path),
                AllOf(HasSubstr("chirp has 100 values"), HasSubstr("128 pixels")));
    members = OctFile{}.members();
    members[2].second.replace(40, 4, members[2].second, 36, 4);
    writeZip(m_path, members, true);
    EXPECT_THAT(refusalOf(m_path), HasSubstr("not monotonic"));
    members = OctFile{}.members();
    members.erase(members.begin());
    writeZip(m_path, members, true);
    EXPECT_THAT(refusalOf(m_path), HasSubstr("Header.xml"));
    EXPECT_EQ(refused(OctFile{}), "");
}

TEST_F(Thorlabs, SamplesOfKnownTruth) {
    const auto folder = std::filesystem::path(ECHOLUX_SHARED_DATA) / "formats";
    if (!std::filesystem::exists(folder / "truth.json")) GTEST_SKIP() << folder << " is not here";
    const auto truth = nlohmann::json::parse(readFile(folder / "truth.json"))["oct"];
    for (const std::string name : {"thorlabs_2d.oct", "thorlabs_3d_one_apo.oct"}) {
        if (!std::filesystem::exists(folder / "samples" / name)) continue;
        const auto recording = openRecording(folder / "samples" / name);
        const FrameSpec& frame = recording->info().frame;
        EXPECT_EQ(frame.describe(), "u16 [lateral 32][sample 512]");
        EXPECT_NEAR(frame.axes[0].spacing, 0.05e-3, 1e-12);
        for (std::int64_t b = 0; b < recording->info().frameCount; ++b) {
            const auto found = reflectorsOf(*recording, b);
            for (std::size_t x = 0; x < found.size(); ++x) {
                const std::size_t rolled = (x + found.size() - static_cast<std::size_t>(b)) % 32;
                EXPECT_EQ(found[x].first, truth["bin_A"].get<double>()) << name << x;
                EXPECT_EQ(found[x].second, truth["bin_B"][rolled].get<double>()) << name << x;
            }
        }
        const auto levels = openRecording(folder / "samples" / name, {.track = 1});
        EXPECT_EQ(levels->info().frame.recordedForm, RecordedForm::Decibels);
        EXPECT_NEAR(levels->info().frame.find(AxisName::Depth)->spacing, 7e-6, 1e-10);
    }
    const auto invalid = folder / "samples/invalid";
    for (const auto& [name, words] : std::vector<std::pair<std::string, std::string>>{
             {"zip_without_header.oct", "Header.xml"},
             {"short_spectral.oct", "should hold 40 lines"},
             {"truncated.oct", "ZIP directory"}})
        if (std::filesystem::exists(invalid / name)) {
            EXPECT_THAT(refusalOf(invalid / name), HasSubstr(words)) << name;
        }
}

} // namespace
} // namespace echolux::test
