// SPDX-License-Identifier: GPL-3.0-or-later
// Channel data as somebody describes them: what fits, what is missing, what is guessed, what is
// kept.
#include "app/dataset/container/container.hpp"
#include "app/dataset/frames/channel_import.hpp"
#include "tests/dataset/sample_files.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <random>

namespace echolux::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;

constexpr double kDegree = std::numbers::pi / 180.0;

ChannelImport described(std::int64_t frames = -1) {
    ChannelImport import;
    import.type = parseElementType("<i2");
    import.axes = {{ArrayAxis::Frame, frames},
                   {ArrayAxis::Transmit, 2},
                   {ArrayAxis::Channel, 4},
                   { ArrayAxis::Sample,
                     10 }};
    import.samplingFrequencyHz = 20e6;
    import.centreFrequencyHz = 5e6;
    import.pitchM = 0.3e-3;
    import.anglesRad = {-5.0 * kDegree, 5.0 * kDegree};
    return import;
}

TEST(ChannelFit, SaysWhatFitsAndByHowManyBytesItDoesNot) {
    const ChannelImport import = described(); // 160 bytes each frame
    const ChannelFit fit = checkChannelImport(import, 480);
    EXPECT_TRUE(fit.fits);
    EXPECT_EQ(fit.sentence, "It fits: 3 frames of 2 transmits, 4 channels, 10 samples.");
    EXPECT_EQ(fit.extents.frames, 3);
    EXPECT_EQ(checkChannelImport(import, 490).sentence,
              "It does not fit: the file holds 3 frames and 10 bytes, 150 too few for one more.");
    EXPECT_EQ(checkChannelImport(import, 100).sentence,
              "One frame takes 160 bytes, 60 more than the file has.");
    EXPECT_EQ(checkChannelImport(described(2), 480).sentence,
              "It does not fit: these sizes take 320 bytes, 160 less than the 480 that the file "
              "has.");
    ChannelImport headed = import;
    headed.headerBytes = 300;
    headed.trailerBytes = 200;
    EXPECT_THAT(checkChannelImport(headed, 480).sentence, HasSubstr("take 500 bytes"));
}

TEST(ChannelFit, NamesWhatIsMissing) {
    ChannelImport import = described();
    import.samplingFrequencyHz = 0.0;
    import.anglesRad.clear();
    const ChannelFit fit = checkChannelImport(import, 480);
    EXPECT_TRUE(fit.stored);
    EXPECT_FALSE(fit.fits);
    EXPECT_THAT(fit.sentence, AllOf(HasSubstr("missing"), HasSubstr("sampling frequency"),
                                    HasSubstr("angles of the transmits")));
    import = described();
    import.axes.push_back({ArrayAxis::Iq, 2});
    EXPECT_THAT(checkChannelImport(import, 480 * 2).sentence, HasSubstr("demodulation frequency"));
    import = described();
    import.array = ChannelImport::Array::Convex;
    EXPECT_THAT(checkChannelImport(import, 480).sentence, HasSubstr("the radius"));
    import.array = ChannelImport::Array::Matrix;
    EXPECT_THAT(checkChannelImport(import, 480).sentence, HasSubstr("columns and rows"));
    import = described();
    import.wave = Wave::Focused;
    EXPECT_THAT(checkChannelImport(import, 480).sentence, HasSubstr("the distance of the focus"));
    import.wave = Wave::Diverging;
    import.soundSpeedMps = import.pitchM = 0.0;
    EXPECT_THAT(checkChannelImport(import, 480).sentence,
                AllOf(HasSubstr("the speed of sound"), HasSubstr("the pitch"),
                      HasSubstr("the distance of the virtual source")));
}

