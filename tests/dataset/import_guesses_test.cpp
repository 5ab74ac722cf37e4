// SPDX-License-Identifier: GPL-3.0-or-later
// What is guessed of plain bytes and of arrays: pairs, orders of axes, levels and waves; and which
// sizes and sidecars a description can hold.
#include "app/dataset/container/container.hpp"
#include "app/dataset/frames/channel_import.hpp"
#include "app/dataset/frames/image_import.hpp"
#include "app/dataset/frames/raw_import.hpp"
#include "tests/dataset/sample_files.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <random>
#include <string>
#include <vector>

namespace echolux::test {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;

/// Lines of echoes at random places that bend from line to line, in phase and in quadrature.
struct BentEchoes {
    std::vector<double> real, imaginary; ///< [line][sample], up to some thousand

    /// `cycles` per sample, and about `width` samples long.
    BentEchoes(int lines, int samples, unsigned seed = 3, double cycles = 0.25, double width = 3) {
        std::mt19937 random(seed);
        std::normal_distribution<double> normal;
        std::vector<double> places;
        std::vector<double> sizes;
        for (int i = 0; i < 40; ++i) {
            places.push_back(10.0 + (samples - 30.0) * i / 40.0 + 3.0 * normal(random));
            sizes.push_back(1000.0 * normal(random));
        }
        for (int line = 0; line < lines; ++line)
            for (int n = 0; n < samples; ++n) {
                double sums[2] = {normal(random), normal(random)};
                for (std::size_t i = 0; i < places.size(); ++i) {
                    const auto number = static_cast<double>(i);
                    const double x = (line - 0.5 * lines) / lines - 0.4 * std::sin(17.0 * number);
                    const double away = n - places[i] - 20.0 * x * x;
                    if (std::abs(away) > 4.0 * width) continue;
                    const double size = sizes[i] * std::exp(-0.5 * away * away / (width * width));
                    const double phase = 2.0 * std::numbers::pi * cycles * away + 2.4 * number;
                    sums[0] += size * std::cos(phase);
                    sums[1] += size * std::sin(phase);
                }
                real.push_back(sums[0]);
                imaginary.push_back(sums[1]);
            }
    }
    template <class T> std::vector<T> as(double factor = 1.0, double offset = 0.0) const {
        std::vector<T> all;
        for (const double value : real) all.push_back(static_cast<T>(factor * value + offset));
        return all;
    }
    template <class T> std::vector<T> asPairs() const {
        std::vector<T> all;
        for (std::size_t i = 0; i < real.size(); ++i) {
            all.push_back(static_cast<T>(real[i]));
            all.push_back(static_cast<T>(imaginary[i]));
        }
        return all;
    }
};

std::vector<std::optional<ArrayAxis>> meaningsOf(const ImportArray& import) {
    std::vector<std::optional<ArrayAxis>> roles;
    for (const ImportAxis& axis : import.axes) roles.push_back(axis.role);
    return roles;
}

class ImportGuesses : public testing::Test {
protected:
    std::shared_ptr<const InputFile> file() const {
        return std::make_shared<const InputFile>(m_path);
    }
    std::vector<ChannelImport> channels(const std::string& bytes, const char* type) const {
        writeFile(m_path, bytes);
        ChannelImport like;
        like.type = parseElementType(type);
        return suggestChannelImports(*file(), like);
    }
    std::vector<ImageImport> images(const std::string& bytes, const char* type) const {
        writeFile(m_path, bytes);
        ImageImport like;
        like.type = parseElementType(type);
        return suggestImageImports(*file(), like);
    }
    ArrayGuess guessed(const std::string& descr, const std::string& shape, const std::string& data,
                       bool fortran = false) const {
        writeFile(m_path, npyBytes(npyDictionary(descr, shape, fortran), data));
        return guessArray(m_path, *openContainer(file()));
    }
    TemporaryFolder m_folder;
    std::filesystem::path m_path = m_folder / "data.bin";
};

TEST_F(ImportGuesses, ChannelsOfPairsAndOfCodesAboveZero) {
    using enum ArrayAxis;
    const BentEchoes echoes(64, 400);
    const BentEchoes baseband(64, 400, 3, 0.0, 8.0);
    auto found = channels(bytesOfValues(baseband.asPairs<float>()), "<f4");
    ASSERT_FALSE(found.empty());
    EXPECT_THAT(meaningsOf(found.front()), Contains(std::optional(Iq)));
    EXPECT_EQ(sizeOf(found.front(), Sample, 0), 400);
    EXPECT_EQ(guessBandCentre(*file(), found.front()), 0.0) << "pairs are at baseband";
    found = channels(bytesOfValues(echoes.asPairs<float>()), "<c8");
    ASSERT_FALSE(found.empty());
    EXPECT_TRUE(found.front().complexElements);
    EXPECT_EQ(sizeOf(found.front(), Sample, 0), 400);
    found = channels(bytesOfValues(echoes.as<std::uint16_t>(0.3, 8192.0)), "<u2");
    ASSERT_FALSE(found.empty());
    EXPECT_NEAR(found.front().codeOffset, 8192.0, 20.0);
    EXPECT_EQ(guessBandCentre(*file(), ChannelImport{}), 0.0) << "no bytes of its own";
    EXPECT_TRUE(channels(std::string(40, 'x'), "<i2").empty()) << "few values";
}

TEST_F(ImportGuesses, ChannelsThatLieSideBySide) {
    using enum ArrayAxis;
    // Each channel swings slowly in its own way, so that rows of all channels are alike.
    constexpr std::size_t kSideBySide = 64;
    std::mt19937 random(5);
    std::normal_distribution<double> normal;
    std::vector<double> sizes;
    std::vector<double> phases;
    for (std::size_t c = 0; c < kSideBySide; ++c) {
        sizes.push_back(3000.0 * normal(random));
        phases.push_back(10.0 * normal(random));
    }
    std::vector<std::int16_t> rows;
    for (int n = 0; n < 512; ++n)
        for (std::size_t c = 0; c < kSideBySide; ++c)
            rows.push_back(static_cast<std::int16_t>(
                std::clamp(sizes[c] * std::cos(0.15 * n + phases[c]) + 30.0 * normal(random),
                           -32000.0, 32000.0)));
    const auto found = channels(bytesOfValues(rows), "<i2");
    ASSERT_FALSE(found.empty());
    const auto& axes = found.front().axes;
    EXPECT_EQ(axes.back().role, Channel);
    EXPECT_EQ(axes[axes.size() - 2].role, Sample);
    EXPECT_EQ(sizeOf(found.front(), Channel, 0), 64);
}

TEST_F(ImportGuesses, AsManyTransmitsAsChannelsAreSingleElements) {
    using enum ArrayAxis;
    std::vector<std::int16_t> all;
    for (unsigned transmit = 0; transmit < 16; ++transmit) {
        const auto each = BentEchoes(16, 300, transmit).as<std::int16_t>();
        all.insert(all.end(), each.begin(), each.end());
    }
    const auto found = channels(bytesOfValues(all), "<i2");
    const auto square = std::ranges::find_if(
        found, [](const ChannelImport& each) { return sizeOf(each, Channel, 0) == 16; });
    ASSERT_NE(square, found.end());
    EXPECT_EQ(sizeOf(*square, Transmit, 0), 16);
    EXPECT_EQ(square->wave, Wave::Element);
}

TEST_F(ImportGuesses, ImagesOfSignals) {
    using enum ArrayAxis;
    const BentEchoes echoes(96, 300);
    auto found = images(bytesOfValues(echoes.as<std::int16_t>()), "<i2");
    ASSERT_FALSE(found.empty());
    EXPECT_EQ(found.front().form, RecordedForm::Beamformed);
    EXPECT_EQ(found.front().axes.back().size, 300);
    const BentEchoes baseband(96, 300, 3, 0.0, 8.0);
    found = images(bytesOfValues(baseband.asPairs<std::int16_t>()), "<i2");
    ASSERT_FALSE(found.empty());
    EXPECT_EQ(found.front().axes.back().role, Iq);
    EXPECT_EQ(found.front().axes[2].size, 300);
    found = images(bytesOfValues(echoes.asPairs<float>()), "<c8");
    ASSERT_FALSE(found.empty());
    EXPECT_TRUE(found.front().complexElements);
    EXPECT_EQ(found.front().form, RecordedForm::Beamformed);
    EXPECT_EQ(suggestImageImports(*file(), {}, 1).size(), 1U) << "no more than asked for";
    EXPECT_TRUE(images(std::string(300, 'x'), "<i2").empty()) << "fewer than 16 lines of 16";
}

TEST_F(ImportGuesses, ArraysByTheirTexture) {
    using enum ArrayAxis;
    const BentEchoes echoes(32, 200);
    const auto lines = echoes.as<std::int16_t>();
    const std::string one = bytesOfValues(lines);
    const std::string other = bytesOfValues(BentEchoes(32, 200, 9).as<std::int16_t>());
    EXPECT_THAT(meaningsOf(guessed("<i2", "(2, 32, 200)", one + one).import),
                ElementsAre(Frame, Channel, Sample))
        << "it repeats";
    EXPECT_THAT(meaningsOf(guessed("<i2", "(2, 32, 200)", one + other).import),
                ElementsAre(Transmit, Channel, Sample));
    EXPECT_THAT(meaningsOf(guessed("<i2", "(2, 2, 32, 200)", one + other + one + other).import),
                ElementsAre(Frame, Transmit, Channel, Sample));
    EXPECT_THAT(meaningsOf(guessed("<i2", "(200, 32, 2)", one + other, true).import),
                ElementsAre(Sample, Channel, Transmit))
        << "MATLAB's order";
    EXPECT_THAT(meaningsOf(guessed("<i2", "(1, 32, 1, 200)", one).import),
                ElementsAre(std::nullopt, Channel, std::nullopt, Sample));
    const ArrayGuess line = guessed("<i2", "(1, 200)", one.substr(0, 400));
    EXPECT_THAT(meaningsOf(line.import), ElementsAre(std::nullopt, Sample));
    EXPECT_NEAR(guessed("<i2", "(32, 200)", one).bandCentre, 0.25, 0.02);
    const ArrayGuess pairs = guessed("<c8", "(32, 200)", bytesOfValues(echoes.asPairs<float>()));
    EXPECT_TRUE(pairs.import.complexElements);
    EXPECT_EQ(pairs.bandCentre, 0.0);
    std::vector<float> gaps = echoes.as<float>();
    gaps[5] = std::numeric_limits<float>::quiet_NaN();
    EXPECT_THAT(meaningsOf(guessed("<f4", "(32, 200)", bytesOfValues(gaps)).import),
                ElementsAre(Channel, Sample));
    std::vector<std::int16_t> many;
    for (unsigned i = 0; i < 8; ++i) {
        const auto each = BentEchoes(8, 100, i).as<std::int16_t>();
        many.insert(many.end(), each.begin(), each.end());
    }
    EXPECT_EQ(guessed("<i2", "(8, 8, 100)", bytesOfValues(many)).import.wave, Wave::Element);
}

TEST_F(ImportGuesses, SpectraAreRealCodes) {
    const auto mayBe = [&](const std::string& descr, std::size_t bytes) {
        writeFile(m_path, npyBytes(npyDictionary(descr, "(8, 16)"), std::string(bytes, '\1')));
        return mayBeSpectra(m_path, *openContainer(file()));
    };
    EXPECT_TRUE(mayBe("<u2", 256));
    EXPECT_FALSE(mayBe("<c8", 1024));
}

/// Frames of 4 depths and 10 lines, 80 bytes each.
ImageImport pixelRows() {
    using enum ArrayAxis;
    ImageImport import;
    import.type = parseElementType("<i2");
    import.axes = {{Frame, -1}, {Depth, 4}, { Lateral, 10 }};
    import.depthStepM = 0.1e-3;
    import.lateralStepM = 0.2e-3;
    return import;
}

TEST(ImportAxes, TellWhatDoesNotFit) {
    using enum ArrayAxis;
    const auto sentence = [](std::vector<ImportAxis> axes, std::uint64_t bytes = 480) {
        ImageImport import = pixelRows();
        import.axes = std::move(axes);
        return checkImageImport(import, bytes).sentence;
    };
    EXPECT_THAT(sentence({{Frame, 6}, {Depth, 4}, {Lateral, 10}}), HasSubstr("6 frames"));
    EXPECT_THAT(sentence({{Frame, 7}, {Depth, 4}, {Lateral, 10}}), HasSubstr("80 more than"));
    EXPECT_THAT(sentence({{Frame, 5}, {Depth, 4}, {Lateral, 10}}), HasSubstr("80 less than"));
    EXPECT_THAT(sentence({{Elevation, -1}, {Depth, 4}, {Lateral, 10}}, 500),
                HasSubstr("6 planes and 20 bytes"));
    EXPECT_THAT(sentence({{Depth, 4}, {Lateral, -1}}, 7), HasSubstr("One line takes 8 bytes"));
    EXPECT_THAT(sentence({{std::nullopt, -1}, {Depth, 4}, {Lateral, 10}}),
                HasSubstr("must be one of frame, elevation, depth, lateral and iq"));
    EXPECT_THAT(sentence({{Depth, 4}, {Lateral, 10}, {Iq, 3}}), HasSubstr("2 entries, not 3"));
    EXPECT_THAT(sentence({{Depth, 4}, {Frame, 6}}), HasSubstr("which axis counts the lines"));
    EXPECT_THAT(sentence({{Depth, 0}, {Lateral, 10}}), HasSubstr("1 or more entries"));
    EXPECT_THAT(sentence({{Elevation, 3}, {Depth, 4}, {Lateral, 20}}), HasSubstr("the plane step"));
    ImageImport array = pixelRows();
    array.type.reset(); // an array in a file knows all its sizes
    EXPECT_THAT(checkImageImport(array, 480).sentence, HasSubstr("not -1"));
    array.axes[0].size = 6;
    EXPECT_TRUE(checkImageImport(array, 1).fits) << "the file's size says nothing";
    ImageImport trailed = pixelRows();
    trailed.trailerBytes = std::numeric_limits<std::uint64_t>::max();
    EXPECT_THAT(checkImageImport(trailed, 480).sentence, HasSubstr("larger than any file"));
    EXPECT_EQ(inQuotes("a\x7f"), "\"a\\u007f\"");
}

TEST(ImportAxes, AFirstFrameIsCutToTheFile) {
    using enum ArrayAxis;
    ImageImport import = pixelRows();
    import.axes = {{Depth, 4}, {Lateral, 10}, { Iq, 2 }};
    import.form = RecordedForm::Beamformed;
    const ImageImport part = firstFrame(import, 100);
    EXPECT_EQ(sizeOf(part, Iq, 0), 2) << "a pair stays whole";
    EXPECT_LT(sizeOf(part, Depth, 0) * sizeOf(part, Lateral, 0), 26);
    EXPECT_THROW(firstFrame(import, 5), Error) << "no pair fits";
    import = pixelRows();
    import.type.reset();
    import.axes[0].size = 6;
    EXPECT_EQ(firstFrame(import, 1).axes, import.axes) << "arrays are not cut";
    ChannelImport echoes;
    echoes.type = parseElementType("<i2");
    echoes.axes = {{Transmit, 2}, {Channel, 4}, {Sample, 10}};
    const ChannelImport shown = firstFrame(echoes, 160);
    EXPECT_GT(shown.samplingFrequencyHz, 0.0);
    EXPECT_EQ(shown.anglesRad.size(), 2U);
    echoes.wave = Wave::Element;
    EXPECT_TRUE(firstFrame(echoes, 160).anglesRad.empty());
    echoes.axes = {{Channel, 4}, {Sample, 10}, {Iq, 2}};
    EXPECT_GT(firstFrame(echoes, 160).demodulationFrequencyHz, 0.0);
    echoes.axes.pop_back();
    echoes.axes[1].role.reset();
    EXPECT_THROW(firstFrame(echoes, 160), Error) << "no axis counts the samples";
}

TEST(ImportAxes, OfMatricesMustHoldTheChannels) {
    using enum ArrayAxis;
    ChannelImport import;
    import.type = parseElementType("<i2");
    import.axes = {{Channel, 4}, { Sample, 10 }};
    import.samplingFrequencyHz = 20e6;
    import.pitchM = 0.3e-3;
    import.array = ChannelImport::Array::Matrix;
    const auto sentence = [&](std::int64_t columns, std::int64_t rows) {
        import.columns = columns;
        import.rows = rows;
        return checkChannelImport(import, 80).sentence;
    };
    EXPECT_THAT(sentence(2, 2), HasSubstr("It fits"));
    EXPECT_THAT(sentence(3, 1), HasSubstr("fewer than the 4 channels"));
    EXPECT_THAT(sentence(std::int64_t{1} << 40, std::int64_t{1} << 40),
                HasSubstr("more elements than any array"));
    EXPECT_THAT(sentence(2, 0), HasSubstr("columns and rows of the array"));
    import.array = ChannelImport::Array::Linear;
    import.wave = Wave::Element;
    import.axes.insert(import.axes.begin(), ImportAxis{Transmit, 5});
    EXPECT_THAT(checkChannelImport(import, 400).sentence, HasSubstr("cannot fire"));
    import.wave = Wave::None;
    EXPECT_TRUE(checkChannelImport(import, 400).fits) << "nothing is sent";
}

class KeptDescriptions : public ImportGuesses {
protected:
    void describe(const std::string& text) const { writeFile(m_path.string() + ".toml", text); }
};

TEST_F(KeptDescriptions, OfImagesAreReadWhereTheySayNoMore) {
    using enum ArrayAxis;
    writeFile(m_path, bytesOfValues(countedUp<std::int16_t>(40)));
    const std::string sizes = "dtype = \"<i2\"\nshape = [4, 10]\n";
    const std::string axes = "axes = [\"depth\", \"lateral\"]\n";
    const auto read = [&](const std::string& data, const std::string& image) {
        describe("[data]\n" + data + "[image]\nform = \"envelope\"\n" + image);
        return readImageImport(m_path);
    };
    ASSERT_TRUE(read(sizes + axes, "depth_step = 1e-4\n"));
    EXPECT_EQ(read(sizes + axes, "depth_step = 1e-4\n")->depthStepM, 1e-4);
    const auto even = read(sizes + axes, "angle_step = 0.1\n");
    ASSERT_TRUE(even);
    EXPECT_NEAR(even->anglesRad.front(), -0.45, 1e-12);
    EXPECT_NEAR(even->anglesRad.back(), 0.45, 1e-12);
    EXPECT_FALSE(read(sizes + axes, "angles = [0, 1]\n")) << "10 lines";
    EXPECT_FALSE(read("dtype = \"<i2\"\nshape = [4, -1]\n" + axes, "angle_step = 0.1\n"))
        << "nothing tells how many lines fan out";
    EXPECT_FALSE(read(sizes + axes, "angle_step = \"step\"\n")) << "an array gives it";
    EXPECT_FALSE(read("dtype = \"<i2\"\nshape = [40]\n" + axes, "")) << "two axes";
    EXPECT_FALSE(read("transmit_arrays = [\"a\"]\n" + axes, ""));
    EXPECT_FALSE(read("array = [\"a\", \"b\"]\n" + axes, ""));
    EXPECT_FALSE(read("array = \"a{frame}\"\n" + axes, ""));
    EXPECT_FALSE(read("array = \"a\"\n" + axes, "")) << "the file holds no arrays";
    const auto none = read("dtype = \"<i2\"\nshape = [4, 1, 10]\n"
                           "axes = [\"depth\", \"none\", \"lateral\"]\n",
                           "");
    ASSERT_TRUE(none);
    EXPECT_THAT(meaningsOf(*none), ElementsAre(Depth, std::nullopt, Lateral));
    EXPECT_FALSE(readChannelImport(m_path)) << "images";
}

TEST_F(KeptDescriptions, OfEchoesAreReadWhereTheySayNoMore) {
    writeFile(m_path, bytesOfValues(countedUp<std::int16_t>(40)));
    const auto read = [&](const std::string& more) {
        describe("[data]\ndtype = \"<i2\"\nshape = [4, 10]\naxes = [\"channel\", \"sample\"]\n"
                 "[signal]\nsampling_frequency = 2e7\n[probe]\n" +
                 more);
        return readChannelImport(m_path);
    };
    ASSERT_TRUE(read("pitch = 3e-4\n"));
    const auto matrix = read("pitch = 3e-4\ncolumns = 2\nrows = 2\n");
    ASSERT_TRUE(matrix);
    EXPECT_EQ(matrix->array, ChannelImport::Array::Matrix);
    EXPECT_FALSE(read("x = [0, 1, 2, 3]\n")) << "places of elements";
    EXPECT_FALSE(read("pitch = 3e-4\n[transmit]\nsources = [[0, 0, 1]]\nwave = \"focused\"\n"));
}

TEST_F(KeptDescriptions, OfSpectraInArraysHoldNoCurves) {
    writeFile(m_path, npyBytes(npyDictionary("<u2", "(2, 3, 8)"),
                               bytesOfValues(countedUp<std::uint16_t>(48))));
    const std::string axes = "axes = [\"bscan\", \"lateral\", \"sample\"]\n";
    const auto read = [&](const std::string& data, const std::string& spectrometer = {}) {
        describe("[data]\n" + data + "[spectrometer]\n" + spectrometer);
        return readRawImport(m_path).has_value();
    };
    EXPECT_TRUE(read(axes, "bandwidth = 1e-7\n"));
    EXPECT_FALSE(read("array = [\"a\", \"b\"]\n" + axes));
    EXPECT_FALSE(read("axes = [\"lateral\", \"bscan\", \"sample\"]\n")) << "another order";
    EXPECT_FALSE(read("axes = [\"lateral\", \"sample\"]\n")) << "one axis fewer";
    EXPECT_FALSE(read("axes = [\"none\", \"lateral\", \"sample\"]\n"));
    for (const char* curve : {"background", "resampling", "chirp", "dispersion", "wavelengths"})
        EXPECT_FALSE(read(axes, std::string(curve) + " = [1, 2, 3, 4, 5, 6, 7, 8]\n")) << curve;
}

} // namespace
} // namespace echolux::test
