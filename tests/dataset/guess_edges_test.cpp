// SPDX-License-Identifier: GPL-3.0-or-later
// Guesses at the edges of what tells something: short lines, odd types, large arrays, names; and
// half matrices of every sample type.
#include "app/dataset/container/container.hpp"
#include "app/dataset/frames/array_recording.hpp"
#include "app/dataset/frames/channel_import.hpp"
#include "app/dataset/frames/image_import.hpp"
#include "app/dataset/frames/line_length.hpp"
#include "app/dataset/frames/line_statistics.hpp"
#include "app/dataset/frames/raw_import.hpp"
#include "app/dataset/frames/reciprocity.hpp"
#include "tests/dataset/crafted_hdf5.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>
#include <random>

namespace echolux::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

TEST(LineStatistics, OfTooFewValuesAreNone) {
    const TemporaryFolder folder;
    writeFile(folder / "a.raw", bytesOfValues<double>({1.5, kNaN, 1e31, -2e30, 2}));
    const InputFile file(folder / "a.raw");
    const ElementType real{.kind = ElementType::Kind::Real, .bytes = 8};
    EXPECT_THAT(valuesAt(file, 0, real, 9), ElementsAre(1.5, 0, 0, 0, 2));
    EXPECT_THAT(valuesAt(file, 40, real, 9), IsEmpty());
    const std::vector<double> values = countedUp<double>(200);
    EXPECT_EQ(predictionGainDb(values, {23, 1, {0}}), 0.0);
    EXPECT_EQ(selfLikeness(values, 199), 0.0);
    EXPECT_THAT(powerSpectrum(values, {128, 1, {}}), IsEmpty());
    EXPECT_FALSE(lookLikePairs({}));
}

/// Noise 1; of the band 10 and 9 the centroid above it is at 8/17 of a step from the peak.
TEST(LineStatistics, BandsAtTheEndsOfTheSpectrum) {
    EXPECT_NEAR(bandCentreOf(std::vector<double>{10, 9, 1, 1, 1, 1, 1, 1, 1}), 8.0 / 17 / 16,
                1e-12);
    EXPECT_NEAR(bandCentreOf(std::vector<double>{1, 1, 1, 1, 1, 1, 1, 9, 10}), 128.0 / 17 / 16,
                1e-12);
}

TEST(LineStatistics, PairsHaveLowAndHighFrequencies) {
    std::vector<double> slow;
    std::vector<double> alternating;
    std::vector<double> both;
    for (int i = 0; i < 4096; ++i) {
        const double low = std::sin(2.0 * std::numbers::pi * i / 100.0);
        const double high = i % 2 == 0 ? low : -low;
        slow.push_back(low);
        alternating.push_back(high);
        both.push_back(low + high);
    }
    EXPECT_FALSE(lookLikePairs(slow));
    EXPECT_FALSE(lookLikePairs(alternating));
    EXPECT_TRUE(lookLikePairs(both));
}

