// SPDX-License-Identifier: GPL-3.0-or-later
// Headerless spectra: what fits, what is said where it does not, and the sidecar that is kept.
#include "app/dataset/container/container.hpp"
#include "app/dataset/frames/raw_import.hpp"
#include "app/dataset/recording/headerless_data.hpp"
#include "tests/dataset/sample_files.hpp"
#include "tests/support/unwritable.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <limits>
#include <optional>

namespace echolux::test {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

RawImport sized(std::int64_t samples, std::int64_t lines) {
    RawImport import;
    import.samplesPerLine = samples;
    import.linesPerBscan = lines;
    return import;
}

TEST(RawFit, SaysWhatFits) {
    RawImport import = sized(8, 4); // 64 bytes
    EXPECT_EQ(checkRawImport(import, 64).sentence, "It fits: 1 B-scan of 4 lines of 8 samples.");
    import.bscansPerVolume = 2;
    const RawFit fit = checkRawImport(import, 5 * 64);
    EXPECT_TRUE(fit.fits);
    EXPECT_EQ(fit.bscans, 5);
    EXPECT_EQ(fit.sentence, "It fits: 5 B-scans of 4 lines of 8 samples, 2 whole volumes and 1 "
                            "B-scan of a further one.");
    import.bscansPerVolume = 1;
    import.headerBytes = 10;
    import.trailerBytes = 6;
    import.backgroundLines = 3;
    EXPECT_EQ(checkRawImport(import, 10 + 3 * 16 + 128 + 6).sentence,
              "It fits: 2 B-scans of 4 lines of 8 samples, behind 3 background lines.");
    import.backgroundPerBscan = true;
    EXPECT_EQ(checkRawImport(import, 10 + 2 * (3 * 16 + 64) + 6).sentence,
              "It fits: 2 B-scans of 4 lines of 8 samples, each behind 3 background lines.");
}

TEST(RawFit, SaysByHowManyBytesItDoesNot) {
    const RawImport import = sized(8, 4);
    EXPECT_EQ(checkRawImport(import, 3 * 64 + 10).sentence,
              "It does not fit: the file holds 3 B-scans and 10 bytes, 54 too few for one more.");
    EXPECT_EQ(checkRawImport(import, 65).sentence,
              "It does not fit: the file holds 1 B-scan and 1 byte, 63 too few for one more.");
    EXPECT_EQ(checkRawImport(import, 60).sentence,
              "One B-scan takes 64 bytes, 4 more than the file has.");
    EXPECT_FALSE(checkRawImport(import, 0).fits);
    RawImport headed = import;
    headed.headerBytes = 552;
    EXPECT_THAT(checkRawImport(headed, 552).sentence, HasSubstr("take 552 bytes"));
}

TEST(RawFit, RefusesWhatCannotBe) {
    RawImport import = sized(9, 4);
    import.type = SpectrumType{};
    EXPECT_THAT(checkRawImport(import, 54).sentence, HasSubstr("even number of samples"));
    import.samplesPerLine = 8;
    EXPECT_TRUE(checkRawImport(import, 48).fits);
    for (const std::int64_t bad :
         {std::int64_t{0}, std::int64_t{-5}, std::numeric_limits<std::int64_t>::max(),
          std::numeric_limits<std::int64_t>::min()}) {
        EXPECT_FALSE(checkRawImport(sized(bad, 4), 1000).fits);
        EXPECT_FALSE(checkRawImport(sized(8, bad), 1000).fits);
        import = sized(8, 4);
        import.backgroundLines = bad == 0 ? -1 : bad;
        EXPECT_FALSE(checkRawImport(import, 64).fits);
        import = sized(8, 4);
        import.bscansPerVolume = bad;
        EXPECT_FALSE(checkRawImport(import, 64).fits);
        import = sized(8, 4);
        import.bscansPerPlace = bad;
        EXPECT_FALSE(checkRawImport(import, 64).fits);
    }
    import = sized(8, 4);
    import.bscansPerVolume = 8;
    import.bscansPerPlace = 3;
    EXPECT_THAT(checkRawImport(import, 64).sentence, HasSubstr("places with 3 B-scans"));
    import = sized(8, 4);
    import.headerBytes = std::numeric_limits<std::uint64_t>::max();
    EXPECT_FALSE(checkRawImport(import, 64).fits);
    import = sized(8, 4);
    import.shift = 16;
    EXPECT_FALSE(checkRawImport(import, 64).fits);
}

class RawImportFile : public testing::Test {
protected:
    void write(const std::string& bytes) const { writeFile(m_path, bytes); }
    std::shared_ptr<const InputFile> file() const {
        return std::make_shared<const InputFile>(m_path);
    }
    TemporaryFolder m_folder;
    std::filesystem::path m_path = m_folder / "scan.bin";
};

TEST_F(RawImportFile, OpensWithBackgroundShiftAndByteOrder) {
    // header 2 bytes, then per B-scan 2 background lines and 3 lines of 4 samples, big-endian
    write("hh" + bytesOfValues(countedUp<std::uint16_t>(2 * 20), true));
    RawImport import = sized(4, 3);
    import.type = *parseSpectrumType(">u2");
    import.headerBytes = 2;
    import.backgroundLines = 2;
    import.backgroundPerBscan = true;
    import.shift = 4;
    import.lineSpacingM = 5e-6;
    const auto recording = openRawImport(file(), import);
    EXPECT_EQ(recording->info().frame.describe(), "u16 [lateral 3][sample 4]");
    EXPECT_EQ(recording->info().frameCount, 2);
    EXPECT_EQ(recording->info().frame.codeScale, 1.0 / 16.0);
    EXPECT_EQ(recording->info().frame.axes[0].unit, "m");
    EXPECT_EQ(recording->info().frame.axes[0].spacing, 5e-6);
    EXPECT_THAT(recording->info().frame.spectrometer->background, testing::ElementsAre(2, 3, 4, 5));
    EXPECT_EQ(frameOf(*recording, 1).front(), 28.0);
    EXPECT_EQ(frameOf(*recording, 1).back(), 39.0);
}

TEST_F(RawImportFile, PackedSamplesStayPacked) {
    // two samples 0xABC, 0x123 in the bytes BC 3A 12
    std::string line;
    for (int i = 0; i < 2; ++i) line += "\xBC\x3A\x12";
    write(line + line + line);
    RawImport import = sized(4, 2);
    import.type = SpectrumType{};
    import.backgroundLines = 1;
    const auto recording = openRawImport(file(), import);
    EXPECT_EQ(recording->info().frame.describe(), "packed12 [lateral 2][sample 4]");
    EXPECT_EQ(recording->info().frame.bytes(), 12U);
    EXPECT_THAT(recording->info().frame.spectrometer->background,
                testing::ElementsAre(0xABC, 0x123, 0xABC, 0x123));
    std::vector<std::byte> bytes(12);
    recording->readFrame(0, bytes);
    EXPECT_EQ(std::string(reinterpret_cast<const char*>(bytes.data()), 12), line + line);
}

TEST_F(RawImportFile, TheAnswerIsKeptAndOpens) {
    write(bytesOfValues(countedUp<std::uint16_t>(5 + 6 * 12)) + "tt");
    RawImport import = sized(4, 3);
    import.headerBytes = 2;
    import.backgroundLines = 2;
    import.trailerBytes = 2;
    import.bscansPerVolume = 3;
    import.shift = 2;
    import.mirrored = Mirrored::Odd;
    import.centreWavelengthM = 1310e-9;
    import.bandwidthM = 100e-9;
    import.bscanRateHz = 97.65625;
    import.bscanSpacingM = 7e-6;
    EXPECT_THROW(writeRawImport(m_path, import), Error) << "5 + 72 samples are 154 bytes";
    EXPECT_FALSE(std::filesystem::exists(rawImportPath(m_path)));
    import.headerBytes = 10;
    import.backgroundLines = 0;
    EXPECT_EQ(writeRawImport(m_path, import), m_folder / "scan.bin.toml");
    const auto direct = openRawImport(file(), import);
    const auto kept = openRecording(m_path);
    EXPECT_EQ(kept->info().frame.describe(), direct->info().frame.describe());
    EXPECT_EQ(kept->info().frameCount, 6);
    EXPECT_EQ(kept->info().frame.codeScale, 0.25);
    EXPECT_EQ(kept->info().frameRateHz, 97.65625);
    EXPECT_EQ(kept->info().frame.stack.bscansPerVolume, 3);
    EXPECT_EQ(kept->info().frame.spectrometer->centreWavelengthM, 1310e-9);
    EXPECT_EQ(kept->info().frame.spectrometer->bandwidthM, 100e-9);
    EXPECT_EQ(kept->info().frame.stack.spacingM, 7e-6);
    for (int i = 0; i < 6; ++i) EXPECT_EQ(frameOf(*kept, i), frameOf(*direct, i));
    EXPECT_EQ(frameOf(*kept, 1).front(), 5 + 12 + 8.0) << "odd B-scans are turned round";

    import.linesPerBscan = 6;
    import.mirrored = Mirrored::None;
    writeRawImport(m_path, import);
    EXPECT_EQ(openRecording(m_path)->info().frameCount, 3) << "its own answer is replaced";
}

TEST_F(RawImportFile, WhatIsKeptIsReadBack) {
    write("hh" + bytesOfValues(countedUp<std::uint16_t>(2 * 20)) + "ttt");
    EXPECT_FALSE(readRawImport(m_path));
    RawImport import = sized(4, 3);
    import.type = *parseSpectrumType(">u2");
    import.headerBytes = 2;
    import.trailerBytes = 3;
    import.backgroundLines = 2;
    import.backgroundPerBscan = true;
    import.bscansPerVolume = 4;
    import.bscansPerPlace = 2;
    import.shift = 3;
    import.mirrored = Mirrored::Even;
    import.centreWavelengthM = 840e-9;
    import.bandwidthM = 60e-9;
    import.refractiveIndex = 1.38;
    writeRawImport(m_path, import);
    const auto kept = readRawImport(m_path);
    ASSERT_TRUE(kept);
    EXPECT_EQ(kept->type, import.type);
    EXPECT_EQ(kept->samplesPerLine, 4);
    EXPECT_EQ(kept->linesPerBscan, 3);
    EXPECT_EQ(kept->bscansPerVolume, 4);
    EXPECT_EQ(kept->bscansPerPlace, 2);
    EXPECT_EQ(kept->headerBytes, 2U);
    EXPECT_EQ(kept->trailerBytes, 3U);
    EXPECT_EQ(kept->backgroundLines, 2);
    EXPECT_TRUE(kept->backgroundPerBscan);
    EXPECT_EQ(kept->shift, 3);
    EXPECT_EQ(kept->mirrored, Mirrored::Even);
    EXPECT_EQ(kept->centreWavelengthM, 840e-9);
    EXPECT_EQ(kept->bandwidthM, 60e-9);
    EXPECT_EQ(kept->refractiveIndex, 1.38);
    EXPECT_EQ(openRecording(m_path)->info().frame.spectrometer->refractiveIndex, 1.38);
    for (const char* other : {"nonsense", "[data]\naxes = [\"sample\"]\n[spectrometer]\n"}) {
        writeFile(rawImportPath(m_path), other);
        EXPECT_FALSE(readRawImport(m_path)) << other;
    }
}

TEST_F(RawImportFile, SpectraInAnArrayAreDescribedByItsAxes) {
    const std::string header = "{'descr': '<u2', 'fortran_order': False, 'shape': (2, 3, 4, 8), }";
    std::string npy("\x93NUMPY\x01\0\x76\0", 10);
    npy += header + std::string(117 - header.size(), ' ') + '\n';
    write(npy + bytesOfValues(countedUp<std::uint16_t>(2 * 3 * 4 * 8)));
    const auto container = openContainer(file());
    EXPECT_TRUE(mayBeSpectra(m_path, *container));
    RawImport import = guessSpectraArray(m_path, *container);
    EXPECT_EQ(checkRawImport(import, 0).sentence,
              "It fits: 6 B-scans of 4 lines of 8 samples, 2 whole volumes.");
    import.shift = 1;
    import.centreWavelengthM = 840e-9;
    import.refractiveIndex = 1.38;
    import.bscansPerPlace = 3;
    writeRawImport(m_path, import);
    const auto recording = openRecording(m_path);
    EXPECT_EQ(recording->info().frame.describe(), "u16 [lateral 4][sample 8]");
    EXPECT_EQ(recording->info().frameCount, 6);
    EXPECT_EQ(recording->info().frame.stack.bscansPerVolume, 3);
    EXPECT_EQ(frameOf(*recording, 5).back(), 2 * 3 * 4 * 8 - 1);
    const auto kept = readRawImport(m_path);
    ASSERT_TRUE(kept);
    EXPECT_EQ(toSidecar(*kept), toSidecar(import));
    writeFile(rawImportPath(m_path), toSidecar(import) + "wavelength_polynomial_nm = [800, 10]\n");
    EXPECT_FALSE(readRawImport(m_path)) << "a description holds no curve";
    import.shape = {8};
    EXPECT_TRUE(checkRawImport(import, 0).fits) << "one line";
    for (const std::vector<std::int64_t>& bad :
         std::vector<std::vector<std::int64_t>>{{}, {1, 1, 1, 4, 8}, {0, 8}, {4, 2}}) {
        import.shape = bad;
        EXPECT_FALSE(checkRawImport(import, 0).fits);
    }
}

TEST_F(RawImportFile, OtherSidecarsAreNotReplaced) {
    write(bytesOfValues(countedUp<std::uint16_t>(64)));
    writeFile(rawImportPath(m_path), "# mine\n");
    EXPECT_THROW(writeRawImport(m_path, sized(8, 8)), Error);
    EXPECT_EQ(readFile(rawImportPath(m_path)), "# mine\n");
    std::filesystem::remove(rawImportPath(m_path));
    std::filesystem::create_directory(rawImportPath(m_path));
    EXPECT_THROW(writeRawImport(m_path, sized(8, 8)), Error);
}

/// Kept answers go to a folder of the test's own.
class KeptRawImport : public RawImportFile {
protected:
    void SetUp() override {
        const char* before = std::getenv("XDG_DATA_HOME");
        if (before != nullptr) m_before = before;
        setenv("XDG_DATA_HOME", m_data.path().c_str(), 1);
        write(bytesOfValues(countedUp<std::uint16_t>(64)));
        testing_support::makeUnwritable(m_folder / "scan.bin.toml");
    }
    void TearDown() override {
        m_before ? setenv("XDG_DATA_HOME", m_before->c_str(), 1) : unsetenv("XDG_DATA_HOME");
    }
    TemporaryFolder m_data;
    std::optional<std::string> m_before;
};

TEST_F(KeptRawImport, WhereTheFolderCannotBeWrittenItIsKeptAmongTheUsersData) {
    const auto kept = writeRawImport(m_path, sized(8, 4));
    EXPECT_EQ(kept.parent_path(), m_data / "echolux/sidecars");
    EXPECT_THAT(kept.filename().string(), testing::StartsWith("scan.bin-"));
    EXPECT_FALSE(std::filesystem::exists(rawImportPath(m_path)));
    EXPECT_EQ(openRecording(m_path)->info().frameCount, 2);
    writeRawImport(m_path, sized(8, 2));
    EXPECT_EQ(openRecording(m_path)->info().frameCount, 4) << "its own answer is replaced";
    std::filesystem::create_symlink(m_path, m_folder / "link.bin");
    EXPECT_EQ(openRecording(m_folder / "link.bin")->info().frameCount, 4) << "the same file";
}

TEST_F(KeptRawImport, ItCountsForThisFileOnly) {
    writeRawImport(m_path, sized(8, 4));
    std::filesystem::create_directory(m_folder / "other");
    std::filesystem::copy_file(m_path, m_folder / "other" / "scan.bin");
    EXPECT_THROW(openRecording(m_folder / "other" / "scan.bin"), HeaderlessData);
    write(bytesOfValues(countedUp<std::uint16_t>(128)));
    EXPECT_THROW(openRecording(m_path), HeaderlessData) << "of another length, another recording";
}

TEST_F(KeptRawImport, WhatStandsBesideTheFileCountsFirst) {
    writeRawImport(m_path, sized(8, 4));
    testing_support::makeWritable(m_folder / "scan.bin.toml");
    EXPECT_EQ(writeRawImport(m_path, sized(8, 8)), rawImportPath(m_path));
    EXPECT_EQ(openRecording(m_path)->info().frameCount, 1);
    testing_support::makeUnwritable(m_folder / "scan.bin.toml");
    EXPECT_THROW(writeRawImport(m_path, sized(8, 2)), Error) << "kept elsewhere it would not count";
    EXPECT_EQ(openRecording(m_path)->info().frameCount, 1);
}

TEST_F(KeptRawImport, ThereMayBeNoPlaceAtAll) {
    setenv("XDG_DATA_HOME", m_path.c_str(), 1); // a file
    EXPECT_THROW(writeRawImport(m_path, sized(8, 4)), Error);
    EXPECT_THROW(openRecording(m_path), HeaderlessData);
}

TEST_F(RawImportFile, SuggestsSizesThatFitTheLikeliestFirst) {
    // Two B-scans of 500 lines of 1000 samples: a bell-shaped spectrum with a fringe.
    std::vector<std::uint16_t> samples;
    for (int line = 0; line < 1000; ++line)
        for (int n = 0; n < 1000; ++n) {
            const double x = (n - 480) / 300.0;
            samples.push_back(static_cast<std::uint16_t>(
                500 + 2000 * std::exp(-x * x) * (1 + 0.1 * std::cos(0.3 * n + line))));
        }
    write(bytesOfValues(samples));
    const auto suggestions = suggestRawImports(*file(), RawImport{});
    ASSERT_THAT(suggestions, Not(IsEmpty()));
    EXPECT_EQ(suggestions.front().samplesPerLine, 1000);
    for (const RawImport& each : suggestions)
        EXPECT_TRUE(checkRawImport(each, file()->size()).fits);
    write(bytesOfValues(countedUp<std::uint16_t>(101)));
    EXPECT_THAT(suggestRawImports(*file(), RawImport{}), IsEmpty());
}

/// A volume of 50 B-scans of 100 lines of 1024 samples, which 1000 samples would fit as well.
const std::filesystem::path kVolume =
    std::filesystem::path(ECHOLUX_SHARED_DATA) / "data/oct/cscan_50x100x1024_uint16.npy";

TEST_F(RawImportFile, SuggestsTheTrueLineOfTheRealVolume) {
    if (!std::filesystem::exists(kVolume)) GTEST_SKIP() << kVolume << " is not here";
    constexpr std::size_t kNpyHeader = 128;
    const std::string whole = readFile(kVolume);
    write(whole.substr(kNpyHeader));
    EXPECT_EQ(suggestRawImports(*file(), RawImport{}).front().samplesPerLine, 1024);
    write(whole);
    const auto headed = suggestRawImports(*file(), RawImport{});
    ASSERT_THAT(headed, Not(IsEmpty()));
    EXPECT_EQ(headed.front().samplesPerLine, 1024);
    EXPECT_EQ(headed.front().headerBytes, kNpyHeader);
    EXPECT_TRUE(checkRawImport(headed.front(), file()->size()).fits);
}

TEST_F(RawImportFile, WhereLinesTellNothingPowersOfTwoComeFirst) {
    write(std::string(2 * 1000 * 1024, 'x'));
    const auto suggestions = suggestRawImports(*file(), RawImport{}, 20);
    std::vector<std::int64_t> samples;
    for (const RawImport& each : suggestions) samples.push_back(each.samplesPerLine);
    EXPECT_THAT(samples, testing::ElementsAre(512, 1024, 2048, 640, 1000, 1280, 2000));
    std::vector<float> values(1000 * 1024, std::numeric_limits<float>::max());
    for (std::size_t i = 0; i < values.size(); i += 3)
        values[i] = std::numeric_limits<float>::quiet_NaN();
    write(bytesOfValues(values));
    RawImport floats;
    floats.type = *parseSpectrumType("<f4");
    EXPECT_EQ(suggestRawImports(*file(), floats).front().samplesPerLine, 512);
}

TEST(RawFit, ALookIsBounded) {
    constexpr std::uint64_t kLarge = std::uint64_t{1} << 40;
    const auto seen = [](std::int64_t samples, std::int64_t lines) {
        const RawImport part = firstLines(sized(samples, lines), kLarge);
        EXPECT_TRUE(checkRawImport(part, kLarge).fits) << samples;
        EXPECT_EQ(checkRawImport(part, kLarge).bscans, 1) << samples;
        return part.linesPerBscan;
    };
    EXPECT_EQ(seen(1024, 1 << 24), 512);
    EXPECT_EQ(seen(1 << 20, 1 << 24), 4) << "2^22 samples";
    EXPECT_EQ(seen(1024, 100), 100);
    EXPECT_EQ(firstLines(sized(1000, 512), 5001).linesPerBscan, 2) << "though the sizes do not fit";
    RawImport behind = sized(8, 4);
    behind.backgroundLines = 2;
    behind.backgroundPerBscan = true;
    EXPECT_EQ(firstLines(behind, 2 * 16 + 40).backgroundLines, 2);
    EXPECT_EQ(firstLines(behind, 2 * 16 + 40).linesPerBscan, 2);
    EXPECT_TRUE(checkRawImport(firstLines(behind, 2 * 16 + 40), 2 * 16 + 40).fits);
    EXPECT_EQ(firstLines(behind, 2 * 16).backgroundLines, 0) << "the picture shows them";
    EXPECT_EQ(firstLines(behind, 2 * 16).linesPerBscan, 2);
    RawImport headed = sized(8, 4);
    headed.headerBytes = 100;
    EXPECT_THROW(firstLines(headed, 100), Error);
    EXPECT_THROW(firstLines(headed, 50), Error) << "a header longer than the file";
    EXPECT_THROW(firstLines(sized(8, 4), 15), Error);
    EXPECT_THROW(firstLines(sized(0, 4), kLarge), Error);
    EXPECT_THROW(firstLines(sized(std::int64_t{1} << 62, 4), kLarge), Error);
    EXPECT_THROW(firstLines(sized(8, 0), kLarge), Error);
}

TEST(RawSpectra, KnowsItsTypes) {
    EXPECT_EQ(parseSpectrumType("packed12")->dtype(), DType::Packed12);
    EXPECT_EQ(parseSpectrumType("<u2")->dtype(), DType::U16);
    EXPECT_EQ(parseSpectrumType("float64")->dtype(), DType::F32);
    EXPECT_FALSE(parseSpectrumType("<c8"));
    EXPECT_FALSE(parseSpectrumType("nonsense"));
}

} // namespace
} // namespace echolux::test
