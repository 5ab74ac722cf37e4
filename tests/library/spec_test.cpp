// SPDX-License-Identifier: GPL-3.0-or-later
// Facts, elements and transmits of specifications, and recordings that are written through the C
// interface. Expected values are those of testdata/README.md.
#include "app/library/echolux.h"
#include "tests/support/temporary_folder.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <numbers>
#include <string>
#include <vector>

namespace echolux {
namespace {

using testing::HasSubstr;

const std::string kTestdata = std::string(ECHOLUX_SOURCE_DIR) + "/testdata/";

struct Described {
    explicit Described(const std::string& path) : file(echolux_open(path.c_str())) {
        EXPECT_NE(file, nullptr) << echolux_last_error();
    }
    ~Described() { echolux_close(file); }
    Described(const Described&) = delete;
    Described& operator=(const Described&) = delete;
    const echolux_spec* spec() const { return echolux_recording_spec(file); }
    double get(const char* fact) const {
        double value = std::nan("");
        EXPECT_EQ(echolux_spec_get(spec(), fact, &value), ECHOLUX_OK) << echolux_last_error();
        return value;
    }
    double get(std::int64_t transmit, const char* fact) const {
        double value = std::nan("");
        EXPECT_EQ(echolux_spec_transmit_get(spec(), transmit, fact, &value), ECHOLUX_OK)
            << echolux_last_error();
        return value;
    }