/// Lines longer than an eighth of what is looked at are compared over all values.
TEST(LineStatistics, LongLinesAreFound) {
    constexpr std::size_t kTextureLength = 40'000;
    std::mt19937 random(3);
    std::vector<double> texture(4 * kTextureLength);
    for (std::size_t i = 0; i < texture.size(); ++i)
        texture[i] =
            i < kTextureLength ? static_cast<double>(random() % 1000) : texture[i - kTextureLength];
    const LineLength found = lineLengthOf(texture, {39'000, 40'000, 41'000});
    EXPECT_EQ(found.length, 40'000);
    EXPECT_NEAR(found.likeness, 1.0, 1e-9);
}

ElementType typeOf(const TemporaryFolder& folder, const std::string& bytes) {
    writeFile(folder / "type.raw", bytes);
    return guessElementType(InputFile(folder / "type.raw"));
}

TEST(TypeGuesses, OfWholeNumbers) {
    const TemporaryFolder folder;
    std::mt19937 random(5);
    std::vector<std::int32_t> wide;
    std::vector<std::int16_t> rising; // above 0, most of them near it
    std::string noise;
    for (int i = 0; i < 20'000; ++i) {
        wide.push_back(static_cast<std::int32_t>(random() % 60'000) - 30'000);
        const double part = static_cast<double>(random() % 1000) / 1000.0;
        rising.push_back(static_cast<std::int16_t>(3000.0 * part * part * part * part));
        noise += static_cast<char>(random());
    }
    EXPECT_EQ(nameOf(typeOf(folder, bytesOfValues(wide))), "<i4");
    EXPECT_EQ(nameOf(typeOf(folder, bytesOfValues(wide, true))), ">i4");
    EXPECT_EQ(nameOf(typeOf(folder, bytesOfValues(rising))), "<i2");
    EXPECT_EQ(nameOf(typeOf(folder, noise)), "<i2") << "nothing tells";
    EXPECT_EQ(nameOf(typeOf(folder, "")), "<i2") << "nothing is there";
}

TEST(TypeGuesses, EchoesSwingAboutALevel) {
    const TemporaryFolder folder;
    const ElementType codes{.kind = ElementType::Kind::Unsigned, .bytes = 2};
    const auto echoes = [&](auto code) {
        std::vector<std::uint16_t> values(4096);
        for (std::size_t i = 0; i < values.size(); ++i) values[i] = code(i);
        writeFile(folder / "echoes.raw", bytesOfValues(values));
        return looksLikeEchoes(InputFile(folder / "echoes.raw"), codes, 0);
    };
    EXPECT_FALSE(echoes([](std::size_t) { return std::uint16_t{7}; }));
    EXPECT_TRUE(echoes([](std::size_t i) { return std::uint16_t(10'000 + i % 7 * 100); }));
    EXPECT_FALSE(echoes([](std::size_t i) { return std::uint16_t(i % 10 == 0 ? 12'000 : 10'000); }))
        << "most lie on one side of the mean";
    EXPECT_FALSE(looksLikeEchoes(InputFile(folder / "echoes.raw"), codes, 8192));
    EXPECT_FALSE(looksLikeImages(InputFile(folder / "echoes.raw"), codes, 8192));
}

std::shared_ptr<ArrayContainer> containerOf(const std::filesystem::path& path) {
    return openContainerHere(std::make_shared<const InputFile>(path));
}

TEST(ArrayGuesses, TakeFactsByTheirNames) {
    const TemporaryFolder folder;
    const auto path = folder / "named.h5";
    std::mt19937 random(9);
    {
        Hdf5Builder file(path);
        std::vector<double> noise(16 * 32 * 64);
        for (double& value : noise) value = static_cast<double>(random() % 1000) - 500.0;
        file.add<double>("rf", {16, 32, 64}, noise);
        file.add<double>("smaller", {64, 32}, std::vector<double>(2048, 1.0));
        const auto number = [&](const char* name, double value) {
            file.add<double>(name, {1}, {value});
        };
        number("facts/FS_MHz", 40);
        number("facts/fc", 5);   // no Hz of ultrasound
        number("facts/_mhz", 3); // a unit without a word
        number("facts/pitch_mm", 0.3);
        number("facts/fps", 50);
        number("facts/c", 1480);
        number("facts/weather", 1);
        file.add<double>("facts/theta", {2}, {0.1, 999.0});
        file.add<double>("facts/t0", {5000}, std::vector<double>(5000, 1e-6));
    }
    const auto container = containerOf(path);
    const ArrayGuess guess = guessArray(path, *container);
    EXPECT_EQ(guess.import.name, "rf");
    EXPECT_DOUBLE_EQ(guess.import.samplingFrequencyHz, 40e6);
    EXPECT_DOUBLE_EQ(guess.import.pitchM, 0.3e-3);
    EXPECT_DOUBLE_EQ(guess.import.frameRateHz, 50.0);
    EXPECT_DOUBLE_EQ(guess.import.soundSpeedMps, 1480.0);
    EXPECT_THAT(guess.import.anglesRad, IsEmpty());
    EXPECT_THAT(guess.import.firstSampleS, ElementsAre(0.0));
    EXPECT_EQ(guess.import.wave, Wave::Plane);
}

TEST(ArrayGuesses, LookAtSomeNamesAlone) {
    const TemporaryFolder folder;
    const auto path = folder / "many.mat";
    {
        std::vector<matvar_t*> cells;
        for (int i = 0; i < 600; ++i) cells.push_back(MatBuilder::number(i));
        MatBuilder file(path);
        file.add(MatBuilder::cells("c", cells));
        file.add(MatBuilder::array<double>("rf", {64, 32}, countedUp<double>(2048)));
    }
    const auto container = containerOf(path);
    EXPECT_EQ(guessArray(path, *container, "rf").import.axes.size(), 2U);
    EXPECT_THROW(chosenArray(path, *container, ""), Error) << "rf comes after 512 others";
}

TEST(ArrayGuesses, PairsOfCodesAreNoSpectraOrPictures) {
    const TemporaryFolder folder;
    const auto path = folder / "pairs.h5";
    {
        const Hdf5Handle file(H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT));
        for (const auto& [name, part] :
             {std::pair("bytes", H5T_STD_U8LE), std::pair("codes", H5T_STD_U16LE)}) {
            const std::size_t bytes = H5Tget_size(part);
            const Hdf5Handle type(H5Tcreate(H5T_COMPOUND, 2 * bytes));
            H5Tinsert(type.get(), "r", 0, part);
            H5Tinsert(type.get(), "i", bytes, part);
            hdf5_crafts::dataset(file.get(), name, type.get(), {16, 16}, {16, 16});
        }
        hdf5_crafts::dataset(file.get(), "plain", H5T_STD_U8LE, {16, 16}, {16, 16});
    }
    const auto container = containerOf(path);
    EXPECT_FALSE(mayBeSpectra(path, *container, "codes"));
    EXPECT_TRUE(mayBeSpectra(path, *container, "plain"));
    EXPECT_FALSE(looksLikeImages(path, *container, "bytes"));
    EXPECT_FALSE(looksLikeImages(path, *container, "codes"));
    EXPECT_TRUE(looksLikeImages(path, *container, "plain"));
}

/// Of arrays of more than 64 MiB one slice is read, where that can be done.
TEST(ArrayGuesses, OfLargeArraysLookAtASlice) {
    const TemporaryFolder folder;
    const auto path = folder / "large.npy";
    const auto large = [&](const char* type, const char* shape, bool fortran) {
        const std::string head = npyBytes(npyDictionary(type, shape, fortran), "");
        writeFile(path, head);
        std::filesystem::resize_file(path, head.size() + (std::uintmax_t{70} << 20U));
        return containerOf(path);
    };
    struct Case {
        const char* shape;
        bool fortran;
        bool seen; ///< its slices are small
    };
    for (const Case& each :
         {Case{"(70, 1024, 1024)", false, true}, Case{"(1024, 1024, 70)", true, true},
          Case{"(1, 73400320)", false, false}, Case{"(73400320, 1)", true, false}}) {
        SCOPED_TRACE(each.shape);
        const auto container = large("|i1", each.shape, each.fortran);
        EXPECT_EQ(guessArray(path, *container).bandCentre, 0.0);
        EXPECT_EQ(guessImageArray(path, *container).form,
                  each.seen ? RecordedForm::Envelope : RecordedForm::Beamformed)
            << "zeros are no levels, and what cannot be read says nothing";
    }
    writeFile(path, npyBytes(npyDictionary("<c8", "(5, 20, 2)"), std::string(1600, '\0')));
    const ImageImport pairs = guessImageArray(path, *containerOf(path));
    EXPECT_EQ(pairs.axes.back().role, ArrayAxis::Lateral);
}

/// Zeros but where `heard` is true of transmitter and receiver; elements fire as told.
template <class T, class Heard> bool isFilled(DType type, const std::vector<std::size_t>& firing,
                                              T silent, Heard heard,
                                              std::vector<float> weights = {}) {
    constexpr int kFewChannels = 4;
    constexpr int kLong = 6;
    RecordingInfo info;
    info.frame = sampleSpec(type, static_cast<int>(firing.size()), kFewChannels, kLong);
    auto acquisition = std::make_shared<Acquisition>(*info.frame.acquisition);
    for (std::size_t t = 0; t < firing.size(); ++t)
        acquisition->transmits[t] = {.wave = Wave::Element,
                                     .source = acquisition->probe.elements[firing[t]]};
    acquisition->receiveWeights = std::move(weights);
    info.frame.acquisition = std::move(acquisition);
    const ReciprocalFill fill(info, [&](std::span<std::byte> out) {
        T* at = reinterpret_cast<T*>(out.data());
        const std::size_t each = out.size() / sizeof(T) / firing.size() / kFewChannels;
        for (const std::size_t t : firing)
            for (std::size_t c = 0; c < kFewChannels; ++c)
                for (std::size_t n = 0; n < each; ++n)
                    *at++ = heard(t, c) ? static_cast<T>(n + 1) : silent;
    });
    EXPECT_EQ(fill.fills(), !info.notes.empty());
    return fill.fills();
}

TEST(HalfMatrices, AreToldInEverySampleType) {
    const std::vector<std::size_t> all{0, 1, 2, 3};
    const auto above = [](std::size_t t, std::size_t c) { return t <= c; };
    const auto below = [](std::size_t t, std::size_t c) { return t >= c; };
    const auto both = [](std::size_t, std::size_t) { return true; };
    EXPECT_TRUE(isFilled(DType::U8, all, std::uint8_t{}, above));
    EXPECT_TRUE(isFilled(DType::U16, all, std::uint16_t{9}, below));
    EXPECT_TRUE(isFilled(DType::I16, all, std::int16_t{}, above));
    EXPECT_TRUE(isFilled(DType::ComplexI16, all, std::int16_t{}, below));
    EXPECT_TRUE(isFilled(DType::F32, all, 0.0F, above));
    EXPECT_TRUE(isFilled(DType::F32, all, std::nanf(""), below)) << "NaN is nothing, too";
    EXPECT_FALSE(isFilled(DType::F32, all, 0.0F, both));
    EXPECT_TRUE(isFilled(DType::I16, {0, 1, 2, 3, 0}, std::int16_t{}, above))
        << "of an element that fires twice the first time counts";
}

TEST(HalfMatrices, AreToldByWeightsTwoAndZero) {
    const auto both = [](std::size_t, std::size_t) { return true; };
    const auto weighted = [&](float there, float back) {
        std::vector<float> weights(16, 1.0F);
        weights[1] = there; // of element 0 at element 1
        weights[4] = back;
        return isFilled(DType::I16, {0, 1, 2, 3}, std::int16_t{}, both, weights);
    };
    EXPECT_TRUE(weighted(2, 0));
    EXPECT_TRUE(weighted(0, 2));
    EXPECT_FALSE(weighted(2, 1));
    EXPECT_FALSE(weighted(1, 2));
    EXPECT_FALSE(weighted(1, 1));
}

/// Frames [transmit 1][channel 2][sample 3] of a file, as int16, with its axes in some order.
struct Stored {
    std::vector<ArrayAxis> axes;
    std::vector<std::int64_t> shape;
    bool pairs = false;
    bool conjugate = false;
    double offset = 0.0;
};

TEST(ArrayRecordings, AreReadInPartsWhereTheyAreStoredAsDelivered) {
    using enum ArrayAxis;
    const TemporaryFolder folder;
    writeFile(folder / "a.raw", bytesOfValues(countedUp<std::int16_t>(48)));
    const auto file = std::make_shared<const InputFile>(folder / "a.raw");
    const auto parted = [&](const Stored& stored) {
        const ArrayLayout layout{{.kind = ElementType::Kind::Signed, .bytes = 2}, stored.shape};
        const ArrayMapping mapping{stored.axes, stored.conjugate, stored.offset};
        const ArrayExtents extents = extentsOf(file->path(), layout, mapping);
        RecordingInfo info;
        info.path = file->path();
        info.frameCount = extents.frames;
        info.frame = frameSpecOf(layout, extents, 20e6);
        if (stored.pairs) info.frame.demodulationFrequencyHz = 5e6;
        info.frame.acquisition = std::make_shared<const Acquisition>(sampleAcquisition(
            static_cast<int>(extents.transmits), static_cast<int>(extents.channels)));
        const auto recording =
            makeArrayRecording(info, std::make_unique<FileArray>(file, 0, layout), mapping);
        recording->foresee(0);
        return !recording->partsOf(1).empty();
    };
    EXPECT_TRUE(parted({{Frame, Channel, Sample}, {2, 2, 3}}));
    EXPECT_FALSE(parted({{Frame, Sample, Channel}, {2, 3, 2}}));
    EXPECT_FALSE(parted({{Channel, Frame, Sample}, {2, 2, 3}})) << "read whole";
    EXPECT_TRUE(parted({{Frame, Channel, Sample, Iq}, {2, 2, 3, 2}, true}));
    EXPECT_FALSE(parted({{Frame, Channel, Sample, Iq}, {2, 2, 3, 2}, true, true}));
    EXPECT_FALSE(parted({{Frame, Channel, Sample, Iq}, {2, 2, 3, 2}, true, false, 1.0}));
    EXPECT_FALSE(parted({{Frame, Iq, Channel, Sample}, {2, 2, 2, 1}, true}));
    EXPECT_FALSE(parted({{Frame, Channel, Transmit, Sample}, {2, 2, 2, 3}}));
    const ElementType complex{.kind = ElementType::Kind::Real, .bytes = 4, .components = 2};
    const auto refused = [&](const ElementType& type, std::int64_t parts) {
        try {
            extentsOf("a.raw", {type, {2, 3, parts}}, {{Channel, Sample, Iq}});
        } catch (const Error& error) {
            return std::string(error.what());
        }
        return std::string();
    };
    EXPECT_THAT(refused({}, 3), HasSubstr("the axis 'iq' has 3 entries"));
    EXPECT_THAT(refused(complex, 2), HasSubstr("drop one"));
    EXPECT_THAT(refused({}, 2), IsEmpty());
}

} // namespace
} // namespace echolux::test
