// SPDX-License-Identifier: GPL-3.0-or-later
// The C interface: recordings and pipelines through it give what the engine gives; wrong calls are
// refused with a code and a sentence.
#include "app/dataset/recording/recording.hpp"
#include "app/library/echolux.h"
#include "app/pipeline/runner.hpp"
#include "tests/plugins/sonix_sample.hpp"
#include "tests/support/temporary_folder.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <iterator>
#include <regex>
#include <set>
#include <thread>
#include <vector>

namespace echolux {
namespace {

using testing::HasSubstr;
using testing::Not;

const std::string kCine = std::string(ECHOLUX_SOURCE_DIR) + "/testdata/phantom_cine.echolux.h5";

struct Opened {
    echolux_recording* file = echolux_open(kCine.c_str());
    ~Opened() { echolux_close(file); }
    const echolux_spec* spec() const { return echolux_recording_spec(file); }
    std::vector<std::byte> frame(std::int64_t index) const {
        std::vector<std::byte> bytes(static_cast<std::size_t>(echolux_spec_bytes(spec())));
        EXPECT_EQ(echolux_recording_read(file, index, bytes.data(), bytes.size()), ECHOLUX_OK)
            << echolux_last_error();
        return bytes;
    }
};

struct Running {
    explicit Running(const echolux_spec* input, int queue = 2, const char* pipeline = nullptr)
        : handle(echolux_pipeline_new(pipeline, input, "cpu", 0, queue)) {
        EXPECT_NE(handle, nullptr) << echolux_last_error();
    }
    ~Running() { echolux_pipeline_free(handle); }
    int push(const std::vector<std::byte>& frame, std::int64_t number) const {
        return echolux_push(handle, frame.data(), frame.size(), number);
    }
    std::vector<float> image(const char* output = "image") const {
        const auto bytes =
            static_cast<std::size_t>(echolux_spec_bytes(echolux_output_spec(handle, output)));
        std::vector<float> values(bytes / sizeof(float));
        EXPECT_EQ(echolux_output_copy(handle, output, values.data(), bytes), ECHOLUX_OK)
            << echolux_last_error();
        return values;
    }
    echolux_pipeline* handle;
};

/// By the engine itself.
std::vector<float> imageByRunner(std::int64_t frame) {
    const auto recording = openRecording(kCine);
    std::vector<std::byte> bytes(recording->info().frame.bytes());
    recording->readFrame(frame, bytes);
    Runner runner(Backend::Cpu, 1);
    runner.apply(instantiate(defaultPipeline(recording->info().frame), recording->info().frame));
    std::vector<float> out(static_cast<std::size_t>(runner.snapshot()->output().count()));
    runner.wait(runner.enqueue({.raw = bytes.data(), .targets = {ViewTarget{out.data()}}}));
    return out;
}

TEST(Library, ARecordingIsDescribedAndRead) {
    const Opened opened;
    ASSERT_NE(opened.file, nullptr) << echolux_last_error();
    EXPECT_STREQ(echolux_recording_format(opened.file), "Echolux recording");
    EXPECT_STREQ(echolux_recording_warnings(opened.file), "");
    EXPECT_GT(echolux_recording_frames(opened.file), 1);
    ASSERT_EQ(echolux_spec_axes(opened.spec()), 3);
    EXPECT_STREQ(echolux_spec_axis_name(opened.spec(), 2), "sample");
    EXPECT_STREQ(echolux_spec_axis_unit(opened.spec(), 2), "s");
    double spacing = 0.0;
    double origin = 1.0;
    EXPECT_EQ(echolux_spec_axis_scale(opened.spec(), 2, &spacing, &origin), ECHOLUX_OK);
    EXPECT_NEAR(spacing, 1.0 / openRecording(kCine)->info().frame.samplingFrequencyHz(), 1e-15);
    std::vector<std::byte> expected(opened.frame(1).size());
    openRecording(kCine)->readFrame(1, expected);
    EXPECT_EQ(opened.frame(1), expected);
}

TEST(Library, FramesGiveWhatTheEngineGives) {
    const Opened opened;
    const Running pipeline(opened.spec());
    EXPECT_EQ(echolux_outputs(pipeline.handle), 1);
    EXPECT_STREQ(echolux_output_name(pipeline.handle, 0), "image");
    for (const std::int64_t frame : {0, 1}) {
        ASSERT_EQ(pipeline.push(opened.frame(frame), 10 + frame), ECHOLUX_OK);
        ASSERT_EQ(echolux_take(pipeline.handle, 600.0), ECHOLUX_OK);
        EXPECT_EQ(echolux_result_number(pipeline.handle), 10 + frame);
        EXPECT_EQ(pipeline.image(), imageByRunner(frame));
    }
    EXPECT_GT(echolux_total_seconds(pipeline.handle), 0.0);
    ASSERT_GT(echolux_steps(pipeline.handle), 0);
    EXPECT_GT(echolux_step_seconds(pipeline.handle, 0), 0.0);
    EXPECT_STRNE(echolux_step_name(pipeline.handle, 0), "");
}

TEST(Library, ResultsComeInOrderAndTheQueueKeepsItsPolicy) {
    const Opened opened;
    const Running pipeline(opened.spec(), 2);
    const auto frame = opened.frame(0);
    EXPECT_EQ(echolux_take(pipeline.handle, 0.0), ECHOLUX_AGAIN);
    ASSERT_EQ(echolux_set_policy(pipeline.handle, ECHOLUX_REFUSE), ECHOLUX_OK);
    EXPECT_EQ(pipeline.push(frame, 1), ECHOLUX_OK);
    EXPECT_EQ(pipeline.push(frame, 2), ECHOLUX_OK);
    EXPECT_EQ(pipeline.push(frame, 3), ECHOLUX_AGAIN);
    EXPECT_EQ(echolux_dropped(pipeline.handle), 0);
    EXPECT_EQ(echolux_flush(pipeline.handle), ECHOLUX_OK); // what is being computed is not dropped
    ASSERT_EQ(echolux_set_policy(pipeline.handle, ECHOLUX_DROP), ECHOLUX_OK);
    EXPECT_EQ(pipeline.push(frame, 4), ECHOLUX_OK);
    EXPECT_EQ(echolux_dropped(pipeline.handle), 1);
    EXPECT_EQ(echolux_flush(pipeline.handle), ECHOLUX_OK);
    for (const std::int64_t expected : {2, 4}) {
        ASSERT_EQ(echolux_take(pipeline.handle, 0.0), ECHOLUX_OK);
        EXPECT_EQ(echolux_result_number(pipeline.handle), expected);
    }
    EXPECT_EQ(echolux_take_enqueued(pipeline.handle), ECHOLUX_AGAIN);
    EXPECT_EQ(echolux_result_number(pipeline.handle), 4);
}

TEST(Library, APushThatBlocksGoesOnWhenAResultIsTaken) {
    const Opened opened;
    const Running pipeline(opened.spec(), 1);
    const auto frame = opened.frame(0);
    constexpr int kFrames = 6;
    std::thread producer([&] {
        for (int i = 0; i < kFrames; ++i) EXPECT_EQ(pipeline.push(frame, i), ECHOLUX_OK);
    });
    for (int i = 0; i < kFrames; ++i) {
        EXPECT_EQ(echolux_take(pipeline.handle, 60.0), ECHOLUX_OK);
        EXPECT_EQ(echolux_result_number(pipeline.handle), i);
    }
    producer.join();
}

TEST(Library, ParametersAreListedReadAndSet) {
    const Opened opened;
    const Running pipeline(opened.spec());
    std::set<std::string> names;
    for (int i = 0; i < echolux_parameters(pipeline.handle); ++i)
        names.insert(echolux_parameter_name(pipeline.handle, i));
    ASSERT_TRUE(names.contains("beamform.f_number"));
    for (const std::string& name : names) {
        EXPECT_STRNE(echolux_parameter_label(pipeline.handle, name.c_str()), "");
        EXPECT_STRNE(echolux_parameter_help(pipeline.handle, name.c_str()), "");
        EXPECT_NE(echolux_parameter_unit(pipeline.handle, name.c_str()), nullptr);
        EXPECT_NE(echolux_get_text(pipeline.handle, name.c_str()), nullptr);
        const std::string type = echolux_parameter_type(pipeline.handle, name.c_str());
        const std::string choices = echolux_parameter_choices(pipeline.handle, name.c_str());
        EXPECT_EQ(type == "choice", !choices.empty()) << name;
    }
    double low = 0.0;
    double high = 0.0;
    double step = 0.0;
    ASSERT_EQ(echolux_parameter_range(pipeline.handle, "beamform.f_number", &low, &high, &step),
              ECHOLUX_OK);
    EXPECT_LT(low, high);
    const auto frame = opened.frame(0);
    pipeline.push(frame, 0);
    echolux_take(pipeline.handle, 600.0);
    const std::vector<float> before = pipeline.image();
    ASSERT_EQ(echolux_set_number(pipeline.handle, "beamform.f_number", 3.0), ECHOLUX_OK)
        << echolux_last_error();
    double now = 0.0;
    EXPECT_EQ(echolux_get_number(pipeline.handle, "beamform.f_number", &now), ECHOLUX_OK);
    EXPECT_EQ(now, 3.0);
    pipeline.push(frame, 1);
    echolux_take(pipeline.handle, 600.0);
    EXPECT_NE(pipeline.image(), before);
    EXPECT_THAT(echolux_pipeline_text(pipeline.handle), HasSubstr("f_number = 3.0"));
}

TEST(Library, AStructuralEditChangesTheOutputsOfLaterFramesOnly) {
    const Opened opened;
    const Running pipeline(opened.spec(), 2);
    const auto frame = opened.frame(0);
    pipeline.push(frame, 0);
    const auto bytes = [&] {
        return echolux_spec_bytes(echolux_output_spec(pipeline.handle, "image"));
    };
    const std::int64_t before = bytes();
    ASSERT_EQ(echolux_set_text(pipeline.handle, "beamform.pixel_depth", "4e-4"), ECHOLUX_OK)
        << echolux_last_error();
    pipeline.push(frame, 1);
    ASSERT_EQ(echolux_take(pipeline.handle, 600.0), ECHOLUX_OK);
    EXPECT_EQ(bytes(), before);
    EXPECT_EQ(pipeline.image(), imageByRunner(0));
    ASSERT_EQ(echolux_take(pipeline.handle, 600.0), ECHOLUX_OK);
    EXPECT_LT(bytes(), before);
    EXPECT_EQ(pipeline.image().size() * sizeof(float), static_cast<std::size_t>(bytes()));
}

TEST(Library, FramesCanBeDescribedWithoutAFile) {
    echolux_spec* spec = echolux_spec_new("i16");
    constexpr int kElements = 16;
    ASSERT_EQ(echolux_spec_add_axis(spec, "transmit", 1, 1.0, 0.0, ""), ECHOLUX_OK);
    ASSERT_EQ(echolux_spec_add_axis(spec, "channel", kElements, 1.0, 0.0, ""), ECHOLUX_OK);
    ASSERT_EQ(echolux_spec_add_axis(spec, "sample", 400, 1.0 / 20e6, 0.0, "s"), ECHOLUX_OK);
    ASSERT_EQ(echolux_spec_set(spec, "centre_frequency_hz", 5e6), ECHOLUX_OK);
    ASSERT_EQ(echolux_spec_set(spec, "pitch_m", 0.3e-3), ECHOLUX_OK);
    std::vector<double> elements;
    for (int e = 0; e < kElements; ++e)
        elements.insert(elements.end(), {(e - 7.5) * 0.3e-3, 0.0, 0.0});
    ASSERT_EQ(echolux_spec_set_elements(spec, elements.data(), kElements), ECHOLUX_OK);
    ASSERT_EQ(echolux_spec_add_transmit(spec, "plane", 0.0, 0.0, 0.0, 0.0, 0.0), ECHOLUX_OK);
    EXPECT_STREQ(echolux_spec_text(spec), "i16 [transmit 1][channel 16][sample 400]");
    {
        const Running pipeline(spec, 1, "rf");
        std::vector<std::byte> frame(static_cast<std::size_t>(echolux_spec_bytes(spec)));
        EXPECT_EQ(pipeline.push(frame, 0), ECHOLUX_OK) << echolux_last_error();
        EXPECT_EQ(echolux_take(pipeline.handle, 600.0), ECHOLUX_OK);
    }
    echolux_spec_free(spec);
    EXPECT_EQ(echolux_spec_axes(spec), -1);
    EXPECT_THAT(echolux_last_error(), HasSubstr("freed"));
}

TEST(Library, WrongCallsAreRefusedAndLoseNothing) {
    const Opened opened;
    const Running pipeline(opened.spec());
    const auto frame = opened.frame(0);
    int stranger = 0;
    EXPECT_EQ(echolux_push(nullptr, frame.data(), frame.size(), 0), ECHOLUX_MISUSE);
    EXPECT_THAT(echolux_last_error(), HasSubstr("pipeline is NULL"));
    EXPECT_EQ(
        echolux_push(reinterpret_cast<echolux_pipeline*>(&stranger), frame.data(), frame.size(), 0),
        ECHOLUX_MISUSE);
    EXPECT_EQ(echolux_push(pipeline.handle, nullptr, frame.size(), 0), ECHOLUX_MISUSE);
    EXPECT_EQ(echolux_push(pipeline.handle, frame.data(), frame.size() - 1, 0), ECHOLUX_MISUSE);
    EXPECT_THAT(echolux_last_error(), HasSubstr("this pipeline takes"));
    EXPECT_EQ(echolux_push_device(pipeline.handle, frame.data(), frame.size(), 0, nullptr),
              ECHOLUX_MISUSE);
    EXPECT_EQ(echolux_result_number(pipeline.handle), -1);
    EXPECT_EQ(echolux_output_memory(pipeline.handle, "image"), nullptr);
    EXPECT_EQ(echolux_set_number(pipeline.handle, "beamform", 1.0), ECHOLUX_MISUSE);
    EXPECT_EQ(echolux_set_number(pipeline.handle, "beamform.nothing", 1.0), ECHOLUX_MISUSE);
    EXPECT_EQ(echolux_set_number(pipeline.handle, "nothing.f_number", 1.0), ECHOLUX_MISUSE);
    EXPECT_EQ(echolux_set_number(pipeline.handle, "beamform.f_number", -9.0), ECHOLUX_ERROR);
    EXPECT_THAT(echolux_last_error(), HasSubstr("f_number"));
    EXPECT_EQ(echolux_output_spec(pipeline.handle, "nothing"), nullptr);
    EXPECT_EQ(echolux_set_policy(pipeline.handle, 9), ECHOLUX_MISUSE);
    EXPECT_EQ(echolux_parameter_name(pipeline.handle, -1), nullptr);
    EXPECT_EQ(echolux_set_bypass(pipeline.handle, "nothing", 1), ECHOLUX_ERROR);
    EXPECT_EQ(echolux_open("/nowhere.h5"), nullptr);
    EXPECT_THAT(echolux_last_error(), HasSubstr("/nowhere.h5"));
    EXPECT_EQ(echolux_open(nullptr), nullptr);
    std::array<std::byte, 4> small{};
    EXPECT_EQ(echolux_recording_read(opened.file, 0, small.data(), small.size()), ECHOLUX_MISUSE);
    std::vector<std::byte> whole(frame.size());
    EXPECT_EQ(echolux_recording_read(opened.file, 1 << 30, whole.data(), whole.size()),
              ECHOLUX_MISUSE);
    EXPECT_EQ(echolux_pipeline_new("nothing", opened.spec(), "cpu", 0, 1), nullptr);
    EXPECT_THAT(echolux_last_error(), HasSubstr("'nothing' is no pipeline"));
    EXPECT_EQ(echolux_pipeline_new(nullptr, opened.spec(), "fpga", 0, 1), nullptr);
    EXPECT_EQ(echolux_pipeline_new(nullptr, opened.spec(), "cpu", 0, 0), nullptr);
    EXPECT_EQ(echolux_pipeline_new("version = 3\n[[stage]]\n", opened.spec(), "cpu", 0, 1),
              nullptr);
    EXPECT_EQ(echolux_spec_new("f16"), nullptr);
    EXPECT_EQ(echolux_spec_add_axis(const_cast<echolux_spec*>(opened.spec()), "depth", 1, 1, 0, ""),
              ECHOLUX_MISUSE);
    EXPECT_EQ(echolux_allow_plugin(kCine.c_str()), ECHOLUX_ERROR);
    // And it still runs.
    EXPECT_EQ(pipeline.push(frame, 5), ECHOLUX_OK);
    EXPECT_EQ(echolux_take(pipeline.handle, 600.0), ECHOLUX_OK);
    EXPECT_EQ(pipeline.image(), imageByRunner(0));
}

TEST(Library, AnAxisThatIsTooLongIsRefused) {
    echolux_spec* spec = echolux_spec_new("f32");
    EXPECT_EQ(echolux_spec_add_axis(spec, "depth", 0, 1, 0, ""), ECHOLUX_MISUSE);
    EXPECT_EQ(echolux_spec_add_axis(spec, "depth", INT64_MAX, 1, 0, ""), ECHOLUX_MISUSE);
    EXPECT_EQ(echolux_spec_add_axis(spec, "depth", std::int64_t{1} << 30, 1, 0, ""), ECHOLUX_OK);
    EXPECT_EQ(echolux_spec_add_axis(spec, "lateral", std::int64_t{1} << 30, 1, 0, ""),
              ECHOLUX_MISUSE);
    EXPECT_EQ(echolux_spec_add_axis(spec, "depth", 2, 1, 0, ""), ECHOLUX_MISUSE);
    EXPECT_EQ(echolux_spec_set(spec, "colour", 1.0), ECHOLUX_MISUSE);
    echolux_spec_free(spec);
}

TEST(Library, APluginIsAllowedByItsCaller) {
    const Opened opened;
    const std::string text = std::string("version = 3\n[[plugin]]\nlibrary = \"") +
                             ECHOLUX_LEE_PLUGIN +
                             "\"\n[[stage]]\ntype = \"to_float\"\n[[stage]]\ntype = \"analytic\"\n"
                             "[[stage]]\ntype = \"beamform\"\n[[stage]]\ntype = \"envelope\"\n"
                             "[[stage]]\ntype = \"lee_filter\"\n";
    EXPECT_EQ(echolux_pipeline_new(text.c_str(), opened.spec(), "cpu", 0, 1), nullptr);
    EXPECT_THAT(echolux_last_error(), HasSubstr("plugins allow"));
    ASSERT_EQ(echolux_allow_plugin(ECHOLUX_LEE_PLUGIN), ECHOLUX_OK) << echolux_last_error();
    const Running pipeline(opened.spec(), 1, text.c_str());
    EXPECT_EQ(pipeline.push(opened.frame(0), 0), ECHOLUX_OK) << echolux_last_error();
    EXPECT_EQ(echolux_take(pipeline.handle, 600.0), ECHOLUX_OK);
}

TEST(Library, AReaderOfAPluginOpensRecordings) {
    const test::TemporaryFolder folder;
    const std::string path = folder / "a.rf";
    test::writeSonix(path, 2);
    EXPECT_EQ(echolux_open(path.c_str()), nullptr);
    ASSERT_EQ(echolux_allow_plugin(ECHOLUX_SONIX_PLUGIN), ECHOLUX_OK) << echolux_last_error();
    echolux_recording* recording = echolux_open(path.c_str());
    ASSERT_NE(recording, nullptr) << echolux_last_error();
    EXPECT_STREQ(echolux_recording_format(recording), "Ultrasonix RF");
    std::vector<std::int16_t> frame(test::kSonixLines * test::kSonixSamples);
    EXPECT_EQ(echolux_recording_read(recording, 1, frame.data(), frame.size() * 2), ECHOLUX_OK);
    EXPECT_EQ(frame[test::kSonixLines * 5 + 2], test::sonixSample(1, 2, 5));
    echolux_close(recording);
}

/// Symbols that the library offers are those of the header, and no others.
TEST(Library, ExportsItsHeaderAndNothingElse) {
    std::ifstream file(std::string(ECHOLUX_SOURCE_DIR) + "/app/library/echolux.h");
    const std::string header{std::istreambuf_iterator<char>(file), {}};
    const std::regex declaration("ECHOLUX_API [^;]*?(echolux_[a-z_]+)\\(");
    std::set<std::string> declared;
    for (auto at = std::sregex_iterator(header.begin(), header.end(), declaration);
         at != std::sregex_iterator(); ++at)
        declared.insert((*at)[1]);
    EXPECT_GT(declared.size(), 50U);
    FILE* names = popen("nm -D --defined-only " ECHOLUX_C_LIBRARY, "r"); // NOLINT
    std::set<std::string> exported;
    char line[512];
    while (std::fgets(line, sizeof(line), names) != nullptr) {
        std::string text = line;
        text = text.substr(text.find_last_of(' ') + 1);
        text = text.substr(0, text.find_first_of("@\n"));
        if (text != "ECHOLUX_0") exported.insert(text);
    }
    EXPECT_EQ(pclose(names), 0);
    EXPECT_EQ(exported, declared);
}

} // namespace
} // namespace echolux