TEST(ChannelFit, RefusesWhatCannotBe) {
    const auto sentence = [](const std::function<void(ChannelImport&)>& change) {
        ChannelImport import = described();
        change(import);
        const ChannelFit fit = checkChannelImport(import, 480);
        EXPECT_FALSE(fit.fits);
        return fit.sentence;
    };
    EXPECT_THAT(sentence([](auto& import) { import.axes[2].role = ArrayAxis::Transmit; }),
                HasSubstr("two axes transmit"));
    EXPECT_THAT(sentence([](auto& import) { import.axes.pop_back(); }),
                HasSubstr("counts the samples"));
    EXPECT_THAT(sentence([](auto& import) { import.axes[1].role.reset(); }),
                HasSubstr("axis of 2 entries"));
    EXPECT_THAT(sentence([](auto& import) { import.axes[1].size = -1; }), HasSubstr("Only one"));
    EXPECT_THAT(sentence([](auto& import) { import.anglesRad.push_back(0.0); }),
                HasSubstr("3 angles for 2 transmits"));
    EXPECT_THAT(sentence([](auto& import) {
                    import.firstSampleS = {0.0, 1.0, 2.0};
                }),
                HasSubstr("3 first-sample times"));
    EXPECT_THAT(sentence([](auto& import) { import.centreFrequencyHz = 15e6; }),
                HasSubstr("half the sampling frequency"));
    EXPECT_THAT(sentence([](auto& import) { import.axes[3].size = 1; }), HasSubstr("one sample"));
    EXPECT_THAT(sentence([](auto& import) {
                    import.complexElements = true;
                    import.axes.push_back({ArrayAxis::Iq, 2});
                }),
                HasSubstr("elements are complex"));
    EXPECT_THAT(sentence([](auto& import) {
                    import.array = ChannelImport::Array::Convex;
                    import.radiusM = 0.1e-3;
                }),
                HasSubstr("half the pitch"));
    EXPECT_THAT(sentence([](auto& import) {
                    import.wave = Wave::Element;
                    import.axes[1].size = 6;
                }),
                HasSubstr("6 transmits cannot fire one of 4 elements"));
    constexpr std::int64_t kLarge = std::numeric_limits<std::int64_t>::max();
    EXPECT_THAT(sentence([](auto& import) {
                    import.array = ChannelImport::Array::Matrix;
                    import.columns = kLarge;
                    import.rows = 4;
                }),
                HasSubstr("more elements than any array has"));
    for (const std::int64_t bad : {std::int64_t{0}, std::int64_t{-7}, kLarge, -kLarge})
        for (std::size_t axis = 0; axis < 4; ++axis)
            sentence([&](auto& import) { import.axes[axis].size = bad; });
    sentence([](auto& import) {
        for (ImportAxis& axis : import.axes) axis.size = std::int64_t{1} << 31;
    });
    sentence([](auto& import) { import.headerBytes = std::numeric_limits<std::uint64_t>::max(); });
    sentence([](auto& import) { import.axes.clear(); });
}

/// A frame of RF: speckle and a few echoes through a band at a quarter of the sampling frequency,
/// [transmit][channel][sample], int16.
std::vector<std::int16_t> speckle(int transmits, int channels, int samples, double cycles = 0.25,
                                  int frames = 1) {
    std::mt19937 random(7);
    std::normal_distribution<double> normal;
    std::vector<std::int16_t> rf;
    std::vector<double> places;
    std::vector<double> sizes;
    for (int i = 0; i < 60; ++i) {
        places.push_back(20.0 + (samples - 60.0) * (i + 0.5) / 60.0 + 3.0 * normal(random));
        sizes.push_back(normal(random) * (1.0 + (i % 11 == 0 ? 4.0 : 0.0)));
    }
    std::vector<double> line(static_cast<std::size_t>(samples));
    for (int frame = 0; frame < frames; ++frame)
        for (int t = 0; t < transmits; ++t)
            for (int c = 0; c < channels; ++c) {
                for (double& value : line) value = 0.01 * normal(random);
                for (std::size_t i = 0; i < places.size(); ++i) {
                    const double x = (c - 0.5 * channels) / channels;
                    const double lateral = 0.4 * std::sin(17.0 * static_cast<double>(i));
                    const double at = places[i] + 25.0 * (x - lateral) * (x - lateral) +
                                      (t - 0.5 * transmits) * (4.0 * x + 7.0 * lateral);
                    const int from = std::max(0, static_cast<int>(at) - 12);
                    for (int n = from; n < std::min(samples, from + 25); ++n) {
                        const double away = n - at;
                        line[static_cast<std::size_t>(n)] +=
                            sizes[i] * std::exp(-away * away / 18.0) *
                            std::cos(2.0 * std::numbers::pi * cycles * away);
                    }
                }
                for (const double value : line)
                    rf.push_back(
                        static_cast<std::int16_t>(std::clamp(1000.0 * value, -32000.0, 32000.0)));
            }
    return rf;
}