    echolux_recording* file;
};

TEST(Spec, ALinearArraySaysItsGeometry) {
    const Described opened(kTestdata + "phantom_cine.echolux.h5");
    EXPECT_DOUBLE_EQ(opened.get("sound_speed_mps"), 1540.0);
    EXPECT_DOUBLE_EQ(opened.get("centre_frequency_hz"), 5e6);
    EXPECT_DOUBLE_EQ(opened.get("sampling_frequency_hz"), 20e6);
    EXPECT_DOUBLE_EQ(opened.get("fractional_bandwidth"), 0.6);
    EXPECT_DOUBLE_EQ(opened.get("pitch_m"), 0.3e-3);
    EXPECT_EQ(opened.get("demodulation_frequency_hz"), 0.0);
    EXPECT_EQ(opened.get("centre_wavelength_m"), 0.0);

    ASSERT_EQ(echolux_spec_elements(opened.spec(), nullptr, 0), 64);
    std::vector<double> xyz(3 * 64, 9.0);
    EXPECT_EQ(echolux_spec_elements(opened.spec(), xyz.data(), 63), 64);
    EXPECT_EQ(xyz[3 * 63], 9.0); // beyond `count`
    EXPECT_EQ(echolux_spec_elements(opened.spec(), xyz.data(), 64), 64);
    for (std::size_t e = 0; e < 64; ++e) {
        EXPECT_NEAR(xyz[3 * e], (static_cast<double>(e) - 31.5) * 0.3e-3, 1e-9);
        EXPECT_EQ(xyz[3 * e + 1], 0.0);
        EXPECT_EQ(xyz[3 * e + 2], 0.0);
    }
    EXPECT_EQ(echolux_spec_channel_elements(opened.spec(), nullptr, 0), 0);

    ASSERT_EQ(echolux_spec_transmits(opened.spec()), 3);
    for (std::int64_t t = 0; t < 3; ++t) {
        EXPECT_STREQ(echolux_spec_transmit_wave(opened.spec(), t), "plane");
        EXPECT_NEAR(opened.get(t, "angle_rad"),
                    static_cast<double>(8 * t - 8) * std::numbers::pi / 180.0, 1e-12);
        EXPECT_EQ(opened.get(t, "elevation_rad"), 0.0);
    }
    EXPECT_STREQ(echolux_spec_steering(opened.spec()), "tilts");
}

TEST(Spec, AWalkingApertureSaysWhichElementsFireAndHear) {
    const Described opened(kTestdata + "sector.h5"); // 65 beams of 32 of 96 elements
    ASSERT_EQ(echolux_spec_transmits(opened.spec()), 65);
    ASSERT_EQ(echolux_spec_channel_elements(opened.spec(), nullptr, 0), 65 * 32);
    std::vector<std::int32_t> heard(65 * 32);
    echolux_spec_channel_elements(opened.spec(), heard.data(), 65 * 32);
    EXPECT_EQ(heard.front(), 0);
    EXPECT_EQ(heard.back(), 95);
    for (std::int64_t t = 0; t < 65; ++t) {
        EXPECT_STREQ(echolux_spec_transmit_wave(opened.spec(), t), "focused");
        std::vector<float> weights(96);
        ASSERT_EQ(echolux_spec_transmit_weights(opened.spec(), t, weights.data(), 96), 96);
        int firing = 0;
        for (const float weight : weights) firing += weight != 0.0F ? 1 : 0;
        EXPECT_EQ(firing, 32);
    }
    // The first beam: to (-26.74, 45.11) mm, as 'echolux info' prints it.
    EXPECT_NEAR(opened.get(0, "x_m"), -26.74e-3, 5e-6);
    EXPECT_NEAR(opened.get(0, "z_m"), 45.11e-3, 5e-6);
}

TEST(Spec, ASpectrometerSaysItsLight) {
    const Described opened(kTestdata + "retina_cine.echolux.h5");
    EXPECT_NEAR(opened.get("centre_wavelength_m"), 840e-9, 1e-12);
    EXPECT_NEAR(opened.get("bandwidth_m"), 120e-9, 1e-12);
    EXPECT_NEAR(opened.get("refractive_index"), 1.36, 1e-12);
    EXPECT_EQ(opened.get("sampling_frequency_hz"), 0.0);
    EXPECT_EQ(opened.get("sound_speed_mps"), 0.0);
    EXPECT_EQ(echolux_spec_transmits(opened.spec()), 0);
    EXPECT_EQ(echolux_spec_elements(opened.spec(), nullptr, 0), 0);
}

TEST(Spec, APoseIsReadAsItIsInTheFile) {
    // Of make_poses.py: space "scanner-xyz", steps turned(12, 25), first voxel at (1, 2, 3) mm.
    const Described opened(ECHOLUX_SOURCE_DIR "/tests/dataset/vectors/poses/pynrrd_scanner.nrrd");
    EXPECT_STREQ(echolux_spec_pose_space(opened.spec()), "scanner-xyz");
    std::array<double, 12> numbers{};
    ASSERT_EQ(echolux_spec_pose(opened.spec(), nullptr, 0), 12);
    ASSERT_EQ(echolux_spec_pose(opened.spec(), numbers.data(), 12), 12);
    const double a = 12 * std::numbers::pi / 180;
    const double b = 25 * std::numbers::pi / 180;
    const std::array expected{std::cos(a),
                              std::cos(b) * std::sin(a),
                              std::sin(b) * std::sin(a),
                              0.0,
                              -std::sin(b),
                              std::cos(b),
                              -std::sin(a),
                              std::cos(b) * std::cos(a),
                              std::sin(b) * std::cos(a)};
    for (std::size_t i = 0; i < expected.size(); ++i)
        EXPECT_NEAR(numbers[i], expected[i], 1e-9) << i;
    const Described plain(kTestdata + "phantom_cine.echolux.h5");
    EXPECT_EQ(echolux_spec_pose(plain.spec(), nullptr, 0), 0);
    EXPECT_STREQ(echolux_spec_pose_space(plain.spec()), "");
    numbers[0] = 2.0; // no unit vector
    echolux_spec* own = echolux_spec_new("f32");
    EXPECT_EQ(echolux_spec_set_pose(own, numbers.data(), "LPS"), ECHOLUX_MISUSE);
    EXPECT_EQ(echolux_spec_set_pose(own, nullptr, "LPS"), ECHOLUX_MISUSE);
    EXPECT_EQ(echolux_spec_pose(own, nullptr, 0), 0);
    echolux_spec_free(own);
}

TEST(Spec, WrongReadsAreRefused) {
    const Described opened(kTestdata + "phantom_cine.echolux.h5");
    const auto* stranger = reinterpret_cast<const echolux_spec*>(&kTestdata);
    double value = 7.0;
    for (const echolux_spec* wrong : {static_cast<const echolux_spec*>(nullptr), stranger}) {
        EXPECT_EQ(echolux_spec_get(wrong, "pitch_m", &value), ECHOLUX_MISUSE);
        EXPECT_EQ(echolux_spec_elements(wrong, nullptr, 0), -1);
        EXPECT_EQ(echolux_spec_channel_elements(wrong, nullptr, 0), -1);
        EXPECT_EQ(echolux_spec_transmits(wrong), -1);
        EXPECT_EQ(echolux_spec_transmit_wave(wrong, 0), nullptr);
        EXPECT_EQ(echolux_spec_transmit_get(wrong, 0, "x_m", &value), ECHOLUX_MISUSE);
        EXPECT_EQ(echolux_spec_transmit_weights(wrong, 0, nullptr, 0), -1);
        EXPECT_EQ(echolux_spec_steering(wrong), nullptr);
        EXPECT_EQ(echolux_spec_value_range(wrong, &value, &value), ECHOLUX_MISUSE);
        EXPECT_EQ(echolux_spec_value_unit(wrong), nullptr);
        EXPECT_EQ(echolux_spec_pose(wrong, nullptr, 0), -1);
        EXPECT_EQ(echolux_spec_pose_space(wrong), nullptr);
        EXPECT_EQ(echolux_write("x.h5", wrong, 0.0, &value, sizeof(value), 0), ECHOLUX_MISUSE);
    }
    EXPECT_EQ(echolux_pipeline_input(nullptr), nullptr);
    EXPECT_EQ(echolux_spec_get(opened.spec(), "colour", &value), ECHOLUX_MISUSE);
    EXPECT_THAT(echolux_last_error(), HasSubstr("sound_speed_mps"));
    EXPECT_EQ(echolux_spec_get(opened.spec(), "pitch_m", nullptr), ECHOLUX_MISUSE);
    EXPECT_EQ(echolux_spec_get(opened.spec(), nullptr, &value), ECHOLUX_MISUSE);
    EXPECT_EQ(echolux_spec_elements(opened.spec(), nullptr, 64), -1);
    EXPECT_EQ(echolux_spec_elements(opened.spec(), &value, INT64_MIN), -1);
    for (const std::int64_t beyond : {std::int64_t{-1}, std::int64_t{3}}) {
        EXPECT_EQ(echolux_spec_transmit_wave(opened.spec(), beyond), nullptr);
        EXPECT_THAT(echolux_last_error(), HasSubstr("the frame has 3"));
        EXPECT_EQ(echolux_spec_transmit_weights(opened.spec(), beyond, nullptr, 0), -1);
    }
    EXPECT_EQ(value, 7.0);

    echolux_spec* own = echolux_spec_new("i16");
    EXPECT_EQ(echolux_spec_set(own, "sampling_frequency_hz", 1.0), ECHOLUX_MISUSE);
    EXPECT_THAT(echolux_last_error(), HasSubstr("follows from the axes"));
    EXPECT_EQ(echolux_spec_add_transmit(own, "plane", 0, 0, 0, 0, 0), ECHOLUX_OK);
    EXPECT_EQ(echolux_spec_transmit_set(own, 0, "elevation_rad", INFINITY), ECHOLUX_MISUSE);
    EXPECT_EQ(echolux_spec_transmit_set(own, 1, "elevation_rad", 0.1), ECHOLUX_MISUSE);
    EXPECT_EQ(echolux_spec_transmit_set(own, 0, "elevation_rad", 0.1), ECHOLUX_OK);
    EXPECT_EQ(echolux_spec_transmit_get(own, 0, "elevation_rad", &value), ECHOLUX_OK);
    EXPECT_EQ(value, 0.1);
    EXPECT_EQ(echolux_spec_transmit_set(const_cast<echolux_spec*>(opened.spec()), 0, "x_m", 0.1),
              ECHOLUX_MISUSE);
    EXPECT_EQ(echolux_spec_add_transmit(own, "none", 0, 0, 0, 0, 1e-6), ECHOLUX_OK);
    EXPECT_STREQ(echolux_spec_transmit_wave(own, 1), "none");
    EXPECT_EQ(echolux_spec_add_transmit(own, "light", 0, 0, 0, 0, 0), ECHOLUX_MISUSE);
    EXPECT_THAT(echolux_last_error(), HasSubstr("element or none"));
    echolux_spec_free(own);
}

TEST(Spec, WrittenFramesAndTheirGeometryComeBack) {
    const test::TemporaryFolder folder;
    const std::string path = (folder.path() / "written.echolux.h5").string();
    const Described sector(kTestdata + "sector.h5");
    const auto bytes = static_cast<std::size_t>(echolux_spec_bytes(sector.spec()));
    std::vector<std::byte> frames(2 * bytes);
    ASSERT_EQ(echolux_recording_read(sector.file, 0, frames.data(), bytes), ECHOLUX_OK);
    frames[bytes] = std::byte{42};
    EXPECT_EQ(echolux_write(path.c_str(), sector.spec(), 30.0, frames.data(), bytes + 1, 0),
              ECHOLUX_MISUSE);
    EXPECT_THAT(echolux_last_error(), HasSubstr("no whole frames"));
    EXPECT_EQ(echolux_write(path.c_str(), sector.spec(), -1.0, frames.data(), bytes, 0),
              ECHOLUX_MISUSE);
    EXPECT_FALSE(std::filesystem::exists(path));
    ASSERT_EQ(echolux_write(path.c_str(), sector.spec(), 30.0, frames.data(), 2 * bytes, 0),
              ECHOLUX_OK)
        << echolux_last_error();
    EXPECT_EQ(echolux_write(path.c_str(), sector.spec(), 30.0, frames.data(), bytes, 0),
              ECHOLUX_ERROR);
    EXPECT_THAT(echolux_last_error(), HasSubstr("exists; choose another name"));
    const Described again(path);
    EXPECT_EQ(echolux_recording_frames(again.file), 2);
    EXPECT_EQ(echolux_recording_rate(again.file), 30.0);
    std::vector<std::byte> second(bytes);
    ASSERT_EQ(echolux_recording_read(again.file, 1, second.data(), bytes), ECHOLUX_OK);
    EXPECT_TRUE(std::equal(second.begin(), second.end(), frames.begin() + std::ptrdiff_t(bytes)));
    for (const char* fact : {"x_m", "z_m", "origin_x_m", "first_sample_s"})
        for (const std::int64_t t : {0, 64}) EXPECT_EQ(again.get(t, fact), sector.get(t, fact));
    EXPECT_EQ(echolux_spec_channel_elements(again.spec(), nullptr, 0), 65 * 32);
    EXPECT_EQ(echolux_write(path.c_str(), sector.spec(), 0.0, frames.data(), bytes, 1), ECHOLUX_OK);
    EXPECT_EQ(echolux_recording_frames(Described(path).file), 1);
}

TEST(Spec, FramesThatNoRecordingHoldsLeaveNoFile) {
    const test::TemporaryFolder folder;
    const std::string path = (folder.path() / "written.echolux.h5").string();
    echolux_spec* image = echolux_spec_new("f32");
    echolux_spec_add_axis(image, "depth", 2, 1e-4, 0.0, "m");
    echolux_spec_add_axis(image, "lateral", 2, 1e-4, 0.0, "m");
    const std::array<float, 4> values{};
    EXPECT_EQ(echolux_write(path.c_str(), image, 0.0, values.data(), sizeof(values), 0),
              ECHOLUX_ERROR);
    EXPECT_THAT(echolux_last_error(), HasSubstr("Cannot write"));
    EXPECT_FALSE(std::filesystem::exists(path));
    echolux_spec_free(image);
}

TEST(Spec, AnOutputFollowsItsShownRange) {
    const Described opened(kTestdata + "phantom_cine.echolux.h5");
    echolux_pipeline* pipeline = echolux_pipeline_new("rf", opened.spec(), "cpu", 0, 1);
    ASSERT_NE(pipeline, nullptr);
    std::vector<std::byte> frame(static_cast<std::size_t>(echolux_spec_bytes(opened.spec())));
    EXPECT_STREQ(echolux_spec_text(echolux_pipeline_input(pipeline)),
                 echolux_spec_text(opened.spec()));
    double low = 0.0;
    double high = 1.0;
    for (const double range : {50.0, 30.0}) {
        ASSERT_EQ(echolux_set_number(pipeline, "log_compression.range_db", range), ECHOLUX_OK);
        echolux_push(pipeline, frame.data(), frame.size(), 0);
        ASSERT_EQ(echolux_take(pipeline, 60.0), ECHOLUX_OK);
        const echolux_spec* spec = echolux_output_spec(pipeline, "image");
        EXPECT_EQ(echolux_spec_value_range(spec, &low, &high), ECHOLUX_OK);
        EXPECT_EQ(low, -range);
        EXPECT_EQ(high, 0.0);
    }
    echolux_pipeline_free(pipeline);
}

} // namespace
} // namespace echolux
