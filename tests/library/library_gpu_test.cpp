// SPDX-License-Identifier: GPL-3.0-or-later
// The C interface on CUDA: frames from host and device memory, results that stay on the device, a
// plugin among the stages.
#include "app/library/echolux.h"
#include "gpu/exec/exec.hpp"
#include "gpu/memory/buffer.hpp"
#include "gpu/memory/transfer.hpp"
#include "tests/support/gpu.hpp"

#include <gmock/gmock.h>

#include <cmath>
#include <string>
#include <thread>
#include <vector>

namespace echolux {
namespace {

const std::string kCine = std::string(ECHOLUX_SOURCE_DIR) + "/testdata/phantom_cine.echolux.h5";
const std::string kWithPlugin =
    std::string("version = 3\n[[plugin]]\nlibrary = \"") + ECHOLUX_LEE_PLUGIN +
    "\"\n[[stage]]\ntype = \"to_float\"\n[[stage]]\ntype = \"analytic\"\n[[stage]]\n"
    "type = \"beamform\"\n[[stage]]\ntype = \"envelope\"\n[[stage]]\ntype = \"lee_filter\"\n"
    "[[stage]]\ntype = \"log_compression\"\n";

struct Cine {
    Cine() : file(echolux_open(kCine.c_str())), spec(echolux_recording_spec(file)) {
        for (std::int64_t i = 0; i < 4; ++i) {
            frames.emplace_back(static_cast<std::size_t>(echolux_spec_bytes(spec)));
            echolux_recording_read(file, i, frames.back().data(), frames.back().size());
        }
    }
    ~Cine() { echolux_close(file); }
    echolux_recording* file;
    const echolux_spec* spec;
    std::vector<std::vector<std::byte>> frames;
};

std::vector<float> imageOf(echolux_pipeline* pipeline) {
    const char* name = echolux_output_name(pipeline, 0);
    const auto bytes =
        static_cast<std::size_t>(echolux_spec_bytes(echolux_output_spec(pipeline, name)));
    std::vector<float> image(bytes / sizeof(float));
    EXPECT_EQ(echolux_output_copy(pipeline, name, image.data(), bytes), ECHOLUX_OK)
        << echolux_last_error();
    return image;
}

std::vector<std::vector<float>> images(const Cine& cine, const char* text, const char* backend) {
    echolux_pipeline* pipeline = echolux_pipeline_new(text, cine.spec, backend, 0, 3);
    EXPECT_NE(pipeline, nullptr) << echolux_last_error();
    std::vector<std::vector<float>> all;
    // Twice: the second time captured work is launched.
    for (int round = 0; round < 2; ++round) {
        all.clear();
        for (const auto& frame : cine.frames) {
            EXPECT_EQ(echolux_push(pipeline, frame.data(), frame.size(), 0), ECHOLUX_OK)
                << echolux_last_error();
            EXPECT_EQ(echolux_take(pipeline, 60.0), ECHOLUX_OK);
            all.push_back(imageOf(pipeline));
        }
        echolux_restart(pipeline);
    }
    echolux_pipeline_free(pipeline);
    return all;
}

void expectNear(const std::vector<float>& a, const std::vector<float>& b) {
    ASSERT_EQ(a.size(), b.size());
    std::size_t far = 0;
    for (std::size_t i = 0; i < a.size(); ++i) far += std::fabs(a[i] - b[i]) > 0.1F ? 1 : 0;
    EXPECT_LT(far, a.size() / 1000);
}

TEST(LibraryGpu, ImagesAgreeWithTheCpu) {
    ECHOLUX_NEED_GPU();
    const Cine cine;
    ASSERT_EQ(echolux_allow_plugin(ECHOLUX_LEE_PLUGIN), ECHOLUX_OK) << echolux_last_error();
    for (const char* text : {static_cast<const char*>(nullptr), kWithPlugin.c_str()}) {
        const auto cpu = images(cine, text, "cpu");
        const auto cuda = images(cine, text, "cuda");
        for (std::size_t i = 0; i < cpu.size(); ++i) expectNear(cpu[i], cuda[i]);
    }
}

TEST(LibraryGpu, FramesInDeviceMemoryGiveTheSameAndAreReadInTheOrderOfTheirStream) {
    ECHOLUX_NEED_GPU();
    const Cine cine;
    const auto expected = images(cine, nullptr, "cuda");
    echolux_pipeline* pipeline = echolux_pipeline_new(nullptr, cine.spec, "cuda", 0, 4);
    const Stream stream(Backend::Cuda, "client");
    const Exec exec{Backend::Cuda, stream.get()};
    const Buffer frame(MemoryKind::Device, cine.frames[0].size());
    for (std::size_t i = 0; i < cine.frames.size(); ++i) { // all through the same memory
        upload(exec, frame.data(), cine.frames[i].data(), frame.bytes());
        ASSERT_EQ(echolux_push_device(pipeline, frame.data(), frame.bytes(),
                                      static_cast<std::int64_t>(i), stream.get()),
                  ECHOLUX_OK)
            << echolux_last_error();
    }
    for (std::size_t i = 0; i < cine.frames.size(); ++i) {
        ASSERT_EQ(echolux_take_enqueued(pipeline), ECHOLUX_OK);
        EXPECT_EQ(echolux_result_number(pipeline), static_cast<std::int64_t>(i));
        EXPECT_NE(echolux_result_event(pipeline), nullptr);
        EXPECT_NE(echolux_output_memory(pipeline, "image"), nullptr);
        EXPECT_EQ(imageOf(pipeline), expected[i]);
    }
    echolux_pipeline_free(pipeline);
}

TEST(LibraryGpu, TwoThreadsPushAndTake) {
    ECHOLUX_NEED_GPU();
    const Cine cine;
    const auto expected = images(cine, nullptr, "cuda");
    echolux_pipeline* pipeline = echolux_pipeline_new(nullptr, cine.spec, "cuda", 0, 2);
    constexpr int kFrames = 200;
    std::thread producer([&] {
        for (int i = 0; i < kFrames; ++i) {
            const auto& frame = cine.frames[static_cast<std::size_t>(i) % cine.frames.size()];
            EXPECT_EQ(echolux_push(pipeline, frame.data(), frame.size(), i), ECHOLUX_OK);
        }
    });
    for (int i = 0; i < kFrames; ++i) {
        EXPECT_EQ(echolux_take(pipeline, 60.0), ECHOLUX_OK);
        EXPECT_EQ(echolux_result_number(pipeline), i);
        if (i < 4) { // later frames have others before them, and the reference remembers
            EXPECT_EQ(imageOf(pipeline), expected[static_cast<std::size_t>(i) % 4]);
        }
    }
    producer.join();
    echolux_pipeline_free(pipeline);
}

} // namespace
} // namespace echolux
