// SPDX-License-Identifier: GPL-3.0-or-later
// A camera's frames as B-scans, with a camera that the test drives; packed pixels, bit by bit as
// PFNC draws them; numbers that begin again.
#include "app/live/camera_source.hpp"

#include "app/live/live_recording.hpp"
#include "app/live/open_live.hpp"
#include "tests/support/refusal.hpp"
#include "tests/support/temporary_folder.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <deque>
#include <fstream>
#include <initializer_list>

namespace echolux {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing_support::refusal;
using Outcome = LiveSource::Outcome;
using Kind = CameraFrame::Kind;

std::vector<std::byte> bytesOf(std::initializer_list<int> values) {
    std::vector<std::byte> bytes;
    for (const int value : values) bytes.push_back(static_cast<std::byte>(value));
    return bytes;
}

std::vector<int> codesOf(const char* format, std::initializer_list<int> stored,
                         std::int64_t count) {
    const auto pixels = cameraPixelsNamed(format);
    const std::vector<std::byte> in = bytesOf(stored);
    EXPECT_EQ(pixels->bytes(count), in.size()) << format;
    std::vector<std::uint16_t> out(static_cast<std::size_t>(count));
    readCameraPixels(*pixels, 3, in, count, std::as_writable_bytes(std::span(out)));
    return {out.begin(), out.end()};
}

TEST(CameraPixels, ArePackedAsPfncDrawsThem) {
    EXPECT_THAT(codesOf("Mono16", {0x34, 0x12, 0xff, 0xff, 0, 1}, 3),
                ElementsAre(0x1234, 0xffff, 256));
    EXPECT_THAT(codesOf("Mono12", {0xff, 0x0f, 1, 0, 0, 1}, 3), ElementsAre(4095, 1, 256));
    EXPECT_THAT(codesOf("Mono12p", {0x23, 0x61, 0x45, 0x89, 0x07}, 3),
                ElementsAre(0x123, 0x456, 0x789));
    EXPECT_THAT(codesOf("Mono12Packed", {0x12, 0x63, 0x45, 0x78, 0x09}, 3),
                ElementsAre(0x123, 0x456, 0x789));
    // 0x3ff, 0, 0x155, 0x2aa, 1: their bits, the lowest first, eight a byte.
    EXPECT_THAT(codesOf("Mono10p", {0xff, 0x03, 0x50, 0x95, 0xaa, 0x01, 0x00}, 5),
                ElementsAre(0x3ff, 0, 0x155, 0x2aa, 1));
    EXPECT_THAT(codesOf("Mono10Packed", {0xff, 0x13, 0x80, 0x55, 0x02}, 3),
                ElementsAre(0x3ff, 0x201, 0x156));
    EXPECT_FALSE(cameraPixelsNamed("BayerRG8"));
    EXPECT_EQ(cameraPixelsNamed("Mono8")->codes(5), DType::U8);
    EXPECT_EQ(cameraPixelsNamed("Mono12p")->codes(5), DType::U16);
    EXPECT_EQ(cameraPixelsNamed("Mono12p")->codes(6), DType::Packed12);
}

TEST(CameraFrameNumbers, GoOnWhereThoseOfTheCameraBeginAgain) {
    const auto numbersOf = [](std::initializer_list<std::uint64_t> ids) {
        CameraFrameNumbers numbers;
        std::vector<std::int64_t> found;
        for (const std::uint64_t id : ids) found.push_back(numbers.next(id));
        return found;
    };
    EXPECT_THAT(numbersOf({7, 8, 10}), ElementsAre(0, 1, 3));
    EXPECT_THAT(numbersOf({65534, 65535, 1, 2}), ElementsAre(0, 1, 2, 3)) << "GigE Vision has no 0";
    EXPECT_THAT(numbersOf({65533, 3}), ElementsAre(0, 5)) << "65534, 65535, 1, 2 are lost";
    EXPECT_THAT(numbersOf({0, 40000, 65535, 0}), ElementsAre(0, 40000, 65535, 65536));
    EXPECT_THAT(numbersOf({65535, 65536, 70000}), ElementsAre(0, 1, 4465)) << "64 bits";
    EXPECT_THAT(numbersOf({500, 1, 2}), ElementsAre(0, 1, 2)) << "the camera began anew";
    EXPECT_THAT(numbersOf({5, 5, 5}), ElementsAre(0, 1, 2)) << "it does not count";
}

/// Each pixel of a frame is its id.
class DrivenCamera final : public CameraDevice {
public:
    explicit DrivenCamera(CameraFacts facts) : m_facts(std::move(facts)) {}
    const CameraFacts& facts() const override { return m_facts; }
    CameraFrame next(std::chrono::microseconds /*patience*/) override {
        if (m_steps.empty()) return {};
        const auto [kind, id] = m_steps.front();
        m_steps.pop_front();
        m_data.assign(m_facts.pixels.bytes(m_facts.width * m_facts.height),
                      static_cast<std::byte>(id));
        return {.kind = kind, .id = id, .deviceNs = 5, .data = m_data, .what = "odd"};
    }
    void setExposure(double seconds) override { m_exposureS = seconds; }