class ChannelImportFile : public testing::Test {
protected:
    void write(const std::string& bytes) const { writeFile(m_path, bytes); }
    std::shared_ptr<const InputFile> file() const {
        return std::make_shared<const InputFile>(m_path);
    }
    ChannelImport guess() const {
        const auto suggestions = suggestChannelImports(*file(), {});
        return suggestions.empty() ? ChannelImport{} : suggestions.front();
    }
    TemporaryFolder m_folder;
    std::filesystem::path m_path = m_folder / "rf.bin";
};

template <class T>
std::vector<T> castTo(const std::vector<std::int16_t>& values, double factor, double offset = 0.0) {
    std::vector<T> result;
    for (const std::int16_t value : values)
        result.push_back(static_cast<T>(value * factor + offset));
    return result;
}

TEST_F(ChannelImportFile, GuessesTypes) {
    const auto rf = speckle(1, 32, 500);
    const auto type = [&](const std::string& bytes) {
        write(bytes);
        return nameOf(guessElementType(*file()));
    };
    EXPECT_EQ(type(bytesOfValues(rf)), "<i2");
    EXPECT_EQ(type(bytesOfValues(rf, true)), ">i2");
    EXPECT_EQ(type(bytesOfValues(castTo<float>(rf, 1e-3))), "<f4");
    EXPECT_EQ(type(bytesOfValues(castTo<float>(rf, 1e-3), true)), ">f4");
    EXPECT_EQ(type(bytesOfValues(castTo<double>(rf, 3e-5))), "<f8");
    EXPECT_EQ(type(bytesOfValues(castTo<std::int32_t>(rf, 77.7))), "<i4");
    EXPECT_EQ(type(bytesOfValues(castTo<std::uint16_t>(rf, 0.05, 2048.0))), "<u2");
    EXPECT_EQ(type(bytesOfValues(castTo<std::uint8_t>(rf, 0.005, 128.0))), "|u1");
    EXPECT_EQ(type(bytesOfValues(castTo<std::int8_t>(rf, 0.005))), "|i1");
    type("");
    type("x");
    type(std::string(100, '\0'));
}

TEST_F(ChannelImportFile, TellsEchoesFromSpectra) {
    const auto rf = speckle(1, 32, 500);
    const auto echoes = [&](const std::string& bytes) {
        write(bytes);
        return looksLikeEchoes(*file(), guessElementType(*file()), 0);
    };
    EXPECT_TRUE(echoes(bytesOfValues(rf)));
    EXPECT_TRUE(echoes(bytesOfValues(castTo<std::uint16_t>(rf, 0.05, 2048.0))));
    std::vector<std::uint16_t> spectra;
    for (int i = 0; i < 64 * 256; ++i) {
        const double x = (i % 256 - 128) / 60.0;
        spectra.push_back(static_cast<std::uint16_t>(
            200 + 2000 * std::exp(-x * x) * (1 + 0.3 * std::cos(1.1 * (i % 256)))));
    }
    EXPECT_FALSE(echoes(bytesOfValues(spectra)));
}

TEST_F(ChannelImportFile, GuessesSizes) {
    write(bytesOfValues(speckle(3, 64, 700)));
    const ChannelImport import = guess();
    EXPECT_EQ(nameOf(*import.type), "<i2");
    const ArrayExtents extents = checkChannelImport(import, file()->size()).extents;
    EXPECT_EQ(extents.samples, 700);
    EXPECT_EQ(extents.channels, 64);
    EXPECT_EQ(extents.transmits * extents.frames, 3);
    EXPECT_NEAR(guessBandCentre(*file(), import), 0.25, 0.02);
    EXPECT_FALSE(checkChannelImport(import, file()->size()).fits) << "nothing tells the pitch";
}

