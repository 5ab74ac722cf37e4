// SPDX-License-Identifier: GPL-3.0-or-later
// echolux export: what the files hold, where it lies, what is refused, what is left behind.
#include "app/dataset/container/hdf5_file.hpp"
#include "app/dataset/recording/recording.hpp"
#include "app/export/export.hpp"
#include "app/export/pixels.hpp"
#include "gpu/core/error.hpp"
#include "tests/commands/golden.hpp"

#include <QImage>
#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstring>
#include <fstream>
#include <numbers>
#include <thread>

namespace echolux {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::StartsWith;

constexpr std::size_t kColumns = 41; // of the grid below, 1 mm apart
constexpr std::size_t kRows = 61;    // 0.5 mm apart

class ExportCommand : public testing::Test {
protected:
    std::string file(const std::string& name) const { return (m_folder / name).string(); }

    test::CommandResult run(const std::string& out, const std::vector<std::string>& more = {},
                            const std::string& recording = test::bundledCine()) const {
        std::vector<std::string> arguments{"export",  recording,   "-o",
                                           file(out), "--backend", "cpu"};
        arguments.insert(arguments.end(), more.begin(), more.end());
        return test::runEcholux(arguments);
    }
    /// On the grid above; first place of a pixel at x = -20 mm, z = 4 mm.
    test::CommandResult coarse(const std::string& out, std::vector<std::string> more = {}) const {
        for (const char* value : {"lateral_min=-20e-3", "lateral_max=20e-3", "depth_min=4e-3",
                                  "depth_max=34e-3", "pixel_lateral=1e-3", "pixel_depth=5e-4"}) {
            more.emplace_back("--set");
            more.push_back(std::string("beamform.") + value);
        }
        return run(out, more);
    }
    std::string bytes(const std::string& name) const {
        std::ifstream stream(file(name), std::ios::binary);
        return {std::istreambuf_iterator<char>(stream), {}};
    }
    /// The first frame as .npy has it, [depth][lateral] in dB.
    std::vector<float> reference(const std::vector<std::string>& more = {"--frames", "1"}) const {
        const auto result = coarse("reference.npy", more);
        EXPECT_EQ(result.status, 0) << result.err;
        return test::npyValues(file("reference.npy"));
    }
    void expectNothingLeft() const {
        for (const auto& entry : std::filesystem::directory_iterator(m_folder.path()))
            ADD_FAILURE() << entry.path() << " was left behind";
    }
    void expectRefusal(const test::CommandResult& result, const std::string& part) const {
        EXPECT_EQ(result.status, 2);
        EXPECT_THAT(result.err, AllOf(StartsWith("echolux: "), HasSubstr(part)));
        EXPECT_EQ(std::ranges::count(result.err, '\n'), 1) << result.err;
    }
    test::TemporaryFolder m_folder;
};

template <class T> T at(const std::string& bytes, std::size_t place) {
    T value{};
    if (place + sizeof(T) > bytes.size()) throw std::runtime_error("the file is too short");
    std::memcpy(&value, bytes.data() + place, sizeof(T));
    return value;
}

void expectSameFloats(const std::string& bytes, std::size_t offset,
                      const std::vector<float>& expected) {
    ASSERT_EQ(bytes.size(), offset + expected.size() * sizeof(float));
    EXPECT_EQ(std::memcmp(bytes.data() + offset, expected.data(), expected.size() * sizeof(float)),
              0);
}

TEST_F(ExportCommand, AnArrayIsWhatRenderWrites) {
    const std::vector<float> image = reference();
    ASSERT_EQ(image.size(), kRows * kColumns);
    const auto render = test::runEcholux({"render", test::bundledCine(), "-o", file("render.npy"),
                                          "--backend", "cpu", "--grid", "-20:20:41,4:34:61"});
    ASSERT_EQ(render.status, 0) << render.err;
    EXPECT_EQ(test::npyValues(file("render.npy")), image);
    const auto axes = nlohmann::json::parse(bytes("reference.json")).at("axes");
    ASSERT_EQ(axes.size(), 2U);
    EXPECT_EQ(axes[0].at("name"), "depth");
    EXPECT_NEAR(axes[0].at("origin").get<double>(), 4e-3, 1e-9);
    EXPECT_NEAR(axes[1].at("spacing").get<double>(), 1e-3, 1e-9);
}

TEST_F(ExportCommand, TheSameFramesGiveTheSameBytesAtAnotherTime) {
    const std::vector<std::string> frames{"--frames", "1:2"};
    for (const char* ending : {"npz", "mat", "hdf5", "uff"})
        ASSERT_EQ(coarse(std::string("first.") + ending, frames).status, 0);
    std::this_thread::sleep_for(std::chrono::milliseconds(2100)); // ZIP counts in 2 s
    for (const char* ending : {"npz", "mat", "hdf5", "uff"}) {
        ASSERT_EQ(coarse(std::string("second.") + ending, frames).status, 0);
        EXPECT_TRUE(bytes(std::string("first.") + ending) == bytes(std::string("second.") + ending))
            << ending;
    }
}

TEST_F(ExportCommand, SeveralFramesComeOneAfterTheOther) {
    const std::vector<float> three = reference({"--frames", "1:3"});
    ASSERT_EQ(three.size(), 3 * kRows * kColumns);
    const std::vector<float> one = reference({"--frames", "1", "--force"});
    EXPECT_TRUE(std::equal(one.begin(), one.end(), three.begin()));
}

TEST_F(ExportCommand, NrrdSaysPlacesInMillimetres) {
    const std::vector<float> image = reference();
    ASSERT_EQ(coarse("image.nrrd").status, 0);
    const std::string all = bytes("image.nrrd");
    const std::size_t head = all.find("\n\n") + 2;
    EXPECT_THAT(all.substr(0, head),
                AllOf(StartsWith("NRRD0004\n"), HasSubstr("\ntype: float\n"),
                      HasSubstr("\nsizes: 41 61 1\n"),
                      HasSubstr("\nspace directions: (1,0,0) (0,0.5,0) (0,0,1)\n"),
                      HasSubstr("\nlabels: \"lateral\" \"depth\" \"elevation\"\n"),
                      HasSubstr("\nspace units: \"mm\" \"mm\" \"mm\"\n"),
                      HasSubstr("\nspace origin: (-20,4,0)\n"),
                      HasSubstr("\necholux_content:=decibels\n")));
    expectSameFloats(all, head, image);
}

TEST_F(ExportCommand, NiftiSaysPlacesInMillimetres) {
    const std::vector<float> image = reference();
    ASSERT_EQ(coarse("image.nii").status, 0);
    const std::string all = bytes("image.nii");
    EXPECT_EQ(at<std::int32_t>(all, 0), 348);
    EXPECT_EQ(at<std::int16_t>(all, 40), 3);
    EXPECT_EQ(at<std::int16_t>(all, 42), 41);
    EXPECT_EQ(at<std::int16_t>(all, 44), 61);
    EXPECT_EQ(at<std::int16_t>(all, 46), 1);
    EXPECT_FLOAT_EQ(at<float>(all, 80), 1.0F);
    EXPECT_FLOAT_EQ(at<float>(all, 84), 0.5F);
    EXPECT_FLOAT_EQ(at<float>(all, 280), 1.0F) << "from an index to x";
    EXPECT_FLOAT_EQ(at<float>(all, 292), -20.0F);
    EXPECT_FLOAT_EQ(at<float>(all, 308), 4.0F);
    EXPECT_EQ(all.substr(344, 3), "n+1");
    expectSameFloats(all, 352, image);
    ASSERT_EQ(coarse("image.nii.gz").status, 0);
    EXPECT_EQ(bytes("image.nii.gz").substr(0, 2), "\x1f\x8b");
    EXPECT_LT(bytes("image.nii.gz").size(), all.size());
}

TEST_F(ExportCommand, MatlabCountsDepthFirst) {
    const std::vector<float> image = reference();
    ASSERT_EQ(coarse("image.mat", {"--frames", "1:2"}).status, 0);
    EXPECT_THAT(bytes("image.mat").substr(0, 128),
                AllOf(StartsWith("MATLAB 7.3 MAT-file"), HasSubstr(std::string("\x00\x02IM", 4))));
    const auto tree = Hdf5File::openReadOnly(file("image.mat"));
    EXPECT_EQ(tree->textAttribute("data", "MATLAB_class"), "single");
    const auto data = tree->open("data");
    EXPECT_EQ(data->layout().shape, (std::vector<std::int64_t>{2, 41, 61}));
    EXPECT_EQ(tree->open("depth")->layout().shape, (std::vector<std::int64_t>{1, 61}));
}

TEST_F(ExportCommand, PicturesShowTheRangeAndItsMarks) {
    ASSERT_EQ(coarse("plain.png").status, 0);
    const QImage plain(QString::fromStdString(file("plain.png")));
    EXPECT_EQ(plain.width(), 82) << "square pixels of the finer spacing";
    EXPECT_EQ(plain.height(), 61);
    EXPECT_NEAR(plain.dotsPerMeterX(), 2000, 1);
    ASSERT_EQ(coarse("marks.png", {"--axes", "--scale-bar", "--colour-bar"}).status, 0);
    const QImage marks(QString::fromStdString(file("marks.png")));
    EXPECT_GT(marks.width(), plain.width() + 40);
    EXPECT_GT(marks.height(), plain.height());

    ASSERT_EQ(coarse("wide.png", {"--width", "200", "--dpi", "300"}).status, 0);
    const QImage wide(QString::fromStdString(file("wide.png")));
    EXPECT_EQ(wide.width(), 200);
    EXPECT_EQ(wide.height(), 149) << "61 of 82 pixels";
    EXPECT_NEAR(wide.dotsPerMeterX(), 11811, 1);
    ASSERT_EQ(coarse("large.png", {"--axes", "--labels", "60"}).status, 0);
    const QImage large(QString::fromStdString(file("large.png")));
    EXPECT_GT(large.height(), marks.height() + 40) << "labels are higher";
    const auto refused = coarse("deep.png", {"--depth", "16", "--width", "200"});
    EXPECT_EQ(refused.status, 2);
    EXPECT_THAT(refused.err, HasSubstr("pixel by pixel"));

    const std::vector<float> image = reference();
    ASSERT_EQ(coarse("grey.png", {"--depth", "16", "--range=-60:0"}).status, 0);
    const QImage grey(QString::fromStdString(file("grey.png")));
    ASSERT_EQ(grey.format(), QImage::Format_Grayscale16);
    ASSERT_EQ(grey.width(), 41);
    for (const std::size_t i : {std::size_t{0}, kColumns * 30 + 20, kColumns * 60 + 40}) {
        const auto* line =
            reinterpret_cast<const quint16*>(grey.constScanLine(static_cast<int>(i / kColumns)));
        const double wanted =
            65535.0 * (std::isfinite(image[i]) ? std::clamp(image[i] / 60.0 + 1.0, 0.0, 1.0) : 0.0);
        EXPECT_NEAR(line[i % kColumns], wanted, 1.0);
    }
}

TEST_F(ExportCommand, ACurveIsAColumnOfTheImage) {
    const std::vector<float> image = reference();
    ASSERT_EQ(coarse("curve.csv", {"--column", "-7"}).status, 0);
    std::istringstream lines(bytes("curve.csv"));
    std::string line;
    std::getline(lines, line);
    EXPECT_EQ(line, "depth_mm,value_dB");
    for (std::size_t row = 0; row < kRows; ++row) {
        double depth = 0.0;
        double value = 0.0;
        char comma = ' ';
        ASSERT_TRUE(std::getline(lines, line));
        std::istringstream(line) >> depth >> comma >> value;
        EXPECT_NEAR(depth, 4.0 + 0.5 * static_cast<double>(row), 1e-6);
        EXPECT_NEAR(value, image[row * kColumns + 13], 1e-4);
    }
    EXPECT_FALSE(std::getline(lines, line));
    expectRefusal(coarse("beside.csv", {"--column", "25"}), "No column lies at 25 mm");
}

TEST_F(ExportCommand, ZeaCountsFromTheFirstFiring) {
    ASSERT_EQ(run("raw.hdf5", {"--output-of", "recording", "--frames", "1:2"}).status, 0);
    const auto recording = openRecording(test::bundledCine());
    const FrameSpec& frame = recording->info().frame;
    const Acquisition& acquisition = *frame.acquisition;
    const auto tree = Hdf5File::openReadOnly(file("raw.hdf5"));
    const std::string scan = "tracks/track_0/scan/";
    const auto numbers = [&](const std::string& name) {
        const auto source = tree->open(name);
        std::vector<float> values(static_cast<std::size_t>(source->layout().count()));
        source->read(std::as_writable_bytes(std::span(values)));
        return values;
    };
    EXPECT_EQ(tree->open("tracks/track_0/data/raw_data")->layout().shape,
              (std::vector<std::int64_t>{2, frame.axes[0].size, frame.axes[2].size,
                                         frame.axes[1].size, 1}));
    const std::vector<float> times = numbers(scan + "initial_times");
    const std::vector<float> delays = numbers(scan + "t0_delays");
    const std::size_t elements = acquisition.probe.elements.size();
    for (std::size_t t = 0; t < acquisition.transmits.size(); ++t) {
        const Transmit& transmit = acquisition.transmits[t];
        ASSERT_EQ(transmit.wave, Wave::Plane);
        const double edge = acquisition.probe.elements.back().x;
        const double lead =
            edge * std::abs(std::sin(transmit.angleRad)) / acquisition.soundSpeedMps;
        EXPECT_NEAR(times[t], transmit.firstSampleS + lead, 1e-10) << t;
        const double first = acquisition.probe.elements.front().x * std::sin(transmit.angleRad) /
                             acquisition.soundSpeedMps;
        EXPECT_NEAR(delays[t * elements], first + lead, 1e-10) << t;
    }
}

TEST_F(ExportCommand, AnEcholuxRecordingIsTheFramesThatWereAsked) {
    ASSERT_EQ(run("part.echolux.h5", {"--frames", "2:3"}).status, 0);
    const auto from = openRecording(test::bundledCine());
    const auto part = openRecording(file("part.echolux.h5"));
    ASSERT_EQ(part->info().frameCount, 2);
    EXPECT_TRUE(part->info().frame.sameLayout(from->info().frame));
    EXPECT_EQ(part->info().frameRateHz, from->info().frameRateHz);
    std::vector<std::byte> a(from->info().frame.bytes());
    std::vector<std::byte> b(a.size());
    from->readFrame(2, a);
    part->readFrame(1, b);
    EXPECT_EQ(a, b);
}

TEST_F(ExportCommand, CinesHoldEveryFrame) {
    ASSERT_EQ(coarse("cine.gif", {"--frames", "1:3", "--fps", "10"}).status, 0);
    const std::string gif = bytes("cine.gif");
    EXPECT_THAT(gif, StartsWith("GIF89a"));
    std::size_t frames = 0;
    for (std::size_t place = gif.find("\x21\xf9\x04"); place != std::string::npos;
         place = gif.find("\x21\xf9\x04", place + 1)) {
        EXPECT_EQ(at<std::uint16_t>(gif, place + 4), 10) << "hundredths of a second";
        ++frames;
    }
    EXPECT_EQ(frames, 3U);
    EXPECT_EQ(gif.back(), ';');
    const auto endings = exportEndings();
    const auto mp4 = std::ranges::find(endings, ".mp4", &ExportEnding::ending);
    ASSERT_NE(mp4, endings.end());
    const auto result = coarse("cine.mp4", {"--frames", "1:3"});
    if (mp4->available) {
        EXPECT_EQ(result.status, 0) << result.err;
        EXPECT_THAT(bytes("cine.mp4").substr(4, 4), "ftyp");
    } else {
        expectRefusal(result, "without FFmpeg");
    }
}

TEST_F(ExportCommand, RefusesWhatItCannotWriteAndLeavesNothing) {
    expectRefusal(run("image.xyz"), "end it in one of .png, .tif");
    expectRefusal(run("image.png", {"--frames", "1:2"}), "holds one frame");
    expectRefusal(run("raw.nii", {"--output-of", "recording"}), "holds images and volumes");
    expectRefusal(run("raw.mp4", {"--output-of", "recording"}), "cannot be drawn");
    expectRefusal(run("image.npy", {"--frames", "0:2"}), "names no frames");
    expectRefusal(run("image.npy", {"--frames", "1:100000"}), "has frames 1 to");
    expectRefusal(run("image.npy", {"--output-of", "nothing"}), "no output 'nothing'");
    expectRefusal(run("nowhere/image.png"), "Cannot write");
    expectRefusal(run("image.echolux.h5", {"--output-of", "envelope"}), "channel data");
    expectNothingLeft();
}

TEST_F(ExportCommand, ReplacesWhereAskedButNeverTheRecording) {
    std::ofstream(file("image.nrrd")) << "mine";
    expectRefusal(coarse("image.nrrd"), "--force");
    EXPECT_EQ(bytes("image.nrrd"), "mine");
    EXPECT_EQ(coarse("image.nrrd", {"--force"}).status, 0);
    EXPECT_THAT(bytes("image.nrrd"), StartsWith("NRRD0004"));

    std::filesystem::copy_file(test::bundledCine(), file("copy.echolux.h5"));
    const std::string before = bytes("copy.echolux.h5");
    expectRefusal(run("copy.echolux.h5", {"--force"}, file("copy.echolux.h5")),
                  "the recording itself");
    EXPECT_EQ(bytes("copy.echolux.h5"), before);
}

TEST_F(ExportCommand, GivesUpWhenToldAndLeavesNothing) {
    for (const char* name : {"cine.gif", "cine.npz", "cine.mat", "cine.uff", "cine.echolux.h5"}) {
        ExportRequest request;
        request.file = test::bundledCine();
        request.target = file(name);
        request.outputOf = "recording";
        if (request.target.extension() == ".gif") request.outputOf.clear();
        std::int64_t calls = 0;
        const ExportResult result =
            exportRecording(request, [&](std::int64_t done, std::int64_t of) {
                EXPECT_LE(done, of);
                return ++calls < 3;
            });
        EXPECT_TRUE(result.cancelled) << name;
        EXPECT_TRUE(result.files.empty());
    }
    expectNothingLeft();
}

TEST_F(ExportCommand, AFurtherOutputOfAStage) {
    const auto result =
        coarse("transmits.npz", {"--output-of", "transmits@beamform", "--frames", "1"});
    EXPECT_EQ(result.status, 0) << result.err;
    ASSERT_EQ(coarse("beamformed.uff", {"--output-of", "beamform", "--frames", "1"}).status, 0);
    const auto tree = Hdf5File::openReadOnly(file("beamformed.uff"));
    EXPECT_EQ(tree->textAttribute("b_data", "class"), "uff.beamformed_data");
    EXPECT_EQ(tree->textAttribute("b_data/scan", "class"), "uff.linear_scan");
    EXPECT_EQ(tree->open("b_data/data/real")->layout().shape,
              (std::vector<std::int64_t>{1, 1, 1, 41 * 61}));
}

TEST(ExportPixels, ArePutInOrder) {
    const std::vector<float> values{0, 1, 2, 3, 4, 5};
    const auto turned = permuted(std::as_bytes(std::span(values)), {2, 3}, {1, 0}, sizeof(float));
    const auto* at = reinterpret_cast<const float*>(turned.data());
    EXPECT_EQ(std::vector<float>(at, at + 6), (std::vector<float>{0, 3, 1, 4, 2, 5}));
}

} // namespace
} // namespace echolux