    void make(Kind kind, std::uint64_t id) { m_steps.emplace_back(kind, id); }
    void make(std::initializer_list<std::uint64_t> ids) {
        for (const std::uint64_t id : ids) make(Kind::Whole, id);
    }
    double exposureS() const { return m_exposureS; }

private:
    CameraFacts m_facts;
    std::deque<std::pair<Kind, std::uint64_t>> m_steps;
    std::vector<std::byte> m_data;
    double m_exposureS = 0.0;
};

CameraFacts smallFacts(std::int64_t framesPerBscan = 1) {
    CameraFacts facts;
    facts.title = "Maker Model 7";
    facts.width = 4;
    facts.height = 2;
    facts.framesPerBscan = framesPerBscan;
    facts.bscanRateHz = 50.0;
    return facts;
}

struct Driven {
    explicit Driven(const CameraFacts& facts, const CameraSpectra& spectra = {}) {
        auto made = std::make_unique<DrivenCamera>(facts);
        camera = made.get();
        source = std::make_unique<CameraSource>(std::move(made), spectra, "camera:driven");
        out.resize(source->info().frame.bytes());
    }
    Outcome next() { return source->next(out, stamp, {}); }

    DrivenCamera* camera = nullptr;
    std::unique_ptr<CameraSource> source;
    std::vector<std::byte> out;
    FrameStamp stamp;
};

TEST(CameraSource, MakesSpectraOfLines) {
    CameraFacts facts = smallFacts();
    facts.pixels = *cameraPixelsNamed("Mono12");
    Driven driven(facts, {.centreWavelengthM = 840e-9, .bandwidthM = 60e-9, .lineSpacingM = 5e-6});
    const RecordingInfo& info = driven.source->info();
    EXPECT_EQ(info.frame.describe(), "u16 [lateral 2][sample 4]");
    EXPECT_DOUBLE_EQ(info.frame.axes[0].spacing, 5e-6);
    EXPECT_DOUBLE_EQ(info.frame.spectrometer->centreWavelengthM, 840e-9);
    EXPECT_DOUBLE_EQ(info.frame.spectrometer->bandwidthM, 60e-9);
    EXPECT_DOUBLE_EQ(info.frame.converterRange->highest, 4095.0);
    EXPECT_DOUBLE_EQ(info.frameRateHz, 50.0);
    driven.camera->make({9});
    ASSERT_EQ(driven.next(), Outcome::Frame);
    EXPECT_EQ(driven.out.back(), std::byte{9});
    EXPECT_EQ(driven.stamp.number, 0);
    EXPECT_EQ(driven.stamp.deviceNs, 5);
}

TEST(CameraSource, FramesThatAreLostOrDamagedAreGaps) {
    Driven driven(smallFacts());
    driven.camera->make({3, 4, 6});
    driven.camera->make(Kind::Damaged, 7);
    driven.camera->make({8});
    std::vector<std::int64_t> numbers;
    while (driven.next() == Outcome::Frame) {
        numbers.push_back(driven.stamp.number);
        EXPECT_EQ(driven.out.front(), static_cast<std::byte>(3 + driven.stamp.number));
    }
    EXPECT_THAT(numbers, ElementsAre(0, 1, 3, 5));
    EXPECT_EQ(driven.source->readouts().front().second, "1");
}

TEST(CameraSource, AStackThatLacksAFrameIsLeftOutAndTheNextKeepsStep) {
    Driven driven(smallFacts(3));
    EXPECT_EQ(driven.source->info().frame.describe(), "u8 [lateral 6][sample 4]");
    driven.camera->make({10, 11, 12, 13, 15, 16, 17, 18, 19, 20, 21, 22, 24, 25, 26, 27});
    ASSERT_EQ(driven.next(), Outcome::Frame);
    for (std::size_t line = 0; line < 6; ++line)
        EXPECT_EQ(driven.out[line * 4], static_cast<std::byte>(10 + line / 2)) << line;
    EXPECT_EQ(driven.stamp.number, 0);
    ASSERT_EQ(driven.next(), Outcome::Frame) << "14 is missing";
    EXPECT_EQ(driven.stamp.number, 2);
    EXPECT_EQ(driven.out.front(), std::byte{16});
    EXPECT_EQ(driven.out.back(), std::byte{18});
    ASSERT_EQ(driven.next(), Outcome::Frame);
    EXPECT_EQ(driven.stamp.number, 3);
    ASSERT_EQ(driven.next(), Outcome::Frame) << "23 is missing";
    EXPECT_EQ(driven.stamp.number, 5);
    EXPECT_EQ(driven.out.front(), std::byte{25});
    EXPECT_EQ(driven.next(), Outcome::Nothing);
}

TEST(CameraSource, LostFramesAreCountedAtTheSource) {
    auto camera = std::make_unique<DrivenCamera>(smallFacts());
    camera->make({1, 2, 5, 6});
    camera->make(Kind::Damaged, 7);
    camera->make({8});
    camera->make(Kind::Gone, 0);
    LiveRecording recording(
        std::make_unique<CameraSource>(std::move(camera), CameraSpectra{}, "camera:x"),
        LivePlace{});
    recording.waitFor(5, 30.0); // returns at the end of the source
    const LiveCounters counters = recording.counters();
    EXPECT_EQ(counters.kept, 5U);
    EXPECT_EQ(counters.lostAtSource, 3U) << "3, 4 and 7";
    EXPECT_EQ(counters.state, LiveState::Ended);
    EXPECT_THAT(counters.reason, HasSubstr("The camera Maker Model 7 is gone"));
}

TEST(CameraSource, EndsWhereFramesChange) {
    Driven driven(smallFacts());
    driven.camera->make(Kind::Other, 1);
    EXPECT_EQ(driven.next(), Outcome::Changed);
    EXPECT_THAT(driven.source->reason(), HasSubstr("odd"));
}

TEST(CameraSource, TheExposureHasASliderWhereTheCameraHasOne) {
    EXPECT_TRUE(Driven(smallFacts()).source->parameters().empty());
    CameraFacts facts = smallFacts();
    facts.exposureS = 100e-6;
    facts.leastExposureS = 10e-6;
    facts.mostExposureS = 10.0;
    Driven driven(facts);
    const LiveParameter slider = driven.source->parameters().front();
    EXPECT_DOUBLE_EQ(slider.min, 10.0);
    EXPECT_DOUBLE_EQ(slider.max, 20'000.0) << "the time of a B-scan";
    EXPECT_DOUBLE_EQ(slider.value, 100.0);
    driven.source->setParameter("exposure", 250.0);
    driven.next();
    EXPECT_DOUBLE_EQ(driven.camera->exposureS(), 250e-6);
}

TEST(CameraSource, ASidecarDescribesItsFrames) {
    const std::string text = R"([data]
axes = ["lateral", "sample"]
dtype = "u1"
shape = [2, 4]
[spectrometer]
wavelengths_nm = [800, 820, 841, 863]
refractive_index = 1.38
)";
    const auto made = [](const std::string& description) {
        auto camera = std::make_unique<DrivenCamera>(smallFacts());
        camera->make({1, 2});
        return std::make_unique<CameraSource>(
            std::move(camera), CameraSpectra{.description = description}, "camera:x");
    };
    const auto source = made(text);
    EXPECT_EQ(source->info().frame.describe(), "u8 [lateral 2][sample 4]");
    EXPECT_NEAR(source->info().frame.spectrometer->centreWavelengthM, 831.5e-9, 1e-15);
    EXPECT_EQ(source->info().frame.spectrometer->resampling.size(), 4U);
    EXPECT_DOUBLE_EQ(source->info().frameRateHz, 50.0);
    std::vector<std::byte> out(source->info().frame.bytes());
    FrameStamp stamp;
    ASSERT_EQ(source->next(out, stamp, {}), Outcome::Frame);
    EXPECT_EQ(out.back(), std::byte{2}) << "the first frame told what frames are";
    EXPECT_THAT(refusal([&] { made(text + "bandwith = 1"); }), HasSubstr("bandwith"));
}

TEST(CameraAddress, RefusalsNameTheWord) {
    EXPECT_TRUE(isLiveAddress("camera:"));
    EXPECT_FALSE(isLiveAddress("camera"));
    const auto answer = [](const std::string& address) {
        return refusal([&] { liveSource(address, Backend::Cpu); });
    };
    EXPECT_THAT(answer("camera:fake?lines=many"), HasSubstr("lines is no number"));
    EXPECT_THAT(answer("camera:fake?lines=-1"), HasSubstr("lines must be 0 or more"));
    EXPECT_THAT(answer("camera:fake?rate=0"), HasSubstr("rate must be more than 0"));
    EXPECT_THAT(answer("camera:fake?lnes=4"), HasSubstr("lnes is not known"));
    EXPECT_THAT(answer("camera:list?lines=4"), HasSubstr("lines is not known"));
    EXPECT_THAT(answer("camera:fake?sidecar=/there/is/none.toml"), HasSubstr("is no file"));
    const test::TemporaryFolder folder;
    const std::string sidecar = (folder / "camera.toml").string();
    std::ofstream(sidecar) << "[spectrometer]\n";
    EXPECT_THAT(answer(fmt::format("camera:fake?wavelength=840&sidecar={}", sidecar)),
                HasSubstr("wavelength and sidecar are both given"));
}

} // namespace
} // namespace echolux