TEST_F(ChannelImportFile, GuessesFramesThatRepeatTheirTransmits) {
    write(bytesOfValues(speckle(3, 32, 512, 0.2, 4)));
    const ArrayExtents extents = checkChannelImport(guess(), file()->size()).extents;
    EXPECT_EQ(extents.samples, 512);
    EXPECT_EQ(extents.channels, 32);
    EXPECT_EQ(extents.transmits, 3);
    EXPECT_EQ(extents.frames, 4);
}

TEST_F(ChannelImportFile, GuessesAHeader) {
    write(std::string(512, 'h') + bytesOfValues(speckle(2, 64, 1024)));
    const ChannelImport import = guess();
    EXPECT_EQ(import.headerBytes, 512U);
    EXPECT_EQ(checkChannelImport(import, file()->size()).extents.samples, 1024);
}

TEST_F(ChannelImportFile, SuggestsNothingOfNothing) {
    for (const std::size_t bytes : {0U, 1U, 7U, 63U, 1000U, 65536U}) {
        write(std::string(bytes, 'x'));
        for (const ChannelImport& each : suggestChannelImports(*file(), {}))
            EXPECT_TRUE(checkChannelImport(each, bytes).stored);
    }
}

TEST_F(ChannelImportFile, TheAnswerIsKeptAndOpens) {
    write("head" + bytesOfValues(countedUp<std::int16_t>(3 * 80)) + "t");
    ChannelImport import = described();
    import.headerBytes = 4;
    EXPECT_THROW(writeChannelImport(m_path, import), Error) << "one byte is over";
    import.trailerBytes = 1;
    import.firstSampleS = {1e-6, 2e-6};
    import.firstElementFires = true;
    import.frameRateHz = 25.0;
    import.soundSpeedMps = 1500.0;
    import.array = ChannelImport::Array::Convex;
    import.radiusM = 60e-3;
    EXPECT_EQ(writeChannelImport(m_path, import), m_folder / "rf.bin.toml");
    const auto recording = openRecording(m_path);
    const FrameSpec& frame = recording->info().frame;
    EXPECT_EQ(frame.describe(), "i16 [transmit 2][channel 4][sample 10]");
    EXPECT_EQ(recording->info().frameCount, 3);
    EXPECT_EQ(recording->info().frameRateHz, 25.0);
    EXPECT_NEAR(frame.samplingFrequencyHz(), 20e6, 1e-3);
    EXPECT_NEAR(frame.acquisition->transmits[1].angleRad, 5.0 * kDegree, 1e-12);
    EXPECT_EQ(frame.acquisition->soundSpeedMps, 1500.0);
    EXPECT_EQ(frameOf(*recording, 1).front(), 80.0);
    const auto again = readChannelImport(m_path);
    ASSERT_TRUE(again);
    EXPECT_EQ(toSidecar(*again), toSidecar(import));
    import.trailerBytes = 0;
    import.headerBytes = 5;
    writeChannelImport(m_path, import);
    EXPECT_EQ(readChannelImport(m_path)->headerBytes, 5U) << "its own answer is replaced";
    writeFile(m_folder / "rf.bin.toml", "# mine\n");
    EXPECT_THROW(writeChannelImport(m_path, import), Error);
    EXPECT_FALSE(readChannelImport(m_path));
}

TEST_F(ChannelImportFile, OtherWavesAndArraysOpen) {
    write(bytesOfValues(countedUp<std::int16_t>(2 * 4 * 10)));
    for (const Wave wave : {Wave::Plane, Wave::Focused, Wave::Diverging, Wave::Element}) {
        ChannelImport import = described();
        import.wave = wave;
        import.focusM = 20e-3;
        import.array = ChannelImport::Array::Matrix;
        import.columns = 2;
        import.rows = 2;
        const auto recording = openChannelImport(file(), import);
        const Acquisition& acquisition = *recording->info().frame.acquisition;
        EXPECT_EQ(acquisition.transmits[1].wave, wave);
        EXPECT_NE(acquisition.probe.elements[0].y, acquisition.probe.elements[3].y);
    }
    ChannelImport pairs = described();
    pairs.axes = {{ArrayAxis::Channel, 4}, {ArrayAxis::Sample, 10}, {ArrayAxis::Iq, 2}};
    pairs.anglesRad.clear();
    pairs.demodulationFrequencyHz = 5e6;
    pairs.conjugate = true;
    EXPECT_THAT(toSidecar(pairs), HasSubstr("conjugate = true"));
    EXPECT_EQ(openChannelImport(file(), pairs)->info().frame.describe(),
              "complex_i16 [transmit 1][channel 4][sample 10]");
}

