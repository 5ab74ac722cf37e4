// SPDX-License-Identifier: GPL-3.0-or-later
// Images as somebody describes them: what fits, what is missing, what is guessed, what is kept.
#include "app/dataset/container/container.hpp"
#include "app/dataset/frames/channel_import.hpp"
#include "app/dataset/frames/image_import.hpp"
#include "gpu/core/sector.hpp"
#include "tests/dataset/sample_files.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numbers>
#include <random>

namespace echolux::test {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using Lines = ImageImport::Lines;

constexpr double kRadian = std::numbers::pi / 180.0;

/// Frames of 4 depths and 10 lines, 80 bytes each.
ImageImport envelopes() {
    ImageImport import;
    import.type = parseElementType("<i2");
    import.axes = {{ArrayAxis::Frame, -1}, {ArrayAxis::Depth, 4}, { ArrayAxis::Lateral, 10 }};
    import.depthStepM = 0.1e-3;
    import.lateralStepM = 0.2e-3;
    return import;
}

ImageImport fannedOut(std::vector<double> degrees) {
    ImageImport import = envelopes();
    import.lines = Lines::FanOut;
    import.lateralStepM = 0.0;
    for (const double angle : degrees) import.anglesRad.push_back(angle * kRadian);
    import.radiusM = 40e-3;
    import.apexZM = -40e-3;
    return import;
}

TEST(ImageFit, SaysWhatFitsAndWhichStepsAreUnknown) {
    ImageImport import = envelopes();
    EXPECT_EQ(checkImageImport(import, 480).sentence, "It fits: 6 frames of 4 depths, 10 lines.");
    EXPECT_EQ(checkImageImport(import, 490).sentence,
              "It does not fit: the file holds 6 frames and 10 bytes, 70 too few for one more.");
    import.depthStepM = import.lateralStepM = 0.0;
    EXPECT_EQ(checkImageImport(import, 80).sentence,
              "It fits: 1 frame of 4 depths, 10 lines. For places in mm, give the depth step and "
              "the line step.");
    import = envelopes();
    import.axes.insert(import.axes.begin() + 1, {ArrayAxis::Elevation, 3});
    EXPECT_EQ(checkImageImport(import, 480).sentence,
              "It fits: 2 frames of 3 planes, 4 depths, 10 lines. For places in mm, give the plane "
              "step.");
    import = envelopes();
    import.axes.push_back({ArrayAxis::Iq, 2});
    import.form = RecordedForm::Beamformed;
    import.depthStepM = 0.0;
    import.samplingFrequencyHz = 20e6;
    EXPECT_EQ(checkImageImport(import, 480).sentence,
              "It fits: 3 frames of 4 depths, 10 lines in I/Q pairs.");
    EXPECT_TRUE(checkImageImport(fannedOut({-30, 30}), 480).fits)
        << "the first and the last of ten";
    EXPECT_TRUE(checkImageImport(fannedOut({-9, -7, -5, -3, -1, 1, 3, 5, 7, 10}), 480).fits);
}

TEST(ImageFit, RefusesWhatCannotBe) {
    const auto refused = [](ImageImport import, const std::function<void(ImageImport&)>& change) {
        change(import);
        const ImageFit fit = checkImageImport(import, 480);
        EXPECT_FALSE(fit.fits) << fit.sentence;
        return fit.sentence;
    };
    const auto sentence = [&](const auto& change) { return refused(envelopes(), change); };
    EXPECT_THAT(sentence([](auto& import) {
                    import.axes.push_back({ArrayAxis::Iq, 2});
                }),
                HasSubstr("I and Q are a signal"));
    EXPECT_THAT(sentence([](auto& import) { import.codeScale = 0.0; }), HasSubstr("value 0"));
    EXPECT_THAT(sentence([](auto& import) {
                    import.samplingFrequencyHz = 20e6;
                    import.soundSpeedMps = 0.0;
                }),
                HasSubstr("speed of sound makes depths"));
    for (const std::vector<double>& range :
         {std::vector{-60.0}, {0.0, -60.0}, {-60.0, -60.0}, {-60.0, -30.0, 0.0}})
        EXPECT_THAT(sentence([&](auto& import) {
                        import.form = RecordedForm::Decibels;
                        import.shownRangeDb = range;
                    }),
                    HasSubstr("two levels in dB"));
    const auto keep = [](auto&) {};
    EXPECT_THAT(refused(fannedOut({}), keep), HasSubstr("at which angles"));
    EXPECT_THAT(refused(fannedOut({-1, 0, 1}), keep), HasSubstr("There are 3 angles for 10 lines"));
    EXPECT_THAT(refused(fannedOut({30, -30}), keep), HasSubstr("must rise"));
    EXPECT_THAT(refused(fannedOut({-200, 30}), keep), HasSubstr("-180 and 180"));
    EXPECT_THAT(refused(fannedOut({-30, 200}), keep), HasSubstr("-180 and 180"));
    EXPECT_THAT(refused(fannedOut({-30, 30}),
                        [](auto& import) {
                            import.axes[0].size = 6;
                            import.axes[2].size = -1;
                        }),
                HasSubstr("how many lines fan out"));
    sentence([](auto& import) { import.axes.pop_back(); });
    constexpr std::int64_t kLarge = std::numeric_limits<std::int64_t>::max();
    for (const std::int64_t bad : {std::int64_t{0}, std::int64_t{-7}, kLarge})
        sentence([&](auto& import) { import.axes[1].size = bad; });
}

class ImageImportFile : public testing::Test {
protected:
    void write(const std::string& bytes) const { writeFile(m_path, bytes); }
    std::shared_ptr<const InputFile> file() const {
        return std::make_shared<const InputFile>(m_path);
    }
    /// The likeliest description, and that it is taken for images.
    ImageImport guess(bool images) const {
        EXPECT_EQ(looksLikeImages(*file(), guessElementType(*file(), 0), 0), images);
        const auto found = suggestImageImports(*file(), {});
        EXPECT_FALSE(found.empty());
        return found.empty() ? ImageImport{} : found.front();
    }
    TemporaryFolder m_folder;
    std::filesystem::path m_path = m_folder / "images.bin";
};

/// Three frames of blobs at random places, nearly alike, as rows; from 0 to about 150.
std::vector<double> blobs(int rows, int columns) {
    std::mt19937 random(5);
    std::uniform_real_distribution<double> any(0.0, 1.0);
    std::vector<double> one(static_cast<std::size_t>(rows) * static_cast<std::size_t>(columns));
    for (int i = 0; i < 60; ++i) {
        const double y = rows * any(random);
        const double x = columns * any(random);
        for (int r = 0; r < rows; ++r)
            for (int c = 0; c < columns; ++c)
                one[static_cast<std::size_t>(r * columns + c)] +=
                    100.0 * std::exp(-((r - y) * (r - y) + (c - x) * (c - x)) / 8.0);
    }
    std::vector<double> all;
    for (int frame = 0; frame < 3; ++frame)
        for (const double value : one) all.push_back(std::min(250.0, value + 4.0 * any(random)));
    return all;
}

template <class T>
std::string bytesAs(const std::vector<double>& values, const std::function<double(double)>& as) {
    std::vector<T> result;
    for (const double value : values) result.push_back(static_cast<T>(as(value)));
    return bytesOfValues(result);
}

TEST_F(ImageImportFile, BytesArePicturesRowByRow) {
    const auto pixels = [](double value) { return value; };
    write(bytesAs<std::uint8_t>(blobs(120, 90), pixels));
    ImageImport import = guess(true);
    EXPECT_EQ(nameOf(*import.type), "|u1");
    EXPECT_EQ(import.form, RecordedForm::Picture);
    const std::vector<ImportAxis> axes{
        {ArrayAxis::Frame, -1}, {ArrayAxis::Depth, 120}, {ArrayAxis::Lateral, 90}};
    EXPECT_EQ(import.axes, axes);
    EXPECT_EQ(checkImageImport(import, file()->size()).extents.frames, 3);
    write(std::string(61, 'h') + bytesAs<std::uint8_t>(blobs(120, 88), pixels));
    import = guess(true);
    EXPECT_EQ(import.headerBytes, 61U);
    EXPECT_EQ(import.axes[2].size, 88);
}

TEST_F(ImageImportFile, LevelsAndAmplitudesLieAlongTheirLines) {
    write(bytesAs<float>(blobs(60, 200), [](double value) { return 0.3 * value - 80.0; }));
    ImageImport import = guess(true);
    EXPECT_EQ(nameOf(*import.type), "<f4");
    EXPECT_EQ(import.form, RecordedForm::Decibels);
    const std::vector<ImportAxis> axes{
        {ArrayAxis::Frame, -1}, {ArrayAxis::Lateral, 60}, {ArrayAxis::Depth, 200}};
    EXPECT_EQ(import.axes, axes);
    write(bytesAs<float>(blobs(60, 200), [](double value) { return value; }));
    EXPECT_EQ(guess(false).form, RecordedForm::Envelope) << "echoes of one sign may be amplitudes";
}

TEST_F(ImageImportFile, NothingIsSuggestedOfNothing) {
    for (const std::size_t bytes : {0U, 1U, 255U, 1000U, 65536U}) {
        write(std::string(bytes, 'x'));
        for (const ImageImport& each : suggestImageImports(*file(), {}))
            EXPECT_TRUE(checkImageImport(each, bytes).fits);
    }
    ImageImport behind;
    behind.headerBytes = 1U << 20U;
    EXPECT_TRUE(suggestImageImports(*file(), behind).empty());
}

class ImageArrays : public ImageImportFile {
protected:
    ImageImport guessed(const std::string& descr, const std::string& shape, std::size_t bytes,
                        bool fortran = false) {
        std::string data(bytes, '\0');
        for (std::size_t i = 0; i < bytes; i += 2) data[i] = '\1';
        write(npyBytes(npyDictionary(descr, shape, fortran), data));
        const auto container = openContainer(file());
        m_images = looksLikeImages(m_path, *container);
        return guessImageArray(m_path, *container);
    }
    bool m_images = false;
};

TEST_F(ImageArrays, HaveTheUsualOrderOfAxes) {
    using enum ArrayAxis;
    const auto rolesOf = [](const ImageImport& import) {
        std::vector<std::optional<ArrayAxis>> roles;
        for (const ImportAxis& axis : import.axes) roles.push_back(axis.role);
        return roles;
    };
    EXPECT_THAT(rolesOf(guessed("|u1", "(3, 20, 30)", 1800)), ElementsAre(Frame, Depth, Lateral));
    EXPECT_TRUE(m_images);
    EXPECT_THAT(rolesOf(guessed("<u2", "(20, 30)", 1200)), ElementsAre(Depth, Lateral));
    EXPECT_FALSE(m_images) << "echoes are stored so, too";
    EXPECT_THAT(rolesOf(guessed("|u1", "(2, 3, 20, 30)", 3600)),
                ElementsAre(Frame, Elevation, Depth, Lateral));
    EXPECT_THAT(rolesOf(guessed("|u1", "(1, 20, 30)", 600)),
                ElementsAre(std::nullopt, Depth, Lateral));
    EXPECT_THAT(rolesOf(guessed("<f4", "(20, 30, 2)", 4800)), ElementsAre(Depth, Lateral, Iq));
    EXPECT_THAT(rolesOf(guessed("|u1", "(20, 30, 3)", 1800, true)),
                ElementsAre(Depth, Lateral, Frame));
    EXPECT_THAT(rolesOf(guessed("|u1", "(20, 30, 2, 3)", 3600, true)),
                ElementsAre(Depth, Lateral, Elevation, Frame));
    const ImageImport complex = guessed("<c8", "(20, 30)", 4800);
    EXPECT_TRUE(complex.complexElements);
    EXPECT_EQ(complex.form, RecordedForm::Beamformed);
    writeZip(m_path, {{"a.npy", npyBytes(npyDictionary("<f8", "()"), std::string(8, '\0'))}},
             false);
    EXPECT_THROW(guessImageArray(m_path, *openContainer(file()), "a"), Error);
}

TEST_F(ImageImportFile, TheAnswerIsKeptAndOpens) {
    write("head" + bytesOfValues(countedUp<std::int16_t>(3 * 40)) + "t");
    ImageImport import = envelopes();
    import.headerBytes = 4;
    EXPECT_THROW(writeImageImport(m_path, import), Error) << "one byte is over";
    import.trailerBytes = 1;
    import.form = RecordedForm::Decibels;
    import.codeScale = 0.5;
    import.shownRangeDb = {-40.0, 0.0};
    import.depthStepM = 0.0;
    import.samplingFrequencyHz = 20e6;
    import.soundSpeedMps = 1500.0;
    import.depthFirstM = 2e-3;
    import.lateralFirstM = -1e-3;
    import.frameRateHz = 25.0;
    EXPECT_EQ(writeImageImport(m_path, import), m_folder / "images.bin.toml");
    const auto recording = openRecording(m_path);
    const RecordingInfo& info = recording->info();
    EXPECT_EQ(info.frame.describe(), "i16 [depth 4][lateral 10]");
    EXPECT_EQ(info.frameCount, 3);
    EXPECT_EQ(info.frameRateHz, 25.0);
    EXPECT_EQ(info.frame.recordedForm, RecordedForm::Decibels);
    EXPECT_EQ(info.frame.codeScale, 0.5);
    EXPECT_EQ(info.frame.valueRange->min, -40.0);
    const Axis& depth = *info.frame.find(AxisName::Depth);
    EXPECT_NEAR(depth.spacing, 1500.0 / (2 * 20e6), 1e-12) << "there and back";
    EXPECT_NEAR(depth.origin, 2e-3, 1e-12);
    EXPECT_NEAR(info.frame.find(AxisName::Lateral)->origin, -1e-3, 1e-12);
    EXPECT_EQ(frameOf(*recording, 2).front(), 80.0);
    const auto again = readImageImport(m_path);
    ASSERT_TRUE(again);
    EXPECT_EQ(toSidecar(*again), toSidecar(import));
    writeFile(m_folder / "images.bin.toml", "# mine\n");
    EXPECT_THROW(writeImageImport(m_path, import), Error);
    EXPECT_FALSE(readImageImport(m_path));
}

TEST_F(ImageImportFile, LinesThatFanOutKeepTheirAngles) {
    write(bytesOfValues(countedUp<std::int16_t>(40)));
    for (const std::vector<double>& degrees :
         {std::vector{-30.0, 33.0}, {-9.0, -7.0, -5.0, -3.0, -1.0, 1.0, 3.0, 5.0, 7.0, 10.0}}) {
        const ImageImport import = fannedOut(degrees);
        writeImageImport(m_path, import);
        const auto sector = openRecording(m_path)->info().frame.sector;
        ASSERT_NE(sector, nullptr);
        ASSERT_EQ(sector->lines(), 10);
        EXPECT_NEAR(sector->anglesRad.front(), degrees.front() * kRadian, 1e-9);
        EXPECT_NEAR(sector->anglesRad.back(), degrees.back() * kRadian, 1e-9);
        EXPECT_NEAR(sector->anglesRad[1], degrees.size() == 2 ? -23.0 * kRadian : -7.0 * kRadian,
                    1e-9);
        EXPECT_NEAR(sector->radiusM, 40e-3, 1e-12);
        const auto again = readImageImport(m_path);
        ASSERT_TRUE(again);
        EXPECT_EQ(again->lines, Lines::FanOut);
        ASSERT_EQ(again->anglesRad.size(), degrees.size());
        for (std::size_t i = 0; i < degrees.size(); ++i)
            EXPECT_NEAR(again->anglesRad[i], degrees[i] * kRadian, 1e-9);
        std::filesystem::remove(m_folder / "images.bin.toml");
    }
}

TEST_F(ImageImportFile, SidecarsThatSayMoreAreNotReadAsDescriptions) {
    write(bytesOfValues(countedUp<std::int16_t>(40)));
    ImageImport import = fannedOut({-30, 30});
    writeImageImport(m_path, import);
    const std::string text = readFile(m_folder / "images.bin.toml");
    for (const char* more : {"\n[probe]\npitch = 0.3e-3\n", "\n[positions]\nfile = \"x.npy\"\n"}) {
        writeFile(m_folder / "images.bin.toml", text + more);
        EXPECT_FALSE(readImageImport(m_path)) << more;
    }
    std::string middle = text; // evenly about the middle, without the first angle
    const std::size_t at = middle.find("angle_first_deg");
    ASSERT_NE(at, std::string::npos);
    middle.erase(at, middle.find('\n', at) + 1 - at);
    writeFile(m_folder / "images.bin.toml", middle);
    const auto read = readImageImport(m_path);
    ASSERT_TRUE(read);
    EXPECT_NEAR(read->anglesRad.front(), -30 * kRadian, 1e-9);
    EXPECT_NEAR(read->anglesRad.back(), 30 * kRadian, 1e-9);
}

TEST_F(ImageImportFile, AFirstFrameOpensThoughSizesDoNotFit) {
    write(bytesOfValues(countedUp<std::int16_t>(55)));
    EXPECT_EQ(openImageImport(file(), firstFrame(envelopes(), 110))->info().frame.describe(),
              "i16 [depth 4][lateral 10]");
    ImageImport import = fannedOut({-9, -7, -5, -3, -1, 1, 3, 5, 7, 10});
    import.axes = {{ArrayAxis::Frame, -1}, {ArrayAxis::Lateral, 10}, { ArrayAxis::Depth, 10 }};
    const auto part = openImageImport(file(), firstFrame(import, 110));
    EXPECT_EQ(part->info().frame.sizeOf(AxisName::Lateral), 5);
    EXPECT_NEAR(part->info().frame.sector->anglesRad.back(), -1 * kRadian, 1e-9);
    import.headerBytes = 109;
    EXPECT_THROW(firstFrame(import, 110), Error);
    import = envelopes();
    import.codeScale = 0.0;
    EXPECT_THROW(firstFrame(import, 110), Error);
    import.axes.pop_back();
    EXPECT_THROW(firstFrame(import, 110), Error);
}

} // namespace
} // namespace echolux::test