TEST_F(ChannelImportFile, AFirstFrameOpensThoughSizesDoNotFit) {
    write(bytesOfValues(countedUp<std::int16_t>(150)));
    ChannelImport import = described();
    import.samplingFrequencyHz = 0.0;
    import.pitchM = 0.0;
    EXPECT_EQ(openChannelImport(file(), firstFrame(import, 300))->info().frame.describe(),
              "i16 [transmit 2][channel 4][sample 10]");
    import.axes[3].size = 50;
    const auto part = openChannelImport(file(), firstFrame(import, 300));
    EXPECT_EQ(part->info().frame.describe(), "i16 [transmit 1][channel 3][sample 50]");
    import.headerBytes = 299;
    EXPECT_THROW(firstFrame(import, 300), Error);
    import.headerBytes = 1000;
    EXPECT_THROW(firstFrame(import, 300), Error);
}

/// Samples of ../shared with the scene's truth: 5 transmits, 64 channels, 340 samples.
class ImportOfSamples : public ChannelImportFile {
protected:
    static std::filesystem::path sample(const std::string& name) {
        return std::filesystem::path(ECHOLUX_SHARED_DATA) / "formats/samples" / name;
    }
    static std::shared_ptr<const InputFile> open(const std::string& name) {
        return std::make_shared<const InputFile>(sample(name));
    }
};

TEST_F(ImportOfSamples, TellTheirArrays) {
    for (const char* name : {"rf_stored.npz", "rf_deflate.npz", "rf_c_order.npy", "rf_fortran.npy",
                             "rf_bigendian.npy"}) {
        if (!std::filesystem::exists(sample(name))) GTEST_SKIP() << name << " is not here";
        const auto file = open(name);
        const ArrayGuess guess = guessArray(file->path(), *openContainer(file));
        const ArrayExtents extents = checkChannelImport(guess.import, 0).extents;
        EXPECT_EQ(extents.samples, 340) << name;
        EXPECT_EQ(extents.channels, 64) << name;
        EXPECT_EQ(extents.transmits, guess.import.axes.size() == 2 ? 1 : 5) << name;
        EXPECT_NEAR(guess.bandCentre, 0.25, 0.03) << name;
    }
    const auto file = open("rf_stored.npz");
    const ChannelImport import = guessArray(file->path(), *openContainer(file)).import;
    EXPECT_TRUE(checkChannelImport(import, 0).fits);
    EXPECT_EQ(import.samplingFrequencyHz, 20e6);
    EXPECT_EQ(import.centreFrequencyHz, 5e6);
    EXPECT_EQ(import.pitchM, 0.25e-3);
    EXPECT_NEAR(import.anglesRad.back(), 12.0 * kDegree, 1e-9);
    EXPECT_EQ(import.firstSampleS, std::vector<double>{10e-6});
    EXPECT_EQ(openChannelImport(file, import)->info().frame.describe(),
              "i16 [transmit 5][channel 64][sample 340]");
}

TEST_F(ImportOfSamples, TellTheirSizesWithoutAHeader) {
    if (!std::filesystem::exists(sample("rf_c_order.npy"))) GTEST_SKIP() << "no samples here";
    const std::string whole = readFile(sample("rf_c_order.npy"));
    write(whole.substr(whole.size() - 2 * 5 * 64 * 340));
    const ChannelImport import = guess();
    const ArrayExtents extents = checkChannelImport(import, file()->size()).extents;
    EXPECT_EQ(nameOf(*import.type), "<i2");
    EXPECT_EQ(extents.samples, 340);
    EXPECT_EQ(extents.channels, 64);
    EXPECT_EQ(extents.transmits, 5);
    EXPECT_NEAR(guessBandCentre(*file(), import), 0.25, 0.03);
}

} // namespace
} // namespace echolux::test
